#!/usr/bin/env bash
# One more API process over the databases of a running cloud, on a port of its own. What a test does to it
# (short tokens, an outage) disturbs nobody else.
#
#   api.sh start NAME keystone PORT TOKEN_TTL          tokens of this one live TOKEN_TTL seconds
#   api.sh start NAME heat     PORT KEYSTONE_PORT      checks tokens at that Keystone
#   api.sh start NAME manila   PORT KEYSTONE_PORT
#   api.sh stop  NAME
#
# `start` comes back when the port answers. The second Heat has an engine of its own, which gets only what is asked
# through it: with convergence, the default, it leaves the stacks of the first engine alone.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ $# -ge 2 ] || die "usage: see the head of $0"
action=$1 name=$2.api
mkdir -p "$PIDS" "$LOG"
if [ "$action" = stop ]; then
    stop "$name"
    rm -rf "$TESTCLOUD/api/${2:?}"
    exit
fi
if [ "$action" != start ] || [ $# != 5 ]; then die "usage: see the head of $0"; fi
kind=$3 port=$4 extra=$5
if answers "$port"; then die "$name: port $port is taken"; fi
etc=$TESTCLOUD/api/$2
mkdir -p "$etc"
elsewhere() { sed "s|$AUTH_URL|http://$HOST:$extra/v3|g; s|^log_file = .*|log_file = $LOG/$name-service.log|" "$1"; }
case $kind in
keystone)
    sed "s|^expiration = .*|expiration = $extra|; s|^log_file = .*|log_file = $LOG/$name-service.log|" \
        "$HEAT_ETC/keystone/keystone.conf" > "$etc/keystone.conf"
    launch "$name" env OS_KEYSTONE_CONFIG_DIR="$etc" "$HEAT_VENV/bin/python" "$SCRIPTS/serve_keystone.py" "$HOST" "$port"
    ;;
heat)
    elsewhere "$HEAT_ETC/heat/heat.conf" | sed "s|^host = .*|host = $2|" > "$etc/heat.conf"
    launch "$name" "$HEAT_VENV/bin/python" "$SCRIPTS/serve_heat.py" "$HOST" "$port" --config-file "$etc/heat.conf"
    ;;
manila)
    elsewhere "$MANILA_ETC/manila.conf" > "$etc/manila.conf"
    launch "$name" "$MANILA_VENV/bin/python" "$SCRIPTS/serve_manila.py" "$HOST" "$port" "$etc/manila.conf"
    ;;
*) die "no such kind: $kind" ;;
esac
wait_for 120 "$name" answers "$port"
