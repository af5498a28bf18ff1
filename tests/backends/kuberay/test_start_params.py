"""What `ray start` is told, and what Ray takes a node for."""

import pytest

from renderer.backends.kuberay.dialect import Dialect
from renderer.backends.kuberay.start_params import (
    command_line,
    gcs_port,
    node_resources,
    start_params,
)
from renderer.backends.kuberay.workloads import Group
from renderer.values.tree import constant

ALWAYS = {
    "block": "true",
    "dashboard-agent-listen-port": "52365",
    "metrics-export-port": "8080",
}


def group(asked=None, *, head=False, **fields):
    container = {"name": "ray", "image": "rayproject/ray:2.52.0"}
    if asked:
        container["resources"] = asked
    whole = {"template": {"spec": {"containers": [container]}}, **fields}
    path = ("headGroupSpec",) if head else ("workerGroupSpecs", 0)
    return Group.of(path, constant(whole, "a test"))


def added(*args, **fields):
    """What is there besides what is always there."""
    found = start_params(group(*args, **fields))
    assert ALWAYS.items() <= found.items()
    return {key: value for key, value in found.items() if key not in ALWAYS}


def test_a_head_shows_its_dashboard():
    assert start_params(group(head=True)) == {**ALWAYS, "dashboard-host": "0.0.0.0"}


def test_workers_are_told_where_the_head_is():
    assert start_params(group(), "head:6380")["address"] == "head:6380"
    assert gcs_port(group(head=True, rayStartParams={"port": "6380"})) == "6380"


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ({"limits": {"cpu": "500m"}}, {"num-cpus": "1"}),
        ({"limits": {"cpu": "1500m"}, "requests": {"cpu": "1"}}, {"num-cpus": "2"}),
        ({"requests": {"cpu": "2", "memory": "1Gi"}}, {"num-cpus": "2"}),
        ({"limits": {"memory": "1Gi"}}, {"memory": "1073741824"}),
        ({"limits": {"nvidia.com/gpu": "2"}}, {"num-gpus": "2"}),
        ({"limits": {"nvidia.com/mig-1g.5gb": 1}}, {"num-gpus": "1"}),
        ({"limits": {"nvidia.com/mig-odd": 1}}, {}),
        ({"limits": {"nvidia.com/gpu": "0"}}, {}),
        ({"limits": {"huawei.com/Ascend910": "1"}}, {}),
        ({"requests": {"nvidia.com/gpu": "1"}}, {}),
        ({"limits": {"google.com/tpu": "4"}}, {"resources": "'{\"TPU\":4}'"}),
    ],
    ids=str,
)
def test_amounts_are_read_off_the_container(resources, expected):
    assert added(resources) == expected


def test_an_accelerator_joins_the_resources_that_are_named():
    limits = {"limits": {"google.com/tpu": "4", "aws.amazon.com/neuroncore": "2"}}
    params = {"resources": "'{\"special\": 1.5}'"}
    expected = '\'{"neuron_cores":2,"special":1.5}\''
    assert added(limits, rayStartParams=params)["resources"] == expected


def test_no_accelerator_is_seen_beside_resources_that_cannot_be_read():
    limits = {"limits": {"nvidia.com/gpu": "1", "google.com/tpu": "4"}}
    params = {"resources": "special=1"}
    assert added(limits, rayStartParams=params) == params


def test_parameters_go_before_amounts():
    limits = {"limits": {"cpu": "4", "nvidia.com/gpu": "1"}}
    params = {"num-cpus": "0", "num-gpus": "3"}
    assert added(limits, rayStartParams=params) == params


def test_a_groups_own_resources_go_before_all():
    own = {"CPU": "1", "Memory": "1Gi", "GPU": "2", "special": "0.5", "odd": "many"}
    found = added({"limits": {"cpu": "4", "memory": "8Gi"}}, resources=own)
    assert found == {
        "memory": "1073741824",
        "num-cpus": "1",
        "num-gpus": "2",
        "resources": "'{\"special\":0.5}'",
    }


def test_labels_are_told():
    assert added(labels={"zone": "a", "disk": "ssd"}) == {"labels": "disk=ssd,zone=a"}


@pytest.mark.parametrize(
    ("version", "flag"),
    [("1.6.1", " --verbose "), ("1.7.0", " --include-log-monitor=false  --verbose ")],
)
def test_flags_stand_alone_or_with_their_value(version, flag):
    params = {
        "verbose": "True",
        "quiet": "false",
        "log-color": "false",
        "include-dashboard": "true",
        "include-log-monitor": "false",
    }
    expected = f"ray start --head  --include-dashboard=true {flag}"
    found = command_line(params, is_head=True, dialect=Dialect.of(version))
    assert sorted(found.split()) == sorted(f"{expected} --log-color=false".split())


def test_every_word_has_a_blank_on_both_sides():
    assert command_line({"a": "1", "block": "true"}, is_head=False) == "ray start  --a=1  --block "


@pytest.mark.parametrize(
    ("params", "amounts"),
    [
        ({}, {"GPU": 0}),
        ({"num-cpus": "0", "memory": "1024"}, {"CPU": 0, "GPU": 0, "memory": 1024}),
        ({"num-gpus": "2", "resources": "'{\"TPU\": 4}'"}, {"GPU": 2, "TPU": 4}),
        ({"num-cpus": "$CPUS"}, {"GPU": 0}),
        ({"resources": "none"}, {"GPU": 0}),
    ],
    ids=str,
)
def test_ray_counts_what_it_is_told(params, amounts):
    assert node_resources(params) == amounts
