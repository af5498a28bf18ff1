"""What is wrong with a configuration of `ray.serve.llm`, and what to write, as people say it."""

import re
from typing import Any

from renderer.engines.llm_config import RAY, is_of_server, versions_that_take
from renderer.engines.shapes import Mismatch
from renderer.engines.tables import Table, nearest_version, versions
from renderer.text.expressions import expression
from renderer.text.wording import listed, suggest

_OPTION = expression(
    r"--(?P<no>no-)?(?P<name>[a-z][a-z0-9-]*)"
    r"(?:\.(?P<field>[a-z_]+)=(?P<value>\S+)|(?P<sign>=))?"
)
_MOST_SHOWN = 8
_LONGEST_SHOWN = 80
_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
    "mapping": "a mapping",
    "list": "a list",
    "None": "null",
}
_BOUNDS = {
    "gt": "more than {:g}",
    "ge": "{:g} or more",
    "lt": "less than {:g}",
    "le": "{:g} or less",
}
_YAML = {None: "null", True: "true", False: "false"}
#: What is wrong, and what to write, by the kind of the problem, and by what it is about.
_WORDS = {
    ("forbidden", "model_loading_config"): (
        "Ray sets {name} of the engine itself, from model_loading_config",
        "delete it, and write model_id and model_source there",
    ),
    ("forbidden", "num_ingress_replicas"): (
        "Ray {ray} no longer takes {name}: it has another name",
        "write num_ingress_replicas",
    ),
    ("forbidden", ""): (
        "Ray refuses {name} in deployment_config",
        "write placement_group_config beside deployment_config, with bundles and strategy",
    ),
    ("missing", "kv_transfer_config"): (
        "{place} has no kv_transfer_config, by which prefill hands its cache on to decode",
        "add kv_transfer_config: {{kv_connector: NixlConnector, kv_role: kv_both}}",
    ),
    ("missing", "bundles"): ("{place} has no bundles", "add bundles, such as [{{GPU: 1}}]"),
    ("missing", ""): ("{place} has no {expected}", "add {expected}"),
    ("empty", ""): (
        "llm_configs is empty, so that the application has no model",
        "add one, such as {{model_loading_config: {{model_id: NAME}}}}",
    ),
    ("repeated", ""): (
        "two models of the application are called {shown}",
        "give one of them another model_id",
    ),
    ("differs", "model_id"): (
        "decode has the model {shown}, and prefill has {expected}",
        "write {expected} for both",
    ),
    ("differs", ""): (
        "decode does not have the LoRA adapters of prefill",
        "write the same lora_config for both",
    ),
    ("excludes", "disable_log_stats"): (
        "without statistics, Ray has no metrics of the engine to report",
        "delete disable_log_stats, or write log_engine_metrics: false beside engine_kwargs",
    ),
    ("excludes", "accelerator_type"): (
        "accelerator_type {shown} does not go with {expected}",
        "delete accelerator_type, or write {unit} in each of the bundles",
    ),
    ("excludes", "num_replicas"): (
        "Ray makes as many replicas as data_parallel_size says",
        "delete num_replicas, and change data_parallel_size instead",
    ),
    ("excludes", "autoscaling_config"): (
        "Ray makes as many replicas as data_parallel_size says, and never more",
        "delete autoscaling_config",
    ),
    ("excludes", ""): ("{name} does not go with {expected}", "delete one of them"),
    ("choice", "distributed_executor_backend"): (
        "Ray itself starts the processes of an engine on GPUs, and takes no {shown} here",
        "write ray, or delete it",
    ),
    ("prefix", ""): (
        "Ray does not fetch anything from {shown}",
        "write an address that begins with {expected}",
    ),
}


def explain_config(
    problem: Mismatch, ray: str, engine: Table, arguments: Any, builder: str
) -> tuple[str, str]:
    """What is wrong with the arguments of a builder of one version of Ray, and what to write."""
    if problem.kind == "argument":
        return _argument(problem, ray, engine)
    if problem.kind == "unknown":
        return _unknown(problem, ray, versions_that_take(problem, arguments, builder))
    if problem.kind == "choice" and len(problem.expected) > _MOST_SHOWN:
        return _choice(problem, ray, versions_that_take(problem, arguments, builder))
    name = str(problem.path[-1]) if problem.path else "args"
    about = problem.near or (str(problem.expected[0]) if problem.kind == "missing" else name)
    words = _WORDS.get((problem.kind, about)) or _WORDS.get((problem.kind, ""))
    if words is None:
        return _value(problem, name)
    expected = listed(sorted(map(str, problem.expected)), "or")
    given = {"name": name, "place": name, "ray": ray, "shown": _shown(problem)}
    given["unit"] = "TPU" if str(problem.value).startswith("TPU") else "GPU"
    if name.isdecimal():
        given["place"] = "the model"
    return words[0].format(**given, expected=expected), words[1].format(**given, expected=expected)


def _shown(problem: Mismatch) -> str:
    value = problem.value
    is_word = value is None or isinstance(value, bool)
    return _YAML[value] if is_word else repr(value)[:_LONGEST_SHOWN]


def _argument(problem: Mismatch, ray: str, engine: Table) -> tuple[str, str]:
    name = str(problem.path[-1])
    message = f"vLLM {engine.version}, which Ray {ray} runs, has no argument {name}"
    history = engine.history(name)
    if history is None:
        return message, f"did you mean {problem.near}?" if problem.near else "delete it"
    if is_of_server(engine, name):
        message = f"Ray {ray} hands {name} to no engine: it is an argument of vLLM's server"
        return message, "delete it, or use a later Ray"
    if not history.removed:
        return f"{message}: it came with vLLM {history.since}", "delete it, or use a later Ray"
    message = f"{message}: it was removed in vLLM {history.removed}"
    value = "" if isinstance(problem.value, bool) else str(problem.value)
    fix = history.successor(value, engine.options) if problem.value is not False else None
    if not fix:
        return message, "delete it"
    apart = fix.replace(" --", ", --").replace(" and,", " and")
    return message, f"write {_OPTION.sub(_setting, apart)}"


def _setting(option: re.Match[str]) -> str:
    """An option as `engine_kwargs` has it: `--a-b.c=1` is `a_b: {c: 1}` there."""
    name = option["name"].replace("-", "_")
    if option["field"]:
        return f"{name}: {{{option['field']}: {option['value']}}}"
    return f"{name}: " if option["sign"] else f"{name}: false" if option["no"] else name


def _unknown(problem: Mismatch, ray: str, known_to: list[str]) -> tuple[str, str]:
    """A field that this version does not have: misspelt, or one of another version."""
    message = f"Ray {ray} has no field {problem.path[-1]} here"
    if not known_to or nearest_version(RAY, ray) in known_to:
        return message, f"did you mean {problem.near}?" if problem.near else "delete it"
    if _is_later(known_to[0], ray):
        return f"{message}: it came with Ray {known_to[0]}", f"delete it, or use Ray {known_to[0]}"
    return f"{message}: Ray {known_to[-1]} was the last with it", "delete it"


def _choice(problem: Mismatch, ray: str, known_to: list[str]) -> tuple[str, str]:
    """One of so many choices that they are not all said."""
    message = f"Ray {ray} knows no {problem.path[-1]} {_shown(problem)}"
    choices = sorted(map(str, problem.expected))
    shown = listed([*choices[:_MOST_SHOWN], "another that it knows"], "or")
    fix = f"write {shown}"
    if isinstance(problem.value, str):
        fix = suggest(problem.value, choices, fix)
    later = [version for version in known_to if _is_later(version, ray)]
    if later:
        return f"{message}: Ray {later[0]} was the first to know it", f"use Ray {later[0]} or later"
    return message, fix


def _is_later(version: str, than: str) -> bool:
    known = versions(RAY)
    return known.index(version) > known.index(nearest_version(RAY, than))


def _value(problem: Mismatch, name: str) -> tuple[str, str]:
    """A value of another type, out of bounds, or none of a few choices."""
    if problem.kind == "bound":
        bound, limit = problem.expected
        expected = _BOUNDS[str(bound)].format(limit)
        return f"{name} is {_shown(problem)}, and must be {expected}", f"write {expected}"
    names = sorted(str(item) for item in problem.expected)[:_MOST_SHOWN]
    said = names if problem.kind == "choice" else [_TYPES.get(item, item) for item in names]
    expected = listed(said, "or")
    if not expected:
        return f"{name} is {_shown(problem)}, which Ray does not take", "write another value"
    return f"{name} is {_shown(problem)}, not {expected}", f"write {expected}"
