# shellcheck shell=bash disable=SC2034
# Settings and functions that every script here shares. Sourced, never run.
#
# All state lives below $TESTCLOUD. A cloud keeps the settings it was first brought up with in
# $TESTCLOUD/settings; the environment overrides them.
SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export TESTCLOUD=${TESTCLOUD:-$(dirname "$(mktemp -u)")/testcloud}
SETTINGS="KEYSTONE_PORT HEAT_PORT MANILA_PORT AMQP_PORT AMQP_DIST_PORT TOKEN_TTL PASSWORD"

settle() { # settle NAME DEFAULT: environment, else what the cloud remembers, else the default
    [ -n "${!1:-}" ] && return
    local kept=""
    [ -f "$TESTCLOUD/settings" ] && kept=$(sed -n "s/^$1=//p" "$TESTCLOUD/settings")
    printf -v "$1" '%s' "${kept:-$2}"
}
settle KEYSTONE_PORT 15000
settle HEAT_PORT 18004
settle MANILA_PORT 18786
settle AMQP_PORT 18787      # RabbitMQ, a node of our own
settle AMQP_DIST_PORT 18788 # RabbitMQ's clustering port
settle TOKEN_TTL 3600       # life of Keystone's tokens, seconds
settle PASSWORD secret      # of every account made here

HOST=127.0.0.1
AUTH_URL=http://$HOST:$KEYSTONE_PORT/v3
HEAT_URL=http://$HOST:$HEAT_PORT
MANILA_URL=http://$HOST:$MANILA_PORT/v2

# Keystone, Heat and PostgreSQL on one side, Manila, MariaDB and RabbitMQ on the other.
HEAT_STATE=$TESTCLOUD/heat
HEAT_VENV=$HEAT_STATE/venv
CLIENT_VENV=$HEAT_STATE/venv-client
HEAT_ETC=$HEAT_STATE/etc
HEAT_DB=$HEAT_STATE/db
MANILA_STATE=$TESTCLOUD/manila
MANILA_VENV=$MANILA_STATE/venv
MANILA_ETC=$MANILA_STATE/etc
MANILA_DB=$MANILA_STATE/db
MANILA_SOCKET=$MANILA_STATE/mariadb.sock
LOG=$TESTCLOUD/log
PIDS=$TESTCLOUD/pid
CLOUDS=$HEAT_STATE/clouds.yaml

# In the order of starting; stopped in the reverse order.
SERVICES="postgres keystone heat mariadb rabbitmq manila-scheduler manila-share manila-data manila-api"

say() { printf '%(%H:%M:%S)T %s\n' -1 "$*"; }
die() {
    say "$*" >&2
    exit 1
}

# A process is known by its pid and its start time, so that a pid used again is never ended.
start_time() { sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -d' ' -f20; }
alive() { # alive NAME
    local pid start
    read -r pid start 2> /dev/null < "$PIDS/$1" || return 1
    [ -n "$start" ] && [ "$(start_time "$pid")" = "$start" ]
}
pid_of() { cut -d' ' -f1 "$PIDS/$1"; }

launch() { # launch NAME COMMAND...: in a session of its own, recorded
    local name=$1 pid
    shift
    setsid "$@" >> "$LOG/$name.log" 2>&1 < /dev/null 9>&- & # 9: the lock of up.sh
    pid=$!
    echo "$pid $(start_time $pid)" > "$PIDS/$name"
}

stop() { # stop NAME
    if alive "$1"; then
        local pid
        pid=$(pid_of "$1")
        say "stop $1 ($pid)"
        # PostgreSQL ends its own children: INT to the parent drops the clients first.
        if [ "$1" = postgres ]; then kill -INT "$pid"; else kill -TERM -- "-$pid"; fi
        for _ in $(seq 75); do
            alive "$1" || break
            sleep 0.2
        done
        if alive "$1"; then kill -KILL -- "-$pid" || true; fi
    fi
    rm -f "$PIDS/$1"
}

answers() { (exec 3<> "/dev/tcp/$HOST/$1") 2> /dev/null; } # answers PORT

wait_for() { # wait_for SECONDS NAME COMMAND...: until COMMAND succeeds; ends early when NAME has died
    local end=$((SECONDS + $1)) name=$2
    shift 2
    until "$@" > /dev/null 2>&1; do
        [ $SECONDS -lt $end ] || die "$name: not ready in time; see $LOG"
        if [ -f "$PIDS/$name" ] && ! alive "$name"; then die "$name ended; see $LOG/$name.log"; fi
        sleep 0.25
    done
}

retry() { # retry COMMAND...: downloads fail now and then
    local pause
    for pause in 5 15 30 60; do
        "$@" && return
        say "failed, again in $pause s: $*"
        sleep $pause
    done
    "$@"
}

once() { # once NAME COMMAND...: not again after success
    local mark=$TESTCLOUD/done/$1
    shift
    [ -f "$mark" ] && return
    "$@" && touch "$mark"
}
