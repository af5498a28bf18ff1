"""Arguments of vLLM's server, read from the text of its sources.

Early versions say everything in calls of `add_argument`. Later ones make types, choices and nested
flags of the fields of dataclasses; `keyword_arguments` does the same from their text.
"""

import ast
from typing import Any, NamedTuple

from conformance.engines.converters import converter, default_text
from conformance.engines.evaluation import (
    UNKNOWN,
    Evaluator,
    Hint,
    Member,
    Method,
    Recorder,
    literals,
)
from conformance.engines.fields import Field, fields, flattened, is_dataclass, named
from conformance.engines.reading import features
from conformance.engines.sources import Class, Function, Module, Named, Sources, Whole

_ARGUMENTS = "vllm.engine.arg_utils"
_SERVER = (
    "vllm.entrypoints.common.cli_args",
    "vllm.entrypoints.launchers.cli_args",
    "vllm.entrypoints.openai.cli_args",
)
_PROGRAM = ("vllm.entrypoints.cli.serve", "vllm.scripts")
_FOLLOWED = {"add_cli_args", "make_arg_parser", "_customize_cli_kwargs"}


class Arguments(NamedTuple):
    """What the sources of one version say."""

    arguments: list[dict[str, Any]]
    engine_fields: list[Field]
    frontend_fields: list[Field]
    features: list[str]
    unknown: list[str]
    evaluator: Evaluator
    sources: Sources


def read(sources: Sources) -> Arguments:
    """All arguments of `vllm serve`, and the fields of the classes behind them."""
    reader = _Reader(sources)
    evaluator = Evaluator(reader.hook, registered)
    server = sources.first(*_SERVER)
    parser = Recorder()
    evaluator.run(server.names["make_arg_parser"], [parser], {})
    common = {item["names"][0] for item in parser.added}
    _run_program(evaluator, sources)
    arguments = [
        _plain(evaluator, item) | ({} if item["names"][0] in common else {"only": "serve"})
        for item in reader.serve.added
    ]
    engine = sources.first(_ARGUMENTS).names["AsyncEngineArgs"]
    frontend = server.names.get("FrontendArgs")
    return Arguments(
        arguments,
        fields(evaluator, engine),
        fields(evaluator, frontend) if frontend else [],
        features(sources),
        sorted({str(item["type"]) for item in arguments if str(item.get("type")).startswith("?")}),
        evaluator,
        sources,
    )


_REGISTRIES = {"tool_parsers": "ToolParserManager", "reasoning_parsers": "ReasoningParserManager"}


def registered(module: Module, owner: Any, name: str) -> Any:
    """The names that classes of a package register; the accelerator that images are made for."""
    if owner == Named("vllm.platforms", "current_platform") and name == "device_type":
        return "cuda"
    if owner == Whole("sys") and name == "argv":
        return []
    if not isinstance(owner, Class) or _REGISTRIES.get(name) != owner.name:
        return UNKNOWN
    package = owner.module.name.rpartition(".")[0]
    return dict.fromkeys(_registered(module.sources, package))


def _registered(sources: Sources, package: str) -> list[str]:
    found: list[str] = []
    for module in sources.below(package):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                for item in node.decorator_list:
                    if isinstance(item, ast.Call) and "register_module" in ast.unparse(item.func):
                        words = [w for a in item.args for w in ast.walk(a)]
                        found += [w.value for w in words if isinstance(w, ast.Constant)]  # type: ignore[misc]
    return found


def _run_program(evaluator: Evaluator, sources: Sources) -> None:
    """What the command `vllm serve` adds, before or beside the arguments of its server."""
    for name in _PROGRAM:
        module = sources.module(name)
        command = module.names.get("ServeSubcommand") if module else None
        if isinstance(command, Class):
            build = evaluator.member(command, "subparser_init")
            evaluator.run(build, [command, Recorder()], {})
            return
        if module and isinstance(module.names.get("main"), Function):
            evaluator.run(module.names["main"], [], {})
            return
    raise LookupError("the archive does not have the command `vllm serve`")


class _Reader:
    def __init__(self, sources: Sources) -> None:
        self.sources, self.serve = sources, Recorder()

    def hook(
        self, evaluator: Evaluator, function: Any, arguments: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """Follow what declares arguments; make keyword arguments of classes."""
        name = getattr(function, "name", "")
        if isinstance(function, Method):
            return self._on_parser(function, arguments, keywords)
        if name == "FlexibleArgumentParser":
            return Recorder()
        if name in ("get_kwargs", "_compute_kwargs"):
            (cls,) = arguments
            return keyword_arguments(evaluator, cls, self._rules(function))
        if name in ("get_field", "field_default") and len(arguments) == 2:
            return evaluator.member(*arguments)
        if isinstance(function, Function) and (name in _FOLLOWED):
            own = [function.bound] if _takes_class(function) else []
            return evaluator.run(function, [*own, *arguments], keywords)
        if name == "list_registered" or name == "deepcopy":
            return arguments[0] if arguments else []
        return UNKNOWN

    def _on_parser(self, method: Method, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        if method.name == "add_argument":
            method.owner.added.append({"names": arguments, **keywords})
        elif method.name == "add_parser":
            return self.serve if arguments[0] == "serve" else Recorder()
        elif method.name == "add_subparsers":
            return Recorder()
        return method.owner

    def _rules(self, function: Any) -> "Rules":
        """How `get_kwargs` of this version makes what it makes."""
        module = function.module if isinstance(function, Function) else None
        module = module or self.sources.first(_ARGUMENTS)
        return Rules.of(module)


def _takes_class(function: Function) -> bool:
    decorators = {ast.unparse(item) for item in getattr(function.node, "decorator_list", [])}
    return "classmethod" in decorators


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
    hints = flattened(item.hint)
    found: dict[str, Any] = {"default": item.default}
    names = {named(hint) for hint in hints}
    config = next((hint for hint in hints if is_dataclass(evaluator, hint)), None)
    optional = None in hints
    if config is not None and rules.has("is_dataclass"):
        found["type"] = f"config:{config.name}"
        if rules.has("human_readable_numbers"):
            found["type"] = f"human-config:{config.name}"
    elif rules.has("const") and names == {"bool", "str", "None"}:
        found.update(type="str", nargs="?", const=True)
    elif "bool" in names:
        found["action"] = Named("argparse", "BooleanOptionalAction")
        return found
    elif "Literal" in names:
        found.update(_of_literal(evaluator, hints, names, rules))
    elif names & {"tuple", "list"} or ("set" in names and rules.has("type_hints, set")):
        found.update(_of_sequence(evaluator, hints, rules))
    elif "int" in names:
        found["type"] = _integer(item.name, rules)
    elif "float" in names:
        found["type"] = "float"
    elif "dict" in names:
        both = "str" in names or names & _OTHER or any(_is_other(hint) for hint in hints)
        found["type"] = "dict-or-str" if both and rules.has("union_dict_and_str") else "json"
    else:
        found["type"] = "str"
    if optional and rules.has("type(None) in type_hints"):
        found["type"] = _optional(found["type"])
        if found.get("choices"):
            found["choices"] = [*found["choices"], None if rules.has(".append(None)") else "None"]
    if found["type"] == "json" and rules.has("optional_type(json.loads)"):
        found["type"] = "optional json"
    return found


_OTHER = {"Any", "type"}


def _is_other(hint: Any) -> bool:
    return hint is UNKNOWN or (isinstance(hint, Class)) or (
        isinstance(hint, Named) and hint.module != "builtins"
    )


def _optional(kind: Any) -> Any:
    return kind if str(kind).startswith("optional ") else f"optional {kind}"


def _integer(name: str, rules: Rules) -> str:
    if name not in rules.human:
        return "int"
    is_auto = name == "max_model_len" and rules.has("human_readable_int_or_auto")
    return "human-or-auto" if is_auto else "human"


def _of_literal(evaluator: Evaluator, hints: list[Any], names: set[str], rules: Rules) -> dict[str, Any]:
    hint = next(hint for hint in hints if named(hint) == "Literal")
    options = list(literals(evaluator, hint))
    found: dict[str, Any] = {"type": type(options[0]).__name__}
    if not (rules.has("metavar") and "str" in names):
        found["choices"] = sorted(options)
    return found


def _of_sequence(evaluator: Evaluator, hints: list[Any], rules: Rules) -> dict[str, Any]:
    hint = next(hint for hint in hints if named(hint) in ("tuple", "list", "set"))
    arguments = hint.arguments if isinstance(hint, Hint) else (Named("builtins", "str"),)
    item, *_ = arguments
    fixed = named(hint) == "tuple" and ... not in arguments
    found: dict[str, Any] = {"nargs": len(arguments) if fixed else "+"}
    inner = flattened(item)
    if named(item) == "Literal":
        found.update(_of_literal(evaluator, [item], {"Literal"}, rules))
    else:
        found["type"] = "str" if len(inner) > 1 else named(item)
    return found


def _plain(evaluator: Evaluator, item: dict[str, Any]) -> dict[str, Any]:
    """An argument as data: names, action, type, choices and the rest."""
    names = [name for name in item["names"] if isinstance(name, str)]
    options = [name for name in names if name.startswith("-")]
    action, type_name = _action(item.get("action")), item.get("type")
    long = next((name for name in options if name.startswith("--")), names[0])
    found: dict[str, Any] = {
        "dest": item.get("dest") or long.lstrip("-").replace("-", "_"),
        "names": options,
        "required": bool(item.get("required")) or (not options and item.get("nargs") is None),
        "action": action,
        "type": type_name if isinstance(type_name, str) else converter(evaluator, type_name),
        "nargs": item.get("nargs"),
        "const": default_text(item.get("const")),
        "default": default_text(item.get("default", _BARE.get(action))),
        "choices": _choices(item.get("choices")),
        "deprecated": bool(item.get("deprecated")) or _says_deprecated(item),
    }
    return found


_BARE = {"store_true": False, "store_false": True}


def _choices(found: Any) -> Any:
    if isinstance(found, (list, tuple)):
        return list(dict.fromkeys(i.value if isinstance(i, Member) else i for i in found))
    return "?" if found not in (None,) else None


def _says_deprecated(item: dict[str, Any]) -> bool:
    text = item.get("help")
    return isinstance(text, str) and "deprecated" in text.lower()[:80]


def _action(found: Any) -> str:
    if found is None:
        return "store"
    return found if isinstance(found, str) else str(getattr(found, "name", "?"))


