"""What turns a word into a value, by a name of ours, and defaults as data."""

import ast
from typing import Any

from conformance.engines.evaluation import UNKNOWN, Applied, Evaluator, Member
from conformance.engines.sources import Class, Function, Named

#: Functions of vLLM, by what they take.
_FUNCTIONS = {
    "nullable_str": "optional str",
    "optional_str": "optional str",
    "optional_int": "optional int",
    "optional_float": "optional float",
    "nullable_kvs": "pairs",
    "optional_dict": "pairs",
    "human_readable_int": "human",
    "human_readable_int_or_auto": "human-or-auto",
    "union_dict_and_str": "dict-or-str",
    "parse_reasoning_parser": "str",
}
_BODIES = {
    "s.lower().replace('-', '_')": "lower",
    "s.lower()": "lower",
}


def converter(evaluator: Evaluator, found: Any) -> str:
    """The name of a converter; one that is not known begins with `?`."""
    match found:
        case None:
            return "str"
        case Named(module="builtins", name=name):
            return name
        case Named(module="json", name="loads"):
            return "json"
        case Named(name=name) | Function(node=ast.FunctionDef(name=name)) if name in _FUNCTIONS:
            return _FUNCTIONS[name]
        case Named(module="json.loads") | Named(name="json.loads"):
            return "json"
        case Function(node=ast.Lambda(body=body)):
            return _BODIES.get(ast.unparse(body), _lambda(body))
        case Function(node=ast.FunctionDef(name="from_cli" | "from_json") as node, owner=Class() as c):
            is_python = "literal_eval" in ast.unparse(node)
            return f"{'python-config' if is_python else 'config'}:{c.name}"
        case Applied(function=function, arguments=arguments):
            name = getattr(function, "name", "")
            inner = _inner(evaluator, arguments)
            if name == "optional_type":
                return inner if inner.startswith("optional ") else f"optional {inner}"
            if name == "parse_type":
                return inner
    return f"?{getattr(found, 'name', found)}"


def _inner(evaluator: Evaluator, arguments: tuple[Any, ...]) -> str:
    (item,) = arguments
    return item if isinstance(item, str) else converter(evaluator, item)


def _lambda(body: ast.expr) -> str:
    text = ast.unparse(body)
    if ".split(','" in text or '.split(","' in text:
        return "str"
    return f"?{text}"


def default_text(found: Any) -> Any:
    """A default as data: what is not plain is a text between angle brackets."""
    match found:
        case None | bool() | int() | float() | str():
            return found
        case Member():
            return default_text(found.value)
        case list() | tuple():
            return [default_text(item) for item in found]
        case dict():
            return {str(key): default_text(value) for key, value in found.items()}
    return None if found is UNKNOWN else "<object>"
