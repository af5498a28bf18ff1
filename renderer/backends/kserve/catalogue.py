"""The cluster-wide runtimes that KServe ships, as they were in each version."""

from collections.abc import Iterable, Iterator
from functools import cache

from renderer.backends.kserve.dialect import Dialect, Version
from renderer.backends.kserve.runtimes import Format, Runtime
from renderer.values.named_tuple import NamedTuple


class _Shipped(NamedTuple):
    """What a runtime has been since a version; one that is not `installed` comes only by name.

    A format is NAME/VERSIONS:PRIORITY; one in brackets has no autoSelect.
    """

    name: str
    since: Version
    protocols: str
    formats: str
    multi_node: bool = False
    installed: bool = True


_ALWAYS = (0, 0, 0)
#: Since then runtimes have priorities, and those of KServe itself speak v2.
_PRIORITIES = (0, 11, 1)
_SHIPPED = (
    _Shipped("sklearnserver", _ALWAYS, "v1", "sklearn/1"),
    _Shipped("sklearnserver", _PRIORITIES, "v1 v2", "sklearn/1:1"),
    _Shipped("xgbserver", _ALWAYS, "v1", "xgboost/1"),
    _Shipped("xgbserver", _PRIORITIES, "v1 v2", "xgboost/1:1"),
    _Shipped("xgbserver", (0, 17, 0), "v1 v2", "xgboost/2:1"),
    _Shipped("lgbserver", _ALWAYS, "v1", "lightgbm/3"),
    _Shipped("lgbserver", _PRIORITIES, "v1 v2", "lightgbm/3:1"),
    _Shipped("lgbserver", (0, 17, 0), "v1 v2", "lightgbm/4:1"),
    _Shipped("mlserver", _ALWAYS, "v2", "sklearn/0 xgboost/1 lightgbm/3 mlflow/1"),
    _Shipped(
        "mlserver", _PRIORITIES, "v2", "sklearn/0:1 sklearn/1:2 xgboost/1:2 lightgbm/3:2 mlflow/1:1"
    ),
    _Shipped("mlserver", (0, 11, 2), "v2", "sklearn/0,1:2 xgboost/1:2 lightgbm/3:2 mlflow/1:1"),
    _Shipped(
        "mlserver", (0, 14, 0), "v2", "sklearn/0,1:2 xgboost/1,2:2 lightgbm/3,4:2 mlflow/1,2:1"
    ),
    _Shipped("predictiveserver", (0, 17, 0), "v1 v2", "(sklearn/1:3) (xgboost/2:3) (lightgbm/4:3)"),
    _Shipped("tensorflow-serving", _ALWAYS, "v1 grpc-v1", "tensorflow/1,2"),
    _Shipped("tensorflow-serving", _PRIORITIES, "v1 grpc-v1", "tensorflow/1,2:2"),
    _Shipped(
        "tritonserver",
        _ALWAYS,
        "v2 grpc-v2",
        "tensorrt/8 tensorflow/1,2 onnx/1 (pytorch/1) triton/2",
    ),
    _Shipped(
        "tritonserver",
        _PRIORITIES,
        "v2 grpc-v2",
        "tensorrt/8:1 tensorflow/1,2:1 onnx/1:1 (pytorch/1) triton/2:1",
    ),
    _Shipped("torchserve", _ALWAYS, "v1 v2 grpc-v1", "pytorch/1"),
    _Shipped("torchserve", _PRIORITIES, "v1 v2 grpc-v1", "pytorch/1:2"),
    _Shipped("torchserve", (0, 12, 0), "v1 v2 grpc-v2", "pytorch/1:2"),
    _Shipped("pmmlserver", _ALWAYS, "v1", "pmml/3,4"),
    _Shipped("pmmlserver", _PRIORITIES, "v1 v2", "pmml/3,4:1"),
    _Shipped("paddleserver", _ALWAYS, "v1", "paddle/2"),
    _Shipped("paddleserver", _PRIORITIES, "v1 v2", "paddle/2:1"),
    _Shipped("huggingfaceserver", (0, 12, 0), "v1 v2", "huggingface/1:1"),
    _Shipped(
        "huggingfaceserver-multinode", (0, 15, 0), "v1 v2", "huggingface/1:2", multi_node=True
    ),
    _Shipped("autogluonserver", (0, 20, 0), "v1 v2", "autogluon/1:1"),
    _Shipped("vllmserver", (0, 20, 0), "", "vLLM/1:1"),
    _Shipped(
        "openvino",
        (0, 17, 0),
        "v1 v2 grpc-v2",
        "openvino/10:1 onnx/1:2 tensorflow/1:3 huggingface/",
        installed=False,
    ),
)


@cache
def shipped(version: Version) -> dict[str, Runtime]:
    """All runtimes of a version by name, with those that are not installed by themselves."""
    return {f"kserve-{item.name}": _runtime(item) for item in _shipped_in(version)}


@cache
def installed(version: Version) -> tuple[Runtime, ...]:
    """The runtimes that a version installs by itself."""
    return tuple(_runtime(item) for item in _shipped_in(version) if item.installed)


def _shipped_in(version: Version) -> Iterable[_Shipped]:
    """The last row of each runtime that is not newer than the version."""
    return {item.name: item for item in _SHIPPED if Dialect(version).knows(item.since)}.values()


def _runtime(item: _Shipped) -> Runtime:
    return Runtime(
        f"kserve-{item.name}",
        formats=tuple(entry for row in item.formats.split() for entry in _formats(row)),
        protocols=tuple(item.protocols.split()),
        multi_node=item.multi_node,
        server_type=item.name.removesuffix("-multinode"),
    )


def _formats(row: str) -> Iterator[Format]:
    name, _, rest = row.strip("()").partition("/")
    versions, _, priority = rest.partition(":")
    for version in versions.split(","):
        yield Format(name, version, not row.startswith("("), int(priority) if priority else None)
