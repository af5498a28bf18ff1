"""Types of fields as data: what `renderer/engines/shapes.py` judges values by."""

import ast
import re
from typing import Any

from conformance.engines.evaluation import Evaluator
from conformance.engines.fields import Field, fields, flattened, is_dataclass, named
from conformance.engines.sources import Class, Function, Later, Named
from conformance.engines.symbols import Hint, literals

_PLAIN = {"str", "int", "float", "bool", "None"}
_LISTS = {"list", "tuple", "set", "Sequence", "Iterable", "frozenset"}
_BOUNDS = ("gt", "ge", "lt", "le")
_NUMBERS = {
    "PositiveInt": ["int", {"gt": 0}],
    "NonNegativeInt": ["int", {"ge": 0}],
    "PositiveFloat": ["float", {"gt": 0}],
    "NonNegativeFloat": ["float", {"ge": 0}],
}


class Shapes:
    """Makes shapes of types, and remembers the classes that they name."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.classes: dict[str, Class] = {}
        self.waiting: list[Class] = []

    def of_hint(self, hint: Any, keywords: dict[str, Any] | None = None) -> Any:
        """A shape; what cannot be known is `any`."""
        members = [self._of_one(item, keywords or {}) for item in flattened(hint)]
        if "any" in members:
            return "any"
        unique = [item for number, item in enumerate(members) if item not in members[:number]]
        return unique[0] if len(unique) == 1 else ["union", *unique]

    def _of_one(self, hint: Any, keywords: dict[str, Any]) -> Any:
        name = named(hint)
        if name in _PLAIN:
            bounds = {key: keywords[key] for key in _BOUNDS if _is_number(keywords.get(key))}
            return [name, bounds] if bounds and name in ("int", "float") else name
        if name in _NUMBERS:
            return _NUMBERS[name]
        if name == "Literal":
            return ["literal", *literals(hint)]
        if name in _LISTS:
            return ["list", self.of_hint(hint.arguments[0]) if isinstance(hint, Hint) else "any"]
        if name in ("dict", "Mapping", "DefaultDict"):
            return ["dict", self.of_hint(hint.arguments[1]) if isinstance(hint, Hint) else "any"]
        if isinstance(hint, Class):
            return self._of_class(hint)
        return "any"

    def _of_class(self, cls: Class) -> Any:
        if self.evaluator.is_enumeration(cls):
            values = [item.value for item in self.evaluator.members(cls)]
            plain = all(isinstance(value, (str, int)) for value in values)
            return ["literal", *values] if plain and values else "any"
        if is_dataclass(self.evaluator, cls) or is_model(self.evaluator, cls):
            if cls.name not in self.classes:
                self.classes[cls.name] = cls
                self.waiting.append(cls)
            return ["config", cls.name]
        return "any"

    def configs(self) -> dict[str, dict[str, Any]]:
        """The fields of all classes that were named, those in them too."""
        found: dict[str, dict[str, Any]] = {}
        while self.waiting:
            cls = self.waiting.pop()
            found[cls.name] = self.of_class(cls)
        return found

    def of_class(self, cls: Class) -> dict[str, Any]:
        """A class: its fields, those that it needs, and whether it takes others."""
        own = {mode: validated(self.evaluator, cls, mode) for mode in ("before", "wrap")}
        given = [
            item
            for item in fields(self.evaluator, cls)
            if item.keywords.get("init") is not False and not item.name.startswith("_")
        ]
        made = {item.name: self._of_field(item, own) for item in given}
        return {"fields": made, "extra": extra(self.evaluator, cls)}

    def _of_field(self, item: Field, own: dict[str, set[str]]) -> dict[str, Any]:
        """A field; what its own code sees before pydantic does is not known, or may be nothing."""
        shape = self.of_hint(item.hint, item.keywords)
        if own["before"] & {item.name, "*"}:
            shape = "any"
        elif own["wrap"] & {item.name, "*"} and shape != "any":
            shape = ["union", shape, "None"]
        found: dict[str, Any] = {"shape": shape}
        if getattr(item.default, "name", "") == "required" and isinstance(item.default, Named):
            found["required"] = True
        if isinstance(alias := item.keywords.get("alias"), str):
            found["alias"] = alias
        return found


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def is_model(evaluator: Evaluator, cls: Class) -> bool:
    """Whether a class is a model of pydantic."""
    return any(
        ast.unparse(base).rsplit(".", 1)[-1] in ("BaseModel", "BaseModelExtended", "BaseSettings")
        for owner in evaluator.lineage(cls)
        for base in owner.node.bases
    )


def validated(evaluator: Evaluator, cls: Class, mode: str) -> set[str]:
    """The fields whose own code sees a value first."""
    found: set[str] = set()
    for owner in evaluator.lineage(cls):
        for node in owner.node.body:
            for item in getattr(node, "decorator_list", []):
                if isinstance(item, ast.Call) and "validator" in ast.unparse(item.func):
                    text = ast.unparse(item)
                    is_early = "pre=True" in text and mode == "before"
                    if f"'{mode}'" in text or is_early:
                        found |= {str(a.value) for a in item.args if isinstance(a, ast.Constant)}
    return found


def extra(evaluator: Evaluator, cls: Class) -> str:
    """What a class does with fields that it does not have."""
    for owner in evaluator.lineage(cls):
        if (found := _config(evaluator, owner)) is not None:
            return found
        for item in owner.node.decorator_list:
            if (found := _decorated(owner, item)) is not None:
                return found
    return "ignore"


def _decorated(owner: Class, item: ast.expr) -> str | None:
    """What a decorator says: `@dataclass(config=ConfigDict(extra=…))`, or the code of `@config`."""
    text = ast.unparse(item)
    if text.partition("(")[0] == "config":
        function = owner.module.sources.resolve(Named(owner.module.name, "config"))
        text += ast.unparse(function.node) if isinstance(function, Function) else ""
    found = re.search(r"extra=['\"](\w+)['\"]", text)
    return found[1] if found else None


def _config(evaluator: Evaluator, owner: Class) -> str | None:
    for name, found in _assigned(owner):
        if name == "model_config":
            value = evaluator.value(found.module, found.node)
            words = value if isinstance(value, dict) else getattr(value, "keywords", {})
            if isinstance(words.get("extra"), str):
                return str(words["extra"])
    for node in owner.node.body:
        if isinstance(node, ast.ClassDef) and node.name == "Config":
            for item in ast.walk(node):
                if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "extra":
                    return ast.unparse(item.value).rsplit(".", 1)[-1].strip("'\"")
    return None


def _assigned(owner: Class) -> list[tuple[str, Later]]:
    pairs = (pair for node in owner.node.body for pair in owner.module.defined(node))
    return [(name, found) for name, found in pairs if isinstance(found, Later)]
