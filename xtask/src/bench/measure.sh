# shellcheck shell=bash
# Given to `bash -c`, with a command as arguments: runs it and prints what it took, as JSON.
#
# The command is a child of this small shell, which then turns into Python: the usage of a process's children outlives
# its exec. So neither Python's memory nor its time is in the figures; only a shell of 4 MiB is a floor to the memory.
start=$EPOCHREALTIME
"$@" > /dev/null 2>&1 < /dev/null
code=$?
end=$EPOCHREALTIME
exec python3 - "$start" "$end" "$code" << 'PYTHON'
import json
import resource
import sys

start, end, code = sys.argv[1:]
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"wall": float(end) - float(start), "cpu": used.ru_utime + used.ru_stime,
                  "memory": used.ru_maxrss * 1024, "exit": int(code)}))
PYTHON
