"""The presets that KServe ships: configurations that it lays below every LLM service."""

import json
from functools import cache

from renderer.assets import read_data
from renderer.backends.kserve import LLM_PRESETS
from renderer.values.tree import Node, constant

#: The versions of KServe whose presets are known, the newest last.
VERSIONS = ("0.19.0", "0.20.0")
TEMPLATE, DECODE, PREFILL_POD = "template", "decode-template", "prefill-template"
WORKERS = "worker-data-parallel"
DECODE_WORKERS, PREFILL_WORKERS = "decode-worker-data-parallel", "prefill-worker-data-parallel"
PIPELINE = "worker-pipeline-parallel"
DECODE_PIPELINE, PREFILL_PIPELINE = f"decode-{PIPELINE}", f"prefill-{PIPELINE}"
ROUTE, SCHEDULER_POD, TRACING = "router-route", "scheduler", "tracing"
LATENCY_PREDICTOR = "scheduler-latency-predictor"


@cache
def presets(version: str) -> dict[str, Node]:
    """The specs that a version ships, by their names; none for a version that is not known."""
    if version not in VERSIONS:
        return {}
    data = json.loads(read_data(f"kserve/llm/{version}.json"))
    return {
        name: constant(spec, f"preset {name} of KServe {version}")
        for name, spec in data["presets"].items()
    }


def preset_name(suffix: str) -> str:
    """The name that KServe looks a preset up by."""
    return LLM_PRESETS + suffix
