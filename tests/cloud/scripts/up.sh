#!/usr/bin/env bash
# Bring up a real Keystone, Heat and Manila on the loopback: install what is missing, configure, start.
# Safe to run again: what runs with the same configuration is left alone.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$SCRIPTS/services.sh"
umask 022
mkdir -p "$TESTCLOUD"/{done,log,pid} "$HEAT_ETC"/{keystone,heat} "$HEAT_DB" "$MANILA_ETC" "$MANILA_STATE"/{lock,tmp,rabbit}
chmod 755 "$TESTCLOUD" # the user postgres has to pass through
exec 9> "$TESTCLOUD/lock"
flock 9 # two at a time would install over each other
if [ -f "$TESTCLOUD/settings" ]; then
    for name in $SETTINGS; do
        kept=$(sed -n "s/^$name=//p" "$TESTCLOUD/settings")
        # The rest stands in the catalog and in the databases.
        if [ "$name" != TOKEN_TTL ] && [ "$kept" != "${!name}" ]; then
            die "$TESTCLOUD was made with $name=$kept: take another TESTCLOUD, or remove this one"
        fi
    done
fi
for name in $SETTINGS; do echo "$name=${!name}"; done > "$TESTCLOUD/settings"

# --- installation -----------------------------------------------------------------------------

packages() {
    local want=()
    [ -n "$(postgres_bin)" ] || want+=(postgresql)
    command -v mariadbd > /dev/null || want+=(mariadb-server)
    [ -n "$(rabbitmq_bin)" ] || want+=(rabbitmq-server)
    python3 -c 'import ensurepip, venv' 2> /dev/null || want+=(python3-venv)
    [ ${#want[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || die "not installed, and only root can: ${want[*]}"
    say "apt-get install ${want[*]}"
    export DEBIAN_FRONTEND=noninteractive
    retry apt-get -qq -o DPkg::Lock::Timeout=600 update >> "$LOG/apt.log" 2>&1
    retry apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${want[@]}" >> "$LOG/apt.log" 2>&1
}

venv() { # venv FOLDER CONSTRAINTS REQUIREMENT...
    local folder=$1 constraints=$2
    shift 2
    [ "$(cat "$folder/installed" 2> /dev/null)" = "$*" ] && return
    say "pip install $*"
    python3 -m venv "$folder"
    retry "$folder/bin/pip" install -q -c "$constraints" "$@" >> "$LOG/pip.log" 2>&1
    echo "$*" > "$folder/installed"
}

packages
# Side by side: most of the time goes into waiting for the package index.
venv "$HEAT_VENV" "$SCRIPTS/keystone-heat.txt" keystone==30.0.0 openstack-heat==27.0.1 psycopg2-binary waitress &
jobs=($!)
venv "$CLIENT_VENV" "$SCRIPTS/keystone-heat.txt" python-openstackclient==10.5.0 python-heatclient==5.3.0 python-manilaclient==6.3.0 &
jobs+=($!)
venv "$MANILA_VENV" "$SCRIPTS/manila.txt" manila==23.0.1 pymysql waitress &
jobs+=($!)
for job in "${jobs[@]}"; do wait "$job" || die "pip failed; see $LOG/pip.log"; done

# --- Keystone and Heat ------------------------------------------------------------------------

configure() { # configure SERVICE FILE < CONTENT: a service whose configuration changed is stopped
    local new
    new=$(cat)
    [ "$new" = "$(cat "$2" 2> /dev/null)" ] && return
    stop "$1"
    echo "$new" > "$2"
}
# SQLite does not do: "database is locked" as soon as two requests write.
database() { echo "postgresql+psycopg2://openstack@/$1?host=$HEAT_DB/postgres"; }
logged() { "$@" >> "$LOG/setup.log" 2>&1 || die "failed: $*; see $LOG/setup.log"; }

bin=$(postgres_bin)
if [ "$(id -u)" = 0 ]; then install -d -o postgres -m 700 "$HEAT_DB/postgres"; fi
cd "$HEAT_DB" # a folder that the user postgres may read
once initdb logged "${as_postgres[@]}" "$bin/initdb" -D "$HEAT_DB/postgres" -U openstack -A trust -E UTF8 --no-sync
start postgres
for name in keystone heat; do
    once "createdb-$name" logged "$bin/createdb" -h "$HEAT_DB/postgres" -U openstack "$name"
done

configure keystone "$HEAT_ETC/keystone/keystone.conf" << CONF
[DEFAULT]
log_file = $LOG/keystone-service.log
public_endpoint = ${AUTH_URL%/v3}
[database]
connection = $(database keystone)
[identity]
# The cheapest hash allowed: these passwords protect nothing.
password_hash_rounds = 4
[security_compliance]
# Off by default; Heat then answers "stack create" by application credential with a 403 that has no message.
allow_insecure_application_credential_trust_escalation = true
[token]
expiration = $TOKEN_TTL
[fernet_tokens]
key_repository = $HEAT_ETC/keystone/fernet-keys
[fernet_receipts]
key_repository = $HEAT_ETC/keystone/fernet-keys
[credential]
key_repository = $HEAT_ETC/keystone/credential-keys
CONF
keystone_setup() {
    local manage owner
    manage=("$HEAT_VENV/bin/keystone-manage" --config-file "$HEAT_ETC/keystone/keystone.conf")
    owner=(--keystone-user "$(id -un)" --keystone-group "$(id -gn)")
    logged "${manage[@]}" db_sync
    logged "${manage[@]}" fernet_setup "${owner[@]}"
    logged "${manage[@]}" credential_setup "${owner[@]}"
    logged "${manage[@]}" bootstrap --bootstrap-password "$PASSWORD" --bootstrap-region-id RegionOne \
        --bootstrap-{public,internal,admin}-url="$AUTH_URL"
}
once keystone keystone_setup
start keystone
once accounts logged "$CLIENT_VENV/bin/python" "$SCRIPTS/accounts.py" \
    "$AUTH_URL" "$HEAT_URL" "$MANILA_URL" "$PASSWORD" "$CLOUDS"

configure heat "$HEAT_ETC/heat/heat.conf" << CONF
[DEFAULT]
log_file = $LOG/heat-service.log
host = testcloud
transport_url = fake://
auth_encryption_key = 0123456789abcdef0123456789abcdef
enable_stack_abandon = true
enable_stack_adopt = true
stack_user_domain_name = heat
stack_domain_admin = heat_domain_admin
stack_domain_admin_password = $PASSWORD
# Nothing by default.
hidden_stack_tags = hidden
[database]
connection = $(database heat)
[paste_deploy]
api_paste_config = $HEAT_VENV/etc/heat/api-paste.ini
[keystone_authtoken]
www_authenticate_uri = $AUTH_URL
auth_type = password
auth_url = $AUTH_URL
username = heat
password = $PASSWORD
user_domain_id = default
project_name = service
project_domain_id = default
[trustee]
auth_type = password
auth_url = $AUTH_URL
username = heat
password = $PASSWORD
user_domain_id = default
[clients_keystone]
auth_uri = $AUTH_URL
CONF
once heat logged "$HEAT_VENV/bin/heat-manage" --config-file "$HEAT_ETC/heat/heat.conf" db_sync
start heat

# --- Manila -----------------------------------------------------------------------------------

once mariadb logged mariadb-install-db --no-defaults --datadir="$MANILA_DB" --user="$(id -un)" --skip-test-db
start mariadb
start rabbitmq
was=$(cat "$MANILA_ETC/manila.conf" 2> /dev/null || true)
logged "$MANILA_VENV/bin/python" "$SCRIPTS/manila_config.py" "$MANILA_ETC/manila.conf" "$MANILA_STATE" "$MANILA_VENV" \
    "$AUTH_URL" "$MANILA_PORT" "$AMQP_PORT" "$MANILA_SOCKET" "$PASSWORD"
if [ "$was" != "$(cat "$MANILA_ETC/manila.conf")" ]; then
    for name in manila-api manila-data manila-share manila-scheduler; do stop "$name"; done
fi
manila_database() {
    logged mariadb --no-defaults --socket="$MANILA_SOCKET" -e \
        "create database if not exists manila character set utf8mb3;
         grant all on manila.* to manila@localhost identified by 'manila'"
    logged "$MANILA_VENV/bin/manila-manage" --config-file "$MANILA_ETC/manila.conf" db sync
}
once manila manila_database
for name in manila-scheduler manila-share manila-data manila-api; do start "$name"; done
# When nothing had to be started, the backends are known to report.
if [ ! "$TESTCLOUD/done/seed" -nt "$PIDS/manila-share" ]; then
    say "wait for Manila's backends"
    logged "$CLIENT_VENV/bin/python" "$SCRIPTS/seed.py" "$MANILA_URL" "$CLOUDS"
    touch "$TESTCLOUD/done/seed"
fi
say "up: OS_CLIENT_CONFIG_FILE=$CLOUDS, clouds demo, demo-appcred, admin"
