"""The table of Ray's `ray.serve.llm`: the fields of its models and what they check, by version."""

import re
from typing import Any

from conformance.engines import validators
from conformance.engines.archives import Archive, fetched, metadata, texts
from conformance.engines.evaluation import Evaluator
from conformance.engines.shapes import Shapes
from conformance.engines.sources import Class, Sources
from conformance.engines.symbols import UNKNOWN
from conformance.engines.tables import by_name, ranges

_WANTED = (
    "ray/serve/llm/","ray/llm/_internal/", "ray/serve/_private/config.py", "ray/util/accelerators/",
           "ray/serve/config.py")  # fmt: skip
#: What applications are built of, and the model of the engine, which checks some fields again.
_ROOTS = ("LLMServingArgs", "PDServingArgs", "DPOpenAiServingArgs", "LLMConfig")
_ENGINE = "VLLMEngineConfig"
#: Checks that concern several fields: a name, and a text of the code that makes each.
_CHECKS = {
    "unique-models": "Duplicate models found",
    "some-model": "List of models is empty",
    "same-model": "P/D model id mismatch",
    "kv-transfer": "kv_transfer_config is required",
    "log-stats": "disable_log_stats cannot be set to True",
    "model-elsewhere": "model or served_model_name is not allowed in engine_kwargs",
    "ray-executor": "distributed_executor_backend != 'ray' is not allowed",
    "known-arguments": "Unknown engine argument",
    "frontend-arguments": "FrontendArgs",
    "cpu-executor": "EXECUTOR_BACKEND_MP",
    "hardware": "Hardware mismatch",
    "one-kind-of-bundles": "Cannot specify both 'bundle_per_worker' and 'bundles'",
    "same-adapters": "P/D LoRA must be configured on both",
    "group-replicas": "num_replicas should not be specified for DP deployment",
    "own-placement": "placement_group_bundles and placement_group_strategy must not be specified",
}
#: What applications can be built by: the functions that users import.
_PUBLIC = "ray/serve/llm/__init__.py"
_BUILDER = re.compile(r"^def (build_\w+)\(", re.M)
_VLLM = re.compile(
    r"^Requires-Dist: vllm(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?;\s*extra == ['\"]llm['\"]", re.M
)


def facts(archive: Archive) -> dict[str, Any]:
    """What one version has."""
    path = fetched(archive)
    found = texts(path, lambda name: name.startswith(_WANTED))
    sources = Sources(found)
    evaluator = Evaluator(lambda *_: UNKNOWN, lambda *_: UNKNOWN, sources)
    shapes = Shapes(evaluator)
    classes = {name: cls for name in (*_ROOTS, _ENGINE) if (cls := _class(sources, found, name))}
    engine = classes.pop(_ENGINE)
    again = validators.facts(evaluator, engine)
    made = {name: _model(shapes, cls, again) for name, cls in classes.items()}
    while shapes.waiting:
        cls = shapes.waiting.pop()
        made.setdefault(cls.name, _model(shapes, cls, {}))
    code = "\n".join(
        text for name, text in found.items() if name.startswith("ray/llm/_internal/serve")
    )
    code += "\n".join(
        text for name, text in found.items() if name.startswith("ray/llm/_internal/common")
    )
    flat = re.sub(r"[\"']\s+f?[\"']", "", code)
    required = _VLLM.search(metadata(path))
    return {
        "configs": made,
        "checks": {name: 1 for name, text in _CHECKS.items() if _is_made(text, flat)},
        "builders": dict.fromkeys(_BUILDER.findall(found.get(_PUBLIC, "")), 1),
        "vllm": required[1].strip() if required else None,
    }


def _is_made(text: str, code: str) -> bool:
    """Whether the code stops with a text, and does not merely log it, or has a name."""
    stops = rf"(?:raise \w+\(|assert [^\"]*,)\s*\(?\s*f?[\"']{re.escape(text)}"
    return bool(re.search(stops, code)) if " " in text else text in code


def _class(sources: Sources, found: dict[str, str], name: str) -> Class | None:
    """The class of a name that the package has, wherever it was moved to."""
    for path in sorted(found):
        if f"\nclass {name}(" in found[path]:
            module = sources.module(path[:-3].removesuffix("/__init__").replace("/", "."))
            cls = module.names.get(name) if module else None
            if isinstance(cls, Class):
                return cls
    return None


def _model(shapes: Shapes, cls: Class, again: dict[str, dict[str, Any]]) -> dict[str, Any]:
    made = shapes.of_class(cls)
    own = validators.facts(shapes.evaluator, cls)
    for name, fact in made["fields"].items():
        for known in (own.get(name, {}), again.get(name, {}) if cls.name == "LLMConfig" else {}):
            _add(shapes, fact, known)
    return made


def _add(shapes: Shapes, fact: dict[str, Any], known: dict[str, Any]) -> None:
    """What validators say, in the shape of a field where it can be said there."""
    if "model" in known:
        model = shapes.of_hint(known["model"])
        is_open = fact["shape"] == "any"  # its own code makes the model before pydantic looks
        shape = ["union", "str", ["dict", "any"]] if is_open else fact["shape"]
        fact["shape"] = _replaced(shape, ["dict", "any"], model)
    if known.get("choices"):
        fact["shape"] = _replaced(fact["shape"], "str", ["literal", *known["choices"]])
    for name in ("forbidden", "starts", "auto"):
        if known.get(name):
            fact[name] = known[name]


def _replaced(shape: Any, old: Any, new: Any) -> Any:
    """A shape with a part replaced, wherever it stands; of a union with it twice, only once."""
    if shape == old:
        return new
    if isinstance(shape, list) and shape[0] == "union":
        parts = [_replaced(part, old, new) for part in shape[1:]]
        unique = [part for number, part in enumerate(parts) if part not in parts[:number]]
        return ["union", *unique] if len(unique) > 1 else unique[0]
    if isinstance(shape, list) and shape[0] == "list":
        return ["list", _replaced(shape[1], old, new)]
    return shape


def joined(facts_of: dict[str, dict[str, Any]], versions: list[str]) -> dict[str, Any]:
    """The table, of the facts of all versions."""
    configs: dict[str, dict[str, dict[str, Any]]] = {}
    for version in versions:
        for name, config in facts_of[version]["configs"].items():
            configs.setdefault(name, {})[version] = config
    return {
        "configs": {
            name: {
                "extra": ranges(versions, {v: config["extra"] for v, config in some.items()}),
                "fields": by_name(versions, {v: config["fields"] for v, config in some.items()}),
            }
            for name, some in sorted(configs.items())
        },
        "checks": by_name(versions, {v: facts_of[v]["checks"] for v in versions}),
        "builders": by_name(versions, {v: facts_of[v]["builders"] for v in versions}),
        "vllm": ranges(versions, {v: facts_of[v]["vllm"] for v in versions}),
    }
