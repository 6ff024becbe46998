# shellcheck shell=bash
# Given to `bash -c`, with a Python and a command as arguments: runs the command and prints what it took, as JSON.
#
# The command is a child of this small shell, which then turns into Python: the usage of a process's children outlives
# its exec (of the interpreter itself: what a wrapper around it starts would be counted). So neither Python's memory nor its time is in the figures; only a shell of 4 MiB is a floor to the memory.
python=$1
shift
start=$EPOCHREALTIME
"$@" > /dev/null 2>&1 < /dev/null
code=$?
end=$EPOCHREALTIME
exec "$python" - "$start" "$end" "$code" << 'PYTHON'
import json
import resource
import sys

start, end, code = sys.argv[1:]
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"wall": float(end) - float(start), "cpu": used.ru_utime + used.ru_stime,
                  "memory": used.ru_maxrss * 1024, "exit": int(code)}))
PYTHON
