"""An input config as the text that Kuscia stores and the container gets."""

from renderer.text.digests import canonical
from renderer.values.identity_cache import once
from renderer.values.tree import Node


def written(config: Node) -> str:
    """A text byte for byte; a mapping as compact JSON with sorted keys."""
    return config.value if isinstance(config.value, str) else _compact(config)


@once
def _compact(config: Node) -> str:
    """Asked for twice: the rules want to know how long it is."""
    return canonical(config.plain())
