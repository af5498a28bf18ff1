"""The pods that an LLM service or configuration describes, as far as the spec itself says."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.service import POD_PLACES, LlmView
from renderer.kubernetes.pods import Field, Pod


def pods(view: LlmView) -> Iterator[Pod]:
    """Each of them adds to what presets and configurations bring: volumes and ports too."""
    for place in POD_PLACES:
        if node := view.tree.get(*place):
            yield Pod(Field(place, node), volumes=None, ports=None, has_final_amounts=False)
