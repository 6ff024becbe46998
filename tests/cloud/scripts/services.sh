# shellcheck shell=bash
# How each service is started and when it is ready. Sourced after lib.sh.

# PostgreSQL refuses to run as root.
as_postgres=()
if [ "$(id -u)" = 0 ]; then as_postgres=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi
postgres_bin() { find /usr/lib/postgresql/*/bin -maxdepth 0 2> /dev/null | sort -V | tail -1; }
rabbitmq_bin() { find /usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin -maxdepth 0 2> /dev/null | sort -V | tail -1; }
mariadb_ready() { mariadb-admin --no-defaults --socket="$MANILA_SOCKET" ping; }

port_of() { # port_of NAME: nothing for a service on a Unix socket
    case $1 in
    keystone) echo "$KEYSTONE_PORT" ;;
    heat) echo "$HEAT_PORT" ;;
    rabbitmq) echo "$AMQP_PORT" ;;
    manila-api) echo "$MANILA_PORT" ;;
    esac
}

ready() { # ready NAME
    case $1 in
    postgres) "$(postgres_bin)/pg_isready" -h "$HEAT_DB/postgres" ;;
    mariadb) mariadb_ready ;;
    manila-scheduler | manila-share | manila-data) alive "$1" ;; # seed.py waits until they report
    *) answers "$(port_of "$1")" ;;
    esac
}

start() { # start NAME, and wait until it is ready
    local port
    if ! alive "$1"; then
        port=$(port_of "$1")
        if [ -n "$port" ] && answers "$port"; then
            die "$1: port $port is taken by another process; choose other ports (README.md)"
        fi
        say "start $1"
        "start_${1//-/_}"
    fi
    wait_for 180 "$1" ready "$1"
}

start_postgres() {
    launch postgres "${as_postgres[@]}" "$(postgres_bin)/postgres" -D "$HEAT_DB/postgres" \
        -k "$HEAT_DB/postgres" -c listen_addresses= -c fsync=off -c max_connections=300
}

start_keystone() {
    launch keystone env OS_KEYSTONE_CONFIG_DIR="$HEAT_ETC/keystone" \
        "$HEAT_VENV/bin/python" "$SCRIPTS/serve_keystone.py" "$HOST" "$KEYSTONE_PORT"
}

start_heat() {
    launch heat "$HEAT_VENV/bin/python" "$SCRIPTS/serve_heat.py" "$HOST" "$HEAT_PORT" \
        --config-file "$HEAT_ETC/heat/heat.conf"
}

start_mariadb() {
    launch mariadb mariadbd --no-defaults --datadir="$MANILA_DB" --user="$(id -un)" \
        --socket="$MANILA_SOCKET" --skip-networking --innodb-buffer-pool-size=64M \
        --innodb-flush-log-at-trx-commit=0 --performance-schema=off
}

# Run directly, so that no service manager is needed.
start_rabbitmq() {
    launch rabbitmq env HOME="$MANILA_STATE/rabbit" ERL_EPMD_ADDRESS="$HOST" \
        RABBITMQ_NODENAME="manila$AMQP_PORT@localhost" RABBITMQ_NODE_IP_ADDRESS="$HOST" \
        RABBITMQ_NODE_PORT="$AMQP_PORT" RABBITMQ_DIST_PORT="$AMQP_DIST_PORT" \
        RABBITMQ_MNESIA_BASE="$MANILA_STATE/rabbit" RABBITMQ_LOG_BASE="$LOG" \
        RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="+S 1:1 +sbwt none" \
        "$(rabbitmq_bin)/rabbitmq-server"
}

# PYTHONPATH: faulty_driver.py, the driver with faults on demand.
start_manila_service() { launch "$1" env PYTHONPATH="$SCRIPTS" PYTHONDONTWRITEBYTECODE=1 "$MANILA_VENV/bin/$1" --config-file "$MANILA_ETC/manila.conf"; }
start_manila_scheduler() { start_manila_service manila-scheduler; }
start_manila_share() { start_manila_service manila-share; }
start_manila_data() { start_manila_service manila-data; }
start_manila_api() {
    launch manila-api "$MANILA_VENV/bin/python" "$SCRIPTS/serve_manila.py" "$HOST" "$MANILA_PORT" "$MANILA_ETC/manila.conf"
}
