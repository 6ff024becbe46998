"""Manila's dummy driver, plus faults and durations on demand.

A share, snapshot, backup, share group or group snapshot whose name contains "fail-METHOD" (say "fail-extend_share") makes that
driver method raise; "loss-shrink_share" makes a shrink report possible data loss; with "takes-2.5-create_share" that method
takes 2.5 s instead of what is configured. A share server has no name: there the
security services of its network are asked.
"""
import re
import time

from manila import exception
from manila.tests.share.drivers.dummy import DummyDriver

METHODS = """create_share create_share_from_snapshot delete_share extend_share shrink_share create_snapshot
delete_snapshot revert_to_snapshot update_access manage_existing unmanage manage_existing_snapshot
unmanage_snapshot create_replica delete_replica promote_replica update_replica_state
create_replicated_snapshot delete_replicated_snapshot migration_start migration_complete
create_backup delete_backup restore_backup create_share_group delete_share_group create_share_group_snapshot
delete_share_group_snapshot _teardown_server unmanage_server""".split()
# What Manila takes for a failure of these; anything else that is raised leaves it stuck in the middle.
EXPECTED = {"unmanage": exception.InvalidShare(reason="injected fault"),
            "unmanage_snapshot": exception.UnmanageInvalidShareSnapshot(reason="injected fault"),
            "unmanage_server": NotImplementedError()}


def names(args):
    for arg in args:
        for obj in arg if isinstance(arg, list) else [arg]:
            for key in "display_name", "name":  # groups have a name alone; a share's own is made of its id
                try:
                    yield obj[key] or ""
                except (AttributeError, KeyError, TypeError):
                    pass
            if type(obj).__name__ == "ShareSnapshotInstance":  # has only the snapshot's name
                yield obj.snapshot.display_name or ""


class FaultyDummyDriver(DummyDriver):
    pass


def wrap(method):
    inner = getattr(DummyDriver, method)

    def outer(self, *args, **kwargs):
        text = " ".join(names([*args, *kwargs.values()]))
        takes = re.search(rf"takes-([0-9.]+)-{method}\b", text)
        if takes:
            time.sleep(float(takes[1]))
            result = inner.__wrapped__(self, *args, **kwargs)  # without the decorator that delays
        else:
            result = inner(self, *args, **kwargs)          # after the delay, so the transition can be seen
        if "loss-" + method in text:
            raise exception.ShareShrinkingPossibleDataLoss(share_id=args[0]["id"])
        if "fail-" + method in text:
            raise EXPECTED.get(method) or exception.ShareBackendException(msg=f"injected fault in {method}")
        return result
    setattr(FaultyDummyDriver, method, outer)


def wrap_progress(method):
    """Manila asks for the progress of a backup every few seconds, and takes one for made that is still at its beginning:
    one that is going to fail is never done."""
    inner = getattr(DummyDriver, f"{method}_continue")

    def outer(self, *args, **kwargs):
        if "fail-" + method in " ".join(names([*args, *kwargs.values()])):
            return {"total_progress": "50"}
        return inner(self, *args, **kwargs)
    setattr(FaultyDummyDriver, f"{method}_continue", outer)


for m in METHODS:
    wrap(m)
for m in "create_backup", "restore_backup":
    wrap_progress(m)
