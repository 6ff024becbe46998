"""Heat's API and engine in one process: serve_heat.py HOST PORT --config-file FILE.

In one process transport_url = fake:// carries the calls between the two, and no message broker is needed.
"""
import sys

from oslo_service import backend
backend.init_backend(backend.BackendType.THREADING)

from oslo_config import cfg                   # noqa: E402
import waitress                               # noqa: E402

from heat.api.openstack import wsgi           # noqa: E402
from heat.common import config                # noqa: E402
from heat.common import policy                # noqa: E402
from heat.engine import template              # noqa: E402
from heat.rpc import api as rpc_api           # noqa: E402

host, port = sys.argv[1:3]
del sys.argv[1:3]                             # oslo.config parses what is left
application = wsgi.init_application()
config.startup_sanity_check()
policy.get_enforcer().load_rules()            # before requests can race to load them
template._get_template_extension_manager()

from heat.engine import service               # noqa: E402

engine = service.EngineService(cfg.CONF.host, rpc_api.ENGINE_TOPIC)
engine.start()
waitress.create_server(application, host=host, port=int(port), threads=16).run()
