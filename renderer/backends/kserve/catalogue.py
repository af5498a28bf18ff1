"""The cluster-wide runtimes that KServe ships, as they were in each version."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from renderer.backends.kserve.dialect import Dialect, Version
from renderer.backends.kserve.runtimes import Format, Runtime


class _Shipped(NamedTuple):
    """What a runtime has been since a version; one that is not `installed` comes only by name."""

    name: str
    since: Version
    formats: tuple[Format, ...]
    protocols: tuple[str, ...] = ("v1", "v2")
    multi_node: bool = False
    installed: bool = True


def _auto(name: str, versions: str, priority: int | None = None) -> Iterable[Format]:
    """Entries that may be chosen, one for each version of a format."""
    return (Format(name, version, True, priority) for version in versions.split())


_BEFORE = (0, 0, 0)
#: Since then runtimes have priorities, and those of KServe itself speak v2.
_PRIORITIES = (0, 11, 1)
_SHIPPED = (
    _Shipped("kserve-sklearnserver", _BEFORE, (*_auto("sklearn", "1"),), ("v1",)),
    _Shipped("kserve-sklearnserver", _PRIORITIES, (*_auto("sklearn", "1", 1),)),
    _Shipped("kserve-xgbserver", _BEFORE, (*_auto("xgboost", "1"),), ("v1",)),
    _Shipped("kserve-xgbserver", _PRIORITIES, (*_auto("xgboost", "1", 1),)),
    _Shipped("kserve-xgbserver", (0, 17, 0), (*_auto("xgboost", "2", 1),)),
    _Shipped("kserve-lgbserver", _BEFORE, (*_auto("lightgbm", "3"),), ("v1",)),
    _Shipped("kserve-lgbserver", _PRIORITIES, (*_auto("lightgbm", "3", 1),)),
    _Shipped("kserve-lgbserver", (0, 17, 0), (*_auto("lightgbm", "4", 1),)),
    _Shipped(
        "kserve-mlserver",
        _BEFORE,
        (
            *_auto("sklearn", "0"),
            *_auto("xgboost", "1"),
            *_auto("lightgbm", "3"),
            *_auto("mlflow", "1"),
        ),
        ("v2",),
    ),
    _Shipped(
        "kserve-mlserver",
        _PRIORITIES,
        (
            *_auto("sklearn", "0", 1),
            *_auto("sklearn", "1", 2),
            *_auto("xgboost", "1", 2),
            *_auto("lightgbm", "3", 2),
            *_auto("mlflow", "1", 1),
        ),
        ("v2",),
    ),
    _Shipped(
        "kserve-mlserver",
        (0, 11, 2),
        (
            *_auto("sklearn", "0 1", 2),
            *_auto("xgboost", "1", 2),
            *_auto("lightgbm", "3", 2),
            *_auto("mlflow", "1", 1),
        ),
        ("v2",),
    ),
    _Shipped(
        "kserve-mlserver",
        (0, 14, 0),
        (
            *_auto("sklearn", "0 1", 2),
            *_auto("xgboost", "1 2", 2),
            *_auto("lightgbm", "3 4", 2),
            *_auto("mlflow", "1 2", 1),
        ),
        ("v2",),
    ),
    _Shipped(
        "kserve-predictiveserver",
        (0, 17, 0),
        (
            Format("sklearn", "1", priority=3),
            Format("xgboost", "2", priority=3),
            Format("lightgbm", "4", priority=3),
        ),
    ),
    _Shipped(
        "kserve-tensorflow-serving", _BEFORE, (*_auto("tensorflow", "1 2"),), ("v1", "grpc-v1")
    ),
    _Shipped(
        "kserve-tensorflow-serving",
        _PRIORITIES,
        (*_auto("tensorflow", "1 2", 2),),
        ("v1", "grpc-v1"),
    ),
    _Shipped(
        "kserve-tritonserver",
        _BEFORE,
        (
            *_auto("tensorrt", "8"),
            *_auto("tensorflow", "1 2"),
            *_auto("onnx", "1"),
            Format("pytorch", "1"),
            *_auto("triton", "2"),
        ),
        ("v2", "grpc-v2"),
    ),
    _Shipped(
        "kserve-tritonserver",
        _PRIORITIES,
        (
            *_auto("tensorrt", "8", 1),
            *_auto("tensorflow", "1 2", 1),
            *_auto("onnx", "1", 1),
            Format("pytorch", "1"),
            *_auto("triton", "2", 1),
        ),
        ("v2", "grpc-v2"),
    ),
    _Shipped("kserve-torchserve", _BEFORE, (*_auto("pytorch", "1"),), ("v1", "v2", "grpc-v1")),
    _Shipped(
        "kserve-torchserve", _PRIORITIES, (*_auto("pytorch", "1", 2),), ("v1", "v2", "grpc-v1")
    ),
    _Shipped(
        "kserve-torchserve", (0, 12, 0), (*_auto("pytorch", "1", 2),), ("v1", "v2", "grpc-v2")
    ),
    _Shipped("kserve-pmmlserver", _BEFORE, (*_auto("pmml", "3 4"),), ("v1",)),
    _Shipped("kserve-pmmlserver", _PRIORITIES, (*_auto("pmml", "3 4", 1),)),
    _Shipped("kserve-paddleserver", _BEFORE, (*_auto("paddle", "2"),), ("v1",)),
    _Shipped("kserve-paddleserver", _PRIORITIES, (*_auto("paddle", "2", 1),)),
    _Shipped("kserve-huggingfaceserver", (0, 12, 0), (*_auto("huggingface", "1", 1),)),
    _Shipped(
        "kserve-huggingfaceserver-multinode",
        (0, 15, 0),
        (*_auto("huggingface", "1", 2),),
        multi_node=True,
    ),
    _Shipped("kserve-autogluonserver", (0, 20, 0), (*_auto("autogluon", "1", 1),)),
    _Shipped("kserve-vllmserver", (0, 20, 0), (*_auto("vLLM", "1", 1),), ()),
    _Shipped(
        "kserve-openvino",
        (0, 17, 0),
        (
            *_auto("openvino", "10", 1),
            *_auto("onnx", "1", 2),
            *_auto("tensorflow", "1", 3),
            Format("huggingface", "", True),
        ),
        ("v1", "v2", "grpc-v2"),
        installed=False,
    ),
)


@cache
def shipped(version: Version) -> dict[str, Runtime]:
    """All runtimes of a version by name, with those that are not installed by themselves."""
    return {item.name: _runtime(item) for item in _in_force(version)}


@cache
def installed(version: Version) -> tuple[Runtime, ...]:
    """The runtimes that an installation of a version has, if nobody takes any away."""
    return tuple(_runtime(item) for item in _in_force(version) if item.installed)


def _in_force(version: Version) -> Iterable[_Shipped]:
    """Of each runtime what it is in a version; what is older stands first."""
    return {item.name: item for item in _SHIPPED if Dialect(version).knows(item.since)}.values()


def _runtime(item: _Shipped) -> Runtime:
    server = item.name.removeprefix("kserve-").removesuffix("-multinode")
    return Runtime(
        item.name,
        formats=item.formats,
        protocols=item.protocols,
        multi_node=item.multi_node,
        server_type=server,
    )
