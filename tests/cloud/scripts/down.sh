#!/usr/bin/env bash
# Stop every process that up.sh and api.sh started, by its recorded pid. Data stay; `rm -r $TESTCLOUD` forgets them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ -d "$PIDS" ] || exit 0
names=()
for file in "$PIDS"/*.api; do
    if [ -e "$file" ]; then names+=("$(basename "$file")"); fi
done
# What serves requests first and side by side, then what they stand on.
names+=(manila-api manila-data manila-share manila-scheduler heat keystone)
for name in "${names[@]}"; do stop "$name" & done
wait
for name in rabbitmq mariadb postgres; do stop "$name" & done
wait
