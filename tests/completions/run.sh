#!/usr/bin/env bash
# Completions in the real shells: run.sh FOLDER-OF-COMPLETIONS FOLDER-OF-PROGRAMS. Needs bash, zsh and fish.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
completions=$(cd "$1" && pwd)
programs=$(cd "$2" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'clouds: {alpha-one: {}, beta-two: {}}\n' > "$scratch/clouds.yaml"
export OS_CLIENT_CONFIG_FILE=$scratch/clouds.yaml HOME=$scratch PATH=$programs:$PATH TERM=dumb
checks=0 bad=0

# shellcheck disable=SC2317  # the functions are called by name
in_bash() { # in_bash WORD...: what completes the last word
    # shellcheck disable=SC2016  # expanded by the inner shell
    bash --norc -c '
        source "$1/bash/$2"
        shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
        "_${1/-/__}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$completions" "$@"
}

# shellcheck disable=SC2317
in_fish() {
    # shellcheck disable=SC2016  # expanded by the inner shell
    fish --no-config -c 'source $argv[1]/fish/$argv[2].fish; complete -C (string join -- " " $argv[2..])' "$completions" "$@"
}

# shellcheck disable=SC2317
in_zsh() { timeout 30 zsh -f "$here/list.zsh" "$completions" "$@"; }

offers() { # offers SHELL WANTED WORD...: WANTED is among what completes the last word
    local shell=$1 wanted=$2 all
    shift 2
    checks=$((checks + 1))
    all=$("in_$shell" "$@" 2>&1) || true
    if ! grep -qw -- "$wanted" <<< "$all"; then
        printf '%s: %s does not offer %s, but: %s\n' "$shell" "$*" "$wanted" "${all:0:400}"
        bad=1
    fi
}

for shell in bash fish zsh; do
    offers "$shell" stack heat-wait sta
    offers "$shell" suspend heat-wait stack su
    offers "$shell" --deadline heat-wait stack wait --dead
    offers "$shell" beta-two heat-wait stack wait --os-cloud be
    offers "$shell" resize manila-wait share re
    offers "$shell" promote manila-wait share replica pro
    offers "$shell" alpha-one manila-wait share wait --os-cloud al
done
echo "$checks checks"
exit $bad
