"""A Keystone and a Heat on one port of the loopback, in front of the real ones: counts, records, or plays an old Heat."""
import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit


class Proxy:
    """Forwards to `keystone` (…/v3) and `heat` (a root); `old`: ignores nested_depth for events, as Heat did before 2016."""

    def __init__(self, keystone, heat, old=False):
        self.keystone, self.heat, self.old = urlsplit(keystone), urlsplit(heat), old
        self.seen = []
        self.all = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def forget(self):
        self.seen.clear()

    def heat_requests(self):
        """What Heat was asked since the last `forget`: method, path with query, status, headers, body of the answer."""
        return [one for one in self.seen if "/stacks" in one[1] or "/software_deployments" in one[1]]

    def forward(self, method, path, headers, body):
        to_keystone = path.startswith("/v3")
        upstream = self.keystone if to_keystone else self.heat
        if self.old and path.split("?")[0].endswith("/events"):
            parts = urlsplit(path)
            query = [(key, value) for key, value in parse_qsl(parts.query) if key != "nested_depth"]
            path = parts.path + ("?" + urlencode(query) if query else "")
        connection = http.client.HTTPConnection(upstream.hostname, upstream.port, timeout=120)
        if to_keystone:
            headers["Host"] = upstream.netloc
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if to_keystone:
            data = data.replace(f"{self.heat.scheme}://{self.heat.netloc}".encode(), self.url.encode())
            data = data.replace(f"{self.keystone.scheme}://{self.keystone.netloc}".encode(), self.url.encode())
        return answer.status, answer.getheaders(), data

    def handler(proxy):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                headers = {key: value for key, value in self.headers.items() if key.lower() != "connection"}
                status, answered, data = proxy.forward(self.command, self.path, headers, body)
                one = (self.command, self.path, status, dict(answered), data)
                proxy.seen.append(one)
                proxy.all.append(one)
                self.send_response(status)
                for key, value in answered:
                    if key.lower() not in ("content-length", "transfer-encoding", "connection", "server", "date"):
                        self.send_header(key, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

            def log_message(self, *_):
                pass

        return Handler


def user(url, cloud):
    """The environment of the user of an entry of a clouds file, at another Keystone."""
    auth = cloud["auth"]
    return {
        "OS_AUTH_URL": f"{url}/v3", "OS_USERNAME": auth["username"], "OS_PASSWORD": auth["password"],
        "OS_PROJECT_NAME": auth["project_name"], "OS_USER_DOMAIN_ID": "default", "OS_PROJECT_DOMAIN_ID": "default",
        "OS_REGION_NAME": cloud["region_name"], "OS_IDENTITY_API_VERSION": "3",
    }
