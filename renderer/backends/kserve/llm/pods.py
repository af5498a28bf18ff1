"""The pods that an LLM service or configuration describes, as far as the spec itself says."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.service import POD_PLACES, LlmView
from renderer.kubernetes.pod_rules.probes import drop_partial_probes
from renderer.kubernetes.pods import Field, Pod
from renderer.kubernetes.stored_pods import each

_CONTAINERS = ("containers", "initContainers")


def pods(view: LlmView) -> Iterator[Pod]:
    """Each of them adds to what presets and configurations bring: volumes and ports too.

    A probe may change the times of one that a preset has.
    """
    for place in POD_PLACES:
        if node := view.tree.get(*place):
            for key in _CONTAINERS:
                node = each(node, (key,), drop_partial_probes)
            yield Pod(Field(place, node), volumes=None, ports=None, has_final_amounts=False)
