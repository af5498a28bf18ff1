"""The model of a predictor: in its present form, or in the old one by framework."""

from typing import NamedTuple

from renderer.backends.fields import text
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

MODEL = "model"
#: The old fields, in the order in which KServe looks at them.
FRAMEWORKS = (
    "sklearn", "tensorflow", "xgboost", "pytorch", "triton", "onnx", "huggingface", "pmml",
    "lightgbm", "paddle",
)  # fmt: skip
#: Formats, and old fields, for which the webhook writes v2 where no protocol is given.
_V2_FORMATS = frozenset(("triton", "vLLM"))
_V2_FIELDS = frozenset(("triton", "onnx", "huggingface"))


class Model(NamedTuple):
    """A model where it stands in the spec; `framework` is the old field, if it is in one."""

    path: Path
    node: Node
    framework: str = ""

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
        """As it says, or as the webhook writes; empty where neither does."""
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


def models_of(predictor: Node) -> list[Model]:
    """All that a predictor has of them, the present form first; more than one is a mistake."""
    found = [(MODEL, ""), *((name, name) for name in FRAMEWORKS)]
    return [
        Model(("predictor", key), node, framework)
        for key, framework in found
        if (node := predictor.get(key)) is not None
    ]


def model_of(predictor: Node) -> Model | None:
    """The model of a predictor; nothing if it has containers of its own instead."""
    return next(iter(models_of(predictor)), None)
