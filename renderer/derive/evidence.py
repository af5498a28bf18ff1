"""What was seen on real platforms: which edits were recorded there, and what came of each.

`schemas/observed/` is extracted from the recordings in `tests/observed`; nobody writes it by hand.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeAlias

from renderer.assets import read_recordings
from renderer.derive.behaviour import ChangeKind, Setting, Situation, Stage
from renderer.values.changes import Change, ObjectChange
from renderer.values.diagnostics import Origin, Path
from renderer.values.tree import Node

#: Maps whose keys are free, unless a key has a prefix: that one may belong to a platform.
_FREE = frozenset(("labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests"))
_UNKNOWN = Node({}, Origin(""))
#: What came of edits, by place; for a version, a mode, the kind of the edited object, and a unit.
_Outcomes: TypeAlias = dict[str, list[str]]
_Recorded: TypeAlias = dict[str, dict[str, dict[str, dict[str, _Outcomes]]]]


def is_observed(kind: ChangeKind, setting: Setting | None, situation: Situation) -> bool:
    """Whether a recording shows what a kind of change says, of this field in this setting.

    It shows the change by itself, or the same edit with all else that it changes.
    """
    if setting is None:
        return False
    found = _recorded(setting.platform).get(setting.version, {}).get(setting.mode, {})
    seen = found.get(situation.source, {}).get(setting.unit, {})
    return any(
        outcome in seen.get(edit, ())
        for edit in _edit_texts(situation, setting.free)
        for outcome in kind.outcomes
    )


def _edit_texts(situation: Situation, free: frozenset[str]) -> Iterator[str]:
    if situation.stage is not Stage.EDITED:
        yield f"({situation.stage})"
        return
    yield edit_text(situation.edited, free)
    if situation.change:
        yield _fields_text((situation.change,), situation.edited, free)


def edit_text(change: ObjectChange, free: frozenset[str] = frozenset()) -> str:
    """Where an object was edited: all places, or that it came or went as a whole."""
    if change.before is None or change.after is None:
        return "(created)" if change.before is None else "(deleted)"
    return _fields_text(change.changes, change, free)


def _fields_text(changes: Iterable[Change], edited: ObjectChange, free: frozenset[str]) -> str:
    tree = edited.manifest.tree
    paths = (path for change in changes for path in _paths(change, free))
    return " + ".join(sorted({place_text(path, tree, free) for path in paths}))


def _paths(change: Change, free: frozenset[str]) -> Iterator[Path]:
    """The path of each key if a map of free keys comes or goes as a whole.

    One of them may mean something to the platform that the others do not.
    """
    *_, last = ("", *change.path)
    keys = (change.after or change.before or _UNKNOWN).items
    if keys and (last in free or last in _FREE):
        yield from ((*change.path, key) for key in keys)
    else:
        yield change.path


def place_text(path: Path, tree: Node, free: frozenset[str]) -> str:
    """The field at a path, with `*` for items of lists and for keys that anybody may choose.

    A text is one field, whatever it holds.
    """
    parts, node = [""], tree
    for step in map(str, path):
        if isinstance(node.value, str):
            break
        is_item = step.isdecimal() or step.startswith("[")
        is_free = parts[-1] in free or (parts[-1] in _FREE and "/" not in step)
        parts.append("*" if is_item or is_free else step)
        node = node.items.get(step, _UNKNOWN)
    return ".".join(parts[1:])


@cache
def _recorded(platform: str) -> _Recorded:
    found: _Recorded = json.loads(read_recordings(platform))
    return found
