"""Configurations of `ray.serve.llm`, judged as Ray's own models do, by version."""

from collections.abc import Iterator, Mapping
from typing import Any

from renderer.engines.marks import RAY_GROUPS
from renderer.engines.shapes import Mismatch, field_mismatches
from renderer.engines.tables import Facts, Table, table, versions
from renderer.text.wording import nearest
from renderer.values.diagnostics import Path

RAY = "ray"
#: What an application is built by, and the model that its arguments must fit.
BUILDERS = {
    "build_openai_app": "LLMServingArgs",
    "build_pd_openai_app": "PDServingArgs",
    "build_dp_openai_app": "DPOpenAiServingArgs",
    "build_llm_deployment": "LLMConfig",
    "build_dp_deployment": "LLMConfig",
}
#: The places of the configurations in the arguments of a builder.
_PLACES = ("llm_config", "prefill_config", "decode_config")
#: What Ray sets itself, so that the engine's arguments must not.
_SET_BY_RAY = ("model", "served_model_name")
_AUTO = ("deployment_config", "num_replicas")
_MOST_NAMED = 100
_EXECUTOR, _DATA = "distributed_executor_backend", "data_parallel_size"


def config_problems(
    facts: Facts, arguments: Any, builder: str = "build_openai_app", engine: Table | None = None
) -> list[Mismatch]:
    """What Ray refuses of the arguments of a builder, each with its path.

    Beside the kinds of `shapes.py` there are `forbidden` (a key, with `near` instead of it if
    there is one), `prefix` (a text that does not begin as it must), `repeated` (two models of one
    name), `empty` (no model), `differs` (models or adapters of prefill and decode), `excludes`
    (a value that another one rules out) and `argument` (no argument of the engine, whose table is
    `engine`, by default that of the version which this Ray requires).
    """
    name = BUILDERS.get(builder, "")
    root = facts.config(name) if name else None
    if root is None:
        return []
    if not isinstance(arguments, dict):
        return [Mismatch((), "type", arguments, ("mapping",))]
    found = list(field_mismatches(root, arguments, facts.config))
    if _takes_auto(facts):
        found = [item for item in found if item.path[-2:] != _AUTO or item.value != "auto"]
    for path, config in _configs(arguments, is_one=name == "LLMConfig"):
        if has_own_server(config):
            bundles = (*path, "placement_group_config")
            found = [item for item in found if item.path[: len(bundles)] != bundles]
        found += _config_problems(facts, config, path, engine or required_engine(facts))
        if builder in RAY_GROUPS and facts.has("group-replicas"):
            found += _group_replicas(config, path)
    found += _between(facts, arguments)
    return found


def _takes_auto(facts: Facts) -> bool:
    """Whether the number of replicas may be left to Ray by a word."""
    config = facts.config("LLMConfig")
    return config is not None and bool(config.fields["deployment_config"].get("auto"))


def ray_facts(version: str = "") -> Facts:
    """The models of a version of Ray, or of the one that stands for it."""
    return Facts.of(RAY, version)


def builders(facts: Facts) -> list[str]:
    """What this version builds applications of language models by."""
    return [name for name, _ in facts.part("builders")]


def versions_with(builder: str) -> list[str]:
    """The versions of Ray that have a builder, oldest first."""
    return [version for version in versions(RAY) if builder in builders(Facts(RAY, version))]


def is_of_server(engine: Table, name: str) -> bool:
    """Whether an argument is one of vLLM's server alone, which early versions of Ray refuse."""
    return name in engine.arguments and name not in engine.fields("engine")


def versions_that_take(problem: Mismatch, arguments: Any, builder: str) -> list[str]:
    """The versions that know a field, or take a choice, that another one refuses."""
    return [
        version
        for version in versions(RAY)
        if _takes(Facts(RAY, version), problem, arguments, builder)
    ]


def _takes(facts: Facts, problem: Mismatch, arguments: Any, builder: str) -> bool:
    if problem.kind == "unknown":
        return problem.path[-1] in facts.config_fields()
    root = facts.config(BUILDERS.get(builder, ""))
    if root is None:
        return False
    return all(
        item.path != problem.path for item in field_mismatches(root, arguments, facts.config)
    )


def required_engine(facts: Facts) -> Table:
    """The table of vLLM that a version of Ray requires, or at least requires."""
    required = facts.at("vllm") or ""
    return table("vllm", str(required).lstrip(">=~ ").partition(",")[0])


def _configs(
    arguments: Mapping[str, Any], *, is_one: bool
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The configurations of models in the arguments of a builder."""
    if is_one:
        yield (), dict(arguments)
        return
    listed = arguments.get("llm_configs")
    for number, item in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(item, dict):
            yield ("llm_configs", number), item
    for key in _PLACES:
        if isinstance(item := arguments.get(key), dict):
            yield (key,), item


def _config_problems(
    facts: Facts, config: Mapping[str, Any], path: Path, engine: Table
) -> Iterator[Mismatch]:
    given = config.get("engine_kwargs")
    kwargs = given if isinstance(given, dict) else {}
    inside = (*path, "engine_kwargs")
    has_metrics = facts.has("log-stats") and config.get("log_engine_metrics", True)
    if has_metrics and kwargs.get("disable_log_stats"):
        yield Mismatch((*inside, "disable_log_stats"), "excludes", True, ("log_engine_metrics",))
    if facts.has("hardware"):
        yield from _accelerator(facts, config, path)
    if has_own_server(config):
        return
    yield from _arguments(facts, kwargs, inside, engine)
    executor = kwargs.get(_EXECUTOR, "ray")
    if facts.has("ray-executor") and executor != "ray" and _hardware(facts, config) != "cpu":
        yield Mismatch((*inside, _EXECUTOR), "choice", executor, ("ray",))
    deployment = config.get("deployment_config")
    if facts.has("own-placement") and isinstance(deployment, dict):
        for key in ("placement_group_bundles", "placement_group_strategy"):
            if key in deployment:
                yield Mismatch((*path, "deployment_config", key), "forbidden", deployment[key])
    yield from _bundles(facts, config, path)


def _group_replicas(config: Mapping[str, Any], path: Path) -> Iterator[Mismatch]:
    """Numbers of replicas, where data parallelism alone says how many there are."""
    kwargs, deployment = config.get("engine_kwargs"), config.get("deployment_config")
    size = kwargs.get(_DATA, 1) if isinstance(kwargs, dict) else 1
    for key in ("num_replicas", "autoscaling_config"):
        if size != 1 and isinstance(deployment, dict) and key in deployment:
            place = (*path, "deployment_config", key)
            yield Mismatch(place, "excludes", deployment[key], (_DATA,))


def has_own_server(config: Mapping[str, Any]) -> bool:
    """Whether another server than Ray's runs the engine, which decides what it is given.

    With SGLang's, `engine_kwargs` and the keys of `placement_group_config` are not those of vLLM.
    """
    return config.get("server_cls") is not None


def _arguments(
    facts: Facts, kwargs: Mapping[str, Any], path: Path, engine: Table
) -> Iterator[Mismatch]:
    """Names of the engine's arguments; those of its server only where Ray hands them on."""
    names = [*engine.fields("engine")]
    if facts.has("frontend-arguments"):
        names += engine.fields("frontend")
    for number, (key, value) in enumerate(kwargs.items()):
        if facts.has("model-elsewhere") and key in _SET_BY_RAY:
            yield Mismatch((*path, key), "forbidden", value, (), "model_loading_config")
            continue
        if key not in names:
            near = nearest(str(key), names) if number < _MOST_NAMED else ""
            yield Mismatch((*path, str(key)), "argument", value, (), near)


def _bundles(facts: Facts, config: Mapping[str, Any], path: Path) -> Iterator[Mismatch]:
    group = config.get("placement_group_config")
    if not isinstance(group, dict) or not facts.has("one-kind-of-bundles"):
        return
    given = [key for key in ("bundle_per_worker", "bundles") if group.get(key) is not None]
    place = (*path, "placement_group_config")
    if len(given) > 1:
        yield Mismatch((*place, "bundles"), "excludes", group["bundles"], ("bundle_per_worker",))
    elif not given:
        yield Mismatch(place, "missing", group, ("bundle_per_worker", "bundles"))


def _accelerator(facts: Facts, config: Mapping[str, Any], path: Path) -> Iterator[Mismatch]:
    """An accelerator of one kind with bundles, or a configuration, of another."""
    name = config.get("accelerator_type")
    kind = _hardware(facts, config)
    is_tpu = str(name).startswith("TPU")
    if isinstance(name, str) and name and kind not in ("", "tpu" if is_tpu else "gpu"):
        bundles = (f"{kind.upper()} bundles",)
        yield Mismatch((*path, "accelerator_type"), "excludes", name, bundles)
    given = config.get("accelerator_config")
    if isinstance(given, dict) and given.get("topology") and not name and kind == "tpu":
        yield Mismatch(path, "missing", None, ("accelerator_type",))


def _hardware(facts: Facts, config: Mapping[str, Any]) -> str:
    """`cpu`, `gpu` or `tpu`, as a configuration or its bundles say; empty if neither does."""
    if not facts.has("hardware"):
        return "cpu" if config.get("use_cpu") else ""
    given = config.get("accelerator_config")
    if isinstance(given, dict):
        return str(given.get("kind", ""))
    group = config.get("placement_group_config")
    if not isinstance(group, dict) or not group:
        return ""
    listed = group.get("bundles")
    bundles = [group.get("bundle_per_worker"), *(listed if isinstance(listed, list) else ())]
    for kind in ("TPU", "GPU"):
        if any(isinstance(item, dict) and _amount(item.get(kind)) > 0 for item in bundles):
            return kind.lower()
    return "cpu"


def _amount(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else 0


def _between(facts: Facts, arguments: Mapping[str, Any]) -> Iterator[Mismatch]:
    """What several configurations must have in common, or apart."""
    listed = arguments.get("llm_configs")
    if isinstance(listed, list):
        if not listed and facts.has("some-model"):
            yield Mismatch(("llm_configs",), "empty", listed)
        yield from _repeated(listed)
    if "prefill_config" in arguments and "decode_config" in arguments:
        yield from _prefill_and_decode(facts, arguments)


def _repeated(listed: list[Any]) -> Iterator[Mismatch]:
    seen: set[str] = set()
    for number, item in enumerate(listed):
        name = _model_id(item)
        if name and name in seen:
            path = ("llm_configs", number, "model_loading_config", "model_id")
            yield Mismatch(path, "repeated", name)
        seen.add(name)


def _model_id(config: Any) -> str:
    loading = config.get("model_loading_config") if isinstance(config, dict) else None
    found = loading.get("model_id") if isinstance(loading, dict) else None
    return found if isinstance(found, str) else ""


def _prefill_and_decode(facts: Facts, arguments: Mapping[str, Any]) -> Iterator[Mismatch]:
    both = [arguments[key] for key in ("prefill_config", "decode_config")]
    if not all(isinstance(item, dict) for item in both):
        return
    first, second = map(_model_id, both)
    if facts.has("same-model") and first and second and first != second:
        path = ("decode_config", "model_loading_config", "model_id")
        yield Mismatch(path, "differs", second, (first,))
    for key, config in zip(("prefill_config", "decode_config"), both, strict=True):
        kwargs = config.get("engine_kwargs")
        transfer = kwargs.get("kv_transfer_config") if isinstance(kwargs, dict) else None
        if facts.has("kv-transfer") and transfer is None:
            yield Mismatch((key, "engine_kwargs"), "missing", kwargs, ("kv_transfer_config",))
    if facts.has("same-adapters"):
        paths = [_adapters(item) for item in both]
        if paths[0] != paths[1]:
            yield Mismatch(("decode_config", "lora_config"), "differs", paths[1], (paths[0],))


def _adapters(config: Mapping[str, Any]) -> Any:
    given = config.get("lora_config")
    path = given.get("dynamic_lora_loading_path") if isinstance(given, dict) else None
    return (given is not None, path.rstrip("/") if isinstance(path, str) else path)
