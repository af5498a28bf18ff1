"""An input config as the text that Kuscia stores and the container gets."""

from renderer.text.digests import canonical
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node


def written(config: Node) -> str:
    """A text byte for byte; a mapping as compact JSON with sorted keys."""
    return config.value if isinstance(config.value, str) else _compact(config)


@cached_by_identity
def _compact(config: Node) -> str:
    """Asked for twice: the rules want to know how long it is."""
    return canonical(config.plain())
