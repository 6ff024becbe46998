#!/usr/bin/env bash
# Every kind of line of --progress json, from both programs, on standard output. Run by `cargo xtask sim`.
set -u
export HEAT_WAIT_POLL=0.5 MANILA_WAIT_POLL=0.5
heat() { { heat-wait "$@" --progress json > /dev/null; } 2>&1; }
manila() { { manila-wait "$@" --progress json > /dev/null; } 2>&1; }
heat stack wait web broken missing --nested-depth 2 &
heat stack wait web --deadline 1s &
heat stack wait web --os-password wrong &
heat stack wait web --os-endpoint-override http://127.0.0.1:9/v1/x --patience 1s &
manila share wait data stuck missing &
manila share wait data --deadline 1s &
manila share delete stuck --os-password wrong &
manila share resize missing 3 &
wait
