# A terminal (tmux) with the programs in it, and a simulated cloud behind it: for run.sh and pictures.sh.
# shellcheck shell=bash

bin=$(realpath "${CARGO_TARGET_DIR:-target}")/debug
work=$(mktemp -d)
socket=heat-wait-$$ opened=0

tmux() { command tmux -u -L "$socket" -f /dev/null "$@"; }

tidy() {
    tmux kill-server 2> /dev/null || true
    exec 9>&- # the cloud ends with its standard input
    wait
    # A browser that ends may still write there.
    rm -rf "$work" || true
}
trap tidy EXIT

# --- the cloud ----------------------------------------------------------------------------------

clouds=$work/clouds.yaml

simulate() { # a cloud whose story begins now
    exec 9>&-
    rm -f "$work/hold" "$clouds"
    mkfifo "$work/hold"
    "$bin/examples/terminal" < "$work/hold" > "$clouds" 2> "$work/cloud.err" &
    exec 9> "$work/hold"
    until_true test -s "$clouds" || { cat "$work/cloud.err"; return 1; }
}

# --- a terminal ---------------------------------------------------------------------------------

until_true() { # until_true COMMAND...: up to 30 s and more; the machine may be busy
    local try
    for ((try = 0; try < 600; try++)); do
        "$@" && return
        sleep 0.1
    done
    return 1
}

shown() { tmux capture-pane -p -t s; }

shows() { shown | grep -qE -- "$1"; }

wait_for() { # wait_for PATTERN: on the screen
    until_true shows "$1" || { echo "never shown: $1"; shown; return 1; }
}

open() { # open COLUMNS ROWS [NAME=VALUE...]: an interactive shell
    local size=("$1" "$2")
    shift 2
    tmux kill-server 2> /dev/null || true
    # A server that ends takes new sessions with it.
    socket=heat-wait-$$-$((opened += 1))
    tmux new-session -d -s s -x "${size[0]}" -y "${size[1]}" \
        env -i PATH="$bin:/usr/bin:/bin" HOME="$work" HISTFILE= TERM=screen-256color LANG=C.UTF-8 PS1='> ' \
        OS_CLIENT_CONFIG_FILE="$clouds" OS_CLOUD=demo "$@" bash --norc --noprofile
    # The size holds also without anybody looking.
    tmux set-option -g window-size manual
    tmux set-option -g status off
    wait_for '^> *$'
}

types() { tmux send-keys -t s -l "$1" && tmux send-keys -t s Enter; }

presses() { tmux send-keys -t s "$1"; }

resize() { tmux resize-window -t s -x "$1" -y "$2"; }
