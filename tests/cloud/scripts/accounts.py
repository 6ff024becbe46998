"""Create the projects, users, services and endpoints in Keystone, then write the clouds file.

accounts.py AUTH_URL HEAT_URL MANILA_URL PASSWORD CLOUDS_FILE. Whatever exists already is kept.
"""
import os
import sys

import openstack
import yaml

auth_url, heat_url, manila_url, password, clouds_file = sys.argv[1:]


def cloud(**auth):
    auth = {"auth_url": auth_url, **auth}
    return {"auth": auth, "region_name": "RegionOne", "identity_api_version": 3}


def password_cloud(user, project):
    return cloud(username=user, password=password, user_domain_id="default",
                 project_name=project, project_domain_id="default")


identity = openstack.connect(**password_cloud("admin", "admin")).identity


def ensure(kind, name, **attributes):
    scope = {"domain_id": attributes["domain_id"]} if "domain_id" in attributes else {}
    return (getattr(identity, f"find_{kind}")(name, **scope)
            or getattr(identity, f"create_{kind}")(name=name, **attributes))


def account(name, project, *roles):
    project = ensure("project", project, domain_id="default")
    user = ensure("user", name, domain_id="default", password=password)
    for role in roles:
        identity.assign_project_role_to_user(project, user, ensure("role", role))


def service(name, kind, url):
    found = next((s for s in identity.services() if s.type == kind), None)
    found = found or identity.create_service(name=name, type=kind)
    have = {e.interface for e in identity.endpoints(service_id=found.id)}
    for interface in {"public", "internal", "admin"} - have:
        identity.create_endpoint(service_id=found.id, interface=interface, url=url, region_id="RegionOne")


# The users that Heat makes for signals live in a domain of their own.
ensure("role", "heat_stack_user")
heat_domain = ensure("domain", "heat")
domain_admin = ensure("user", "heat_domain_admin", domain_id=heat_domain.id, password=password)
identity.assign_domain_role_to_user(heat_domain, domain_admin, ensure("role", "admin"))

account("heat", "service", "admin", "service")
account("manila", "service", "admin", "service")
account("demo", "demo", "member", "heat_stack_owner")
service("heat", "orchestration", heat_url + "/v1/%(tenant_id)s")
service("manilav2", "sharev2", manila_url)
service("manila", "shared-file-system", manila_url)

if not os.path.exists(clouds_file):
    demo = openstack.connect(**password_cloud("demo", "demo"))
    credential = demo.identity.create_application_credential(
        demo.current_user_id, "testcloud", unrestricted=True)
    appcred = cloud(application_credential_id=credential.id,
                    application_credential_secret=credential.secret)
    clouds = {"demo": password_cloud("demo", "demo"), "admin": password_cloud("admin", "admin"),
              "demo-appcred": {**appcred, "auth_type": "v3applicationcredential"}}
    with open(clouds_file, "w", encoding="utf-8") as f:
        yaml.safe_dump({"clouds": clouds}, f)
