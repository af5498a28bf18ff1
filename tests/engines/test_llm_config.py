"""Configurations of `ray.serve.llm`, judged by the tables of Ray."""

import pytest

from conformance.engines.configurations import BASE
from renderer.engines.llm_config import builders, config_problems, ray_facts, required_engine
from tests.support.rows import each


def problems(version, changes=(), **arguments):
    config = {**BASE, **dict(changes)}
    given = arguments or {"llm_configs": [config]}
    found = config_problems(ray_facts(version), given)
    return [(".".join(map(str, item.path)), item.kind, item.near) for item in found]


KWARGS = "llm_configs.0.engine_kwargs"
ROWS = {
    "a sound one": ("2.60.0", {}, []),
    "a field that is misspelt": (
        "2.60.0", {"accelerator_typ": "L4"},
        [("llm_configs.0.accelerator_typ", "unknown", "accelerator_type")],
    ),
    "an accelerator that Ray does not know": (
        "2.60.0", {"accelerator_type": "RTX4090"},
        [("llm_configs.0.accelerator_type", "choice", "")],
    ),
    "one that is taken for another": ("2.60.0", {"accelerator_type": "A10"}, []),
    "an argument of no engine": (
        "2.60.0", {"engine_kwargs": {"tensor_paralel_size": 2}},
        [(f"{KWARGS}.tensor_paralel_size", "argument", "tensor_parallel_size")],
    ),
    "the model among the arguments": (
        "2.60.0", {"engine_kwargs": {"model": "x"}},
        [(f"{KWARGS}.model", "forbidden", "model_loading_config")],
    ),
    "another executor": (
        "2.60.0", {"engine_kwargs": {"distributed_executor_backend": "mp"}},
        [(f"{KWARGS}.distributed_executor_backend", "choice", "")],
    ),
    "no statistics with metrics": (
        "2.60.0", {"engine_kwargs": {"disable_log_stats": True}},
        [(f"{KWARGS}.disable_log_stats", "excludes", "")],
    ),
    "a key that was renamed": (
        "2.60.0", {"experimental_configs": {"num_router_replicas": 2}},
        [("llm_configs.0.experimental_configs.num_router_replicas", "forbidden",
          "num_ingress_replicas")],
    ),
    "adapters in a folder": (
        "2.60.0", {"lora_config": {"dynamic_lora_loading_path": "/mnt/a"}},
        [("llm_configs.0.lora_config.dynamic_lora_loading_path", "prefix", "")],
    ),
    "bundles of two kinds": (
        "2.60.0", {"placement_group_config": {"bundles": [{"GPU": 1}], "bundle_per_worker": {}}},
        [("llm_configs.0.placement_group_config.bundles", "excludes", "")],
    ),
    "an accelerator beside bundles without one": (
        "2.60.0", {"placement_group_config": {"bundles": [{"CPU": 1}]}},
        [("llm_configs.0.accelerator_type", "excludes", "")],
    ),
    "a field of a later version": (
        "2.49.2", {"accelerator_config": {"kind": "gpu"}},
        [("llm_configs.0.accelerator_config", "unknown", "accelerator_type")],
    ),
}  # fmt: skip


@each("version changes expected", ROWS)
def test_one_configuration(version, changes, expected):
    assert problems(version, changes) == expected


def test_models_have_names_of_their_own():
    found = problems("2.60.0", llm_configs=[BASE, BASE])
    assert found == [("llm_configs.1.model_loading_config.model_id", "repeated", "")]
    assert problems("2.60.0", llm_configs=[]) == [("llm_configs", "empty", "")]


def test_prefill_and_decode_have_one_model():
    facts = ray_facts("2.60.0")
    other = {**BASE, "model_loading_config": {"model_id": "other"}}
    given = {"prefill_config": BASE, "decode_config": other}
    found = config_problems(facts, given, "build_pd_openai_app")
    assert {item.kind for item in found} == {"differs", "missing"}


def test_another_server_than_rays_has_settings_of_its_own():
    """As SGLang's has: its samples have neither arguments of vLLM nor keys of Ray's bundles."""
    own = {
        "server_cls": "example.sglang:Server",
        "accelerator_type": None,
        "engine_kwargs": {"tp_size": 4, "distributed_executor_backend": "x"},
        "placement_group_config": {"placement_group_bundles": [{"GPU": 4}]},
    }
    assert problems("2.60.0", own) == []
    assert problems("2.60.0", {**own, "accelerator_type": "H1"}) != []


@pytest.mark.parametrize(("version", "is_told"), [("2.52.0", True), ("2.55.0", False)])
def test_replicas_of_data_parallelism(version, is_told):
    """Until 2.54, Ray itself says how many there are."""
    config = {**BASE, "engine_kwargs": {"data_parallel_size": 2}}
    found = config_problems(ray_facts(version), {"llm_config": config}, "build_dp_openai_app")
    place = ("llm_config", "deployment_config", "autoscaling_config")
    assert [item.path for item in found] == ([place] if is_told else [])
    assert not config_problems(ray_facts(version), {"llm_configs": [config]})


def test_which_versions_have_a_builder():
    assert "build_dp_openai_app" in builders(ray_facts("2.60.0"))
    assert builders(ray_facts("2.44.0")) == ["build_llm_deployment", "build_openai_app"]


def test_what_a_version_requires():
    assert required_engine(ray_facts("2.60.0")).version == "0.29.0"
    assert required_engine(ray_facts("2.52.1")).version == "0.11.0"


def test_no_mapping_is_no_configuration():
    for given in (None, 1, [], "x", {"llm_configs": {}}, {"llm_configs": [1, None]}):
        assert config_problems(ray_facts(), given)
