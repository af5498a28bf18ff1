"""What the validators of a model say of its fields, where their text alone tells it."""

import ast
import re
from collections.abc import Iterator
from typing import Any

from conformance.engines.evaluation import Evaluator
from conformance.engines.shapes import is_model
from conformance.engines.sources import Class, Function, Named
from conformance.engines.symbols import Applied

_RENAMED = re.compile(r"renamed to '(\w+)'")
_PREFIX = re.compile(r"[a-z0-9]+://")


def facts(evaluator: Evaluator, cls: Class) -> dict[str, dict[str, Any]]:
    """By field: the model that its value must fit, its choices, its keys that are refused."""
    found: dict[str, dict[str, Any]] = {}
    for owner in evaluator.lineage(cls):
        for node in owner.node.body:
            if isinstance(node, ast.FunctionDef):
                for name in _fields(node):
                    found.setdefault(name, {}).update(_facts(evaluator, owner, node))
    return found


def _fields(node: ast.FunctionDef) -> Iterator[str]:
    for item in node.decorator_list:
        if isinstance(item, ast.Call) and "field_validator" in ast.unparse(item.func):
            for word in item.args:
                if isinstance(word, ast.Constant):
                    yield str(word.value)


def _facts(evaluator: Evaluator, owner: Class, node: ast.FunctionDef) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in ast.walk(node):
        match item:
            case ast.Call():
                found.update(_of_call(evaluator, owner, item))
            case ast.Compare(ops=[ast.NotIn()], comparators=[choices]):
                found["choices"] = _choices(evaluator, owner, choices, node)
            case ast.If(
                test=ast.Compare(left=ast.Constant(value=str() as key), ops=[ast.In()]),
                body=[*_, ast.Raise() as stop],
            ):
                text = "".join(str(c.value) for c in ast.walk(stop) if isinstance(c, ast.Constant))
                renamed = _RENAMED.search(text)
                found.setdefault("forbidden", {})[key] = renamed[1] if renamed else ""
    if "'auto'" in ast.unparse(node):
        found["auto"] = True
    return found


def _of_call(evaluator: Evaluator, owner: Class, call: ast.Call) -> dict[str, Any]:
    text = ast.unparse(call.func)
    node = ast.parse(text.removesuffix(".model_validate"), mode="eval").body
    target = evaluator.value(owner.module, node)
    if isinstance(target, Class) and is_model(evaluator, target):
        return {"model": target}
    if isinstance(target, Class) and evaluator.is_enumeration(target):
        return {"choices": [item.value for item in evaluator.members(target)]}
    if isinstance(target, Function) and target.name == "is_remote_path":
        return {"starts": _prefixes(target.node)}
    if text.endswith(".startswith"):
        return {"starts": _prefixes(owner_function(owner, call))}
    return {}


def owner_function(owner: Class, call: ast.Call) -> ast.AST:
    """The method of a class that a call stands in."""
    return next(n for n in owner.node.body if any(part is call for part in ast.walk(n)))


def _prefixes(node: ast.AST) -> list[str]:
    calls = [c for c in ast.walk(node) if isinstance(c, ast.Call)]
    words = [a.value for c in calls for a in c.args if isinstance(a, ast.Constant)]
    return [word for word in words if isinstance(word, str) and _PREFIX.fullmatch(word)]


def _choices(
    evaluator: Evaluator, owner: Class, node: ast.expr, method: ast.FunctionDef
) -> list[Any]:
    """The values of an enumeration, and those that are turned into one of them before."""
    if not isinstance(node, ast.ListComp):
        return []
    found = evaluator.value(owner.module, node.generators[0].iter)
    values = _enumerated(evaluator, found)
    others = [
        item.comparators[0].value
        for item in ast.walk(method)
        if isinstance(item, ast.Compare)
        and isinstance(item.ops[0], ast.Eq)
        and isinstance(item.comparators[0], ast.Constant)
    ]
    return [*values, *(value for value in others if value not in values)]


def _enumerated(evaluator: Evaluator, found: Any) -> list[Any]:
    """An enumeration: a class, or one that is made of the constants of a module."""
    if isinstance(found, Class):
        return [item.value for item in evaluator.members(found)]
    if isinstance(found, Applied) and len(found.arguments) > 1:
        inner = found.arguments[1]
        of = inner.arguments[0] if isinstance(inner, Applied) else None
        module = getattr(of, "name", "")
        if isinstance(of, Named):
            module = f"{of.module}.{of.name}"
        return _constants(evaluator, module)
    return []


def _constants(evaluator: Evaluator, name: str) -> list[Any]:
    module = evaluator.sources.module(name)
    names = module.names if module else {}
    values = [
        evaluator.value(found.module, found.node)
        for found in names.values()
        if hasattr(found, "node")
    ]
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))
