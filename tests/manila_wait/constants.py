#!/usr/bin/env python3
"""Writes the status words of an installed Manila: python constants.py > ../fixtures/manila-constants.json"""
import importlib.metadata
import json
import sys

from manila.common import constants

LISTS = [
    "SHARE_STATUSES",
    "SHARE_SNAPSHOT_STATUSES",
    "SHARE_SERVER_STATUSES",
    "SHARE_NETWORK_STATUSES",
    "ACCESS_RULES_STATES",
    "TASK_STATE_STATUSES",
    "SERVER_TASK_STATE_STATUSES",
    "TRANSITIONAL_STATUSES",
    "BUSY_TASK_STATES",
]
words = {name: [word for word in getattr(constants, name) if word] for name in LISTS}
words["REPLICA_STATES"] = [value for name, value in vars(constants).items() if name.startswith("REPLICA_STATE_")]
# Words of no list that a share or an instance can have all the same.
words["STATUS_*"] = sorted(
    value for name, value in vars(constants).items() if name.startswith("STATUS_") and isinstance(value, str)
)
json.dump({"manila": importlib.metadata.version("manila"), **words}, sys.stdout, indent=1)
print()
