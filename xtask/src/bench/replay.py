"""The server's own time: replay.py AUTH_URL PASSWORD RUNS URL...

Signs in and asks for each URL, as the program does, on kept connections and with nothing in between; prints the seconds
of each run as a JSON list.
"""
import http.client
import json
import sys
import time
import urllib.parse

auth_url, password, runs, *urls = sys.argv[1:]
DOMAIN = {"id": "default"}
BODY = json.dumps({"auth": {
    "identity": {"methods": ["password"], "password": {
        "user": {"name": "demo", "domain": DOMAIN, "password": password}}},
    "scope": {"project": {"name": "demo", "domain": DOMAIN}}}})


def once():
    kept = {}
    start = time.perf_counter()

    def ask(method, url, body=None, headers=()):
        parts = urllib.parse.urlsplit(url)
        if parts.netloc not in kept:
            kept[parts.netloc] = http.client.HTTPConnection(parts.netloc)
        connection = kept[parts.netloc]
        connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), body, dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer

    token = ask("POST", auth_url + "/auth/tokens", BODY, {"Content-Type": "application/json"})
    headers = {"X-Auth-Token": token.headers["X-Subject-Token"], "X-OpenStack-Manila-API-Version": "2.65"}
    for url in urls:
        ask("GET", url, headers=headers)
    return time.perf_counter() - start


print(json.dumps([once() for _ in range(int(runs))]))
