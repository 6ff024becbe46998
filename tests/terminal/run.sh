#!/usr/bin/env bash
# The live display on a real terminal: both programs in tmux against the simulated cloud, compared with the captures in
# tests/terminal/screens, which are there to be looked at. `UPDATE=1 tests/terminal/run.sh` writes them anew, and
# `tests/terminal/run.sh SCENE…` plays some. Times, durations and ids are masked.
#
# Needs: tmux, and target/debug (or $CARGO_TARGET_DIR/debug) built: cargo build --workspace --bins --examples
# shellcheck disable=SC2317,SC2016  # scenes are called by their names; what is typed is for the inner shell to expand
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/terminal/lib.sh
screens=$PWD/tests/terminal/screens
bad=0 played=0

# --- captures -----------------------------------------------------------------------------------

masked() {
    # Colours as words, so that a person can read them.
    sed -E -e 's/\x1b\[2m/{dim}/g' -e 's/\x1b\[31m/{red}/g' -e 's/\x1b\[(0|22|39)?m/{plain}/g' \
        -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:]{8}Z/<time>/g' \
        -e 's/[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}/<id>/g' \
        -e 's/(^|[^0-9a-z])[0-9]+(h|m|s|ms)( [0-9]+[ms])*\b/\1<span>/g' \
        -e 's/^\[1\] [0-9]+$/[1] <pid>/' -e 's/(<span> elapsed).*…$/\1…/' \
        -e 's/ +$//' | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

capture() { # capture NAME [tmux capture options]: what is on the screen, compared with what is to be there
    local name=$1 file=$screens/$1.txt
    shift
    tmux capture-pane -p -J -t s "$@" | masked > "$work/$name"
    played=$((played + 1))
    if [ -n "${UPDATE:-}" ]; then
        cp "$work/$name" "$file"
    elif ! diff -u "$file" "$work/$name"; then
        bad=1
    fi
}

# --- scenes -------------------------------------------------------------------------------------

scene_one_80() {
    open 80 24
    types 'heat-wait stack wait web --nested-depth 1'
    wait_for 'elapsed, .* left'
    capture one-80
}

scene_one_200() {
    open 200 20
    types 'heat-wait stack wait web --nested-depth 1'
    wait_for 'elapsed, .* left'
    capture one-200
}

scene_narrow() {
    open 20 30
    types 'heat-wait stack wait web > /dev/null'
    wait_for 'elapsed'
    capture narrow-20
}

scene_several() {
    open 80 16
    types 'heat-wait stack wait web db broken node-10 --for create'
    wait_for '2 of 4 done'
    capture several
}

scene_many() {
    open 80 16
    types 'heat-wait stack wait $(printf "node-%02d " {0..29}) --for create'
    wait_for '4 of 30 done'
    capture many
}

scene_wide_characters() {
    open 80 20
    types 'manila-wait share wait bbbbbbbb-0000-4000-8000-00000000000{0,1,2} --for available'
    wait_for '0 of 3 done'
    capture wide-characters
}

scene_resize() {
    open 100 20
    types 'heat-wait stack wait web --nested-depth 1'
    wait_for 'elapsed, .* left'
    resize 50 20
    wait_for 'elapsed, .*…$'
    sleep 2.2 # two redraws
    capture resized-narrower
    resize 120 20
    wait_for 'cache.memory'
    sleep 2.2
    capture resized-wider
}

scene_interrupt() {
    open 100 24
    types 'heat-wait stack wait web'
    wait_for 'elapsed, .* left'
    presses C-c
    wait_for '^hint: go on waiting'
    types "echo \"exit \$?\""
    wait_for '^exit 130'
    capture interrupted
}

scene_jobs() {
    open 100 24
    types 'heat-wait stack wait web'
    wait_for 'elapsed, .* left'
    presses C-z
    wait_for 'Stopped'
    types 'echo between'
    wait_for '^between'
    types fg
    wait_for 'between'
    until_true eval '[ "$(shown | grep -c elapsed)" = 2 ]'
    sleep 2.2
    capture stopped-and-resumed
    presses C-z
    until_true eval '[ "$(shown | grep -c Stopped)" = 2 ]'
    types bg
    types clear
    sleep 3.2
    types 'echo the prompt is mine'
    wait_for '^the prompt is mine'
    capture in-the-background
    types 'fg'
    wait_for 'elapsed, .* left'
    presses C-c
    wait_for '^hint: go on waiting'
    capture in-the-foreground-again
}

scene_background() {
    open 100 24
    types 'heat-wait stack wait web &'
    wait_for 'server'
    sleep 3.2
    types 'echo mine'
    wait_for '^mine'
    capture background
}

scene_result() { # the result and the progress on one terminal
    simulate
    open 100 24
    types 'manila-wait share wait quick --for available -c status -c name; echo "exit $?"'
    wait_for 'elapsed, .* left'
    wait_for '^exit 0'
    capture result
}

scene_failure() {
    open 100 30
    types 'heat-wait stack wait broken -f value -c stack_status; echo "exit $?"'
    wait_for '^exit 1'
    capture failure -e
}

scene_colour() {
    local name
    for name in NO_COLOR=1 NO_COLOR=; do
        open 80 12 "$name"
        types 'heat-wait stack wait web'
        wait_for 'elapsed, .* left'
        if [ "$name" = NO_COLOR= ]; then capture colour -e; else capture no-colour -e; fi
    done
}

scene_dumb() {
    open 100 30 TERM=dumb
    types 'heat-wait stack wait web --deadline 3s --for create'
    wait_for '^hint: go on waiting'
    capture dumb
}

scene_quiet() {
    open 100 14
    types 'heat-wait stack wait web -q --deadline 3s -f value -c stack_status --for create'
    wait_for '^CREATE_IN_PROGRESS'
    types 'heat-wait stack wait db -q -f value -c stack_status'
    wait_for '^CREATE_COMPLETE'
    capture quiet
}

scene_logs() { # with -v there is no block: logs would be written into it
    open 200 50
    types 'heat-wait stack wait web -v --poll 1'
    wait_for 'server.*CREATE_IN_PROGRESS'
    sleep 3.2
    played=$((played + 1))
    if shows ' elapsed'; then shown && return 1; fi
}

simulate
mapfile -t scenes < <(declare -F | sed -nE 's/^declare -f scene_//p')
[ $# = 0 ] || scenes=("$@")
for scene in "${scenes[@]}"; do
    echo "--- $scene"
    "scene_$scene" || bad=1
done
echo "$played checks"
exit $bad
