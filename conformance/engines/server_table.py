"""The table of the Hugging Face model server: its own arguments, and which vLLM its images have.

It is not on the package index. `python -m conformance.engines.server_table FOLDER TAG…` reads a
clone of kserve/kserve at tags; the table says which commits these were.
"""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from conformance.engines.archives import numbers
from conformance.engines.converters import converter, default_text
from conformance.engines.evaluation import Evaluator
from conformance.engines.sources import Class, Module, Sources
from conformance.engines.symbols import UNKNOWN
from conformance.engines.tables import by_name, compact, ranges, read, write

ENGINE = "huggingfaceserver"
_FILES = {
    "kserve.model_server": "python/kserve/kserve/model_server.py",
    "huggingfaceserver.server": "python/huggingfaceserver/huggingfaceserver/__main__.py",
}
#: Where choices are written.
_ENUMERATIONS = {
    "huggingfaceserver.__init__": "python/huggingfaceserver/huggingfaceserver/__init__.py"
}
_LOCKS = ("python/huggingfaceserver/uv.lock", "python/huggingfaceserver/poetry.lock")
#: What the image installs last; of one tag, 0.15.0, the lock file has another version.
_IMAGE = "python/huggingface_server.Dockerfile"
_INSTALLED = re.compile(r"^ARG VLLM_VERSION=(\S+)", re.M)
_VLLM = re.compile(r'^name = "vllm"\nversion = "([^"]+)"', re.M)
#: Branches without the engine: where it does not know the model, and where it is not installed.
_WITHOUT_ENGINE = "is_vllm_backend_enabled", "not vllm_available()"
_FIRST, _SECOND = _FILES


def _git(folder: str, *words: str) -> str:
    command = [shutil.which("git") or "git", "-C", folder, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def facts(folder: str, tag: str) -> dict[str, Any]:
    """What one tag has."""
    texts = {
        f"{name.replace('.', '/')}.py": _git(folder, "show", f"{tag}:{path}")
        for name, path in (_FILES | _ENUMERATIONS).items()
    }
    sources = Sources(texts)
    arguments: dict[str, Any] = {}
    exclusive: dict[str, Any] = {}
    for name in _FILES:
        module = sources.module(name)
        if module is not None:
            arguments |= _arguments(sources, module, is_first=name == _FIRST)
            exclusive |= dict.fromkeys(_exclusive(module), 1)
    lock = next((path for path in _LOCKS if _git(folder, "show", f"{tag}:{path}")), "")
    locked = _VLLM.search(_git(folder, "show", f"{tag}:{lock}")) if lock else None
    found = _INSTALLED.search(_git(folder, "show", f"{tag}:{_IMAGE}")) or locked
    server = texts[f"{_SECOND.replace('.', '/')}.py"]
    habits = {
        "ignores-unknown": "parse_known_args()" in server,
        "reads-twice": server.count("parse_known_args()") > 1,
        "vllm-arguments": "maybe_add_vllm_cli_parser" in server,
        "server-arguments": "make_arg_parser" in _git(folder, "show", f"{tag}:{_UTILS}"),
    }
    return {
        "arguments": arguments,
        "exclusive": exclusive,
        "reading": {name: 1 for name, is_there in habits.items() if is_there},
        "vllm": found[1] if found else None,
        "origin": {
            "commit": _git(folder, "rev-parse", f"{tag}^{{commit}}").strip(),
            "image": _IMAGE,
            "lock": lock,
        },
    }


_UTILS = "python/huggingfaceserver/huggingfaceserver/vllm/utils.py"


def _arguments(sources: Sources, module: Module, *, is_first: bool) -> dict[str, Any]:
    """The calls of `add_argument` of a module, with those that only its own backend has.

    What KServe's servers have in common is read by a parser of its own before all else.
    """
    evaluator = Evaluator(lambda *_: UNKNOWN, lambda *_: UNKNOWN, sources)
    own = {id(call) for branch in _without_engine(module) for call in ast.walk(branch)}
    found: dict[str, Any] = {}
    for node in _additions(module):
        item = _entry(evaluator, module, node)
        dest = item.pop("dest")
        item |= {"first": True} if is_first else {}
        item |= {"only": "transformers"} if id(node) in own else {}
        if dest in found:
            item["names"] = [*found[dest].get("names", []), *item["names"]]
        found[dest] = item
    return found


def _additions(module: Module) -> Iterator[ast.Call]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".add_argument"):
            yield node


def _without_engine(module: Module) -> Iterator[ast.stmt]:
    """The statements that run where vLLM does not serve the model."""
    enabled, missing = _WITHOUT_ENGINE
    for node in ast.walk(module.tree):
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            yield from node.body if test == missing else ()
            yield from node.orelse if enabled in test else ()


def _exclusive(module: Module) -> Iterator[str]:
    """Pairs of arguments of one group that excludes them."""
    groups = {
        node.targets[0].id
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and "add_mutually_exclusive_group" in ast.unparse(node.value)
    }
    for group in sorted(groups):
        own = [
            call for call in _additions(module) if ast.unparse(call.func).startswith(f"{group}.")
        ]
        names = [str(ast.literal_eval(call.args[0])).lstrip("-") for call in own]
        yield from (f"{first} {second}" for first, second in combinations(names, 2))


def _entry(evaluator: Evaluator, module: Module, node: ast.Call) -> dict[str, Any]:
    names = [str(evaluator.value(module, word)) for word in node.args]
    given = {word.arg: evaluator.value(module, word.value) for word in node.keywords if word.arg}
    action = given.get("action", "store")
    long = next((name for name in names if name.startswith("--")), names[0])
    kind = converter(given.get("type"))
    choices = given.get("choices") or _members(module, given.get("type"))
    found = compact(
        {
            "dest": given.get("dest") or long.lstrip("-").replace("-", "_"),
            "names": names,
            "type": "str" if kind.startswith("?") else kind,
            "action": action if isinstance(action, str) else None,
            "nargs": given.get("nargs") if isinstance(given.get("nargs"), (str, int)) else None,
            "default": default_text(given.get("default")),
            "choices": list(choices) if isinstance(choices, (list, tuple)) else None,
        }
    )
    plain = {"type": "str", "action": "store"}
    return {key: value for key, value in found.items() if plain.get(key) != value}


def _members(module: Module, function: Any) -> list[str] | None:
    """The names of an enumeration, of which a lambda takes one: `lambda t: Backend[t]`."""
    body = getattr(getattr(function, "node", None), "body", None)
    if not isinstance(body, ast.Subscript) or not isinstance(body.value, ast.Name):
        return None
    cls = module.sources.resolve(module.names[body.value.id])
    if not isinstance(cls, Class):
        return None
    assigned = (item for item in cls.node.body if isinstance(item, ast.Assign))
    return [
        target.id for item in assigned for target in item.targets if isinstance(target, ast.Name)
    ]


def main() -> None:
    folder, *tags = sys.argv[1:]
    known = [f"v{version}" for version in read(ENGINE).get("versions", [])]
    versions = sorted({tag.removeprefix("v") for tag in (*known, *tags)}, key=numbers)
    found = {version: facts(folder, f"v{version}") for version in versions}
    table = {
        "engine": ENGINE,
        "versions": versions,
        "origins": {version: item["origin"] for version, item in found.items()},
        "vllm": ranges(versions, {version: item["vllm"] for version, item in found.items()}),
        "arguments": by_name(versions, {v: item["arguments"] for v, item in found.items()}),
        "exclusive": by_name(versions, {v: item["exclusive"] for v, item in found.items()}),
        "reading": by_name(versions, {v: item["reading"] for v, item in found.items()}),
    }
    path = write(ENGINE, table)
    sys.stdout.write(f"{path.name}: {len(versions)} versions, {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
