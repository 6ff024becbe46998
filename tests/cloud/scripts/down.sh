#!/usr/bin/env bash
# Stop every process that up.sh and api.sh started, by its recorded pid. Data stay; `rm -r $TESTCLOUD` forgets them.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
[ -d "$PIDS" ] || exit 0
for file in "$PIDS"/*.api; do
    [ -e "$file" ] && stop "$(basename "$file")"
done
reversed=""
for name in $SERVICES; do reversed="$name $reversed"; done
for name in $reversed; do stop "$name"; done
