"""Run by a Python with pydantic and few more: what vLLM's own parser makes of command lines.

`python vllm_program.py FOLDER` imports the code that declares and reads arguments from the sources
in FOLDER. All that it imports beside, torch first of all, is a stand-in. A question is a list of
words, as they follow `vllm`, or `python -m` where the first one is the server's module. The answer
is what was refused, or the values that differ from the defaults.
"""

import argparse
import contextlib
import enum
import importlib
import importlib.metadata
import io
import json
import logging
import re
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import stand_ins  # type: ignore[import-not-found]

SERVER = "vllm.entrypoints.openai.api_server"
_REAL = re.compile(
    r"vllm\.(engine\.arg_utils|config(\..*)?|entrypoints\.(openai|common|launchers)\.cli_args|scripts"
    r"|entrypoints\.cli\.(main|serve|types)|utils|utils\.(argparse_utils|mem_constants)"
    r"|entrypoints\.(openai|common|launchers|utils|chat_utils|constants|launchers|serve)"
    r"|entrypoints\.openai\.(models|serving_models|serving_engine)"
    r"|entrypoints\.openai\.models\.protocol|entrypoints\.(serve|launchers)\.utils\.constants"
    r"|entrypoints\.(serve|launchers)\.utils|renderers\.chat_utils(\..*)?|entrypoints\.anthropic\.protocol"
    r"|tool_parsers\.tool_strict_level|attention\.backends\.registry"
    r"|v1\.attention\.backends\.registry|model_executor\.layers\.quantization"
    r"|model_executor\.model_loader|envs|engine|attention\.backends|v1\.attention\.backends"
    r"|entrypoints\.openai\.(tool_parsers|reasoning_parsers)(\..*)?|reasoning(\..*)?"
    r"|tool_parsers\.abstract_tool_parser|compilation\.(inductor_pass|passes\.inductor_pass)"
    r"|utils\.import_utils|transformers_utils|transformers_utils\.config|v1\.kv_offload\.config|sampling_params|pooling_params|v1\.core\.sched\.policy"
    r"|distributed\.eplb\..*config|lora\.request|version|attention|v1|v1\.attention"
    r"|entrypoints|entrypoints\.cli|entrypoints\.anthropic|entrypoints\.openai|renderers"
    r"|executor|compilation|model_executor|model_executor\.layers|distributed|lora)"
)
_PLAIN = {"vllm", "vllm.compilation", "vllm.model_executor", "vllm.distributed", "vllm.lora",
          "vllm.attention", "vllm.engine", "vllm.v1", "vllm.v1.attention", "vllm.executor",
          "vllm.v1.attention.backends", "vllm.attention.backends", "vllm.model_executor.layers",
          "vllm.renderers", "vllm.transformers_utils", "vllm.tool_parsers"}  # fmt: skip


_SERVER_MODULES = (
    "vllm.entrypoints.common.cli_args",
    "vllm.entrypoints.launchers.cli_args",
    "vllm.entrypoints.openai.cli_args",
)


class _Captured(Exception):
    """The parser of the program, before it has read anything."""


def is_real(name: str) -> bool:
    """Whether a module of vLLM is run, and not stood in for."""
    return name not in _PLAIN and bool(_REAL.fullmatch(name))


def prepare(folders: Mapping[str, str], is_real: Callable[[str], bool]) -> None:
    """Make imports of packages find the sources in their folders, and stand-ins for the rest."""
    folder = folders["vllm"]
    sys.meta_path.insert(0, stand_ins.Finder(folders, is_real))
    for name in sorted(_PLAIN):
        module = stand_ins._Module(name)
        module.__path__ = ["/".join((folder, *name.split(".")))]
        sys.modules[name] = module
    logger = stand_ins._Module("vllm.logger")
    logger.init_logger = _logger
    logger.suppress_logging = contextlib.nullcontext
    logger.configure_logging_if_needed = lambda *_, **__: None
    sys.modules["vllm.logger"] = logger
    importlib.metadata.version = _version  # type: ignore[assignment]
    version = stand_ins._Module("vllm.version")
    version.__version__ = "0.0.0"
    sys.modules["vllm.version"] = version
    platforms = stand_ins._Module("vllm.platforms")
    platform = stand_ins.StandIn()
    platform.device_type = "cuda"
    platform.pre_register_and_update = lambda *_: None
    platform.is_cpu = lambda: False
    platforms.current_platform = platform
    sys.modules["vllm.platforms"] = platforms


_find_version = importlib.metadata.version


def _version(name: str) -> str:
    try:
        return _find_version(name)
    except importlib.metadata.PackageNotFoundError:
        return "9.0.0"


def _logger(name: str) -> Any:
    found = logging.getLogger(name)
    for level in ("debug", "info", "warning"):
        setattr(found, f"{level}_once", lambda *_, **__: None)
    return found


def parser_of_program() -> Any:
    """That of the command `vllm`, as its own `main` builds it."""
    for name in ("vllm.entrypoints.cli.main", "vllm.scripts"):
        module = importlib.import_module(name)
        if isinstance(getattr(module, "main", None), types.FunctionType):
            break
    cls = _parser_class()
    own, cls.parse_args = cls.parse_args, _capture
    saved, sys.argv = sys.argv, ["vllm", "serve", "x"]
    try:
        module.main()
    except _Captured as captured:
        return captured.args[0]
    finally:
        cls.parse_args, sys.argv = own, saved
    raise RuntimeError("no parser was made")


def _parser_class() -> Any:
    for name in ("vllm.utils.argparse_utils", "vllm.utils"):
        with contextlib.suppress(ModuleNotFoundError):
            cls = getattr(importlib.import_module(name), "FlexibleArgumentParser", None)
            if cls is not None and issubclass(cls, argparse.ArgumentParser):
                return cls
    raise RuntimeError("no parser class")


def _capture(self: Any, *_: Any, **__: Any) -> None:
    raise _Captured(self)


def cli_args() -> Any:
    for name in _SERVER_MODULES:
        module = importlib.import_module(name)
        if hasattr(module, "__file__"):
            return module
    raise RuntimeError("no arguments of the server")


def parser_of_server() -> Any:
    """That of `python -m vllm.entrypoints.openai.api_server`."""
    return cli_args().make_arg_parser(_parser_class()())


def _take(_: Any) -> None:
    """Early versions check nothing more."""


class Parsers:
    """Both, and what is checked of what they have read."""

    def __init__(self) -> None:
        self.program, self.server = parser_of_program(), parser_of_server()

    def answer(self, words: list[str]) -> dict[str, Any]:
        """What the parser and the first checks of the server make of words."""
        is_server = words[:1] == [SERVER]
        parser = self.server if is_server else self.program
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                found = parser.parse_args([*words[1:]] if is_server else [*words])
                getattr(cli_args(), "validate_parsed_serve_args", _take)(found)
        except SystemExit as error:
            lines = said.getvalue().strip().splitlines() or [""]
            return {"values": {}} if not error.code else {"refused": brief(lines[-1])}
        except Exception as error:
            return {"refused": brief(f"{type(error).__name__}: {error}")}
        return {"values": values(parser if is_server else self._serve, found)}

    @property
    def _serve(self) -> Any:
        chosen = [a for a in self.program._actions if isinstance(a, argparse._SubParsersAction)]
        return chosen[0].choices["serve"]


def brief(text: str) -> str:
    """The beginning of what was said, without addresses of objects."""
    return re.sub(r"0x[0-9a-f]+", "", text.split("error: ", 1)[-1])[:160]


def values(parser: Any, found: Any) -> dict[str, Any]:
    """The values of a parser that differ from the defaults."""
    different = {}
    for action in parser._actions:
        value = getattr(found, action.dest, None)
        if value is not action.default and value != action.default:
            different[action.dest] = _plain(value)
    return different


def _plain(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return _plain(value.value)
    if isinstance(value, (str, int, float, bool, type(None))):
        return value
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return f"<{type(value).__name__}>"


def describe(parser: Any) -> list[dict[str, Any]]:
    """Every argument of a parser."""
    return [
        {
            "names": list(
                dict.fromkeys(k for k, v in parser._option_string_actions.items() if v is a)
            ),
            "dest": a.dest,
            "action": type(a).__name__,
            "nargs": a.nargs,
            "const": _plain(a.const),
            "default": _plain(a.default),
            "type": getattr(a.type, "__qualname__", str(a.type)),
            "choices": None if a.choices is None else [_plain(c) for c in a.choices],
            "required": a.required,
        }
        for a in parser._actions
    ]


def _answer(parsers: Parsers, question: dict[str, Any]) -> dict[str, Any]:
    """The files of a question are in the folder where it is asked."""
    for name, config in question["files"].items():
        Path(name).write_text(json.dumps(config), "utf-8")
    return parsers.answer(question["words"])


def main() -> None:
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    prepare({"vllm": sys.argv[1]}, is_real)
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        parsers = Parsers()
        if sys.argv[2:] == ["describe"]:
            answers: Any = {"program": describe(parsers._serve), "server": describe(parsers.server)}
        else:
            answers = [_answer(parsers, question) for question in json.load(sys.stdin)]
    json.dump(answers, out)


if __name__ == "__main__":
    main()
