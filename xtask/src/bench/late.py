"""How late the end of an operation is seen: late.py CONFIG, a JSON object.

Stacks that take 4 s and 13 s and shares whose driver takes 4 s are created, one after the other: once by a bare
request that our program joins at once, once by the Python client with --wait, and those of 4 s once by our program. An observer, in this process, looks
every 50 ms by bare requests. A sample is the time between what the observer saw and the end of the program.

Prints the samples as a JSON list. Two lanes run side by side (the long operations, the short ones); within a lane they
take turns, so that both meet the same load. The phase is random: a stack's time is spread by half a
second either way.

Afterwards, for the wall time of whole creates, one command at a time and nobody who observes: ours and the client's of the same
operation in turns. The client looks every 5 s. So that the end falls anywhere between two of its looks, the times of the
operations are spread evenly over 5 s.
"""
import http.client
import json
import random
import subprocess
import sys
import threading
import time
import urllib.parse

CONFIG = json.loads(sys.argv[1])
DOMAIN = {"id": "default"}
TEMPLATE = """heat_template_version: 2018-08-31
resources:
  slow: {{type: 'OS::Heat::TestResource', properties: {{value: x, wait_secs: {:.2f}}}}}
"""
EVERY = 0.05
CLIENT_PERIOD = 5.0
samples = []


class Api:
    """Bare requests on kept connections."""

    def __init__(self):
        self.kept = {}
        body = {"auth": {"identity": {"methods": ["password"], "password": {
            "user": {"name": "demo", "domain": DOMAIN, "password": CONFIG["password"]}}},
            "scope": {"project": {"name": "demo", "domain": DOMAIN}}}}
        answer, token = self.ask("POST", CONFIG["auth_url"] + "/auth/tokens", body)
        self.token = answer.headers["X-Subject-Token"]
        urls = {service["type"]: endpoint["url"] for service in token["token"]["catalog"]
                for endpoint in service["endpoints"] if endpoint["interface"] == "public"}
        self.heat = urls["orchestration"]
        self.manila = urls.get("shared-file-system") or urls["sharev2"]

    def ask(self, method, url, body=None):
        parts = urllib.parse.urlsplit(url)
        headers = {"Content-Type": "application/json", "Accept": "application/json",
                   "X-OpenStack-Manila-API-Version": "2.65"}
        if hasattr(self, "token"):
            headers["X-Auth-Token"] = self.token
        target = parts.path + ("?" + parts.query if parts.query else "")
        for once_more in (True, False):
            connection = self.kept.setdefault(parts.netloc, http.client.HTTPConnection(parts.netloc, timeout=60))
            try:
                connection.request(method, target, body and json.dumps(body), headers)
                answer = connection.getresponse()
                text = answer.read()
                break
            except (http.client.HTTPException, OSError):
                self.kept.pop(parts.netloc).close()
                if not once_more:
                    raise
        try:
            return answer, json.loads(text)
        except ValueError:
            return answer, None


class Observer(threading.Thread):
    """Looks until `look(api)` is true, and keeps the time of the answer that said so."""

    def __init__(self, look):
        super().__init__(daemon=True)
        self.api, self.look, self.end, self.gap = Api(), look, None, None
        self.start()

    def run(self):
        before = time.monotonic()
        while self.end is None:
            began = time.monotonic()
            done = self.look(self.api)
            now = time.monotonic()
            if done:
                self.end, self.gap = now, now - before
            before = now
            time.sleep(max(0.0, EVERY - (now - began)))


def stack_ended(name):
    def look(api):
        _, body = api.ask("GET", f"{api.heat}/stacks?name={name}")
        return any(not one["stack_status"].endswith("_IN_PROGRESS") for one in (body or {}).get("stacks", []))
    return look


def share_ended(name):
    def look(api):
        _, body = api.ask("GET", f"{api.manila}/shares/detail?name={name}")
        return any(one["status"] == "available" for one in (body or {}).get("shares", []))
    return look


def sample(api, service, seconds, who, number):
    name = f"{CONFIG['prefix']}-{service}-{seconds}-{who}-{number}"
    stack = service == "heat"
    template = TEMPLATE.format(seconds + random.uniform(-0.5, 0.5))
    observer = Observer(stack_ended(name) if stack else share_ended(name))
    if who in ("client", "create"):
        command = create(stack, who, name, template)
    elif stack:
        body = {"stack_name": name, "template": template, "timeout_mins": 5}
        answer, made = api.ask("POST", api.heat + "/stacks", body)
        assert answer.status == 201, made
        command = [CONFIG["heat_wait"], "stack", "wait", made["stack"]["id"]]
    else:
        body = {"share": {"share_proto": "NFS", "size": 1, "name": name}}
        answer, made = api.ask("POST", api.manila + "/shares", body)
        assert answer.status == 200, made
        command = [CONFIG["manila_wait"], "share", "wait", made["share"]["id"], "--for", "available"]
    started = time.monotonic()
    ran = run(command)
    ended = time.monotonic()
    observer.join(60)
    if ran.returncode or observer.end is None:
        print(f"{name}: exit {ran.returncode}: {ran.stderr[-500:]}", file=sys.stderr)
    else:
        samples.append({"service": service, "seconds": seconds, "who": who, "late": ended - observer.end,
                        "wall": ended - started, "gap": observer.gap})
        print(f"{name}: {ended - observer.end:+.2f} s, {ended - started:.2f} s in all", file=sys.stderr)
    tidy(api, stack, name)


def run(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def create(stack, who, name, template):
    program = CONFIG["openstack"] if who == "client" else CONFIG["heat_wait" if stack else "manila_wait"]
    if not stack:
        return [program, "share", "create", "--wait", "--name", name, "NFS", "1"]
    with open(f"{CONFIG['folder']}/{name}.yaml", "w") as file:
        file.write(template)
    return [program, "stack", "create", "--wait", "-t", file.name, name]


def tidy(api, stack, name):
    """Asks that it goes; whether there is still something."""
    collection, found = ("stacks", f"{api.heat}/stacks?name={name}") if stack else ("shares", f"{api.manila}/shares?name={name}")
    left = (api.ask("GET", found)[1] or {}).get(collection, [])
    for one in left:
        place = f"{api.heat}/stacks/{name}/{one['id']}" if stack else f"{api.manila}/shares/{one['id']}"
        api.ask("DELETE", place)
    return bool(left)


def lane(kinds):
    api = Api()
    for number in range(CONFIG["runs"]):
        for service, seconds in kinds:
            turns = ["ours", "client", "create"] if seconds == 4 else ["ours", "client"]
            for who in random.sample(turns, len(turns)):
                try:
                    sample(api, service, seconds, who, number)
                except Exception as error:
                    print(f"{service} {seconds} s, {who}: {error!r}", file=sys.stderr)


def walls(api):
    """Whole creates, one at a time, their times spread over the client's period."""
    spread = [4 + CLIENT_PERIOD * ((number + 0.5) / CONFIG["runs"] - 0.5) for number in range(CONFIG["runs"])]
    random.shuffle(spread)
    for number, seconds in enumerate(spread):
        for service in ("heat", "manila"):
            for who in random.sample(["client", "create"], 2):
                wall(api, service, seconds, who, number)


def wall(api, service, seconds, who, number):
    stack = service == "heat"
    # The test cloud's driver reads how long a share takes from its name.
    name = f"{CONFIG['prefix']}-spread-{who}-{number}" + ("" if stack else f"-takes-{seconds:.2f}-create_share")
    command = create(stack, who, name, TEMPLATE.format(seconds))
    started = time.monotonic()
    ran = run(command)
    took = time.monotonic() - started
    if ran.returncode:
        print(f"{name}: exit {ran.returncode}: {ran.stderr[-500:]}", file=sys.stderr)
    else:
        samples.append({"service": service, "seconds": 4, "who": who, "spread": took})
        print(f"{name}: {seconds:.2f} s, {took:.2f} s", file=sys.stderr)
    # What still goes on would slow down the next.
    for _ in range(60):
        if not tidy(api, stack, name):
            break
        time.sleep(0.5)


lanes = [threading.Thread(target=lane, args=(kinds,))
         for kinds in ([("heat", 13)], [("heat", 4), ("manila", 4)])]
for one in lanes:
    one.start()
for one in lanes:
    one.join()
walls(Api())
print(json.dumps(samples))
