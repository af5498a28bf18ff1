"""The sentences of code, pages and schemas that say what a real platform was seen to do."""

import ast
import io
import json
import re
import tokenize
from functools import cache
from typing import NamedTuple

from tests.support.places import ROOT

#: The word as a claim: no name of a folder, of a field or of a placeholder.
OBSERVED = re.compile(r"(?<![\w/{.])observed(?![\w/}(]|\.\w)", re.IGNORECASE)
#: Other words by which somebody could say the same.
OTHERS = re.compile(
    r"""\b(?:
      (?:was|were|been|we|nobody|somebody|ever)\s+(?:ever\s+)?(?:seen|noticed|watched|measured)
    | (?:seen|measured|verified|confirmed|proven|tried|tested)\s+(?:out\s+)?
      (?:on|with|at|by|in|against)
    | recorded | recordings? | witnessed | empirical(?:ly)? | experiments? | observations?
    | observe | observes | observing
    | in\s+(?:practice|reality|the\s+wild|fact)
    | real\s+(?:[\w.'-]+\s+)?(?:operator|controller|cluster|platform|server|webhook|engine)s?
    | real\s+(?:KServe|KubeRay|Kuscia|Knative|Kubernetes|Ray|Flux|Argo)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
#: Names of rows that show what a comment says.
RECORDED = re.compile(r"[Rr]ecorded(?: with [0-9.]+)?: ([a-z0-9, -]+)")
_FOLDERS = {"renderer": "*.py", "schemas": "*.json", "templates": "*", "docs": "*.md"}
_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "action.yml")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[^\sa-z])")
_BLOCKS = re.compile(r"\n(?=\s*(?:\n|[-*|#>]|[0-9]+\.\s|```))")


#: Pages about the code and its recordings, or about what was: there only the word itself counts.
_ABOUT_RECORDINGS = frozenset(("architecture.md", "CONTRIBUTING.md", "CHANGELOG.md"))


class Sentence(NamedTuple):
    """A sentence, and where it is: its file, and the code of its rule if it is of one.

    A message is printed of some environment, whatever its versions; other texts are read.
    """

    file: str
    rule: str
    text: str
    is_message: bool


def sentences_of(text):
    """The sentences of a text of paragraphs, lists and tables."""
    for block in _BLOCKS.split(text):
        yield from _ENDS.split(" ".join(block.split()))


@cache
def claims():
    """Each sentence that says what was observed, in this or in other words."""
    found = dict.fromkeys(
        Sentence(path.relative_to(ROOT).as_posix(), rule, text, is_message)
        for path in _files()
        for rule, whole, is_message in _texts(path)
        for text in sentences_of(whole)
        if OBSERVED.search(text) or (path.name not in _ABOUT_RECORDINGS and OTHERS.search(text))
    )
    return tuple(found)


def _files():
    for folder, pattern in _FOLDERS.items():
        for path in sorted((ROOT / folder).rglob(pattern)):
            if path.name != "rules.md" and path.parent.name != "observed" and path.is_file():
                yield path
    yield from (ROOT / name for name in _PAGES)


def _texts(path):
    """The texts of a file, each with the code of the rule that it is of, and if it is a message."""
    content = path.read_text("utf-8")
    if not (OBSERVED.search(content) or OTHERS.search(content)):
        return
    if path.suffix == ".py":
        yield from _strings(content)
        yield from (("", text, False) for text in _comments(content))
    elif path.suffix == ".json":
        yield from (("", text, False) for text in _values(json.loads(content)))
    else:
        yield "", content, False


def _strings(content):
    def walk(node, rule, is_message):
        rule, children = _code_of(node) or rule, ast.iter_child_nodes(node)
        if isinstance(node, ast.JoinedStr):
            texts = [part.value if _is_text(part) else "{…}" for part in node.values]
            yield rule, "".join(texts), is_message
            children = [part for part in node.values if not _is_text(part)]
        elif _is_text(node):
            yield rule, node.value, is_message
        for child in children:
            yield from walk(child, rule, not isinstance(node, ast.Expr))

    yield from walk(ast.parse(content), "", False)


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _code_of(node):
    for item in getattr(node, "decorator_list", ()):
        if isinstance(item, ast.Call) and getattr(item.func, "id", "") == "rule":
            code = item.args[0]
            return code.value if isinstance(code, ast.Constant) else ""
    return ""


def _comments(content):
    """Comments of several lines as one text each."""
    lines, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        if token.type == tokenize.COMMENT:
            if lines and token.start[0] != last + 1:
                yield " ".join(lines)
                lines = []
            lines.append(token.string.lstrip("#: "))
            last = token.start[0]
    if lines:
        yield " ".join(lines)


def _values(node):
    if isinstance(node, str):
        yield node
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for child in children:
        yield from _values(child)
