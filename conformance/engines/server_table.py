"""The table of the Hugging Face model server: its own arguments, and which vLLM its images have.

It is not on the package index. `python -m conformance.engines.server_table FOLDER TAG…` reads a
clone of kserve/kserve at tags; the table says which commits these were.
"""

import ast
import re
import shutil
import subprocess
import sys
from typing import Any

from conformance.engines.archives import numbers
from conformance.engines.converters import converter, default_text
from conformance.engines.evaluation import Evaluator
from conformance.engines.sources import Module, Sources
from conformance.engines.symbols import UNKNOWN
from conformance.engines.tables import by_name, compact, ranges, read, write

ENGINE = "huggingfaceserver"
_FILES = {
    "kserve.model_server": "python/kserve/kserve/model_server.py",
    "server": "python/huggingfaceserver/huggingfaceserver/__main__.py",
}
_LOCKS = ("python/huggingfaceserver/uv.lock", "python/huggingfaceserver/poetry.lock")
#: What the image installs last; of one tag, 0.15.0, the lock file has another version.
_IMAGE = "python/huggingface_server.Dockerfile"
_INSTALLED = re.compile(r"^ARG VLLM_VERSION=(\S+)", re.M)
_VLLM = re.compile(r'^name = "vllm"\nversion = "([^"]+)"', re.M)
_OWN_ONLY = "is_vllm_backend_enabled"


def _git(folder: str, *words: str) -> str:
    command = [shutil.which("git") or "git", "-C", folder, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def facts(folder: str, tag: str) -> dict[str, Any]:
    """What one tag has."""
    texts = {
        f"{name.replace('.', '/')}.py": _git(folder, "show", f"{tag}:{path}")
        for name, path in _FILES.items()
    }
    sources = Sources(texts)
    arguments: dict[str, Any] = {}
    for name in _FILES:
        module = sources.module(name)
        if module is not None:
            arguments |= _arguments(sources, module)
    lock = next((path for path in _LOCKS if _git(folder, "show", f"{tag}:{path}")), "")
    locked = _VLLM.search(_git(folder, "show", f"{tag}:{lock}")) if lock else None
    found = _INSTALLED.search(_git(folder, "show", f"{tag}:{_IMAGE}")) or locked
    server = texts["server.py"]
    habits = {
        "ignores-unknown": "parse_known_args()" in server,
        "vllm-arguments": "maybe_add_vllm_cli_parser" in server,
        "server-arguments": "make_arg_parser" in _git(folder, "show", f"{tag}:{_UTILS}"),
    }
    return {
        "arguments": arguments,
        "reading": {name: 1 for name, is_there in habits.items() if is_there},
        "vllm": found[1] if found else None,
        "origin": {
            "commit": _git(folder, "rev-parse", f"{tag}^{{commit}}").strip(),
            "image": _IMAGE,
            "lock": lock,
        },
    }


_UTILS = "python/huggingfaceserver/huggingfaceserver/vllm/utils.py"


def _arguments(sources: Sources, module: Module) -> dict[str, Any]:
    """The calls of `add_argument` of a module, with those that only its own backend has."""
    evaluator = Evaluator(lambda *_: UNKNOWN, lambda *_: UNKNOWN, sources)
    own = {
        id(call)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and _OWN_ONLY in ast.unparse(node.test)
        for branch in node.orelse
        for call in ast.walk(branch)
    }
    found: dict[str, Any] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".add_argument"):
            item = _entry(evaluator, module, node)
            dest = item.pop("dest")
            if id(node) in own:
                item["only"] = "transformers"
            if dest in found:
                item["names"] = [*found[dest].get("names", []), *item["names"]]
            found[dest] = item
    return found


def _entry(evaluator: Evaluator, module: Module, node: ast.Call) -> dict[str, Any]:
    names = [str(evaluator.value(module, word)) for word in node.args]
    given = {word.arg: evaluator.value(module, word.value) for word in node.keywords if word.arg}
    action = given.get("action", "store")
    long = next((name for name in names if name.startswith("--")), names[0])
    kind = converter(given.get("type"))
    choices = given.get("choices")
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
        "reading": by_name(versions, {v: item["reading"] for v, item in found.items()}),
    }
    path = write(ENGINE, table)
    sys.stdout.write(f"{path.name}: {len(versions)} versions, {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
