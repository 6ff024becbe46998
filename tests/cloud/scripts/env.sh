#!/usr/bin/env bash
# Print how to reach the cloud, as lines that a shell and `cargo xtask cloud test` can read.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
cat << LINES
export TESTCLOUD=$TESTCLOUD
export TESTCLOUD_AUTH_URL=$AUTH_URL
export TESTCLOUD_PASSWORD=$PASSWORD
export OS_CLIENT_CONFIG_FILE=$CLOUDS
export OS_CLOUD=demo
LINES
