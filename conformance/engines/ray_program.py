"""Run by a Python that has Ray: what the models of its `ray.serve.llm` make of configurations.

Ray is real. vLLM is two classes with the fields that the question names; what else is not there is
a stand-in. A question is a builder, its arguments, and the names of fields; the answer is nothing,
or the beginning of what was said.
"""

import contextlib
import copy
import dataclasses
import importlib
import json
import logging
import os
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import stand_ins  # type: ignore[import-not-found]

_MODULES = (
    "ray.llm._internal.serve.configs.server_models",
    "ray.llm._internal.serve.core.configs.llm_config",
    "ray.llm._internal.serve.core.ingress.builder",
    "ray.llm._internal.serve.builders.application_builders",
    "ray.llm._internal.serve.deployments.prefill_decode_disagg.prefill_decode_disagg",
    "ray.llm._internal.serve.deployments.prefill_decode_disagg.builder",
    "ray.llm._internal.serve.serving_patterns.prefill_decode.builder",
    "ray.llm._internal.serve.serving_patterns.data_parallel.builder",
)
_FRONTENDS = ("openai.cli_args", "common.cli_args", "launchers.cli_args")


def _class(name: str) -> Any:
    for module in _MODULES:
        with contextlib.suppress(ImportError):
            if (found := getattr(importlib.import_module(module), name, None)) is not None:
                return found
    raise LookupError(name)


def prepare(names: dict[str, list[str]]) -> None:
    """Stand-ins for what is not there, and the fields of vLLM's two classes."""
    importlib.import_module("ray.serve")  # it does without what is missing; stand-ins confuse it
    sys.meta_path.append(stand_ins.Finder({"vllm": ""}, lambda _: False))
    arguments: Any = importlib.import_module("vllm.engine.arg_utils")
    arguments.AsyncEngineArgs = _dataclass("AsyncEngineArgs", names["engine"])
    frontend = _dataclass("FrontendArgs", names["frontend"])
    for name in _FRONTENDS:
        module: Any = importlib.import_module(f"vllm.entrypoints.{name}")
        module.FrontendArgs = frontend


def _dataclass(name: str, fields: list[str]) -> Any:
    return dataclasses.make_dataclass(name, [(item, Any, None) for item in fields])


def answer(model: str, arguments: Any) -> str | None:
    """What the model of a builder, and then that of the engine, says."""
    try:
        made = _class(model).model_validate(copy.deepcopy(arguments))
        if hasattr(made, "parse_args"):
            made = made.parse_args()
        configs = _configs(made)
        if model == "LLMServingArgs":
            _unique(configs)
        for config in configs:
            engine = config.get_engine_config()
            kwargs = engine.get_initialization_kwargs()
            fields = importlib.import_module("vllm.engine.arg_utils").AsyncEngineArgs
            fields(**kwargs)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:160]
    return None


def _configs(made: Any) -> list[Any]:
    if hasattr(made, "llm_configs"):
        return list(made.llm_configs)
    names = ("llm_config", "prefill_config", "decode_config")
    found = [getattr(made, name) for name in names if hasattr(made, name)]
    return found or [made]


def _unique(configs: list[Any]) -> None:
    """As `build_openai_app` of early versions does it itself."""
    if len({item.model_id for item in configs}) != len(configs):
        raise ValueError("Duplicate models found")


def main() -> None:
    """Nothing is reported to anybody."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    questions = json.load(sys.stdin)
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        prepare(questions["fields"])
        answers = [answer(*question) for question in questions["asked"]]
    json.dump(answers, out)


if __name__ == "__main__":
    main()
