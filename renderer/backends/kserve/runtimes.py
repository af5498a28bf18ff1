"""A serving runtime: the formats and protocols that it supports."""

from renderer.backends.fields import elements, text
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

SERVING_RUNTIME, CLUSTER_RUNTIME = "ServingRuntime", "ClusterServingRuntime"
#: In the order in which KServe looks for a name.
RUNTIME_KINDS = (SERVING_RUNTIME, CLUSTER_RUNTIME)
SERVER_TYPE = "serving.kserve.io/server-type"
#: The container that serves the model; its fields are those that a model adds to.
SERVING_CONTAINER = "kserve-container"
PROTOCOLS = ("v1", "v2", "grpc-v1", "grpc-v2")
_SERVERS = {
    "kserve-mlserver": "mlserver",
    "kserve-torchserve": "torchserve",
    "kserve-tritonserver": "tritonserver",
    "kserve-tensorflow-serving": "tensorflow-serving",
    "kserve-huggingfaceserver": "huggingfaceserver",
    "kserve-vllmserver": "vllmserver",
}
#: What KServe has some servers speak, whatever their runtime lists first.
_SPOKEN = {"mlserver": "v2", "tritonserver": "v2", "torchserve": "v1"}


class Format(NamedTuple):
    """A format that a runtime lists; without a version, requests with one do not match it."""

    name: str
    version: str = ""
    auto_select: bool = False
    priority: int | None = None


class Runtime(NamedTuple):
    """A runtime of this repository (then it has a spec), of KServe itself, or kept elsewhere.

    Without protocols it takes any. `namespace` is empty for one of the whole cluster.
    """

    name: str
    kind: str = CLUSTER_RUNTIME
    formats: tuple[Format, ...] = ()
    protocols: tuple[str, ...] = ()
    multi_model: bool = False
    multi_node: bool = False
    disabled: bool = False
    server_type: str = ""
    namespace: str = ""
    spec: Spec | None = None

    @classmethod
    def of(cls, spec: Spec, namespace: str = "") -> "Runtime":
        """The runtime of a spec; `namespace` is for one that has none of its own."""
        place = text(spec.tree, "namespace") or namespace
        found = cls.read_object(spec.tree, spec.tree, (spec.kind.name, place, spec.name))
        return found._replace(spec=spec)

    @classmethod
    def read_object(cls, tree: Node, fields: Node, key: tuple[str, str, str]) -> "Runtime":
        """From an object or a spec, with the fields of its pod, its kind, namespace and name."""
        kind, namespace, name = key
        return cls.read(fields, name)._replace(
            kind=kind,
            multi_node=fields.get("workerSpec") is not None,
            server_type=text(tree, "metadata", "annotations", SERVER_TYPE),
            namespace="" if kind == CLUSTER_RUNTIME else namespace,
        )

    @classmethod
    def read(cls, tree: Node, name: str) -> "Runtime":
        """From the fields of a spec, or from those that an environment's settings give."""
        return cls(
            name,
            formats=tuple(map(_format, elements(tree, "supportedModelFormats"))),
            protocols=tuple(str(item.value) for item in elements(tree, "protocolVersions")),
            multi_model=_is_true(tree, "multiModel"),
            multi_node=_is_true(tree, "multiNode"),
            disabled=_is_true(tree, "disabled"),
            server_type=text(tree, "serverType"),
        )

    def speaks(self, protocol: str) -> bool:
        return not self.protocols or protocol in self.protocols

    @property
    def silent_protocol(self) -> str:
        """What KServe takes if a model asks for none: that of the server, else the simplest one.

        Empty if the runtime lists none, or not that of its server: KServe refuses that one only
        where it is written.
        """
        spoken = _SPOKEN.get(server_name(self.name, self.server_type), "")
        if spoken:
            return spoken if self.speaks(spoken) else ""
        return min(self.protocols, key=protocol_rank, default="")

    def lists(self, name: str) -> list[Format]:
        """Its entries for a format."""
        return [item for item in self.formats if item.name == name]

    def priority(self, name: str) -> int | None:
        """That of the first entry for a format, whichever entry matches."""
        return next((item.priority for item in self.formats if item.name == name), None)


def server_name(name: str, server_type: str) -> str:
    """The server of a runtime: from its annotation, else by the names that KServe ships."""
    return server_type or _SERVERS.get(name, "")


def protocol_rank(protocol: str) -> int:
    """The place of a protocol in KServe's order; an unknown one comes last."""
    return PROTOCOLS.index(protocol) if protocol in PROTOCOLS else len(PROTOCOLS)


def _format(node: Node) -> Format:
    given = node.get("priority")
    priority = given.value if given and isinstance(given.value, int) else None
    return Format(text(node, "name"), text(node, "version"), _is_true(node, "autoSelect"), priority)


def _is_true(node: Node, key: str) -> bool:
    found = node.get(key)
    return found is not None and found.value is True
