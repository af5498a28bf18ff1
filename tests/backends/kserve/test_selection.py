"""Which runtime KServe chooses: the table that was computed from its own manifests."""

import pytest

from renderer.backends.kserve.catalogue import installed, shipped
from renderer.backends.kserve.runtimes import SERVING_RUNTIME, Format, Runtime
from renderer.backends.kserve.selection import Request, choose, unfit_reason
from tests.support.rows import each

SHIPPED = installed((0, 20, 0))
PROTOCOLS = ("v1", "v2", "grpc-v1", "grpc-v2")
#: By format, what is chosen over each protocol.
TABLE = {
    "sklearn": ("sklearnserver", "mlserver", "", ""),
    "xgboost": ("xgbserver", "mlserver", "", ""),
    "lightgbm": ("lgbserver", "mlserver", "", ""),
    "mlflow": ("", "mlserver", "", ""),
    "onnx": ("", "tritonserver", "", "tritonserver"),
    "tensorrt": ("", "tritonserver", "", "tritonserver"),
    "triton": ("", "tritonserver", "", "tritonserver"),
    "tensorflow": (
        "tensorflow-serving", "tritonserver", "tensorflow-serving", "tritonserver",
    ),
    "pytorch": ("torchserve", "torchserve", "", "torchserve"),
    "huggingface": ("huggingfaceserver", "huggingfaceserver", "", ""),
    "paddle": ("paddleserver", "paddleserver", "", ""),
    "pmml": ("pmmlserver", "pmmlserver", "", ""),
    "autogluon": ("autogluonserver", "autogluonserver", "", ""),
    "vLLM": ("vllmserver",) * 4,
}  # fmt: skip
ROWS = [
    (name, protocol, wanted)
    for name, row in TABLE.items()
    for protocol, wanted in zip(PROTOCOLS, row, strict=True)
]


def chosen(request, runtimes=SHIPPED):
    winner = choose(request, runtimes).winner
    return winner.name.removeprefix("kserve-") if winner else ""


@each("name protocol wanted", ROWS)
def test_without_a_version(name, protocol, wanted):
    assert chosen(Request(name, "", protocol)) == wanted


@pytest.mark.parametrize(
    ("name", "version", "wanted"),
    [
        ("sklearn", "0", ""),
        ("sklearn", "1", "sklearnserver"),
        ("lightgbm", "3", ""),
        ("xgboost", "1", ""),
        ("tensorflow", "2", "tensorflow-serving"),
        ("tensorflow", "2.7", ""),
        ("Sklearn", "", ""),
    ],
)
def test_with_a_version(name, version, wanted):
    assert chosen(Request(name, version)) == wanted


def test_workers_are_for_runtimes_with_workers():
    assert chosen(Request("huggingface", multi_node=True)) == "huggingfaceserver-multinode"
    assert not chosen(Request("sklearn", multi_node=True))


@pytest.mark.parametrize(
    ("version", "name", "protocol", "wanted"),
    [
        ((0, 9, 0), "sklearn", "v2", "mlserver"),
        ((0, 16, 0), "lightgbm", "v1", "lgbserver"),
        ((0, 11, 0), "huggingface", "v2", ""),
        ((0, 19, 0), "vLLM", "v2", ""),
        ((0, 20, 1), "vLLM", "v2", "vllmserver"),
    ],
)
def test_the_catalogue_follows_the_version(version, name, protocol, wanted):
    assert chosen(Request(name, "", protocol), installed(version)) == wanted


def test_a_format_moves_on_with_the_version():
    assert chosen(Request("lightgbm", "3"), installed((0, 16, 0))) == "lgbserver"
    assert not chosen(Request("lightgbm", "3"), installed((0, 17, 0)))


def test_openvino_changes_what_others_get():
    every = (*SHIPPED, shipped((0, 20, 0))["kserve-openvino"])
    assert chosen(Request("tensorflow"), every) == "openvino"
    assert chosen(Request("onnx"), every) == "openvino"


def runtime(name, priority=None, **more):
    more = {"protocols": ("v1",), "formats": (Format("own", "1", True, priority),), **more}
    return Runtime(name, **more)


class TestOrder:
    def test_a_priority_comes_before_none(self):
        assert chosen(Request("own"), [runtime("a"), runtime("b", 1)]) == "b"
        assert chosen(Request("own"), [runtime("a", 2), runtime("b", 1)]) == "a"

    def test_the_namespace_comes_before_any_priority(self):
        near = runtime("near", kind=SERVING_RUNTIME, namespace="models")
        assert chosen(Request("own"), [runtime("far", 9), near]) == "near"

    def test_then_the_simplest_protocol(self):
        both = runtime("both", 1, protocols=("v2", "v1"))
        assert (
            chosen(Request("own", "", "v2"), [runtime("v2", 1, protocols=("v2",)), both]) == "both"
        )
        assert chosen(Request("own"), [runtime("any", 1, protocols=()), runtime("one", 1)]) == "one"

    def test_then_only_the_cluster_knows(self):
        choice = choose(Request("own"), [runtime("a", 1), runtime("b", 1), runtime("c")])
        assert choice.winner is None
        assert [item.name for item in choice.rivals] == ["a", "b"]

    def test_the_priority_is_that_of_the_first_entry(self):
        formats = (Format("own", "1", False, 1), Format("own", "2", True, 9))
        first = runtime("first", formats=formats)
        assert chosen(Request("own", "2"), [first, runtime("other", 2, formats=(
            Format("own", "2", True, 2),
        ))]) == "other"  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "one", "reason"),
    [
        (Request("own"), runtime("a", disabled=True), "disabled"),
        (Request("own"), runtime("a", multi_model=True), "multiModel"),
        (Request("other"), runtime("a"), "does not list"),
        (Request("own", "7"), runtime("a"), "with 1, not 7"),
        (Request("own", "", "v2"), runtime("a"), "speaks v1, not v2"),
        (Request("own"), runtime("a", multi_node=True), "workers"),
        (Request("own"), runtime("a", formats=(Format("own"),)), "autoSelect"),
    ],
)
def test_why_a_runtime_falls_out(request_, one, reason):
    choice = choose(request_, [one])
    assert choice.winner is None
    assert reason in choice.fallen[0].reason


def test_a_runtime_that_is_named_need_not_be_chosen_by_itself():
    mlserver = shipped((0, 20, 0))["kserve-mlserver"]
    assert not unfit_reason(Request("sklearn", "", ""), mlserver)
    assert "not v1" in unfit_reason(Request("sklearn"), mlserver)
    predictive = shipped((0, 20, 0))["kserve-predictiveserver"]
    assert not unfit_reason(Request("sklearn", "1", "v2"), predictive)
