"""The table of vLLM: arguments, configurations, fields and habits of reading, by version."""

from typing import Any

from conformance.engines import vllm_arguments
from conformance.engines.archives import Archive, fetched, texts
from conformance.engines.replacements import replacements
from conformance.engines.shapes import Shapes
from conformance.engines.sources import Class, Sources
from conformance.engines.successors import SUCCESSORS
from conformance.engines.tables import by_name, compact, ranges

_DEFAULTS: dict[str, Any] = {"type": "str", "action": "store"}


def facts(archive: Archive) -> dict[str, Any]:
    """What one version has."""
    sources = Sources(texts(fetched(archive), lambda name: name.startswith("vllm/")))
    found = vllm_arguments.read(sources)
    shapes = Shapes(found.evaluator)
    for item in found.arguments:
        _, _, name = str(item["type"]).partition("config:")
        if name and (cls := _class(sources, name)) is not None:
            shapes.of_hint(cls)
    return {
        "arguments": {item["dest"]: _entry(item) for item in found.arguments},
        "configs": shapes.configs(),
        "engine": {item.name: 1 for item in found.engine_fields},
        "frontend": {item.name: 1 for item in found.frontend_fields},
        "needs": found.needs,
        "reading": found.features,
        "texts": replacements(sources),
    }


def _class(sources: Sources, name: str) -> Class | None:
    for module in (sources.module("vllm.config"), sources.module("vllm.engine.arg_utils")):
        if module is not None and name in module.names:
            found = module.names[name]
            found = sources.resolve(found) if not isinstance(found, Class) else found
            if isinstance(found, Class):
                return found
    return None


def _entry(item: dict[str, Any]) -> dict[str, Any]:
    """An argument without what goes without saying."""
    plain = "--" + item["dest"].replace("_", "-")
    found = {k: v for k, v in item.items() if k != "dest" and _DEFAULTS.get(k, ()) != v}
    if found.get("names") == [plain]:
        del found["names"]
    return compact(found)


def joined(facts_of: dict[str, dict[str, Any]], versions: list[str]) -> dict[str, Any]:
    """The table, of the facts of all versions."""

    def part(name: str) -> dict[str, dict[str, Any]]:
        return {version: facts_of[version][name] for version in versions}

    configs: dict[str, dict[str, dict[str, Any]]] = {}
    for version in versions:
        for name, config in facts_of[version]["configs"].items():
            configs.setdefault(name, {})[version] = config
    return {
        "arguments": by_name(versions, part("arguments")),
        "configs": {name: _config(versions, some) for name, some in sorted(configs.items())},
        "engine": by_name(versions, part("engine")),
        "frontend": by_name(versions, part("frontend")),
        "needs": by_name(versions, {v: dict.fromkeys(facts_of[v]["needs"], 1) for v in versions}),
        "reading": by_name(
            versions, {v: dict.fromkeys(facts_of[v]["reading"], 1) for v in versions}
        ),
        "replaced": _replaced(facts_of, versions),
    }


def _config(versions: list[str], some: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {
        "extra": ranges(versions, {v: config["extra"] for v, config in some.items()}),
        "fields": by_name(versions, {v: config["fields"] for v, config in some.items()}),
    }


def _replaced(facts_of: dict[str, dict[str, Any]], versions: list[str]) -> dict[str, Any]:
    """For each argument that is gone, what a later version has instead, as far as it is certain.

    Where our own table has nothing, the last notice of the code that names two flags.
    """
    found: dict[str, Any] = {}
    newest = facts_of[versions[-1]]["arguments"]
    gone = sorted({name for v in versions for name in facts_of[v]["arguments"]} - set(newest))
    for name in gone:
        notices = [facts_of[v]["texts"].get(name.replace("_", "-"), "") for v in versions]
        named = [item for item in notices if _flag_field(item) in newest]
        if name in SUCCESSORS:
            found[name] = SUCCESSORS[name]
        elif named:
            found[name] = named[-1] + _value_of_field(named[-1], facts_of, name)
    return found


def _value_of_field(flag: str, facts_of: dict[str, dict[str, Any]], old: str) -> str:
    """What stands behind a field of a configuration, where the old argument had a value or none."""
    if "." not in flag:
        return ""
    last = [item["arguments"][old] for item in facts_of.values() if old in item["arguments"]][-1]
    return "=$VALUE" if last.get("action") is None else "=true"


def _flag_field(flag: str) -> str:
    """The field of an option: that of `--a-config.b` is `a_config`."""
    return flag[2:].partition(".")[0].replace("-", "_")
