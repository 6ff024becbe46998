#!/usr/bin/env bash
# service.sh stop|start|restart NAME: one service of a cloud that up.sh has brought up.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$SCRIPTS/services.sh"
usage="usage: service.sh stop|start|restart NAME, with NAME one of: $SERVICES"
[ $# = 2 ] || die "$usage"
case " $SERVICES " in *" $2 "*) ;; *) die "$usage" ;; esac
[ -f "$TESTCLOUD/settings" ] || die "no cloud in $TESTCLOUD; bring one up first"
case $1 in
stop) stop "$2" ;;
start) start "$2" ;;
restart)
    stop "$2"
    start "$2"
    ;;
*) die "$usage" ;;
esac
