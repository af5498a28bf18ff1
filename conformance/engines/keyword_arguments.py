"""What vLLM's `get_kwargs` makes of the fields of a class: types, choices, numbers of words."""

import ast
from typing import Any, NamedTuple

from conformance.engines.evaluation import Evaluator
from conformance.engines.fields import Field, fields, flattened, is_dataclass, named
from conformance.engines.sources import Class, Module, Named
from conformance.engines.symbols import UNKNOWN, Hint, literals


class Rules(NamedTuple):
    """What `get_kwargs` does in one version, where versions differ."""

    text: str
    human: frozenset[str]

    @classmethod
    def of(cls, module: Module) -> "Rules":
        text = "\n".join(
            ast.unparse(node)
            for node in ast.walk(module.tree)
            if isinstance(node, ast.FunctionDef)
            and node.name in ("get_kwargs", "_compute_kwargs", "literal_to_kwargs")
        )
        return cls(text, frozenset(_human_names(text)))

    def has(self, text: str) -> bool:
        return text in self.text


def _human_names(text: str) -> set[str]:
    """The integers that may have a suffix: named in a set, or compared one by one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Set() as s) if "human" in name:
                found |= {item.value for item in s.elts if isinstance(item, ast.Constant)}  # type: ignore[misc]
            case ast.If(test=test) if "human_readable_int" in ast.unparse(node.body):  # type: ignore[arg-type]
                found |= {
                    item.value
                    for item in ast.walk(test)
                    if isinstance(item, ast.Constant) and isinstance(item.value, str)
                }
    return found


def keyword_arguments(evaluator: Evaluator, cls: Class, rules: Rules) -> dict[str, Any]:
    """What vLLM's `get_kwargs` makes of the fields of a class."""
    return {item.name: _of_field(evaluator, item, rules) for item in fields(evaluator, cls)}


def _of_field(evaluator: Evaluator, item: Field, rules: Rules) -> dict[str, Any]:
    hints = [_as_mapping(evaluator, hint) for hint in flattened(item.hint)]
    names = {named(hint) for hint in hints}
    config = next((hint for hint in hints if is_dataclass(evaluator, hint)), None)
    found: dict[str, Any] = {"default": item.default}
    if config is not None and rules.has("is_dataclass"):
        human = "human-" if rules.has("human_readable_numbers") else ""
        found["type"] = f"{human}config:{config.name}"
    elif rules.has("const") and names == {"bool", "str", "None"}:
        return found | {"type": "str", "nargs": "?", "const": True}
    elif "bool" in names:
        return found | {"action": Named("argparse", "BooleanOptionalAction")}
    else:
        found.update(_of_value(item, hints, names, rules))
    return _optional(found, rules) if None in hints and rules.has("type(None)") else found


def _as_mapping(evaluator: Evaluator, hint: Any) -> Any:
    """A class that is made of `dict` is one for the parser."""
    is_mapping = isinstance(hint, Class) and any(
        ast.unparse(base).partition("[")[0] == "dict"
        for cls in evaluator.lineage(hint)
        for base in cls.node.bases
    )
    return Named("builtins", "dict") if is_mapping else hint


def _of_value(item: Field, hints: list[Any], names: set[str], rules: Rules) -> dict[str, Any]:
    """The type of a value, by the first of these that the field may be."""
    if "Literal" in names:
        return _of_literal(hints, names, rules)
    if names & {"tuple", "list"} or ("set" in names and rules.has("type_hints, set")):
        return _of_sequence(hints, rules)
    if "int" in names:
        return {"type": _integer(item.name, rules)}
    if "float" in names:
        return {"type": "float"}
    if "dict" not in names:
        return {"type": "str"}
    has_other = "str" in names or any(_is_other(hint) for hint in hints)
    if has_other and rules.has("union_dict_and_str"):
        return {"type": "dict-or-str"}
    return {"type": "optional json" if rules.has("optional_type(json.loads)") else "json"}


def _optional(found: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Where nothing is a value too: an empty word, or `None`."""
    if not found["type"].startswith("optional "):
        found["type"] = f"optional {found['type']}"
    if found.get("choices"):
        found["choices"] = [*found["choices"], None if rules.has(".append(None)") else "None"]
    return found


def _is_other(hint: Any) -> bool:
    """Whether a type is not one of Python's own."""
    base = hint.base if isinstance(hint, Hint) else hint
    if isinstance(base, Named):
        return base.module != "builtins"
    return base is UNKNOWN or isinstance(base, Class)


def _integer(name: str, rules: Rules) -> str:
    if name not in rules.human:
        return "int"
    is_auto = name == "max_model_len" and rules.has("human_readable_int_or_auto")
    return "human-or-auto" if is_auto else "human"


def _of_literal(hints: list[Any], names: set[str], rules: Rules) -> dict[str, Any]:
    hint = next(hint for hint in hints if named(hint) == "Literal")
    options = list(literals(hint))
    found: dict[str, Any] = {"type": type(options[0]).__name__}
    if not (rules.has("metavar") and "str" in names):
        found["choices"] = sorted(options)
    return found


def _of_sequence(hints: list[Any], rules: Rules) -> dict[str, Any]:
    hint = next(hint for hint in hints if named(hint) in ("tuple", "list", "set"))
    arguments = hint.arguments if isinstance(hint, Hint) else (Named("builtins", "str"),)
    item, *_ = arguments
    fixed = named(hint) == "tuple" and ... not in arguments
    found: dict[str, Any] = {"nargs": len(arguments) if fixed else "+"}
    inner = flattened(item)
    if named(item) == "Literal":
        found.update(_of_literal([item], {"Literal"}, rules))
    else:
        found["type"] = "str" if len(inner) > 1 else named(item)
    return found
