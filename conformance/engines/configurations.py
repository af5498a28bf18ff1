"""Configurations for Ray: what is right, and changes of it, one at a time and some together."""

import copy
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from renderer.engines.llm_config import ray_facts

_MODEL = "Qwen/Qwen2.5-7B-Instruct"
BASE: dict[str, Any] = {
    "model_loading_config": {"model_id": "qwen", "model_source": _MODEL},
    "accelerator_type": "L4",
    "engine_kwargs": {"tensor_parallel_size": 2, "max_model_len": 8192},
    "deployment_config": {"autoscaling_config": {"min_replicas": 1, "max_replicas": 2}},
}
_TRANSFER = {"kv_connector": "NixlConnector", "kv_role": "kv_both"}
_VALUES: dict[str, Any] = {
    "null": None, "true": True, "a number": 3, "a fraction": 0.5, "a text": "x", "digits": "3",
    "a list": ["x"], "a mapping": {"x": 1}, "a negative number": -1,
}  # fmt: skip
#: Fields that every value is tried for, and values that are right or wrong by themselves.
_TYPED = (
    ("runtime_env",), ("model_loading_config",), ("model_loading_config", "model_id"),
    ("model_loading_config", "model_source"), ("engine_kwargs",), ("accelerator_type",),
    ("lora_config",), ("lora_config", "max_num_adapters_per_replica"), ("deployment_config",),
    ("deployment_config", "num_replicas"), ("deployment_config", "max_ongoing_requests"),
    ("deployment_config", "autoscaling_config", "max_replicas"), ("experimental_configs",),
    ("log_engine_metrics",), ("placement_group_config",), ("llm_engine",),
)  # fmt: skip
_CHANGES: tuple[tuple[tuple[str, ...], Any], ...] = (
    (("no_such_field",), 1),
    (("model_loading_config", "modelid"), "x"),
    (("accelerator_type",), "A10"),
    (("accelerator_type",), "A10G"),
    (("accelerator_type",), "L40S"),
    (("accelerator_type",), "RTX4090"),
    (("accelerator_type",), "l4"),
    (("accelerator_type",), "TPU-V4"),
    (("accelerator_type",), "H200"),
    (("accelerator_type",), "B200"),
    (("accelerator_type",), "GH200"),
    (("llm_engine",), "vLLM"),
    (("llm_engine",), "vllm"),
    (("llm_engine",), "SGLang"),
    (("engine_kwargs", "model"), _MODEL),
    (("engine_kwargs", "served_model_name"), "x"),
    (("engine_kwargs", "tensor_paralel_size"), 2),
    (("engine_kwargs", "gpu_memory_utilization"), 0.9),
    (("engine_kwargs", "distributed_executor_backend"), "mp"),
    (("engine_kwargs", "distributed_executor_backend"), "ray"),
    (("engine_kwargs", "disable_log_stats"), True),
    (("engine_kwargs", "enable_lora"), True),
    (("engine_kwargs", "chat_template"), "x"),
    (("engine_kwargs", "tool_call_parser"), "hermes"),
    (("engine_kwargs", "enable_auto_tool_choice"), True),
    (("engine_kwargs", "num_scheduler_steps"), 8),
    (("engine_kwargs", "task"), "generate"),
    (("engine_kwargs", "guided_decoding_backend"), "auto"),
    (("engine_kwargs", "kv_transfer_config"), _TRANSFER),
    (("lora_config", "dynamic_lora_loading_path"), "s3://bucket/path"),
    (("lora_config", "dynamic_lora_loading_path"), "abfss://bucket/path"),
    (("lora_config", "dynamic_lora_loading_path"), "/mnt/path"),
    (("lora_config", "dynamic_lora_loading_path"), "https://example.com/path"),
    (("lora_config", "max_adapters"), 3),
    (("lora_config", "download_timeout_s"), None),
    (("deployment_config", "num_replicas"), "auto"),
    (("deployment_config", "autoscaling_config"), None),
    (("deployment_config", "autoscaling_config", "max_replicas"), 0),
    (("deployment_config", "no_such_option"), 1),
    (("deployment_config", "name"), "x"),
    (("experimental_configs", "num_router_replicas"), 2),
    (("experimental_configs", "num_ingress_replicas"), 2),
    (("placement_group_config", "bundles"), [{"GPU": 1, "CPU": 1}]),
    (("placement_group_config", "bundles"), [{"GPU": -1}]),
    (("placement_group_config", "bundles"), []),
    (("placement_group_config", "bundle_per_worker"), {"GPU": 1}),
    (("placement_group_config", "strategy"), "STRICT_PACK"),
    (("placement_group_config",), {"bundles": [{"GPU": 1}], "strategy": "SPREAD"}),
    (("placement_group_config",), {"bundles": [{"GPU": 1}], "strategy": "spread"}),
    (("placement_group_config",), {"bundles": [{"CPU": 1}]}),
    (("placement_group_config",), {"bundles": [{"GPU": 1}], "bundle_per_worker": {"GPU": 1}}),
    (("accelerator_config",), {"kind": "gpu"}),
    (("accelerator_config",), {"kind": "cpu"}),
    (("accelerator_config",), {"kind": "tpu", "topology": "2x2"}),
    (("accelerator_config",), {}),
    (("resources_per_bundle",), {"GPU": 1}),
    (("use_cpu",), True),
    (("server_cls",), None),
    (("model_loading_config", "model_source"), {"bucket_uri": "s3://bucket/path"}),
    (("model_loading_config", "model_source"), {"bucket_uri": "/mnt/path"}),
    (("model_loading_config", "model_source"), {"bucket": "s3://bucket/path"}),
    (("model_loading_config", "tokenizer_source"), _MODEL),
    (("callback_config",), {"raise_error_on_callback": False}),
    (("log_engine_metrics",), False),
    (("runtime_env", "env_vars"), {"A": "b"}),
)


class Question(NamedTuple):
    """A name, the model that is asked, and what it is given."""

    name: str
    model: str
    given: Any


def questions(version: str) -> Iterator[Question]:
    """All questions to a version; builders that it does not have are left out."""
    facts = ray_facts(version)
    yield from (item for item in _all() if facts.config(item.model) is not None)


def _all() -> Iterator[Question]:
    one = "LLMServingArgs"
    yield Question("as it should be", one, {"llm_configs": [BASE]})
    for path, (name, value) in product(_TYPED, _VALUES.items()):
        yield Question(f"{'.'.join(path)} is {name}", one, {"llm_configs": [_changed(path, value)]})
    for path, value in _CHANGES:
        name = f"{'.'.join(path)}: {value!r}"
        yield Question(name, one, {"llm_configs": [_changed(path, value)]})
    for name, given in _WHOLE.items():
        yield Question(name, one, given)
    for key in ("model_loading_config", "engine_kwargs", "accelerator_type"):
        less = {name: value for name, value in BASE.items() if name != key}
        yield Question(f"without {key}", one, {"llm_configs": [less]})
    yield from _pairs()


def _changed(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    made = copy.deepcopy(BASE)
    tree = made
    for key in path[:-1]:
        tree = tree.setdefault(key, {})
    tree[path[-1]] = value
    return made


def _named(name: str) -> dict[str, Any]:
    return _changed(("model_loading_config", "model_id"), name)


_WHOLE: dict[str, Any] = {
    "no model": {"llm_configs": []},
    "no list": {},
    "two models": {"llm_configs": [BASE, _named("other")]},
    "two models of one name": {"llm_configs": [BASE, BASE]},
    "a mapping for a list": {"llm_configs": BASE},
    "an unknown field beside": {"llm_configs": [BASE], "llm_config": BASE},
    "options of the ingress": {
        "llm_configs": [BASE],
        "ingress_deployment_config": {"num_replicas": 2},
    },
    "no metrics": {
        "llm_configs": [
            {**_changed(("engine_kwargs", "disable_log_stats"), True), "log_engine_metrics": False}
        ]
    },
    "a TPU with GPU bundles": {
        "llm_configs": [
            {
                **BASE,
                "accelerator_type": "TPU-V4",
                "placement_group_config": {"bundles": [{"GPU": 1}]},
            }
        ]
    },
    "an accelerator with CPU bundles": {
        "llm_configs": [{**BASE, "placement_group_config": {"bundles": [{"CPU": 1}]}}]
    },
}


def _pairs() -> Iterator[Question]:
    """Prefill and decode."""
    good = _changed(("engine_kwargs", "kv_transfer_config"), _TRANSFER)
    other = copy.deepcopy(good)
    other["model_loading_config"]["model_id"] = "other"
    adapted = {**good, "lora_config": {"dynamic_lora_loading_path": "s3://bucket/path"}}
    two = ("prefill_config", "decode_config")
    for name, both in {
        "prefill and decode": (good, good),
        "prefill and decode of other models": (good, other),
        "prefill without a transfer": (BASE, good),
        "decode without a transfer": (good, BASE),
        "adapters of one": (adapted, good),
        "adapters of both": (adapted, adapted),
        "an unknown field in decode": (good, {**good, "no_such_field": 1}),
    }.items():
        yield Question(name, "PDServingArgs", dict(zip(two, both, strict=True)))
    yield Question("prefill alone", "PDServingArgs", {"prefill_config": good})
    yield Question(
        "a proxy",
        "PDServingArgs",
        {"prefill_config": good, "decode_config": good, "proxy_deployment_config": {}},
    )
    yield Question("data parallel", "DPOpenAiServingArgs", {"llm_config": BASE})
    yield Question("data parallel, a list", "DPOpenAiServingArgs", {"llm_configs": [BASE]})
