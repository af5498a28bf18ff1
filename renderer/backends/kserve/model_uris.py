"""The addresses that models are fetched from, wherever a component has them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.backends.fields import elements, text
from renderer.backends.kserve.custom_containers import is_custom
from renderer.backends.kserve.dialect import Version
from renderer.backends.kserve.inference_service import PREDICTOR, Component
from renderer.backends.kserve.model import models_of
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.values.diagnostics import Path

#: Beginnings that KServe takes, and since when.
SCHEMES: dict[str, Version] = {
    **dict.fromkeys(("gs", "s3", "pvc", "file", "https", "http", "hdfs", "webhdfs"), (0, 0, 0)),
    "oci": (0, 12, 0),
    "hf": (0, 15, 0),
    "oci+native": (0, 20, 0),
    "oci+fetch": (0, 21, 0),
    "modelscope": (0, 21, 0),
}
#: The host of Azure's storage.
BLOB = "blob.core.windows.net"
_URI_VARIABLE = "STORAGE_URI"


class Uri(NamedTuple):
    """An address of a model, and where it stands."""

    path: Path
    text: str

    @property
    def scheme(self) -> str:
        return self.text.partition("://")[0] if "://" in self.text else ""

    @property
    def second_scheme(self) -> str:
        """One that stands right behind the first; empty if there is none."""
        return Uri(self.path, self.text.partition("://")[2]).scheme

    @property
    def has_blank(self) -> bool:
        """Whether there is a blank in an address that KServe takes."""
        return self.scheme in SCHEMES and any(sign.isspace() for sign in self.text)


def fetched_uris(components: Iterable[Component]) -> Iterator[Uri]:
    """The addresses that KServe's own container for fetching models is given."""
    for component in components:
        if "storageContainerName" not in component.node.items:
            yield from uris_of(component)


def uris_of(component: Component) -> list[Uri]:
    """The addresses of a component's model: of the model or explainer itself, and the list."""
    listed_there = [
        Uri((*component.path, "storageUris", index, "uri"), text(item, "uri"))
        for index, item in enumerate(elements(component.node, "storageUris"))
    ]
    own = own_uri(component)
    return [own, *listed_there] if own else listed_there


def own_uri(component: Component) -> Uri | None:
    """The address of a model or explainer, or of what containers of the user's own serve."""
    keys = [model.path[-1] for model in models_of(component.node)[:1]]
    keys += ["art"] if "art" in component.node.items else []
    for key in keys:
        node = component.node.get(key, "storageUri")
        if node is not None:
            return Uri((*component.path, key, "storageUri"), str(node.value))
    return _variable(component) if is_custom(component) else None


def _variable(component: Component) -> Uri | None:
    """The address that containers of the user's own have in a variable."""
    for index, container in enumerate(component.containers):
        serves = text(container, "name") == SERVING_CONTAINER or len(component.containers) == 1
        if not (serves if component.kind == PREDICTOR else index == 0):
            continue
        for place, variable in enumerate(elements(container, "env")):
            if text(variable, "name") == _URI_VARIABLE:
                path = (*component.path, "containers", index, "env", place, "value")
                return Uri(path, text(variable, "value"))
    return None
