"""Arguments of vLLM's server, read from the text of its sources.

Early versions say everything in calls of `add_argument`. Later ones make types, choices and nested
flags of the fields of dataclasses; `keyword_arguments` does the same from their text.
"""

import ast
from typing import Any, NamedTuple

from conformance.engines.converters import converter, default_text
from conformance.engines.evaluation import Evaluator
from conformance.engines.fields import Field, fields
from conformance.engines.keyword_arguments import Rules, keyword_arguments
from conformance.engines.reading import features
from conformance.engines.sources import Class, Function, Module, Named, Sources, Whole
from conformance.engines.symbols import UNKNOWN, Member, Method, Recorder

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
    needs: list[str]
    features: list[str]
    unknown: list[str]
    evaluator: Evaluator
    sources: Sources


def read(sources: Sources) -> Arguments:
    """All arguments of `vllm serve`, and the fields of the classes behind them."""
    reader = _Reader(sources)
    evaluator = Evaluator(reader.hook, registered, sources)
    server = sources.first(*_SERVER)
    parser = Recorder()
    evaluator.run(server.names["make_arg_parser"], [parser], {})
    common = {item["names"][0] for item in parser.added}
    _run_program(evaluator, sources)
    arguments = [
        _plain(item) | ({} if item["names"][0] in common else {"only": "serve"})
        for item in reader.serve.added
    ]
    engine = sources.first(_ARGUMENTS).names["AsyncEngineArgs"]
    frontend = server.names.get("FrontendArgs")
    return Arguments(
        arguments,
        fields(evaluator, engine),
        fields(evaluator, frontend) if frontend else [],
        needs(server),
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
        if name == "get_field":
            return evaluator.member(*arguments)
        if isinstance(function, Function) and (name in _FOLLOWED):
            own = [function.bound] if _takes_class(function) else []
            return evaluator.run(function, [*own, *arguments], keywords)
        if name in ("list_registered", "deepcopy"):
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


def _plain(item: dict[str, Any]) -> dict[str, Any]:
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
        "type": type_name if isinstance(type_name, str) else converter(type_name),
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


def needs(server: Module) -> list[str]:
    """Pairs of arguments of which the server refuses the first without the second."""
    check = server.names.get("validate_parsed_serve_args")
    if not isinstance(check, Function):
        return []
    found = []
    for node in ast.walk(check.node):
        match node:
            case ast.If(
                test=ast.BoolOp(
                    op=ast.And(),
                    values=[
                        ast.Attribute(attr=first),
                        ast.UnaryOp(op=ast.Not(), operand=ast.Attribute(attr=second)),
                    ],
                ),
                body=[*_, ast.Raise()],
            ):
                found.append(f"{first} {second}")
    return found
