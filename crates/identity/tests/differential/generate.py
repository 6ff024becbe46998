#!/usr/bin/env python3
"""Asks osc-lib, openstacksdk and keystoneauth what many configurations mean, for the test that compares.

    python generate.py [--cases N] [--seed N] [--config DIR] > cases.jsonl

Needs an interpreter that has python-openstackclient installed (python-heatclient and python-manilaclient too, for
their options); no network. Every line is one case: the files, the environment and the options on one side, and on the
other the URL and body of the sign-in request that keystoneauth would send, region, interface, verification and
endpoint overrides, or the error. The first line has the versions.

`--config DIR` adds DIR/*.yaml as cases: clouds files with their secure files beside them (NAME.secure.yaml), every
cloud of each.

The expected side is found in one process: the option parser of the openstack command is built for the environment of
the case, its options go through `osc_lib.cli.client_config.OSC_Config.get_one` as in `osc_lib.shell`, and the plugin
that keystoneauth makes of it is asked for a token through a session that only writes down what it is given.
"""

import argparse
import glob
import io
import json
import logging
import os
import random
import sys
import tempfile
import warnings
from importlib import metadata

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
for name in [name for name in os.environ if name.startswith("OS_")]:
    del os.environ[name]

from keystoneauth1 import loading  # noqa: E402
from openstackclient.common import clientmanager  # noqa: E402
from osc_lib import shell as osc_shell  # noqa: E402
from osc_lib.api import auth as osc_auth  # noqa: E402
from osc_lib.cli import client_config  # noqa: E402


class Sent(Exception):
    """What would have been sent."""


class Recorder:
    """A session that sends nothing."""

    def post(self, url, json=None, **_):
        raise Sent(url, json)

    def get(self, url, **_):
        raise RuntimeError("a question: " + url)


class Shell(osc_shell.OpenStackShell):
    """The openstack command without commands."""

    def build_option_parser(self, description, version, argparse_kwargs=None):
        parser = super().build_option_parser(description, version, argparse_kwargs)
        parser = clientmanager.build_plugin_option_parser(parser)
        return osc_auth.build_auth_plugins_option_parser(parser)


def parser():
    shell = Shell.__new__(Shell)
    shell.deferred_help = True
    shell.NAME = "openstack"
    return shell.build_option_parser("openstack", "0", {"conflict_handler": "resolve"}), shell


def resolve(case):
    """What the Python libraries make of a case."""
    with tempfile.TemporaryDirectory() as folder:
        env = dict(case["env"])
        for key, variable in (("clouds", "OS_CLIENT_CONFIG_FILE"), ("secure", "OS_CLIENT_SECURE_FILE")):
            if case.get(key) is not None:
                path = os.path.join(folder, key + ".yaml")
                with open(path, "w", encoding="utf-8") as out:
                    out.write(case[key])
                env[variable] = path
        public = []
        if case.get("public") is not None:
            public = [os.path.join(folder, "clouds-public.yaml")]
            with open(public[0], "w", encoding="utf-8") as out:
                out.write(case["public"])
        before = dict(os.environ)
        os.environ.update(env)
        out, sys.stderr = sys.stderr, io.StringIO()
        try:
            return of_environment(case["flags"], public, folder)
        except (Exception, SystemExit) as error:
            return {"error": (type(error).__name__ + ": " + str(error)).replace(folder, "FOLDER")[:300]}
        finally:
            sys.stderr = out
            os.environ.clear()
            os.environ.update(before)


def of_environment(flags, public, folder):
    made, shell = parser()
    argv = []
    for name, value in flags.items():
        argv += ["--" + name] if value is True else ["--" + name, value]
    options = made.parse_args(argv)
    shell.options = options
    osc_shell.OpenStackShell._final_defaults(shell)
    kind = "admin_token" if options.endpoint and options.token else "password"
    config = client_config.OSC_Config(
        override_defaults={"interface": None, "auth_type": kind},
        vendor_files=public,
        # Nothing of this machine.
        **({} if "OS_CLIENT_CONFIG_FILE" in os.environ else {"config_files": []}),
        **({} if "OS_CLIENT_SECURE_FILE" in os.environ else {"secure_files": []}),
    )
    cloud = config.get_one(cloud=options.cloud, argparse=options, validate=False)
    found = dict(cloud.config)
    verify, cert = cloud.get_requests_verify_args()
    result = {
        "cloud": cloud.name,
        "auth_type": found["auth_type"],
        "region": cloud.get_region_name("orchestration") or None,
        "interface": cloud.get_interface("orchestration") or "public",
        "verify": verify,
        "cert": list(cert) if isinstance(cert, tuple) else cert,
        "heat": cloud.get_endpoint("orchestration"),
        "manila": cloud.get_endpoint("shared-file-system"),
    }
    found["auth"] = dict(found["auth"])
    config._pw_callback = None
    loader = config._get_auth_loader(found)
    found = config._validate_auth(found, loader)
    plugin = loader.load_from_options(**found["auth"])
    if hasattr(plugin, "create_plugin"):
        url = found["auth"].get("auth_url", "").rstrip("/")
        plugin = plugin.create_plugin(None, (3, 0), url if url.endswith("/v3") else url + "/v3")
        if plugin is None:
            raise ValueError("no v3 plugin")
    if hasattr(plugin, "get_auth_ref"):
        try:
            plugin.get_auth_ref(Recorder())
        except Sent as sent:
            result["url"], result["body"] = sent.args
        if isinstance(result.get("verify"), str):
            result["verify"] = result["verify"].replace(folder, "FOLDER")
    else:
        result["endpoint"] = getattr(plugin, "endpoint", None)
    return result


# What cases are made of: each is a list of alternatives, the first is the usual one.

URLS = ["https://one.example:5000/v3", "https://one.example:5000/v3/", "http://[::1]:5000/v3", "https://one.example/identity/v3"]


def scalar(rng, text):
    """Text as YAML, in some notation."""
    return rng.choice([text, json.dumps(text), "'" + text + "'"])


def entry(rng, name):
    """The lines of one cloud."""
    auth, top = [], []

    def put(key, value, where=None):
        if rng.random() < 0.15:
            key = key.replace("_", "-")
        line = key + ": " + value
        (top if (where == "top" or (where is None and rng.random() < 0.12)) else auth).append(line)

    put("auth_url", scalar(rng, rng.choice(URLS)), None if rng.random() < 0.2 else "auth")
    kind = rng.choice(["password"] * 5 + ["appcred", "appcred-name", "token", "totp"])
    domains = rng.choice(["both-id"] * 4 + ["both-name", "user-only", "domain", "none", "default_domain"])
    if kind in ("password", "totp", "appcred-name"):
        if rng.random() < 0.2:
            put("user_id", scalar(rng, "user-" + name))
        else:
            put("username", scalar(rng, "name-" + name))
        if domains in ("both-id", "user-only"):
            put("user_domain_id", scalar(rng, "ud-" + name))
        elif domains == "both-name":
            put("user_domain_name", scalar(rng, "UD " + name))
    if kind == "password":
        put("password", rng.choice([scalar(rng, "pw-" + name), "'s p: #x'", "'{braces}'", "'0123'"]))
        if rng.random() < 0.4:
            top.append("auth_type: " + rng.choice(["password", "v3password"]))
    elif kind == "totp":
        put("passcode", rng.choice(["'012345'", "123456"]))
        top.append("auth_type: v3totp")
    elif kind == "token":
        put("token", scalar(rng, "tok-" + name))
        if rng.random() < 0.6:
            top.append("auth_type: " + rng.choice(["token", "v3token"]))
    else:
        put("application_credential_secret", scalar(rng, "acs-" + name), "auth")
        if kind == "appcred":
            put("application_credential_id", scalar(rng, "aci-" + name), "auth")
        else:
            put("application_credential_name", scalar(rng, "acn-" + name), "auth")
        top.append("auth_type: v3applicationcredential")
    if kind in ("password", "totp", "token"):
        scope = rng.choice(["name"] * 5 + ["id", "tenant", "tenant_id", "both", "domain", "system", "trust", "none", "two"])
        if scope in ("name", "both"):
            put("project_name", scalar(rng, "project-" + name))
        if scope in ("id", "both"):
            put("project_id", rng.choice(["0123456789abcdef", "1234567890123456789012", "0012", "'0012'"]))
        if scope == "tenant":
            put("tenant_name", scalar(rng, "tenant-" + name))
        if scope == "tenant_id":
            put("tenant_id", scalar(rng, "tid-" + name))
        if scope == "domain":
            put("domain_id", scalar(rng, "dom-" + name))
        if scope in ("system", "two"):
            put("system_scope", "all", "auth")
        if scope == "two":
            put("trust_id", "trust-" + name, "auth")
        if scope == "trust":
            put("trust_id", "trust-" + name, "auth")
        if scope in ("name", "both", "tenant"):
            if domains == "both-id":
                put("project_domain_id", scalar(rng, "pd-" + name))
            elif domains == "both-name":
                put("project_domain_name", scalar(rng, "PD " + name))
            elif domains == "domain":
                put("domain_id", scalar(rng, "dom-" + name))
    if domains == "default_domain":
        top.append("default_domain: dd-" + name)
    if rng.random() < 0.6:
        top.append("identity_api_version: " + rng.choice(["3", "'3'", "3"]))
    roll = rng.random()
    if roll < 0.5:
        top.append("region_name: " + scalar(rng, "RegionOne"))
    elif roll < 0.6:
        top.append("regions: [RegionOne, RegionTwo]")
    elif roll < 0.7:
        top.append("regions: [{name: RegionOne, values: {interface: internal}}, {name: RegionTwo}]")
    if rng.random() < 0.3:
        top.append(rng.choice(["interface", "endpoint_type"]) + ": " + rng.choice(["internal", "admin", "public"]))
    if rng.random() < 0.3:
        top.append(rng.choice(["verify: false", "verify: no", "verify: true", "insecure: true", "insecure: 'true'",
                               "insecure: false", "insecure: 'yes'", "verify: 'false'"]))
    if rng.random() < 0.25:
        top.append("cacert: /etc/ca-" + name + ".pem")
    if rng.random() < 0.15:
        top += ["cert: /etc/c.pem", "key: /etc/k.pem"]
    if rng.random() < 0.2:
        top.append(rng.choice(["orchestration_endpoint_override", "shared_file_system_endpoint_override",
                               "share_endpoint_override", "sharev2_endpoint_override", "orchestration_endpoint"])
                   + ": http://override.example:1/v1/%(project_id)s")
    if rng.random() < 0.1:
        top.append("orchestration_interface: admin")
    if rng.random() < 0.1:
        top.append("orchestration_region_name: RegionThree")
    if rng.random() < 0.1:
        top.append("auth_plugin: password" if kind == "password" else "verbose_level: 3")
    if rng.random() < 0.15:
        top += ["unknown_key: [1, 2]", "networks: []"]
    rng.shuffle(top)
    rng.shuffle(auth)
    lines = ["  " + name + ":"]
    lines += ["    " + line for line in top]
    lines += ["    auth:"] + ["      " + line for line in auth]
    return lines


def case(rng):
    names = rng.choice([["one"], ["one"], ["one", "two"], ["one", "two", "three"]])
    clouds = "clouds:\n" + "\n".join(line for name in names for line in entry(rng, name)) + "\n"
    made = {"clouds": clouds, "env": {}, "flags": {}}
    roll = rng.random()
    if roll < 0.4:
        made["env"]["OS_CLOUD"] = rng.choice(names)
    elif roll < 0.8:
        made["flags"]["os-cloud"] = rng.choice(names)
    elif roll < 0.84:
        made["flags"]["os-cloud"] = "nowhere"
    if rng.random() < 0.25:
        made["secure"] = "clouds:\n  one:\n    auth:\n      password: secure-pw\n"
    if rng.random() < 0.15:
        made["public"] = ("public-clouds:\n  vendor:\n    auth:\n      auth_url: https://vendor.example/v3\n"
                          "      user_domain_name: VD\n    region_name: VendorRegion\n    interface: internal\n")
        made["clouds"] = made["clouds"].replace("  one:\n", "  one:\n    profile: vendor\n", 1)
    pool = [("OS_PASSWORD", "os-password", "other-pw"), ("OS_USERNAME", "os-username", "other-name"),
            ("OS_PROJECT_NAME", "os-project-name", "other-project"), ("OS_PROJECT_ID", "os-project-id", "000111"),
            ("OS_REGION_NAME", "os-region-name", "RegionTwo"), ("OS_INTERFACE", "os-interface", "admin"),
            ("OS_AUTH_URL", "os-auth-url", "https://other.example/v3"), ("OS_CACERT", "os-cacert", "/other/ca.pem"),
            ("OS_USER_DOMAIN_NAME", "os-user-domain-name", "Other"), ("OS_TENANT_NAME", None, "env-tenant"),
            ("OS_IDENTITY_API_VERSION", "os-identity-api-version", "3"), ("OS_TOKEN", "os-token", "other-tok"),
            ("OS_AUTH_TYPE", "os-auth-type", "v3password"), ("OS_PROJECT_DOMAIN_ID", "os-project-domain-id", "opd"),
            ("OS_DEFAULT_DOMAIN", "os-default-domain", "other-default"), (None, "insecure", True),
            (None, "verify", True), ("OS_USERNAME", None, "")]
    for variable, flag, value in rng.sample(pool, rng.choice([0, 0, 0, 1, 1, 2, 3])):
        if variable and (flag is None or rng.random() < 0.5):
            made["env"][variable] = value
        elif flag:
            made["flags"][flag] = value
    if rng.random() < 0.12:
        del made["clouds"]
        made.pop("secure", None)
        made.pop("public", None)
        made["flags"].pop("os-cloud", None)
        made["env"].pop("OS_CLOUD", None)
        where = made["env"] if rng.random() < 0.7 else None
        for variable, flag, value in [("OS_AUTH_URL", "os-auth-url", "https://env.example/v3"),
                                      ("OS_USERNAME", "os-username", "env-name"),
                                      ("OS_PASSWORD", "os-password", "env-pw"),
                                      ("OS_PROJECT_NAME", "os-project-name", "env-project"),
                                      ("OS_USER_DOMAIN_NAME", "os-user-domain-name", "Env"),
                                      ("OS_PROJECT_DOMAIN_NAME", "os-project-domain-name", "Env")]:
            if where is not None:
                where.setdefault(variable, value)
            else:
                made["flags"].setdefault(flag, value)
    return made


def of_folder(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
        if path.endswith(".secure.yaml"):
            continue
        with open(path, encoding="utf-8") as text:
            clouds = text.read()
        secure = None
        beside = path[: -len(".yaml")] + ".secure.yaml"
        if os.path.exists(beside):
            with open(beside, encoding="utf-8") as text:
                secure = text.read()
        import yaml

        for name in (yaml.safe_load(clouds) or {}).get("clouds") or {}:
            made = {"clouds": clouds, "env": {}, "flags": {"os-cloud": str(name)}}
            if secure is not None:
                made["secure"] = secure
            yield made


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("--cases", type=int, default=600)
    args.add_argument("--seed", type=int, default=20311104)
    args.add_argument("--config", metavar="DIR")
    args = args.parse_args()
    versions = {name: metadata.version(name)
                for name in ("python-openstackclient", "osc-lib", "openstacksdk", "keystoneauth1", "PyYAML")}
    print(json.dumps({"versions": versions, "seed": args.seed}, sort_keys=True))
    rng = random.Random(args.seed)
    made = [case(rng) for _ in range(args.cases)]
    if args.config:
        made += of_folder(args.config)
    for one in made:
        one["expected"] = resolve(one)
        print(json.dumps(one, sort_keys=True))


if __name__ == "__main__":
    main()
