"""Every line of standard input is a line of --progress json as docs/progress.schema.json describes it: check.py SCHEMA.

Needs the package jsonschema, which the services of the test cloud bring with them.
"""
import collections
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
seen = collections.Counter()
wrong = 0
for line in sys.stdin:
    if not line.startswith("{"):
        continue  # what clap says of the command line itself
    one = json.loads(line)
    seen[one["type"]] += 1
    for error in validator.iter_errors(one):
        wrong += 1
        print(f"{line.strip()}\n  {error.message}; {[inner.message for inner in error.context or []]}")
missing = {"event", "status", "retry", "signin", "hint", "error", "result"} - seen.keys()
if missing:
    print("no line of the types", ", ".join(sorted(missing)))
print(dict(seen))
print(f"{sum(seen.values())} checks")
sys.exit(bool(wrong or missing))
