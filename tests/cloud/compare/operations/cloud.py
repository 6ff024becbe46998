"""Bare requests to the test cloud, which make what an operation needs and see what became of it."""
import http.client
import json
import os
import re
import threading
import time
import urllib.parse

DOMAIN = {"id": "default"}
# What a state that will change by itself has in it.
MOVING = re.compile(r"IN_PROGRESS|(?<!error_delet)ing\b|_starting|queued_to_|replication_change|in_progress|completing")


class Refused(Exception):
    """The cloud did not do what a preparation needs."""


class Api:
    """Requests in the name of a user; usable from several threads."""

    def __init__(self, user):
        self.kept = threading.local()
        body = {"auth": {"identity": {"methods": ["password"], "password": {
            "user": {"name": user, "domain": DOMAIN, "password": os.environ["TESTCLOUD_PASSWORD"]}}},
            "scope": {"project": {"name": user, "domain": DOMAIN}}}}
        self.token = None
        status, token, headers = self.send("POST", os.environ["TESTCLOUD_AUTH_URL"] + "/auth/tokens", body)
        if status != 201:
            raise Refused(f"sign in as {user}: {status} {token}")
        self.token = headers["X-Subject-Token"]
        self.project = token["token"]["project"]["id"]
        urls = {service["type"]: endpoint["url"] for service in token["token"]["catalog"]
                for endpoint in service["endpoints"] if endpoint["interface"] == "public"}
        self.heat, self.manila = urls["orchestration"], urls["sharev2"]

    def send(self, method, url, body=None):
        """Status, JSON or None, headers."""
        parts = urllib.parse.urlsplit(url)
        headers = {"Content-Type": "application/json", "X-OpenStack-Manila-API-Version": "2.98",
                   "X-OpenStack-Manila-API-Experimental": "True"}
        if self.token:
            headers["X-Auth-Token"] = self.token
        for attempt in range(5):
            connection = http.client.HTTPConnection(parts.netloc, timeout=120)
            try:
                connection.request(method, parts.path + ("?" + parts.query if parts.query else ""),
                                   None if body is None else json.dumps(body), headers)
                answer = connection.getresponse()
                text = answer.read()
            except OSError:
                time.sleep(attempt)
                continue
            finally:
                connection.close()
            try:
                return answer.status, json.loads(text), answer.headers
            except ValueError:
                return answer.status, None, answer.headers
        raise Refused(f"{method} {url}: no answer")

    def do(self, method, url, body=None):
        """The JSON of an answer that is a 2xx."""
        status, answer, _ = self.send(method, url, body)
        if not 200 <= status < 300:
            raise Refused(f"{method} {url}: {status} {answer}")
        return answer


def until(what, look, limit=180):
    """Looks every half second until `look` returns something true."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.5)
    raise Refused(f"{what}: not in {limit} s")


class Observer(threading.Thread):
    """Keeps every state that `look` returns, with the time at which it was first seen."""

    def __init__(self, look, every=0.25):
        super().__init__(daemon=True)
        self.look, self.every = look, every
        self.history, self.over = [], threading.Event()
        self.start()

    def run(self):
        while not self.over.is_set():
            state = self.look()
            if not self.history or self.history[-1][1] != state:
                self.history.append((time.monotonic(), state))
            self.over.wait(self.every)

    def still(self):
        """For how many seconds the state has been one that does not change by itself."""
        seen, state = self.history[-1]
        return 0.0 if state is None or MOVING.search(str(state)) else time.monotonic() - seen

    def rest(self, limit=30):
        """Waits until the state does not change by itself any more; the time at which it was first seen, and the state."""
        end = time.monotonic() + limit
        time.sleep(2 * self.every)
        while time.monotonic() < end and (not self.history or MOVING.search(str(self.history[-1][1]))):
            time.sleep(self.every)
        self.over.set()
        self.join()
        return self.history[-1]
