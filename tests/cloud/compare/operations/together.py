"""Twenty shares deleted together, by both programs: requests and seconds."""
import os
import subprocess
import sys
import time

from cloud import until
from sides import account

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from proxy import Proxy  # noqa: E402

COUNT = 20


def shares(api, prefix, side, count):
    ids = [api.do("POST", f"{api.manila}/shares", {"share": {
        "share_proto": "NFS", "size": 1, "name": f"{prefix}-many-{side}{n}"}})["share"]["id"] for n in range(count)]
    for id in ids:
        until(id, lambda id=id: api.do("GET", f"{api.manila}/shares/{id}")["share"]["status"] == "available", 300)
    return ids


def measure(api, config, prefix):
    """For each side: exit code, requests to Manila, seconds, seconds until the last delete was answered. And the seconds
    of one delete alone, as bare requests see it."""
    found = {}
    for side, program, more in (("ours", config["manila_wait"], []), ("client", config["openstack"], ["--wait"])):
        ids = shares(api, prefix, side, COUNT)
        proxy = Proxy(os.environ["TESTCLOUD_AUTH_URL"], api.manila.removesuffix("/v2"))
        times = []
        forward = proxy.forward

        def timed(method, path, headers, body, forward=forward, times=times):
            answer = forward(method, path, headers, body)
            if method == "DELETE":
                times.append(time.monotonic())
            return answer
        proxy.forward = timed
        env = {name: value for name, value in os.environ.items() if not name.startswith("OS_")}
        env.update({**account("demo"), "OS_AUTH_URL": f"{proxy.url}/v3"})
        began = time.monotonic()
        ran = subprocess.run([program, "share", "delete", *ids, *more], env=env, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.monotonic() - began
        asked = [one for one in proxy.seen if not one[1].startswith("/v3")]
        found[side] = {"exit": ran.returncode, "requests": len(asked), "seconds": seconds,
                       "sent": max(times, default=began) - began}
        proxy.server.shutdown()
        if ran.returncode:
            print(f"{side}: {ran.stderr[-500:]}", file=sys.stderr)
    alone = shares(api, prefix, "alone", 1)[0]
    began = time.monotonic()
    api.do("DELETE", f"{api.manila}/shares/{alone}")
    while api.send("GET", f"{api.manila}/shares/{alone}")[0] != 404:
        time.sleep(0.1)
    found["one"] = time.monotonic() - began
    return found
