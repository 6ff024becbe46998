#!/usr/bin/env bash
# Pictures of the live display for the documentation: tests/terminal/pictures.sh [FOLDER]. From a real Heat if
# $TESTCLOUD is up (cargo xtask cloud up), else from the simulated cloud. Needs tmux, python3 and chromium.
# shellcheck disable=SC2016  # what is typed is for the inner shell to expand
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/terminal/lib.sh
folder=${1:-docs/images}
mkdir -p "$folder"
count=0

picture() { # picture NAME: of what is on the screen
    local name=$1 size
    tmux capture-pane -p -e -t s > "$work/$name.ansi"
    size=$(tests/terminal/picture.py < "$work/$name.ansi" 3>&1 > "$work/$name.html")
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/chromium" \
        --window-size="$size" --screenshot="$folder/$name.png" "file://$work/$name.html" 2> "$work/chromium.err" \
        || { cat "$work/chromium.err"; return 1; }
    echo "$folder/$name.png"
}

ends() { wait_for "^over $count\$"; }

begins() { # begins COMMAND: `ends` waits for its end
    types "clear; $1; sleep 1; clear; echo over $((count += 1))"
}

runs() { begins "$1" && ends; }

real() {
    open 110 16
    types 'cd tests/terminal; clear'
    begins 'heat-wait stack create -t web.yaml web'
    wait_for 'finished inside, 2 in progress'
    sleep 3
    picture one
    ends
    types 'clear; heat-wait stack create -t web.yaml --parameter fails=true broken'
    wait_for 'stack_status '
    picture failure
    runs 'heat-wait stack delete --yes web broken'
}

simulated() {
    open 110 16
    types 'heat-wait stack wait web --nested-depth 1'
    wait_for 'elapsed, .* left'
    sleep 3
    picture one
    presses C-c
    types 'clear; heat-wait stack wait broken'
    wait_for 'stack_status '
    picture failure
}

if [ -s "${TESTCLOUD:-/nowhere}/heat/clouds.yaml" ]; then
    clouds=$TESTCLOUD/heat/clouds.yaml
    real
else
    simulate
    simulated
fi
