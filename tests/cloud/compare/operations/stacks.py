"""Every operation of heat-wait, to success and to failure."""
import json
import tempfile

from case import Case, Job
from cloud import until

HEAD = "heat_template_version: 2018-08-31\nresources:\n"
SLOW = HEAD + "  slow: {type: 'OS::Heat::TestResource', properties: {value: %s, fail: %s, wait_secs: %s}}\n"
CONFIG = HEAD + "  config: {type: 'OS::Heat::SoftwareConfig', properties: {group: script, config: 'true'}}\n"


def template(value="one", fail=False, wait=3):
    return SLOW % (value, str(fail).lower(), wait)


def file(text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
        file.write(text)
    return file.name


class Stack:
    """A stack made by bare requests."""

    def __init__(self, api, name, text, rollback=False, status="CREATE_COMPLETE", limit=None):
        self.api, self.name = api, name
        body = {"stack_name": name, "template": text, "disable_rollback": not rollback}
        self.id = api.do("POST", f"{api.heat}/stacks", {**body, **({"timeout_mins": limit} if limit else {})})["stack"]["id"]
        self.url = f"{api.heat}/stacks/{name}/{self.id}"
        if status:
            self.reaches(status)

    def reaches(self, status):
        until(f"{self.name}: {status}", lambda: self.look() == status)

    def act(self, action):
        self.api.do("POST", f"{self.url}/actions", {action: None})

    def look(self):
        status, body, _ = self.api.send("GET", f"{self.url}?resolve_outputs=False")
        return "gone" if status == 404 or body["stack"]["deletion_time"] else body["stack"]["stack_status"]


def by_name(api, name):
    """The look at a stack that is not there yet."""
    def look():
        found = api.do("GET", f"{api.heat}/stacks?name={name}")["stacks"]
        return found[0]["stack_status"] if found else None
    return look


def create(text, *options):
    def make(apis, name):
        api = apis["demo"]
        return Job(["stack", "create", *options, "-t", file(text), name], by_name(api, name))
    return make


def legacy(text):
    def make(apis, name):
        api = apis["demo"]
        words = ["stack-create", "-f", file(text), "--poll", "5", name]
        return Job(words, by_name(api, name), client=["heat", *words])
    return make


def adopt(whole):
    """Takes the resources of an abandoned stack over; a resource whose ID is not in the file cannot be adopted."""
    def make(apis, name):
        api = apis["demo"]
        stack = Stack(api, name, template(wait=0))
        data = api.do("DELETE", f"{stack.url}/abandon")
        until("abandoned", lambda: by_name(api, name)() is None)
        if not whole:
            data["resources"]["slow"].pop("resource_id")
        return Job(["stack", "adopt", "--adopt-file", file(json.dumps(data)), name], by_name(api, name))
    return make


def update(fail, *options):
    def make(apis, name):
        stack = Stack(apis["demo"], name, template(wait=0), rollback=bool(options))
        return Job(["stack", "update", *options, "-t", file(template("two", fail)), name], stack.look)
    return make


def delete(fail):
    """A configuration that a deployment refers to cannot be deleted."""
    def make(apis, name):
        api = apis["demo"]
        stack = Stack(api, name, CONFIG if fail else template(wait=2))
        if fail:
            config = api.do("GET", f"{stack.url}/resources/config")["resource"]["physical_resource_id"]
            server = "00000000-0000-0000-0000-000000000000"
            api.do("POST", f"{api.heat}/software_deployments", {
                "config_id": config, "server_id": server, "action": "CREATE", "status": "COMPLETE"})
        return Job(["stack", "delete", "-y", name], stack.look)
    return make


def act(action, before=None, **made):
    """An action on a stack that `made` describes; `before` was done to it."""
    def make(apis, name):
        text = template(fail=made.get("fail", False), wait=0)
        stack = Stack(apis["demo"], name, text, status="CREATE_FAILED" if made.get("fail") else "CREATE_COMPLETE")
        if before:
            stack.act(before)
            stack.reaches(f"{before.upper()}_COMPLETE")
        return Job(["stack", action, name], stack.look)
    return make


def cancel(*options, idle=False):
    """Of an update that takes long enough for a client that starts slowly; Heat lets the resource finish first."""
    def make(apis, name):
        api = apis["demo"]
        stack = Stack(api, name, template(wait=0), rollback=True)
        if not idle:
            text = template("two", wait=25)
            api.do("PUT", stack.url, {"template": text, "disable_rollback": False})
            stack.reaches("UPDATE_IN_PROGRESS")
        return Job(["stack", "cancel", *options, name], stack.look)
    return make


CASES = [
    Case("stack create", None, create(template())),
    Case("stack create", "a resource fails", create(template(fail=True))),
    Case("stack create", "a resource fails, `--enable-rollback`", create(template(fail=True), "--enable-rollback")),
    Case("stack-create", None, legacy(template())),
    Case("stack-create", "a resource fails", legacy(template(fail=True))),
    Case("stack adopt", None, adopt(True)),
    Case("stack adopt", "a resource without an ID", adopt(False)),
    Case("stack update", None, update(False)),
    Case("stack update", "a resource fails", update(True)),
    Case("stack update", "a resource fails, `--rollback enabled`", update(True, "--rollback", "enabled")),
    Case("stack delete", None, delete(False)),
    Case("stack delete", "a configuration in use", delete(True)),
    Case("stack suspend", None, act("suspend")),
    Case("stack suspend", "the stack is CREATE_FAILED", act("suspend", fail=True)),
    Case("stack resume", None, act("resume", "suspend")),
    Case("stack resume", "the stack was not suspended", act("resume")),
    Case("stack check", None, act("check")),
    Case("stack check", "a resource that was never made", act("check", fail=True)),
    Case("stack cancel", None, cancel()),
    Case("stack cancel --no-rollback", None, cancel("--no-rollback")),
    Case("stack cancel", "nothing runs", cancel(idle=True)),
]
