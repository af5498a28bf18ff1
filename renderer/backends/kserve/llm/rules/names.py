"""Names of LLM services and of configurations, where what is named after them would not work."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.presets import VERSIONS, presets
from renderer.backends.kserve.llm.rules.layers import layered
from renderer.backends.kserve.llm.rules.sources import MERGE, WORKLOAD
from renderer.backends.kserve.llm.service import LLM_CONFIG, PREFILL, LlmView
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_LONGEST_LABEL = 63
#: What stands behind a name in the longest label that a pod of a group gets: the name of the group,
#: its number, and the digest of its revision.
_BEHIND = {
    (PREFILL, "worker"): "-kserve-mn-prefill-00-0123456789",
    ("worker",): "-kserve-mn-00-0123456789",
}


@rule("KSV561", Severity.WARNING, "LLMInferenceService", since=_SINCE)
def names_of_groups_are_short(view: LlmView) -> Iterator[Finding]:
    """The name of a service with a `worker` is short enough for the labels of its pods.

    The pods of a LeaderWorkerSet have the name of their group, with a digest behind it, in a label
    of at most 63 characters; with a longer one no pod is made (inferred).

    Fails:
        name: the-chat-assistant-of-the-european-support-team
        template: {}
        worker: {}
        parallelism: {data: 2, dataLocal: 1}
    Passes with: name: chat
    """
    name = str(view.spec.name)
    for place, behind in _BEHIND.items():
        if layered(view, *place) is not None and len(name + behind) > _LONGEST_LABEL:
            yield Finding(
                ("name",),
                f"the name {name!r} is too long for the pods of {'.'.join(place)}",
                f"write at most {_LONGEST_LABEL - len(behind)} characters",
            )
            return


@rule("KSV562", Severity.WARNING, LLM_CONFIG, since=_SINCE)
def shipped_configurations_stay(view: LlmView) -> Iterator[Finding]:
    """A configuration is not called as one that KServe ships.

    KServe looks in the namespace of a service first: the configuration takes the place of the
    shipped one for every service there, also for those that do not name it, and whole. If it should
    (to keep pods as they are when KServe is upgraded), ignore this.

    Fails: name: kserve-config-llm-scheduler
    Passes: name: pool
    """
    name = str(view.spec.name)
    shipped = presets(str(view.settings.dialect)) or presets(VERSIONS[-1])
    if name in shipped:
        yield Finding(
            ("name",),
            f"{name!r} takes the place of the configuration that KServe ships",
            "give it another name, and list it in baseRefs",
        )


RULES = rules_with_source((names_of_groups_are_short,), WORKLOAD)
CONFIG_RULES = rules_with_source((shipped_configurations_stay,), MERGE)
