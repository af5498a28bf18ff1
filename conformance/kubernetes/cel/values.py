"""Values for a rule: made of its types, its own literals, and what its schema allows."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from conformance.kubernetes.cel.schemas import CrdRule, Schema
from renderer.policies.expressions import tokens

_TRIED = 600
_WORDS = ("a", "b", "", "/a", "example.com", "*.example.com", "A b", "1.2.3.4")
_TIMES = ("0s", "1s", "1500ms", "2h", "1m")
_PRESENT = 0.65
_SAME = 0.3
_STRANGE = 0.1
#: A number in an expression above this is a limit, so that one more is tried.
_FEW = 10


def candidates(rule: CrdRule) -> list[dict[str, Any]]:
    """Objects, with a former one if the rule compares; the same ones each time."""
    made: dict[str, dict[str, Any]] = {}
    source = _Source(rule)
    for _ in range(_TRIED):
        item = {"object": source.value(rule.types, rule.whole)}
        if "oldSelf" in rule.expression:
            is_same = source.random.random() < _SAME
            item["old"] = item["object"] if is_same else source.value(rule.types, rule.whole)
        made.setdefault(json.dumps(item, sort_keys=True), item)
    return [made[key] for key in sorted(made, key=lambda text: (len(text), text))]


class _Source:
    """Random values of a rule's types; each rule has its own, which never change."""

    def __init__(self, rule: CrdRule) -> None:
        self.random = random.Random(rule.key)  # noqa: S311 - always the same
        given = tokens(rule.expression)
        texts = {item.text.lstrip("rR").strip("\"'") for item in given if item.kind == "text"}
        self.texts = sorted(texts)
        self.numbers = sorted(
            {0, 1, 2, 5} | {int(t.text) for t in given if re.fullmatch("[0-9]{1,4}", t.text)}
        )
        self.lengths = [number + 1 for number in self.numbers if number > _FEW]
        self.is_timed = "duration(" in rule.expression

    def value(self, types: Schema, whole: Schema) -> Any:
        if types.get("x-kubernetes-int-or-string"):
            return self.random.choice((1, "10%"))
        kind = types.get("type")
        if kind == "object":
            return dict(self._members(types, whole))
        if kind == "array":
            return self._items(types, whole)
        if kind == "integer":
            return self.random.choice(self.numbers)
        if kind == "number":
            return self.random.choice((0.5, 1.0, 2.5))
        if kind == "boolean":
            return self.random.choice((True, False))
        return self._text(types, whole)

    def _members(self, types: Schema, whole: Schema) -> Iterator[tuple[str, Any]]:
        for name, part in (types.get("properties") or {}).items():
            if self.random.random() < _PRESENT:
                yield name, self.value(part, whole["properties"][name])
        values = types.get("additionalProperties")
        if isinstance(values, dict):
            for _ in range(self.random.randrange(3)):
                yield self._text({}, {}), self.value(values, whole["additionalProperties"])

    def _items(self, types: Schema, whole: Schema) -> list[Any]:
        made: list[Any] = []
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, *self.lengths))):
            is_same = made and self.random.random() < _SAME
            made.append(made[0] if is_same else self.value(types["items"], whole["items"]))
        return made

    def _text(self, types: Schema, whole: Schema) -> str:
        if self.is_timed or types.get("format") == "duration":
            return self.random.choice(_TIMES)
        if whole.get("enum") and self.random.random() >= _STRANGE:
            return str(self.random.choice(whole["enum"]))
        near = [text for known in self.texts for text in (known, f"a{known}", f"/a{known}b")]
        return self.random.choice([*near, *_WORDS, *("a" * length for length in self.lengths)])
