"""Where the facts behind the checks come from."""

from renderer.kubernetes.pods import SOURCE

_KUSCIA = "secretflow/kuscia: pkg/"
API = f"{_KUSCIA}kusciaapi/service/serving_service.go"
CONTROLLER = f"{_KUSCIA}controllers/kusciadeployment/"
RESOURCES = f"{_KUSCIA}utils/resources/"
PARTNERS = f"{_KUSCIA}interconn/kuscia/deployment.go"
AGENT = f"{_KUSCIA}agent/provider/pod/"
CONFIG = f"{_KUSCIA}agent/middleware/plugins/hook/configrender/config_render.go"
RELEASES = "secretflow/kuscia: the releases from 0.4.0b0 to 1.1.0b0"
KUBERNETES = SOURCE
SERVING = "secretflow/serving: secretflow_serving/config/, server/kuscia/config_parser.cc"
