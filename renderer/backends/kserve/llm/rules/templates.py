"""What stands between braces: KServe reads the whole merged object as one template of Go's."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.rules.layers import root
from renderer.backends.kserve.llm.rules.sources import MERGE
from renderer.backends.kserve.llm.service import LLM_CONFIG, LlmView
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from renderer.backends.kserve.rules.placeholders import METADATA, template_texts, why_broken
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

FIELDS = METADATA | {
    "ObjectMeta", "TypeMeta", "Kind", "APIVersion", "Spec", "Status", "GlobalConfig",
}  # fmt: skip


@rule("KSV560", Severity.ERROR, LLM_CONFIG, since="0.3.0")
def configurations_can_be_filled_in(view: LlmView) -> Iterator[Finding]:
    """Text between double braces in a configuration is a template that KServe can fill in.

    KServe's webhook fills it in for a service of its own making, and refuses the object where it
    cannot: as with a chat template, whose braces are its own. What is filled in is a field of the
    service (`.Spec.Model.Name`), a function or a text in backquotes; quotes are not, as they are
    escaped in JSON. Where services use it, what is wrong is found there as well.

    Fails:
        template:
          containers: [{name: main, env: [{name: CHAT_TEMPLATE, value: '{{ messages[0] }}'}]}]
    Passes:
        template:
          containers: [{name: main, env: [{name: MODEL, value: '{{ .Spec.Model.Name }}'}]}]
    """
    for field in template_texts(root(view)):
        if reason := why_broken(field.text, FIELDS, frozenset(FUNCTIONS)):
            yield Finding(
                field.path,
                f"KServe cannot fill this in: there is {reason}",
                "write {{ `{{` }} for braces that should stay, or mount the text from a ConfigMap",
                inside=field.text.find("{{"),
            )


CONFIG_RULES = rules_with_source((configurations_can_be_filled_in,), MERGE)
#: What is wrong in a service is found in the spec that runs.
RULES = ()
