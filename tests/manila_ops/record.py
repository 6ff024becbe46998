#!/usr/bin/env python3
"""Records the change that python-manilaclient sends for a command line.

    python record.py lines.txt > ../fixtures/manila-ops.json
    python record.py --outputs > ../fixtures/manila-ops-output.json

Run with the Python of a virtual environment that has python-openstackclient and python-manilaclient. LINES has one
command line each, as it follows `openstack`; a number and a colon before it ask for that microversion. No cloud is
needed: the few answers that the client wants to see are made here, and every other request is kept and refused.
With --outputs every creation is taken, and what the client prints of it is kept in every format, together with the
resource that was answered: one that a Manila has shown.
"""
import contextlib
import importlib.metadata
import io
import json
import multiprocessing
import re
import shlex
import sys
from urllib.parse import parse_qs, urlsplit

ROOT = "http://cloud.invalid"
TYPES = {
    "types": [
        {"id": "be017238-b0fa-4879-b26f-bb6ff381ad2a", "name": "default", "is_default": True},
        {"id": "d5de7c2c-8114-485f-96f5-b245ed2d16e2", "name": "nowhere", "is_default": False},
        {"id": "30d6c17c-d6d4-4135-8b38-4ae945d6c12d", "name": "plain", "is_default": False},
        {"id": "62e29d7d-19e9-45a2-bb2b-2e16dc8fc6bf", "name": "replicated", "is_default": False},
        {"id": "dd499045-df74-4659-bff9-cd4e2a4c0072", "name": "servers", "is_default": False},
    ],
    "share-group-types": [{"id": "739c9ae0-4190-40d8-ad3d-e03f926256fa", "name": "default", "is_default": True}],
}
# Names that the lines may use, as the test gives them to its own cloud.
IDS = {
    "shares": {"lagoon": "11111111-0000-4000-8000-000000000001", "delta": "11111111-0000-4000-8000-000000000002"},
    "snapshots": {"nightly": "22222222-0000-4000-8000-000000000001"},
    "share-replicas": {"": "33333333-0000-4000-8000-000000000001"},
    "share-access-rules": {"": "44444444-0000-4000-8000-000000000001"},
    "share-groups": {"reef": "55555555-0000-4000-8000-000000000001"},
    "share-group-snapshots": {"low-tide": "66666666-0000-4000-8000-000000000001"},
    "share_instances": {"": "77777777-0000-4000-8000-000000000001"},
    "share-networks": {"net": "88888888-0000-4000-8000-000000000001"},
    "share-servers": {"": "99999999-0000-4000-8000-000000000001"},
    "share-backups": {"copy": "aaaaaaaa-0000-4000-8000-000000000001"},
}
ONE = {
    "shares": "share", "snapshots": "snapshot", "share-replicas": "share_replica", "share-access-rules": "access",
    "share-groups": "share_group", "share-group-snapshots": "share_group_snapshot",
    "share_instances": "share_instance", "share-networks": "share_network", "share-servers": "share_server",
    "share-backups": "share_backup", "types": "share_type", "share-group-types": "share_group_type",
}

# What a Manila has shown of each kind, and the command that prints one.
SHOWN = {
    "shares": "share-show-admin.txt", "snapshots": "snapshot-show.txt", "share-replicas": "replica-show-admin.txt",
    "share-access-rules": "access-rule-show-active.txt", "share-groups": "group-show.txt",
    "share-group-snapshots": "group-snapshot-show.txt", "share-servers": "servers-admin.txt",
    "share-backups": "backup-show.txt",
}
PRINTED = [
    ("shares", "share create NFS 1 --wait"),
    ("shares", "share adopt host@backend#pool NFS 10.0.0.1:/x --wait"),
    ("share-access-rules", "share access create lagoon ip 10.0.0.1 --wait"),
    ("snapshots", "share snapshot create lagoon --wait"),
    ("snapshots", "share snapshot adopt lagoon provider --wait"),
    ("share-replicas", "share replica create lagoon --wait"),
    ("share-groups", "share group create --wait"),
    ("share-group-snapshots", "share group snapshot create reef --wait"),
    ("share-servers", "share server adopt host@backend net ident --wait"),
    ("share-backups", "share backup create lagoon"),
]


def shown(kind):
    with open(f"../sim/fixtures/manila/{SHOWN[kind]}", encoding="utf-8") as exchange:
        text = exchange.read()
    body = json.loads(text[text.index("\n\n{") if "\n\n{" in text else text.index("\n{") :])
    one = body.get(ONE[kind]) or body[ONE[kind] + "s"][0]
    one["state" if "access" in kind else "status"] = "active" if kind in ("share-access-rules", "share-servers") else "available"
    if kind == "share-servers":
        one.setdefault("backend_details", {"port": "8080", "host": None})
    if "metadata" in one:
        one["metadata"] = {"key": "value", "b": "it's"}
    return one


def answer(path, query):
    path = path.removeprefix("/v2").strip("/")
    parts = path.split("/")
    if parts == [""]:
        return 200, {"versions": [{"id": "v2.0", "status": "CURRENT", "version": "2.99", "min_version": "2.0", "links": []}]}
    if parts[0] in ("types", "share-group-types"):
        rows = TYPES[parts[0]]
        if len(parts) == 1:
            key = "share_types" if parts[0] == "types" else "share_group_types"
            return 200, {key: rows, "volume_types": rows}
        found = [row for row in rows if parts[1] in (row["id"], "default" if row.get("is_default") else None)]
        if found:
            return 200, {ONE[parts[0]]: found[0], "volume_type": found[0]}
        return 404, {"itemNotFound": {"code": 404, "message": "not found"}}
    kind = parts[0]
    if kind not in IDS:
        return 404, {"itemNotFound": {"code": 404, "message": path}}
    rows = [
        {"id": one, "name": name or None, "size": 10, "status": "available", "state": "active",
         "share_id": IDS["shares"]["lagoon"], "backend_details": {}, "share_network_subnets": []}
        for name, one in IDS[kind].items()
    ]
    if len(parts) == 1 or parts[1] == "detail":
        # The client asks for the recycle bin as well.
        is_bin = query.get("is_soft_deleted") == ["True"]
        rows = [row for row in rows if row["name"] in query.get("name", [row["name"]]) and not is_bin]
        return 200, {ONE[kind] + "s" if kind != "share-access-rules" else "access_list": rows}
    found = [row for row in rows if row["id"] == parts[1]]
    if not found:
        return 404, {"itemNotFound": {"code": 404, "message": "not found"}}
    if len(parts) > 2 and parts[2] == "subnets":
        return 200, {"share_network_subnet": {"id": parts[3]}}
    return 200, {ONE[kind]: found[0]}


def record(line, one=None, kind=None, form=None):
    import requests
    from openstackclient import shell

    sent = []

    def send(self, request, **kwargs):
        url = urlsplit(request.url)
        reply = requests.Response()
        reply.request, reply.url = request, request.url
        reply.headers["Content-Type"] = "application/json"
        if url.path.startswith("/v3"):
            catalog = [{"type": "sharev2", "name": "manilav2", "id": "m", "endpoints": [
                {"id": "e", "interface": "public", "region": "R", "region_id": "R", "url": ROOT + "/v2"}]}]
            if request.method == "POST":
                reply.headers["X-Subject-Token"] = "t"
                status, body = 201, {"token": {
                    "methods": ["password"], "expires_at": "2099-01-01T00:00:00.000000Z", "issued_at": "2026-01-01T00:00:00.000000Z",
                    "user": {"id": "u", "name": "demo", "domain": {"id": "default", "name": "Default"}}, "roles": [],
                    "project": {"id": "p", "name": "demo", "domain": {"id": "default", "name": "Default"}}, "catalog": catalog}}
            else:
                status, body = 200, {"version": {"id": "v3.14", "status": "stable", "links": [{"rel": "self", "href": ROOT + "/v3/"}]}}
        elif one and (request.method != "GET" or url.path.endswith(one["id"])):
            status, body = 200, {ONE[kind]: one}
        elif request.method == "GET":
            status, body = answer(url.path, parse_qs(url.query))
        else:
            given = request.body
            given = given.decode() if isinstance(given, bytes) else given
            sent.append({
                "method": request.method, "path": url.path.removeprefix("/v2"), "query": url.query,
                "body": json.loads(given) if given else None,
                "experimental": str(request.headers.get("X-OpenStack-Manila-API-Experimental")).lower() == "true",
            })
            status, body = 400, {"badRequest": {"code": 400, "message": "recorded"}}
        reply.status_code = status
        reply._content = json.dumps(body).encode()
        reply.raw = io.BytesIO(reply._content)
        return reply

    requests.Session.send = send
    version, command = re.match(r"(?:(\d+): )?(.*)", line).groups()
    auth = ["--os-auth-url", ROOT + "/v3", "--os-username", "demo", "--os-password", "x", "--os-project-name", "demo",
            "--os-user-domain-id", "default", "--os-project-domain-id", "default", "--os-identity-api-version", "3",
            "--os-share-api-version", "2." + (version or "98")]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            code = shell.main([*auth, *shlex.split(command), *(["-f", form] if form else [])])
    except SystemExit:
        code = 2
    if form:
        if code:
            raise RuntimeError(f"{command}: exit {code}")
        return {"format": form, "stdout": out.getvalue()}
    return {"line": command, "version": int(version or 98), "sent": sent}


def record_output(job):
    return record(*job)


def main():
    # The client keeps what it knows of a cloud: a process for each command, forked when it has loaded what is slow.
    import manilaclient.osc.plugin
    import openstackclient.shell  # noqa: F401

    with multiprocessing.get_context("fork").Pool(2, maxtasksperchild=1) as pool:
        if sys.argv[1] == "--outputs":
            recorded = []
            for kind, line in PRINTED:
                one = shown(kind)
                jobs = [(line, one, kind, form) for form in ("table", "json", "yaml", "value", "shell")]
                outputs = list(pool.imap(record_output, jobs, chunksize=1))
                recorded.append({"line": line.removesuffix(" --wait"), "key": ONE[kind], "answer": one, "outputs": outputs})
        else:
            with open(sys.argv[1], encoding="utf-8") as lines:
                jobs = [line for line in lines.read().splitlines() if line and not line.startswith("#")]
            recorded = list(pool.imap(record, jobs, chunksize=1))
    json.dump({"client": importlib.metadata.version("python-manilaclient"), "lines": recorded}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
