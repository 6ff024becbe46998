"""Every operation of manila-wait, to success and to failure."""
from case import Case, Job
from cloud import until

MIGRATE = "--preserve-metadata True --preserve-snapshots True --writable True --nondisruptive False".split()
ONE = {"shares": "share", "snapshots": "snapshot", "share-replicas": "share_replica", "share-access-rules": "access",
       "share-groups": "share_group", "share-group-snapshots": "share_group_snapshot", "share_instances": "share_instance",
       "share-networks": "share_network", "share-servers": "share_server", "share-backups": "share_backup"}


class Maker:
    """What is made by bare requests in the name of a user, under a name that carries the fault."""

    def __init__(self, apis, user, name):
        self.api, self.admin, self.name = apis[user], apis["admin"], name

    def post(self, kind, body):
        return self.api.do("POST", f"{self.api.manila}/{kind}", {ONE[kind]: body})[ONE[kind]]["id"]

    def ready(self, kind, id, state="available", field="status"):
        look = self.look(kind, id, field)
        until(f"{kind} {id}: {state}", lambda: look() == state)
        return id

    def look(self, kind, id, *fields):
        """The state of a resource: these fields of it."""
        def look():
            status, body, _ = self.admin.send("GET", f"{self.admin.manila}/{kind}/{id}")
            return "gone" if status == 404 else ", ".join(str(body[ONE[kind]][field]) for field in fields)
        return look

    def found(self, kind, *fields):
        """The state of what will have the name; it may not be there yet."""
        def look():
            body = self.api.do("GET", f"{self.api.manila}/{kind}/detail?name={self.name}")
            rows = body[ONE[kind] + "s"]
            return ", ".join(str(rows[0][field]) for field in fields) if rows else None
        return look

    def rename(self, kind, id, key="name"):
        self.api.do("PUT", f"{self.api.manila}/{kind}/{id}", {ONE[kind]: {key: self.name}})

    def share(self, called=None, size=1, **more):
        """A share that is available; named plainly unless `called`, so that only what comes later fails."""
        body = {"share_proto": "NFS", "size": size, "name": called or self.plain(), **more}
        return self.ready("shares", self.post("shares", body))

    def plain(self):
        return self.name.split("-fail")[0].split("-loss")[0] + "-made"

    def field(self, kind, id, field):
        return self.admin.do("GET", f"{self.admin.manila}/{kind}/{id}")[ONE[kind]][field]

    def gone(self, kind, id):
        look = self.look(kind, id)
        until(f"{kind} {id}: gone", lambda: look() == "gone")

    def action(self, kind, id, body):
        return self.admin.do("POST", f"{self.admin.manila}/{kind}/{id}/action", body)

    def snapshot(self, share):
        return self.ready("snapshots", self.post("snapshots", {"share_id": share, "name": self.plain()}))

    def replica(self):
        share = self.share(share_type="replicated")
        replica = self.ready("share-replicas", self.post("share-replicas", {"share_id": share}))
        return share, self.ready("share-replicas", replica, "in_sync", "replica_state")

    def backup(self):
        share = self.share()
        body = {"share_id": share, "name": self.plain(), "backup_options": {"backup_type": "dummy"}}
        backup = self.ready("share-backups", self.post("share-backups", body))
        self.ready("shares", share)
        return share, backup

    def group(self):
        return self.ready("share-groups", self.post("share-groups", {"name": self.plain()}))

    def network(self):
        """A network with a security service of the given name: the only name that a share server leads to."""
        network = self.post("share-networks", {"name": self.plain()})
        if "fail" in self.name:
            service = self.api.do("POST", f"{self.api.manila}/security-services", {
                "security_service": {"type": "ldap", "name": self.name}})["security_service"]["id"]
            self.action("share-networks", network, {"add_security_service": {"security_service_id": service}})
        return network

    def server(self):
        """A share server without shares, and its network."""
        network = self.network()
        share = self.share(share_type="servers", share_network_id=network)
        server, host = self.field("shares", share, "share_server_id"), self.field("shares", share, "host")
        self.action("shares", share, {"unmanage": None})
        self.gone("shares", share)
        return server, network, host.split("#")[0]

    def migrating(self, share):
        other = "paris" if "london" in self.field("shares", share, "host") else "london"
        return f"testcloud@{other}#fake_pool_for_{other.upper()}"

    def migrated_half(self):
        share = self.share()
        self.action("shares", share, {"migration_start": {
            "host": self.migrating(share), "force_host_assisted_migration": False, "preserve_metadata": True,
            "preserve_snapshots": True, "writable": True, "nondisruptive": False}})
        return self.ready("shares", share, "migration_driver_phase1_done", "task_state")


def both(one, other):
    return lambda: f"{one()}; share {other()}"


def loop(show, column, word):
    """Until it is so: what people write where the client cannot wait."""
    return f'until [ "$(openstack {show} -f value -c {column})" = {word} ]; do sleep 5; done'


# --- shares -------------------------------------------------------------------------------------

def share_create(m, *more):
    return Job(["share", "create", "NFS", "1", "--name", m.name, *more], m.found("shares", "status"))


def share_delete(m, *options):
    share = m.share()
    m.rename("shares", share, "display_name")
    fields = ["status", "is_soft_deleted"] if options else ["status"]
    return Job(["share", "delete", *options, share], m.look("shares", share, *fields))


def share_resize(m, old, new):
    share = m.share(size=old)
    m.rename("shares", share, "display_name")
    return Job(["share", "resize", share, str(new)], m.look("shares", share, "status", "size"))


def share_adopt(m, fail):
    share = m.share()
    place = m.api.do("GET", f"{m.api.manila}/shares/{share}/export_locations")["export_locations"][0]["path"]
    host = m.field("shares", share, "host")
    m.action("shares", share, {"unmanage": None})
    m.gone("shares", share)
    words = ["share", "adopt", host, "NFS", f"10.0.0.1:/no/{m.name}" if fail else place, "--name", m.name, "--share-type", "default"]
    return Job(words, m.found("shares", "status"))


def share_abandon(m):
    share = m.share()
    m.rename("shares", share, "display_name")
    return Job(["share", "abandon", share], m.look("shares", share, "status"))


def share_revert(m):
    share = m.share()
    snapshot = m.snapshot(share)
    m.rename("snapshots", snapshot, "display_name")
    look = both(m.look("snapshots", snapshot, "status"), m.look("shares", share, "status"))
    return Job(["share", "revert", snapshot], look)


# --- access -------------------------------------------------------------------------------------

def rule_of(m, share):
    def rules():
        return m.admin.do("GET", f"{m.admin.manila}/share-access-rules?share_id={share}")["access_list"]
    return rules


def access_create(m):
    share = m.share()
    m.rename("shares", share, "display_name")
    rules = rule_of(m, share)
    return Job(["share", "access", "create", share, "ip", "10.0.0.0/24"], lambda: next((r["state"] for r in rules()), None))


def access_delete(m):
    share = m.share()
    m.action("shares", share, {"allow_access": {"access_type": "ip", "access_to": "10.0.0.0/24"}})
    rules = rule_of(m, share)
    until("a rule", lambda: [r for r in rules() if r["state"] == "active"])
    m.rename("shares", share, "display_name")
    return Job(["share", "access", "delete", share, rules()[0]["id"]],
               lambda: next((r["state"] for r in rules()), "gone"))


# --- backups ------------------------------------------------------------------------------------

def backup_create(m):
    share = m.share()
    words = ["share", "backup", "create", share, "--name", m.name, "--backup-options", "backup_type=dummy"]
    look = both(m.found("share-backups", "status"), m.look("shares", share, "status"))
    return Job(words, look, loop=loop(f"share backup show {m.name}", "status", "available"))


def backup_delete(m):
    share, backup = m.backup()
    m.rename("share-backups", backup)
    return Job(["share", "backup", "delete", backup], m.look("share-backups", backup, "status"))


def backup_restore(m):
    share, backup = m.backup()
    m.rename("share-backups", backup)
    look = both(m.look("share-backups", backup, "status"), m.look("shares", share, "status"))
    return Job(["share", "backup", "restore", backup], look)


# --- groups -------------------------------------------------------------------------------------

def group_create(m):
    return Job(["share", "group", "create", "--name", m.name], m.found("share-groups", "status"))


def group_delete(m):
    group = m.group()
    m.rename("share-groups", group)
    return Job(["share", "group", "delete", group], m.look("share-groups", group, "status"))


def group_snapshot_create(m):
    group = m.group()
    words = ["share", "group", "snapshot", "create", group, "--name", m.name]
    return Job(words, m.found("share-group-snapshots", "status"))


def group_snapshot_delete(m):
    body = {"share_group_id": m.group(), "name": m.plain()}
    snapshot = m.ready("share-group-snapshots", m.post("share-group-snapshots", body))
    m.rename("share-group-snapshots", snapshot)
    return Job(["share", "group", "snapshot", "delete", snapshot], m.look("share-group-snapshots", snapshot, "status"))


# --- instances, networks, servers ---------------------------------------------------------------

def instance_delete(m):
    share = m.share()
    m.rename("shares", share, "display_name")
    instance = m.admin.do("GET", f"{m.admin.manila}/shares/{share}/instances")["share_instances"][0]["id"]
    return Job(["share", "instance", "delete", instance], m.look("share_instances", instance, "status"))


def network_delete(m, used):
    network = m.network()
    if used:
        m.share(share_type="servers", share_network_id=network)
    look = m.look("share-networks", network, "status")
    return Job(["share", "network", "delete", network], look)


def server_delete(m, word):
    server, _, _ = m.server()
    return Job(["share", "server", word, server], m.look("share-servers", server, "status"))


def server_adopt(m, fail):
    server, network, host = m.server()
    m.action("share-servers", server, {"unmanage": None})
    m.gone("share-servers", server)

    def look():
        rows = m.admin.do("GET", f"{m.admin.manila}/share-servers?share_network_id={network}")["share_servers"]
        return rows[0]["status"] if rows else None
    return Job(["share", "server", "adopt", host, network, m.name if fail else server], look)


# --- replicas -----------------------------------------------------------------------------------

def replica_create(m):
    share = m.share(share_type="replicated")
    m.rename("shares", share, "display_name")

    def look():
        rows = m.api.do("GET", f"{m.api.manila}/share-replicas/detail?share_id={share}")["share_replicas"]
        new = [row for row in rows if row["replica_state"] != "active"]
        return new[0]["status"] if new else None
    return Job(["share", "replica", "create", share], look)


def replica_change(m, word):
    share, replica = m.replica()
    m.rename("shares", share, "display_name")
    fields = {"delete": ["status"], "promote": ["status", "replica_state"], "resync": ["replica_state"]}[word]
    waiting = loop(f"share replica show {replica}", "replica_state", "in_sync") if word == "resync" else None
    return Job(["share", "replica", word, replica], m.look("share-replicas", replica, *fields), loop=waiting)


# --- snapshots ----------------------------------------------------------------------------------

def snapshot_create(m):
    return Job(["share", "snapshot", "create", m.share(), "--name", m.name], m.found("snapshots", "status"))


def snapshot_change(m, word):
    snapshot = m.snapshot(m.share())
    m.rename("snapshots", snapshot, "display_name")
    return Job(["share", "snapshot", word, snapshot], m.look("snapshots", snapshot, "status"))


def snapshot_adopt(m, fail):
    share = m.share()
    snapshot = m.snapshot(share)
    place = m.field("snapshots", snapshot, "provider_location")
    m.action("snapshots", snapshot, {"unmanage": None})
    m.gone("snapshots", snapshot)
    words = ["share", "snapshot", "adopt", share, f"/no/{m.name}" if fail else place, "--name", m.name]
    return Job(words, m.found("snapshots", "status"))


# --- migration ----------------------------------------------------------------------------------

def migration_start(m):
    share = m.share()
    m.rename("shares", share, "display_name")
    waiting = loop(f"share show {share}", "task_state", "migration_driver_phase1_done")
    return Job(["share", "migration", "start", share, m.migrating(share), *MIGRATE],
               m.look("shares", share, "task_state"), loop=waiting)


def migration_complete(m):
    share = m.migrated_half()
    m.rename("shares", share, "display_name")
    waiting = loop(f"share show {share}", "task_state", "migration_success")
    return Job(["share", "migration", "complete", share], m.look("shares", share, "task_state", "status"), loop=waiting)


def migration_cancel(m, idle):
    share = m.share() if idle else m.migrated_half()
    waiting = loop(f"share show {share}", "task_state", "migration_cancelled")
    return Job(["share", "migration", "cancel", share], m.look("shares", share, "task_state", "status"), loop=waiting)


def case(operation, fault, make, *arguments, user="demo"):
    return Case(operation, fault, lambda apis, name: make(Maker(apis, user, name), *arguments), user)


def twice(operation, method, make, *arguments, user="demo"):
    """To success, and with a driver whose method fails."""
    return [case(operation, fault, make, *arguments, user=user) for fault in (None, f"fail-{method}")]


def given(operation, fault, make, user="demo"):
    """To success, and with something that cannot be."""
    return [case(operation, None, make, False, user=user), case(operation, fault, make, True, user=user)]


CASES = [
    *twice("share create", "create_share", share_create),
    case("share create", "no storage (`--share-type nowhere`)", share_create, "--share-type", "nowhere"),
    *twice("share delete", "delete_share", share_delete),
    case("share delete --soft", None, share_delete, "--soft"),
    *twice("share resize", "extend_share", share_resize, 1, 2),
    case("share resize", "fail-shrink_share", share_resize, 2, 1),
    case("share resize", "loss-shrink_share", share_resize, 2, 1),
    *given("share adopt", "no such export", share_adopt, user="admin"),
    *twice("share abandon", "unmanage", share_abandon, user="admin"),
    *twice("share revert", "revert_to_snapshot", share_revert),
    *twice("share access create", "update_access", access_create),
    *twice("share access delete", "update_access", access_delete),
    *twice("share backup create", "create_backup", backup_create),
    *twice("share backup delete", "delete_backup", backup_delete),
    *twice("share backup restore", "restore_backup", backup_restore),
    *twice("share group create", "create_share_group", group_create),
    *twice("share group delete", "delete_share_group", group_delete),
    *twice("share group snapshot create", "create_share_group_snapshot", group_snapshot_create),
    *twice("share group snapshot delete", "delete_share_group_snapshot", group_snapshot_delete),
    case("share instance delete", None, instance_delete, user="admin"),
    case("share instance delete", "the user is no administrator", instance_delete),
    *given("share network delete", "a share on it", network_delete),
    *twice("share replica create", "create_replica", replica_create),
    *twice("share replica delete", "delete_replica", replica_change, "delete"),
    *twice("share replica promote", "promote_replica", replica_change, "promote"),
    *twice("share replica resync", "update_replica_state", replica_change, "resync", user="admin"),
    *twice("share server delete", "_teardown_server", server_delete, "delete", user="admin"),
    *given("share server adopt", "no such server", server_adopt, user="admin"),
    *twice("share server abandon", "unmanage_server", server_delete, "abandon", user="admin"),
    *twice("share snapshot create", "create_snapshot", snapshot_create),
    *twice("share snapshot delete", "delete_snapshot", snapshot_change, "delete"),
    *given("share snapshot adopt", "no such snapshot", snapshot_adopt, user="admin"),
    *twice("share snapshot abandon", "unmanage_snapshot", snapshot_change, "abandon", user="admin"),
    *twice("share migration start", "migration_start", migration_start, user="admin"),
    *twice("share migration complete", "migration_complete", migration_complete, user="admin"),
    *given("share migration cancel", "nothing is migrated", migration_cancel, user="admin"),
]
