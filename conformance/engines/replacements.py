"""Which argument the code itself names in place of another: its warnings, read for two flags."""

import ast
import re

from conformance.engines.sources import Sources

_MODULES = (
    "vllm.engine.arg_utils",
    "vllm.entrypoints.common.cli_args",
    "vllm.entrypoints.launchers.cli_args",
    "vllm.entrypoints.openai.cli_args",
    "vllm.utils.argparse_utils",
)
_SAYS = re.compile(
    r"[`'\"]?(?:--)?(?P<old>[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+)[`'\"]?[^.]{0,60}?"
    r"(?:is|are|has been|have been|was)\s+"
    r"(?:now\s+|being\s+)?(?:deprecated|removed|replaced|renamed|superseded).{0,160}?"
    r"(?:use|by|to|with|via|favou?r of|set|pass)\s+(?:the\s+)?[`'\"]?(?P<new>--[a-z][a-z0-9.\-_]+)",
    re.IGNORECASE | re.DOTALL,
)
_REPLACED = re.compile(
    r"(?P<old>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)[`'\"]?\s+is deprecated and has been "
    r"(?:replaced|renamed)\s+(?:with|by|to)\s+[`'\"]?(?P<new>[a-z][a-z0-9._]+)"
)


def replacements(sources: Sources) -> dict[str, str]:
    """Flags that are gone or go, without their dashes, and what is to be used instead."""
    found: dict[str, str] = {}
    configs = [sources.module("vllm.config"), *sources.below("vllm.config")]
    for module in filter(None, [*map(sources.module, _MODULES), *configs]):
        for text in _strings(module.tree):
            for match in (*_SAYS.finditer(text), *_REPLACED.finditer(text)):
                old, new = match["old"].replace("_", "-"), _flag(match["new"].rstrip(".-_"))
                if new != f"--{old}":
                    found.setdefault(old, new)
    return found


def _flag(name: str) -> str:
    """A field as an option: `a_config.b_c` as `--a-config.b_c`."""
    if name.startswith("--"):
        return name
    first, dot, rest = name.partition(".")
    return f"--{first.replace('_', '-')}{dot}{rest}"


def _strings(tree: ast.AST) -> list[str]:
    joined = [
        "".join(part.value for part in node.values if isinstance(part, ast.Constant))  # type: ignore[misc]
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
    ]
    plain = [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    return [*plain, *joined]
