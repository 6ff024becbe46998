"""Serve Manila's API with waitress: serve_manila.py HOST PORT CONFIG (Manila 23 brings no server of its own)."""
import sys

import waitress

host, port, config = sys.argv[1:]
sys.argv = ["manila-api", "--config-file", config]
from manila.wsgi.api import application  # noqa: E402  (reads sys.argv)

waitress.serve(application, host=host, port=int(port), threads=8)
