"""Write manila.conf and the paste and policy files next to it."""
import os
import pathlib
import sys

conf, state, venv, auth_url, port, amqp, sock, password = sys.argv[1:]
DELAYS = ("create_share:4,delete_share:4,extend_share:4,shrink_share:4,create_snapshot:4,delete_snapshot:4,"
          "create_share_from_snapshot:4,revert_to_snapshot:4,update_access:3,manage_existing:3,unmanage:2,"
          "create_replica:4,delete_replica:3,promote_replica:4,update_replica_state:1,"
          "create_replicated_snapshot:4,delete_replicated_snapshot:3,update_replicated_snapshot:1,"
          "migration_start:2,migration_continue:2,migration_complete:2,migration_check_compatibility:0.1,"
          "create_backup:2,restore_backup:2,ensure_share:0.1,get_pool:0.1,do_setup:0.1,"
          "_get_pools_info:0.1,_update_share_stats:0.1,_setup_server:3,_teardown_server:2")


def backend(name, dhss, extra=""):
    return f"""
[{name}]
share_driver = faulty_driver.FaultyDummyDriver
share_backend_name = {name.upper()}
driver_handles_share_servers = {dhss}
dummy_driver_driver_methods_delays = {DELAYS}
{extra}"""


NETWORK = "network_api_class = manila.network.standalone_network_plugin.StandaloneNetworkPlugin\n" \
          "standalone_network_plugin_network_type = vlan\nstandalone_network_plugin_segmentation_id = 1010\n" \
          "standalone_network_plugin_gateway = {0}.1\nstandalone_network_plugin_mask = 24\n" \
          "standalone_network_plugin_allowed_ip_ranges = {0}.10-{0}.250\nnetwork_plugin_ipv4_enabled = True\n"
# What tests leave behind must not stop those of tomorrow.
UNLIMITED = "\n".join(f"{what} = -1" for what in (
    "shares", "gigabytes", "snapshots", "snapshot_gigabytes", "share_networks", "share_replicas", "replica_gigabytes",
    "share_groups", "share_group_snapshots", "backups", "backup_gigabytes"))
# london and paris replicate to each other (DHSS=False); alpha and beta own share servers (DHSS=True)
REPLICA = "replication_domain = dummy\n"
SERVERS = NETWORK.format("10.0.0") + "admin_network_config_group = adminnet\n"

pathlib.Path(conf).write_text(f"""[DEFAULT]
state_path = {state}
host = testcloud
my_ip = 127.0.0.1
storage_availability_zone = nova
log_file = /dev/stdout
debug = {os.environ.get("MANILA_DEBUG", "False")}
auth_strategy = keystone
api_paste_config = {venv}/etc/manila/api-paste.ini
rootwrap_config = {venv}/etc/manila/rootwrap.conf
transport_url = rabbit://guest:guest@127.0.0.1:{amqp}/
enabled_share_protocols = NFS,CIFS
enabled_share_backends = london,paris,alpha,beta
default_share_type = default
default_share_group_type = default
scheduler_default_share_group_filters = AvailabilityZoneFilter,ConsistentSnapshotFilter
migration_driver_continue_update_interval = 5
server_migration_driver_continue_update_interval = 5
replica_state_update_interval = 15
driver_backup_continue_update_interval = 5
driver_restore_continue_update_interval = 5
check_for_expired_shares_in_recycle_bin_interval = 30
periodic_interval = 10
api_rate_limit = False

[database]
connection = mysql+pymysql://manila:manila@localhost/manila?unix_socket={sock}&charset=utf8

[quota]
{UNLIMITED}

[coordination]
backend_url = file://{state}/lock

[oslo_concurrency]
lock_path = {state}/lock

[oslo_messaging_rabbit]
rabbit_quorum_queue = False

[keystone_authtoken]
www_authenticate_uri = {auth_url}
auth_url = {auth_url}
auth_type = password
username = manila
password = {password}
project_name = service
user_domain_name = Default
project_domain_name = Default
service_token_roles_required = False
memcached_servers =

[adminnet]
{NETWORK.format("11.0.0")}""" + backend("london", False, REPLICA) + backend("paris", False, REPLICA)
    + backend("alpha", True, SERVERS) + backend("beta", True, SERVERS))
