"""What findings rest on: files of KServe's source, and settings of the environment."""

from collections.abc import Iterable, Iterator
from functools import wraps

from renderer.backends.fields import text
from renderer.backends.kserve.components import MODE
from renderer.backends.kserve.dialect import parse_mode
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.values.diagnostics import Check, Finding, Rule
from renderer.values.tree import Node

WEBHOOK = "kserve/kserve: pkg/apis/serving/v1beta1"
CONTROLLER = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/components/predictor.go"
RECONCILERS = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/reconcilers"
STORAGE = "kserve/kserve: pkg/controller/v1beta1/inferenceservice/utils/utils.go"
RUNTIME_WEBHOOK = "kserve/kserve: pkg/webhook/admission/servingruntime/servingruntime_webhook.go"
KNATIVE_SERVING = "knative/serving: pkg/apis/serving/fieldmask.go, k8s_validation.go"
METADATA = "kserve/kserve: pkg/constants/constants.go, and where they are used"
KNATIVE_METADATA = "knative/serving: pkg/apis/autoscaling/annotation_validation.go"
AGENT = "kserve/kserve: cmd/agent/main.go"


def source_place(node: Node) -> str:
    """The file and the line of a value; empty if it is not from a file."""
    return f"{node.origin.file}:{node.origin.line}" if node.origin.file else ""


def setting(service: PlacelessService, key: str) -> str:
    """`kserve.version (environments/dev/environment.yaml:7)`; without a place if it is not set."""
    node = service.settings.tree.get(key) if service.settings.tree else None
    place = source_place(node) if node else ""
    return f"kserve.{key} ({place})" if place else f"kserve.{key}"


def name_the_mode(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Rules about one mode: where it is the environment's default, the remedy names the setting."""
    return tuple(rule._replace(check=_name_mode(rule.check)) for rule in rules if rule.check)


def _name_mode(check: Check) -> Check:
    @wraps(check)
    def named(service: PlacelessService) -> Iterator[Finding]:
        for finding in check(service):
            is_own = parse_mode(text(service.tree, "annotations", MODE))
            settings = service.settings.tree
            if is_own or settings is None or settings.get("default_mode") is None:
                yield finding
            else:
                reason = f"the mode {service.mode} is that of {setting(service, 'default_mode')}"
                yield finding._replace(fix=f"{finding.fix}; {reason}")

    return named
