"""The table of accelerators, and the choice among them."""

import json
import re

import pytest

from renderer.assets import read_engine_table
from renderer.engines.accelerators import choose, known_accelerators
from renderer.engines.rules.hardware import LEAST
from renderer.values.diagnostics import Origin
from renderer.values.model import Environment
from renderer.values.tree import uniform_tree
from tests.support.places import ROOT
from tests.support.rows import each

GPU = "nvidia.com/gpu.product"


def test_the_page_has_the_table():
    page = (ROOT / "docs/engines.md").read_text("utf-8")
    for item in json.loads(read_engine_table("accelerators"))["accelerators"]:
        assert f"| {item['product']} | {item['memory']} | {item['capability'] or '–'} |" in page


def test_the_page_has_what_methods_of_quantization_need():
    page = (ROOT / "docs/engines.md").read_text("utf-8")
    (line,) = re.findall(
        r"Of all 65 versions the smallest counts: (.*?)\. Nothing", page, re.DOTALL
    )
    said = {}
    for part in line.replace("\n", " ").split("; "):
        number, names = part.split(" for ", 1)
        least = tuple(map(int, number.split(".")))
        said |= dict.fromkeys(re.split(r", | and |\s+and\s+", names), least)
    assert {name.strip().replace("_", "-"): least for name, least in said.items()} == LEAST


def test_every_accelerator_has_memory_and_is_known_once():
    known = known_accelerators()
    assert all(item.memory > 2**33 for item in known)
    assert len({item.product for item in known}) == len(known)


def chosen(pod, resource="nvidia.com/gpu", **settings):
    tree = uniform_tree(settings, Origin("environment.yaml"))
    environment = Environment("dev", ("environment.yaml",), tree, (), (), {})
    found = choose(uniform_tree(pod, Origin("x.yaml")), resource, environment)
    return [item.product for item in found.candidates]


def affinity(*conditions):
    terms = [{"matchExpressions": [one]} for one in conditions]
    required = {"nodeSelectorTerms": terms}
    return {"affinity": {"nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": required}}}  # fmt: skip


def condition(operator, *values, key=GPU):
    return {"key": key, "operator": operator, "values": list(values)}


PODS = {
    "nothing": ({}, []),
    "another label": ({"nodeSelector": {"disk": "fast"}}, []),
    "a node selector": ({"nodeSelector": {GPU: "NVIDIA-L4"}}, ["L4"]),
    "an unknown one": ({"nodeSelector": {GPU: "NVIDIA-Z9"}}, []),
    "a value of another label": ({"nodeSelector": {GPU: "nvidia-l4"}}, []),
    "one of two": (affinity(condition("In", "NVIDIA-H200", "NVIDIA-L4")), ["L4", "H200"]),
    "two terms": (affinity(condition("In", "NVIDIA-H200"), condition("In", "NVIDIA-L4")),
                  ["L4", "H200"]),
    "a term without": (affinity(condition("In", "NVIDIA-L4"), condition("In", "a", key="b")),
                               []),
    "all but one": (affinity(condition("NotIn", "NVIDIA-L4")), []),
    "a name of several": ({"nodeSelector": {"karpenter.k8s.aws/instance-gpu-name": "a100"}},
                          ["A100-40G", "A100-80G"]),
}  # fmt: skip


@each("pod products", PODS)
def test_labels_choose(pod, products):
    assert chosen(pod) == products


AMD = {
    "a name with its form": ("AMD_Instinct_MI325_OAM", ["MI325X"]),
    "a name of the shop": ("AMD_Instinct_MI325X", []),
    "one without a source": ("AMD_Instinct_MI250X", []),
}


@each("value products", AMD)
def test_labels_of_amd_choose(value, products):
    pod = {"nodeSelector": {"amd.com/gpu.product-name": value}}
    assert chosen(pod, "amd.com/gpu") == products


def test_every_value_of_a_label_is_on_the_page():
    page = (ROOT / "docs/engines.md").read_text("utf-8")
    for item in known_accelerators():
        assert item.labels
        assert all(f"`{value}`" in page for some in item.labels.values() for value in some)
        assert {name in item.labels for name in (GPU, "amd.com/gpu.product-name")} == {True, False}


@pytest.mark.parametrize("product", ["L4", "Z9"])
def test_an_environment_says_them_anew(product):
    own = {"product": product, "memory": "8Gi", "labels": {"gpu": "small"}}
    assert chosen({"nodeSelector": {"gpu": "small"}}, accelerators=[own]) == [product]
