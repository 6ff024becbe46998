"""Serve Keystone with waitress: serve_keystone.py HOST PORT.

The configuration comes from $OS_KEYSTONE_CONFIG_DIR.
"""
import sys

import waitress

host, port = sys.argv[1:]
sys.argv[1:] = []                                 # oslo.config parses what is left
from keystone.common.rbac_enforcer import policy  # noqa: E402
from keystone.wsgi.api import application         # noqa: E402

# Two first requests that load the rules at once race, and one of them gets a 403.
policy._ENFORCER._enforcer.load_rules()
# One thread: of requests that run side by side now and then one is judged by the scope of another, and gets a 403.
waitress.serve(application, host=host, port=int(port), threads=1)
