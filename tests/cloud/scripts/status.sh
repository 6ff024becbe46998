#!/usr/bin/env bash
# Show what runs. Exit 0 when every service is up and answers.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$SCRIPTS/services.sh"
rc=0
for name in $SERVICES; do
    if ! alive "$name"; then
        state=down rc=1
    elif ! ready "$name" > /dev/null 2>&1; then
        state="does not answer, pid $(pid_of "$name")" rc=1
    else
        state="up, pid $(pid_of "$name")"
    fi
    port=$(port_of "$name")
    printf '%-17s %s%s\n' "$name" "$state" "${port:+, port $port}"
done
exit $rc
