"""Files and findings as they may be shown: no secret that a rule reports is in them."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from renderer.text import json_reader, yaml_reader
from renderer.text.expressions import expression
from renderer.text.secrets.masks import (
    HIDDEN,
    is_telling,
    mask_secrets,
    masked_sentence,
    masked_text,
    secrets_of,
)
from renderer.text.texts import may_hold_secret, texts
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Diagnostic, Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, walk

_VARIABLE = expression(r"\$\{vars\.([A-Za-z0-9_-]{1,200})\}")
_VARIABLES = "${vars."
_SHORTEST_PART, _MOST = 4, 100

_Place = tuple[int, int]
_Span = tuple[_Place, _Place]


class ShownFiles(NamedTuple):
    """Files with their secrets hidden, the secrets, and the variables that hold some.

    The places of the secrets, from where to where, are known of files that can be read.
    """

    texts: Mapping[str, str]
    secrets: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    spans: Mapping[str, Sequence[_Span]] = MappingProxyType({})

    def findings(self, found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The same findings; none quotes a secret, by its name, its shape or its place."""
        lines = {file: LINE_END.split(text) for file, text in self.texts.items()}
        return tuple(self._finding(item, lines.get(item.file, ())) for item in found)

    def _finding(self, item: Diagnostic, lines: Sequence[str]) -> Diagnostic:
        if item.code.startswith("SEC"):
            return item
        if self._is_at_secret(item, lines):
            message = "the value here is not right; it is not shown, as its key is called a secret"
            return item._replace(message=message, fix=f"servingctl explain {item.code}")
        texts = (mask_secrets(text, self.secrets) for text in (item.message, item.fix))
        message, fix = map(masked_sentence, texts)
        return item._replace(message=message, fix=fix)

    def _is_at_secret(self, item: Diagnostic, lines: Sequence[str]) -> bool:
        """Whether a finding is at a secret, or after one in a file that cannot be read."""
        spans = self.spans.get(item.file)
        if spans is not None:
            return any(start <= (item.line, item.column) < end for start, end in spans)
        line = lines[item.line - 1] if 0 < item.line <= len(lines) else ""
        return 0 <= line.find(HIDDEN) < item.column


def shown_files(sources: Mapping[str, str]) -> ShownFiles:
    """Files by their paths; variables that one of them takes a secret from are secrets in all."""
    trees = {file: _tree(file, text) for file, text in sources.items() if may_hold_secret(text)}
    variables = frozenset(name for tree in trees.values() if tree for name in _variables(tree))
    if variables:
        trees |= {file: _tree(file, text) for file, text in sources.items() if file not in trees}
    shown: dict[str, str] = {}
    secrets: set[str] = set()
    spans: dict[str, Sequence[_Span]] = {}
    for file, text in sources.items():
        tree = trees.get(file)
        found = list(_exposed_secrets(tree, variables)) if tree else []
        secrets.update(item.secret for item in found if is_telling(item.secret))
        regions = list(_regions(text, tree, found)) if tree and found else []
        shown[file] = _cover(text, regions) if regions else masked_text(text)
        if tree:
            spans[file] = [span for region in regions for span in _spans(region)]
    return ShownFiles(shown, frozenset(sorted(secrets)[:_MOST]), variables, spans)


def _tree(file: str, text: str) -> Node | None:
    read = json_reader.read if file.endswith(".json") else yaml_reader.read
    return read(text.encode("utf-8", "replace"), file).document.tree


class _ExposedSecret(NamedTuple):
    """A secret of a file, the place of its value, and whether it is all of the value."""

    place: _Place
    secret: str
    is_whole: bool


def _exposed_secrets(tree: Node, variables: frozenset[str]) -> Iterator[_ExposedSecret]:
    for text in texts(tree):
        node, is_whole = _nearest(tree, text.path)
        place = node.origin.line, node.origin.column
        if text.path[:-1] == ("vars",) and text.path[-1] in variables:
            yield _ExposedSecret(place, text.value, is_whole)
        for secret in secrets_of(text):
            yield _ExposedSecret(place, secret, is_whole and secret == text.value)


def _nearest(tree: Node, path: Path) -> tuple[Node, bool]:
    """The value of a path, or the text that it leads on into."""
    node = tree
    for segment in path:
        child = node.step(segment)
        if child is None:
            return node, False
        node = child
    return node, True


def _variables(tree: Node) -> Iterator[str]:
    """The variables that a file takes secrets from: a word in their place would be one."""
    for text in texts(tree):
        for name in set(_VARIABLE.findall(text.value)) if _VARIABLES in text.value else ():
            word = f"w0rd{name}w0rd"
            filled = text._replace(value=_VARIABLE.sub(lambda m: f"w0rd{m[1]}w0rd", text.value))
            if any(word in secret for secret in secrets_of(filled)):
                yield name


class _Region(NamedTuple):
    """Where a value with secrets begins and the next one does, and its lines as they are."""

    start: _Place
    end: _Place
    raw: Sequence[str]
    found: Sequence[_ExposedSecret]

    @property
    def lines(self) -> range:
        return range(self.start[0] - 1, self.start[0] - 1 + len(self.raw))

    @property
    def is_secret(self) -> bool:
        """Whether all of it is one, or has one that is written in another way than it reads."""
        raw = "".join(self.raw)
        return len(self.found) > _MOST or any(
            item.is_whole or item.secret not in raw for item in self.found
        )


def _regions(text: str, tree: Node, exposed: Sequence[_ExposedSecret]) -> Iterator[_Region]:
    raw = text.splitlines(keepends=True)
    places = sorted({place for _, node in walk(tree) for place in _places(node)})
    by_place: dict[_Place, list[_ExposedSecret]] = {}
    for item in exposed:
        by_place.setdefault(item.place, []).append(item)
    for place, found in by_place.items():
        following = bisect_right(places, place)
        end = places[following] if following < len(places) else (len(raw) + 1, 1)
        lines = raw[place[0] - 1 : max(end[0] - 1, place[0])]
        yield _Region(place, end, lines, found)


def _cover(text: str, regions: Iterable[_Region]) -> str:
    """The lines of a file without the places of secrets, however they are written there."""
    shown = masked_text(text).splitlines(keepends=True)
    for region in regions:
        first, *others = region.lines
        if region.is_secret:
            shown[first] = f"{shown[first][: region.start[1] - 1]}{HIDDEN}\n"
            for index in others:
                shown[index] = f"{HIDDEN}\n"
            continue
        secrets = [item.secret for item in region.found if len(item.secret) >= _SHORTEST_PART]
        for index in region.lines:
            shown[index] = mask_secrets(shown[index], secrets)
    return "".join(shown)


def _spans(region: _Region) -> Iterator[_Span]:
    """From where to where the secrets of a region go, with a quotation mark before them."""
    if region.is_secret:
        yield region.start, region.end
        return
    for secret in {item.secret for item in region.found}:
        whole_word = re.compile(rf"(?<!\w){re.escape(secret)}(?!\w)")
        for number, line in enumerate(region.raw, region.start[0]):
            for found in whole_word.finditer(line):
                yield (number, found.start()), (number, found.end() + 1)


def _places(node: Node) -> Iterator[_Place]:
    yield node.origin.line, node.origin.column
    if node.key:
        yield node.key.line, node.key.column
