"""Fields of dataclasses and models, by their text: names, types, defaults, bounds."""

import ast
from typing import Any, NamedTuple

from conformance.engines.evaluation import Evaluator, default_of
from conformance.engines.sources import Class, Named
from conformance.engines.symbols import UNKNOWN, Applied, Hint

#: An absent default: the field must be given.
REQUIRED = Named("", "required")


class Field(NamedTuple):
    """A field of a class, its type as it is written, and what a call of `Field` says of it."""

    name: str
    hint: Any
    default: Any
    keywords: dict[str, Any]
    owner: Class


def fields(evaluator: Evaluator, cls: Class) -> list[Field]:
    """Those of a class and its bases, in their order; of two of a name the nearer one."""
    found: dict[str, Field] = {}
    for owner in reversed(list(evaluator.lineage(cls))):
        for node in owner.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                item = _field(evaluator, owner, node, node.target.id)
                if item is not None:
                    found[item.name] = item
    return list(found.values())


def _field(evaluator: Evaluator, owner: Class, node: ast.AnnAssign, name: str) -> Field | None:
    hint = hint_of(evaluator, owner, node.annotation)
    if named(hint) in ("ClassVar", "InitVar", "PrivateAttr") or name == "model_config":
        return None
    if node.value is None:
        return Field(name, hint, REQUIRED, {}, owner)
    value = evaluator.value(owner.module, node.value, _constants(evaluator, owner))
    keywords = value.keywords if isinstance(value, Applied) else {}
    default = default_of(evaluator, value)
    if default is ... or (default is UNKNOWN and _is_required(value)):
        default = REQUIRED
    return Field(name, hint, default, keywords, owner)


def _is_required(value: Any) -> bool:
    if not isinstance(value, Applied) or getattr(value.function, "name", "") != "Field":
        return False
    return "default" not in value.keywords and "default_factory" not in value.keywords


def _constants(evaluator: Evaluator, owner: Class) -> dict[str, Any]:
    return {
        node.targets[0].id: evaluator.value(owner.module, node.value)
        for node in owner.node.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def hint_of(evaluator: Evaluator, owner: Class, node: ast.expr) -> Any:
    """A type as it is written; one in quotes is read as if it had none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return UNKNOWN
    return evaluator.value(owner.module, node, _constants(evaluator, owner))


def named(hint: Any) -> str:
    """The name of a type without its parameters."""
    if hint is None:
        return "None"
    if isinstance(hint, Hint):
        return named(hint.base)
    found = getattr(hint, "name", "")
    alias = {"Dict": "dict", "List": "list", "Tuple": "tuple", "Set": "set", "Type": "type",
             "Mapping": "Mapping"}  # fmt: skip
    return alias.get(found, found)


def flattened(hint: Any) -> list[Any]:
    """The members of a union, and what annotations are about."""
    if isinstance(hint, Hint):
        base = named(hint)
        if base in ("Union",):
            return [part for item in hint.arguments for part in flattened(item)]
        if base == "Optional":
            return [*flattened(hint.arguments[0]), None]
        if base in ("Annotated", "SkipValidation", "ClassVar", "Required", "NotRequired"):
            return flattened(hint.arguments[0])
    return [hint]


def is_dataclass(evaluator: Evaluator, hint: Any) -> bool:
    """Whether a type is a class that is decorated as a dataclass."""
    if not isinstance(hint, Class):
        return False
    for cls in evaluator.lineage(hint):
        for item in cls.node.decorator_list:
            text = ast.unparse(item)
            if "dataclass" in text or text.partition("(")[0] == "config":
                return True
    return False
