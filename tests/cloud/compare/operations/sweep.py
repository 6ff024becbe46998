"""Leaves the test cloud as it was."""
import time


def sweep(apis, prefix, limit=180):
    """Deletes whatever a name begins with `prefix` leads to, again and again until nothing is left."""
    for stack in apis["demo"].do("GET", f"{apis['demo'].heat}/stacks")["stacks"]:
        if stack["stack_name"].startswith(prefix):
            free(apis["demo"], stack)
            apis["demo"].send("DELETE", f"{apis['demo'].heat}/stacks/{stack['stack_name']}/{stack['id']}")
    end = time.monotonic() + limit
    while time.monotonic() < end and manila(apis, prefix):
        time.sleep(5)


def free(api, stack):
    """Deployments that keep a configuration from being deleted."""
    url = f"{api.heat}/stacks/{stack['stack_name']}/{stack['id']}/resources/config"
    status, body, _ = api.send("GET", url)
    if status == 200:
        config = body["resource"]["physical_resource_id"]
        for one in api.do("GET", f"{api.heat}/software_deployments")["software_deployments"]:
            if one["config_id"] == config:
                api.send("DELETE", f"{api.heat}/software_deployments/{one['id']}")


def rows(admin, path, key):
    """What a list has, but for what goes already: deleted a second time, a share may stay without an instance for ever."""
    return [row for row in admin.do("GET", f"{admin.manila}/{path}")[key] if row.get("status") != "deleting"]


def manila(apis, prefix):
    """One pass; how many are still there."""
    admin = apis["admin"]
    action = lambda kind, id, body: admin.send("POST", f"{admin.manila}/{kind}/{id}/action", body)  # noqa: E731
    mine = lambda row: (row.get("name") or "").startswith(prefix)  # noqa: E731
    left = 0
    found = [row for row in rows(admin, "shares/detail?all_tenants=1", "shares") if mine(row)]
    found += [row for row in rows(admin, "shares/detail?all_tenants=1&is_soft_deleted=True", "shares") if mine(row)]
    ids = {row["id"] for row in found}
    for row in rows(admin, "share-backups/detail?all_tenants=1", "share_backups"):
        if row["share_id"] in ids:
            left += 1
            action("share-backups", row["id"], {"reset_status": {"status": "error"}})
            admin.send("DELETE", f"{admin.manila}/share-backups/{row['id']}")
    for row in rows(admin, "share-replicas/detail?all_tenants=1", "share_replicas"):
        if row["share_id"] in ids and row["replica_state"] != "active":
            action("share-replicas", row["id"], {"force_delete": None})
    for kind, key in (("snapshots", "snapshots"), ("shares", None)):
        for row in found if key is None else rows(admin, f"{kind}/detail?all_tenants=1", key):
            if mine(row) or row.get("share_id") in ids:
                left += 1
                # Deleted with two instances, a share would stay in Manila's lists without any, and break them.
                if row.get("status") == "migrating":
                    action(kind, row["id"], {"migration_cancel": None})
                    continue
                if row.get("task_state") == "migration_error" and second(admin, row["id"]):
                    continue
                plainly(apis, kind, row)
                action(kind, row["id"], {"force_delete": None})
    for kind, key in (("share-group-snapshots", "share_group_snapshots"), ("share-groups", "share_groups")):
        for row in rows(admin, f"{kind}/detail?all_tenants=1", key):
            if mine(row):
                left += 1
                plainly(apis, kind, row)
                action(kind, row["id"], {"force_delete": None})
    networks = [row["id"] for row in rows(admin, "share-networks/detail?all_tenants=1", "share_networks") if mine(row)]
    for row in rows(admin, "share-servers", "share_servers"):
        if row["share_network_id"] in networks:
            action("share-servers", row["id"], {"unmanage": {"force": True}})
            admin.send("DELETE", f"{admin.manila}/share-servers/{row['id']}")
    for network in networks:
        left += 1
        admin.send("DELETE", f"{admin.manila}/share-networks/{network}")
    for row in rows(admin, "security-services/detail?all_tenants=1", "security_services"):
        if mine(row):
            admin.send("DELETE", f"{admin.manila}/security-services/{row['id']}")
    return left


def second(admin, share):
    """Whether a migration that failed has left a second instance, which is asked to go."""
    status, found, _ = admin.send("GET", f"{admin.manila}/shares/{share}/instances")
    others = found["share_instances"][1:] if status == 200 else []
    for one in others:
        if one["status"] != "deleting":
            admin.send("POST", f"{admin.manila}/share_instances/{one['id']}/action", {"force_delete": None})
    return bool(others)


def plainly(apis, kind, row):
    """A fault in the name would keep it from going."""
    if "-fail-" in (row.get("name") or ""):
        one = {"shares": "share", "snapshots": "snapshot", "share-groups": "share_group",
               "share-group-snapshots": "share_group_snapshot"}[kind]
        key = "display_name" if kind in ("shares", "snapshots") else "name"
        admin = apis["admin"]
        admin.send("PUT", f"{admin.manila}/{kind}/{row['id']}", {one: {key: row["name"].split("-fail-")[0]}})
