"""Runs a case with one of the two programs, and says what came of it."""
import os
import re
import subprocess
import time
from dataclasses import dataclass

from cloud import Observer

UUID = re.compile(r"[0-9a-f]{8}([-_])[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}|\b[0-9a-f]{32}\b")
# An event of a stack, as both programs write it.
EVENT = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ? .*\n?", re.MULTILINE)


@dataclass
class Run:
    """What one program did."""

    exit: object
    seconds: float
    words: str
    stdout: str
    final: str
    # How long after the final state was first to be seen the program ended; None where the state never changed.
    late: object


class Sides:
    """Both programs, and how many seconds after the end the client is taken to hang."""

    def __init__(self, ours, openstack, limit):
        self.ours, self.openstack, self.limit = ours, openstack, limit

    def command(self, side, job):
        if side == "ours":
            program = "heat_wait" if job.words[0].startswith("stack") else "manila_wait"
            return [self.ours[program], *job.words]
        if job.client:
            return [os.path.join(os.path.dirname(self.openstack), job.client[0]), *job.client[1:]]
        if job.loop:
            return ["bash", "-c", f'openstack "$@" && {job.loop}', "loop", *job.words]
        return [self.openstack, *job.words, "--wait"]

    def run(self, side, case, apis, name):
        job = case.make(apis, name)
        case.loops = job.loop is not None
        folder = os.path.dirname(self.openstack)
        env = {**os.environ, "OS_CLOUD": case.user, "PATH": f"{folder}:{os.environ['PATH']}"}
        if side == "client" and job.client:
            env.update(account(case.user))
        observer = Observer(job.look)
        while not observer.history:
            time.sleep(0.05)
        began = time.monotonic()
        child = subprocess.Popen(self.command(side, job), env=env, stdin=subprocess.DEVNULL, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        code, out, err = self.attend(child, side, observer)
        ended = time.monotonic()
        seen, state = observer.rest()
        late = ended - seen if len(observer.history) > 1 else None
        return Run(code, ended - began, last(err, side, name), masked(EVENT.sub("", out), name), state, late)

    def attend(self, child, side, observer):
        """Waits for the end of a program; the client is ended when the state has not moved for so long."""
        while True:
            try:
                out, err = child.communicate(timeout=0.5)
                return child.returncode, out, err
            except subprocess.TimeoutExpired:
                hangs = side == "client" and len(observer.history) > 1 and observer.still() > self.limit
            if hangs:
                os.killpg(child.pid, 9)
                return ("hangs", *child.communicate())


def account(user):
    """The user in the variables of OpenStack, for what knows no clouds file."""
    return {"OS_AUTH_URL": os.environ["TESTCLOUD_AUTH_URL"], "OS_USERNAME": user,
            "OS_PASSWORD": os.environ["TESTCLOUD_PASSWORD"], "OS_PROJECT_NAME": user, "OS_USER_DOMAIN_ID": "default",
            "OS_PROJECT_DOMAIN_ID": "default", "OS_REGION_NAME": "RegionOne", "OS_IDENTITY_API_VERSION": "3"}


def masked(text, name):
    """Without what differs between any two runs, at the same width."""
    text = UUID.sub(lambda found: "X" * len(found.group()), text.replace(name, "N" * len(name)))
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d", "0000-00-00T00:00:00", text)
    text = re.sub(r"\.\d{6}\b", ".000000", text)
    # The list of `stack-create` has the stacks of the other cases as well.
    return "".join(line for line in text.splitlines(True) if not re.match(r"\| X{36} \|", line) or "N" * len(name) in line)


def last(err, side, name):
    """The last line that says how it ended."""
    lines = [line.strip() for line in EVENT.sub("", err).splitlines()]
    lines = [line for line in lines if line and not line.startswith(("hint: ", "WARNING (shell)"))]
    if side == "ours":
        # Causes and failed resources follow below; the verdict is the first line that is no remark.
        verdicts = [line for line in lines if re.match(r"(heat|manila)-wait: (?!still waiting)\S", line)]
        lines = verdicts[-1:]
    text = UUID.sub("ID", lines[-1] if lines else "")
    text = re.sub(r"\s*\(Request-ID: [^)]*\)?", "", text).replace(name, "NAME")
    return re.sub(r"\b(heat|manila)-wait: ", "", text)
