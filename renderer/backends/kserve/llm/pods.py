"""The pods that an LLM service or configuration describes, as far as the spec itself says."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.service import POD_PLACES, LlmView
from renderer.kubernetes.pod_rules.probes import drop_partial_probes
from renderer.kubernetes.pods import PROBES, Field, Pod
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.tree import Node, drop_paths

_CONTAINERS = ("containers", "initContainers")


def pods(view: LlmView) -> Iterator[Pod]:
    """Each of them adds to what presets and configurations bring: volumes and ports too.

    A probe may change the times of one that a preset has.
    """
    for place in POD_PLACES:
        if node := view.tree.get(*place):
            for key in _CONTAINERS:
                node = each(node, (key,), _final_part)
            yield Pod(Field(place, node), volumes=None, ports=None, has_final_amounts=False)


def _final_part(container: Node) -> Node:
    """A container without what presets or templates still have to say of its probes."""
    for probe in PROBES:
        container = replace_at(container, (probe, "httpGet"), _drop_filled_in)
    return drop_partial_probes(container)


def _drop_filled_in(handler: Node) -> Node:
    is_filled_in = "{{" in handler.text_at("scheme")
    return drop_paths(handler, [("scheme",)]) if is_filled_in else handler
