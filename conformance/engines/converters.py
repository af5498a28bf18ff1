"""What turns a word into a value, by a name of ours, and defaults as data."""

import ast
from typing import Any

from conformance.engines.sources import Function, Named
from conformance.engines.symbols import UNKNOWN, Applied, Member

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
    "utils.strtobool(x)": "yes-or-no",
}


def converter(found: Any) -> str:
    """The name of a converter; one that is not known begins with `?`."""
    name = getattr(found, "name", "")
    match found:
        case None:
            return "str"
        case Named(module="json", name="loads") | Named(name="json.loads"):
            return "json"
        case Named(module="builtins"):
            return str(name)
        case Named() | Function() if name in _FUNCTIONS:
            return _FUNCTIONS[name]
        case Function():
            return _of_function(found)
        case Applied():
            return _of_call(found)
    return f"?{name or found}"


def _of_function(found: Function) -> str:
    if isinstance(found.node, ast.Lambda):
        return _BODIES.get(ast.unparse(found.node.body), _lambda(found.node.body))
    if found.name in ("from_cli", "from_json") and found.owner:
        is_python = "literal_eval" in ast.unparse(found.node)
        return f"{'python-config' if is_python else 'config'}:{found.owner.name}"
    return f"?{found.name}"


def _of_call(found: Applied) -> str:
    name = getattr(found.function, "name", "")
    inner = _inner(found.arguments)
    if name == "optional_type":
        return inner if inner.startswith("optional ") else f"optional {inner}"
    return inner if name == "parse_type" else f"?{name}"


def _inner(arguments: tuple[Any, ...]) -> str:
    (item,) = arguments
    return item if isinstance(item, str) else converter(item)


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
