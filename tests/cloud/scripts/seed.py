"""Create share types, a group type and a share network; wait until every backend reports: seed.py URL CLOUDS_FILE."""
import os
import sys
import time

import openstack

url, os.environ["OS_CLIENT_CONFIG_FILE"] = sys.argv[1:]
conn = openstack.connect(cloud="admin")
head = {"X-OpenStack-Manila-API-Version": "2.65"}


def call(method, path, body=None, ok=(200, 201, 202)):
    r = conn.session.request(url + path, method, json=body, headers=head, raise_exc=False)
    if r.status_code not in ok:
        sys.exit(f"{method} {path}: {r.status_code} {r.text}")
    return r.json() if r.content else None


FULL = {"snapshot_support": "True", "create_share_from_snapshot_support": "True",
        "revert_to_snapshot_support": "True", "mount_snapshot_support": "True"}
TYPES = {"default": (False, FULL),                                       # DHSS=False, everything but replication
         "replicated": (False, {**FULL, "replication_type": "readable"}),
         "plain": (False, {}),                                           # no snapshots at all
         "servers": (True, FULL),                                        # DHSS=True
         "nowhere": (False, {"share_backend_name": "NO_SUCH_BACKEND"})}  # scheduler finds no host: error
have = {t["name"] for t in call("GET", "/types?is_public=all")["share_types"]}
for name, (dhss, specs) in TYPES.items():
    if name not in have:
        call("POST", "/types", {"share_type": {"name": name, "share_type_access:is_public": True, "extra_specs": {
            "driver_handles_share_servers": str(dhss), **specs}}})
ids = {t["name"]: t["id"] for t in call("GET", "/types?is_public=all")["share_types"]}
if not call("GET", "/share-group-types?is_public=all")["share_group_types"]:
    call("POST", "/share-group-types", {"share_group_type": {
        "name": "default", "is_public": True, "share_types": [ids["default"]],
        "group_specs": {"consistent_snapshot_support": "pool"}}})
if not call("GET", "/share-networks?name=net")["share_networks"]:
    call("POST", "/share-networks", {"share_network": {"name": "net"}})
# The pool list is a cache which the scheduler renews only when it places something: make it place a share nowhere.
for _ in range(60):
    if len(call("GET", "/scheduler-stats/pools")["pools"]) >= 4:
        break
    share = call("POST", "/shares", {"share": {"share_proto": "NFS", "size": 1, "share_type": "nowhere"}})["share"]
    while call("GET", "/shares/" + share["id"])["share"]["status"] != "error":
        time.sleep(0.5)
    call("DELETE", "/shares/" + share["id"])
    time.sleep(1)
else:
    sys.exit("the backends do not report: see manila-share.log")
