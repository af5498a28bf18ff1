"""The configuration of a scheduler: KServe's own, and how it rewrites one for a version."""

import json
from collections.abc import Iterator

from renderer.backends.kserve.llm.derive.plan import LlmPlan
from renderer.kubernetes.data import Data, items, mapping
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.tree import Plain, constant

_LORA = "lora-affinity-scorer"
_DISAGG = "disagg-profile-handler"
_RENAMED = {
    "prefill-header-handler": "disagg-headers-handler",
    "pd-profile-handler": _DISAGG,
}
_METRICS = ("model-server-protocol-metrics", "core-metrics-extractor")
_PREFIX_CACHE, _PRECISE = "prefix-cache-scorer", "precise-prefix-cache-scorer"
_SOCKET = "/tmp/tokenizer/tokenizer-uds.socket"  # noqa: S108 - of a volume in the pod
#: The versions since which KServe rewrites configurations, and takes a tokenizer away.
_REWRITTEN, _NO_TOKENIZER = (0, 7, 0), (0, 9, 0)
_COMPACT = (",", ":")
_KEPT = "prefixMatchInfoProducerName"
_ALWAYS = "always-disagg-pd-decider"
_SINGLE_PLUGINS = (
    "single-profile-handler", "queue-scorer", "kv-cache-utilization-scorer", _PREFIX_CACHE,
    "no-hit-lru-scorer", "max-score-picker",
)  # fmt: skip
_SPLIT_PLUGINS = (
    "disagg-headers-handler", "prefill-filter", "decode-filter", "queue-scorer",
    "kv-cache-utilization-scorer", "active-request-scorer", _PREFIX_CACHE, "max-score-picker",
    _ALWAYS,
)  # fmt: skip
#: What each profile weighs; a plugin without a weight filters or picks.
_PROFILES: dict[str, tuple[tuple[str, int], ...]] = {
    "default": (
        ("queue-scorer", 2), ("kv-cache-utilization-scorer", 2), (_PREFIX_CACHE, 3),
        ("no-hit-lru-scorer", 2), ("max-score-picker", 0),
    ),
    "prefill": (
        ("prefill-filter", 0), (_PREFIX_CACHE, 3), ("queue-scorer", 2),
        ("kv-cache-utilization-scorer", 2), ("max-score-picker", 0),
    ),
    "decode": (
        ("decode-filter", 0), ("active-request-scorer", 2), (_PREFIX_CACHE, 3),
        ("max-score-picker", 0),
    ),
}  # fmt: skip


def default_config(plan: LlmPlan, config: Data) -> str:
    """The configuration that the spec has, else the one that KServe writes."""
    if "inline" in config:
        inline = config["inline"]
        is_text = isinstance(inline, str)
        return str(inline) if is_text else json.dumps(inline, sort_keys=True, separators=_COMPACT)
    return _written(_own_config(plan))


def _written(config: Plain) -> str:
    """The text of a configuration, its keys in order."""
    return write(constant(_sorted(config), ""))


def _sorted(value: Plain) -> Plain:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _own_config(plan: LlmPlan) -> Data:
    names = _SPLIT_PLUGINS if plan.has_prefill else _SINGLE_PLUGINS
    plugins: list[Plain] = [{"type": name} for name in names]
    if plan.has_prefill:
        deciders: Plain = {"deciders": {"prefill": _ALWAYS}}
        plugins.append({"type": _DISAGG, "parameters": deciders})
    if plan.adapters:
        plugins.append({"type": _LORA})
    profiles = ("prefill", "decode") if plan.has_prefill else ("default",)
    return {
        "apiVersion": "inference.networking.x-k8s.io/v1alpha1",
        "kind": "EndpointPickerConfig",
        "plugins": plugins,
        "schedulingProfiles": [
            {"name": name, "plugins": [*_weighed(name, has_lora=bool(plan.adapters))]}
            for name in profiles
        ],
    }


def _weighed(profile: str, *, has_lora: bool) -> Iterator[Plain]:
    rows = list(_PROFILES[profile])
    if has_lora:
        rows.insert(0 if profile == "default" else 1, (_LORA, 4))
    for name, weight in rows:
        yield {"pluginRef": name, **({"weight": weight} if weight else {})}


def changed_config(text: str, version: tuple[int, ...], *, has_tokenizer: bool) -> tuple[str, bool]:
    """A configuration as a version of the scheduler reads it, and whether it needs a tokenizer.

    A text that is no object of a kind stays as it is.
    """
    tree = read(text.encode(), "config").document.tree
    config = tree.plain() if tree else None
    if not isinstance(config, dict) or "kind" not in config:
        return text, True
    if version < _REWRITTEN and not has_tokenizer:
        return text, True
    if not isinstance(config.get("plugins"), list):
        return _written(config), True
    plugins = items(config, "plugins")
    if has_tokenizer:
        plugins = [_find_tokenizer(item) for item in plugins]
    if version >= _REWRITTEN:
        plugins = list(_changed_plugins(plugins, version))
    is_precise = any(item.get("type") == _PRECISE for item in plugins)
    return _written({**config, "plugins": [*plugins]}), is_precise or version < _NO_TOKENIZER


def _find_tokenizer(plugin: Data) -> Data:
    """The plugin that compares tokens asks the tokenizer of the pod."""
    if plugin.get("type") != _PRECISE:
        return plugin
    given = mapping(plugin, "parameters")
    indexer = mapping(given, "indexerConfig")
    pool = mapping(indexer, "tokenizersPoolConfig")
    pool |= {"modelName": "base", "uds": {**mapping(pool, "uds"), "socketFile": _SOCKET}}
    moved: Data = {key: indexer[key] for key in ("tokenProcessorConfig",) if key in indexer}
    parameters: Plain = {
        **moved,
        **given,
        "indexerConfig": {**indexer, "tokenizersPoolConfig": pool},
    }
    return {**plugin, "parameters": parameters}


def _changed_plugins(plugins: list[Data], version: tuple[int, ...]) -> Iterator[Data]:
    known = {item.get("type") for item in plugins}
    for item in plugins:
        done = {**item, "type": _RENAMED.get(str(item.get("type")), item.get("type"))}
        if version >= (0, 8, 0) and done["type"] == _METRICS[0]:
            done["type"] = _METRICS[1]
        parameters = mapping(done, "parameters")
        parameters.pop("hashBlockSize", None)
        if done["type"] == _DISAGG:
            yield from _deciders(parameters, known)
        if version >= (0, 9, 0) and done["type"] == _PREFIX_CACHE:
            parameters = {key: value for key, value in parameters.items() if key == _KEPT}
        done.pop("parameters", None)
        yield {**done, **({"parameters": parameters} if parameters else {})}


def _deciders(parameters: Data, known: set[Plain]) -> Iterator[Data]:
    """What decides whether a prompt is read elsewhere; its plugin comes before who asks it."""
    if "deciders" in parameters:
        return
    named = parameters.pop("deciderPluginName", None)
    threshold = parameters.pop("threshold", None)
    if named is None and threshold is None:
        return
    if named is not None:
        parameters["deciders"] = {"prefill": named}
        return
    count = float(threshold) if isinstance(threshold, int | float) else 0.0
    name, more = (_ALWAYS, {}) if count == 0 else ("prefix-based-pd-decider", _tokens(count))
    parameters["deciders"] = {"prefill": name}
    if name not in known:
        yield {"type": name, **more}


def _tokens(characters: float) -> Data:
    return {"parameters": {"nonCachedTokens": max(int(-(-characters // 4)), 1)}}
