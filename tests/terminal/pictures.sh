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

caught() { tmux capture-pane -p -e -t s > "$work/$1.ansi" && grep -qE -- "$2" "$work/$1.ansi"; }

picture() { # picture NAME [PATTERN]: of what is on the screen, once that is there (a block is drawn in several writes)
    local name=$1 size
    until_true caught "$name" "${2:-.}"
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

# On a terminal that is high enough for the whole of it, below the line that was typed.
failure() { # failure COMMAND
    open 166 50
    types 'cd tests/terminal'
    types clear
    wait_for '^> *$'
    types "$1"
    wait_for '^\| stack_status_reason .*'
    wait_for '^> *$'
    picture failure
}

real() {
    open 110 16
    types 'cd tests/terminal; clear'
    begins 'heat-wait stack create -t web.yaml shop'
    wait_for 'finished inside, 2 in progress'
    sleep 3
    picture one 'elapsed'
    ends

    open 110 36
    types 'cd tests/terminal'
    # It may take less than a program needs to start: the wait is there before what it waits for.
    begins 'for name in shop-db shop-cache shop-queue; do (heat-wait stack create -q --no-wait -t web.yaml $name > /dev/null 2>&1 &); done; heat-wait stack wait shop-db shop-cache shop-queue --appear=1m'
    for name in shop-db shop-cache shop-queue; do wait_for "^$name +CREATE_IN_PROGRESS +[0-9]+s"; done
    sleep 3
    picture several '0 of 3 done'
    ends
    runs 'heat-wait stack delete -q --yes shop shop-db shop-cache shop-queue'

    begins 'for name in data logs media; do (manila-wait share create -q --no-wait NFS 1 --name $name > /dev/null 2>&1 &); done; manila-wait share wait data logs media --appear=1m'
    wait_for '^media +creating'
    picture shares '0 of 3 done'
    ends
    runs 'manila-wait share delete -q data logs media'

    failure 'heat-wait stack create -t web.yaml --parameter fails=true broken'
    runs 'heat-wait stack delete -q --yes broken'
}

simulated() {
    open 110 16
    types 'heat-wait stack wait web --nested-depth 1'
    wait_for 'elapsed, .* left'
    sleep 3
    picture one
    presses C-c
    types 'clear; manila-wait share wait data'
    wait_for 'elapsed, .* left'
    picture shares
    presses C-c
    failure 'heat-wait stack wait broken'
}

if [ -s "${TESTCLOUD:-/nowhere}/heat/clouds.yaml" ]; then
    clouds=$TESTCLOUD/heat/clouds.yaml
    real
else
    simulate
    simulated
fi
