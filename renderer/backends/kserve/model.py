"""The model of a component: where it stands, and the addresses that it is fetched from."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import EXPLAINER, PREDICTOR, Component
from renderer.backends.kserve.dialect import Version
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

MODEL, ART = "model", "art"
#: The old fields, in the order in which KServe looks at them.
FRAMEWORKS = (
    "sklearn", "tensorflow", "xgboost", "pytorch", "triton", "onnx", "huggingface", "pmml",
    "lightgbm", "paddle",
)  # fmt: skip
#: Formats, and old fields, for which the webhook writes v2 where no protocol is given.
_V2_FORMATS = frozenset(("triton", "vLLM"))
_V2_FIELDS = frozenset(("triton", "onnx", "huggingface"))
#: Schemes of addresses, and the version of KServe that brought them.
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


class Model(NamedTuple):
    """A model where it stands in the spec; `framework` is the old field, if it is in one."""

    path: Path
    node: Node
    framework: str = ""

    @property
    def field(self) -> Field:
        return Field(self.path, self.node)

    @property
    def format(self) -> str:
        return self.framework or text(self.node, "modelFormat", "name")

    @property
    def version(self) -> str:
        return text(self.node, "modelFormat", "version")

    @property
    def runtime(self) -> str:
        """The runtime that it names; empty if KServe has to choose."""
        return text(self.node, "runtime")

    @property
    def protocol(self) -> str:
        """Its own, or the one that the webhook writes; empty if there is neither."""
        given = text(self.node, "protocolVersion")
        silent = self.framework in _V2_FIELDS or self.format in _V2_FORMATS
        return given or ("v2" if silent else "")

    def converted(self) -> Node:
        """The fields of the present form."""
        if not self.framework:
            return self.node
        origin = self.node.key or self.node.origin
        name = Node({"name": Node(self.framework, origin)}, origin)
        return self.node.with_members({"modelFormat": name, **self.node.items})

    def convert_predictor(self, predictor: Node, defaults: Mapping[str, Node]) -> Node:
        """Its predictor with the model in the present form, and defaults for what it lacks."""
        silent = {key: node for key, node in defaults.items() if key not in self.node.items}
        model = self.node.with_members({**self.converted().items, **silent})
        kept = {key: node for key, node in predictor.items.items() if key not in FRAMEWORKS}
        return predictor.with_members({**kept, MODEL: model})


@cached_by_identity  # as most rules ask for it
def find_models(predictor: Node) -> tuple[Model, ...]:
    """All models of a predictor, the present form first; more than one is a mistake."""
    found = [(MODEL, ""), *((name, name) for name in FRAMEWORKS)]
    return tuple(
        Model(("predictor", key), node, framework)
        for key, framework in found
        if (node := predictor.get(key)) is not None
    )


def find_model(predictor: Node) -> Model | None:
    """The model of a predictor; nothing if it has containers of its own instead."""
    return next(iter(find_models(predictor)), None)


def is_custom(component: Component) -> bool:
    """Whether its containers are all there is to run."""
    node = component.node
    if component.kind == EXPLAINER and ART in node.items:
        return False
    return bool(component.containers) and not find_models(node)


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
        if not component.has("storageContainerName"):
            yield from component_uris(component)


def component_uris(component: Component) -> list[Uri]:
    """The addresses of a component's model: of the model or explainer itself, and the list."""
    listed_there = [
        Uri((*component.path, "storageUris", index, "uri"), text(item, "uri"))
        for index, item in enumerate(elements(component.node, "storageUris"))
    ]
    own = own_uri(component)
    return [own, *listed_there] if own else listed_there


def own_uri(component: Component) -> Uri | None:
    """The address of a model or explainer, or of what containers of the user's own serve."""
    keys = [model.path[-1] for model in find_models(component.node)[:1]]
    keys += [ART] if ART in component.node.items else []
    for key in keys:
        node = component.node.get(key, "storageUri")
        if node is not None:
            return Uri((*component.path, key, "storageUri"), str(node.value))
    return _variable_uri(component) if is_custom(component) else None


def _variable_uri(component: Component) -> Uri | None:
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
