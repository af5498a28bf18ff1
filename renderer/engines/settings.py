"""What an environment says of engines: what its own images run, its models and its accelerators."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class OwnImage(NamedTuple):
    """What images of some pattern run; without a version, that is not known."""

    pattern: str
    engine: str
    version: str
    node: Node


def own_images(environment: Environment) -> Iterator[OwnImage]:
    """What `engines` of an environment says, in its order."""
    for item in _items(environment, "engines"):
        pattern, engine, version = (item.text_at(key) for key in ("image", "name", "version"))
        if pattern and engine:
            yield OwnImage(pattern, engine, version.removeprefix("v"), item)


def own_image(image: str, environment: Environment) -> OwnImage | None:
    """The first entry of `engines` that an image fits."""
    if "engines" not in environment.tree.items:
        return None
    found = own_images(environment)
    return next((item for item in found if fnmatchcase(image, item.pattern)), None)


def model_of(
    uris: tuple[str, ...], names: tuple[str, ...], environment: Environment
) -> Node | None:
    """The entry of `models` for a model: by where it comes from, then by the name it is served by.

    Of several patterns that match, the longest one counts.
    """
    listed = _items(environment, "models")
    fitting = [
        (len(pattern), -number, item)
        for number, item in enumerate(listed)
        for pattern in (str(node.value) for node in _items_of(item, "match"))
        if any(fnmatchcase(uri, pattern) for uri in uris)
    ]
    if fitting:
        return max(fitting, key=lambda found: found[:2])[2]
    return next((item for item in listed if item.text_at("name") in names), None)


def own_accelerators(environment: Environment) -> tuple[Node, ...]:
    """The entries of `accelerators`."""
    return _items(environment, "accelerators")


def _items(environment: Environment, key: str) -> tuple[Node, ...]:
    return _items_of(environment.tree, key)


def _items_of(node: Node, key: str) -> tuple[Node, ...]:
    found = node.get(key)
    return found.elements if found else ()
