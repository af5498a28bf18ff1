"""One commented YAML file made of several, each of which brings its own part.

Files are joined as text, since comments are half of what they are for. They consist of sections
with empty lines between them: a key at the top, comments above it, and entries that are indented
by two spaces.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class _Section(NamedTuple):
    """The lines down to the key, and the entries below it, each with the comments above it."""

    head: tuple[str, ...]
    entries: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.head[-1]

    @property
    def is_empty(self) -> bool:
        """Whether it is a key that nobody gave an entry."""
        return self.key.endswith(":") and not self.entries

    def __str__(self) -> str:
        return "\n".join((*self.head, *self.entries))


def join_sections(texts: Iterable[str]) -> str:
    """All sections, those of one key as one; what several say alike is said once."""
    known: dict[str, _Section] = {}
    for section in (section for text in texts for section in _sections(text)):
        first = known.setdefault(section.key, section)
        more = tuple(entry for entry in section.entries if entry not in first.entries)
        known[section.key] = first._replace(entries=(*first.entries, *more))
    return "\n\n".join(str(section) for section in known.values() if not section.is_empty) + "\n"


def _sections(text: str) -> Iterator[_Section]:
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        head = tuple(line for line in lines if not line.startswith(" "))
        yield _Section(head, tuple(_entries(lines[len(head) :])))


def _entries(lines: list[str]) -> Iterator[str]:
    entry: list[str] = []
    for line in lines:
        is_first = line[2] != " "
        if is_first and any(not told.lstrip().startswith("#") for told in entry):
            yield "\n".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield "\n".join(entry)
