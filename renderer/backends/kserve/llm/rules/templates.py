"""What stands between braces: KServe reads the whole merged object as one template of Go's."""

from collections.abc import Iterator

from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kserve.llm.go_templates import MissingValueError, TemplateError, fill
from renderer.backends.kserve.llm.rules.layers import root
from renderer.backends.kserve.llm.rules.sources import MERGE
from renderer.backends.kserve.llm.service import LLM_CONFIG, LLM_SERVICE, LlmView
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from renderer.backends.kserve.rules.placeholders import METADATA, template_texts, why_broken
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Plain

FIELDS = METADATA | {
    "ObjectMeta", "TypeMeta", "Kind", "APIVersion", "Spec", "Status", "GlobalConfig",
}  # fmt: skip
_ASKED = expression(r"\.Spec\.(\w+)")
#: Whose keys are written otherwise, or that Go has beside the keys.
_OTHER_FIELDS = ("KVCacheOffloading", "WorkloadSpec")
_POD: Plain = {"containers": [{"name": "kserve-container"}]}
#: As much of the service that KServe's webhook fills configurations in for as templates ask about.
_SAMPLE: dict[str, Plain] = {
    "metadata": {
        "name": "test-llm-preset",
        "namespace": "test-llm-preset-test",
        "labels": {
            "app.kubernetes.io/name": "llminferenceservice",
            "app.kubernetes.io/instance": "test-llm-preset",
            "app.kubernetes.io/component": "llminferenceservice",
        },
        "annotations": {"serving.kserve.io/model-uri": "llama"},
    },
    "spec": {
        "model": {"name": "llama", "uri": "llama"},
        "replicas": 2,
        "parallelism": {"data": 4, "dataLocal": 2, "tensor": 1, "expert": True},
        "template": _POD,
        "worker": _POD,
        "prefill": {"replicas": 1, "parallelism": {"tensor": 1, "pipeline": 1}, "template": _POD},
        "router": {"route": {"http": {}}, "gateway": {}, "scheduler": {"template": _POD}},
    },
    "globalConfig": {},
}


@rule("KSV560", Severity.ERROR, LLM_CONFIG, since="0.3.0")
def configurations_can_be_filled_in(view: LlmView) -> Iterator[Finding]:
    """Text between double braces in a configuration is a template that KServe can fill in.

    KServe's webhook fills it in for a service of its own making, and refuses the object where it
    cannot: as with a chat template, whose braces are its own. What is filled in is a field of the
    service (`.Spec.Model.Name`), a function or a text in backquotes; quotes are not, as they are
    escaped in JSON. That service has parallelism and prefill, and neither a cache nor annotations
    of yours: ask for these within `{{ if … }}`. Where services use it, what is wrong is found there
    as well.

    Fails:
        template:
          containers: [{name: main, env: [{name: CHAT_TEMPLATE, value: '{{ messages[0] }}'}]}]
    Passes:
        template:
          containers: [{name: main, env: [{name: MODEL, value: '{{ .Spec.Model.Name }}'}]}]
    """
    for field in template_texts(root(view)):
        reason = why_broken(field.text, FIELDS, frozenset(FUNCTIONS))
        if missing := _missing(field.text):
            message = f"KServe's webhook cannot fill this in for its own service: {missing}"
            fix = "ask for it within {{ if … }}, or write it in the services"
            yield Finding(field.path, message, fix, inside=field.text.find("{{"))
        elif reason:
            yield Finding(
                field.path,
                f"KServe cannot fill this in: there is {reason}",
                "write {{ `{{` }} for braces that should stay, or mount the text from a ConfigMap",
                inside=field.text.find("{{"),
            )


def _missing(written: str) -> str:
    """What the webhook's own service lacks of what a text asks for; empty if it has all of it."""
    known = strict_schema(LLM_SERVICE)["properties"].keys()
    for word in _ASKED.findall(written):
        if word[:1].lower() + word[1:] not in known and word not in _OTHER_FIELDS:
            return f"the spec of a service has no field {word!r}"
    try:
        fill(written, _SAMPLE, FUNCTIONS)
    except MissingValueError as error:
        return str(error)
    except TemplateError:  # what else is wrong with it is not a matter of the service
        return ""
    return ""


CONFIG_RULES = rules_with_source((configurations_can_be_filled_in,), MERGE)
#: What is wrong in a service is found in the spec that runs.
RULES = ()
