"""The table of mutations: one value each, at one place of a spec of the small project."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.places import HERE

#: The words of the table for places: the kind of spec, and the way there.
_ROOTS: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "app": ("AppImage", ()),
    "template": ("AppImage", ("deployTemplates", 0)),
    "pod": ("AppImage", ("deployTemplates", 0, "spec")),
    "container": ("AppImage", ("deployTemplates", 0, "spec", "containers", 0)),
    "serving": ("Serving", ()),
    "party": ("Serving", ("parties", 0)),
}


class Mutation(NamedTuple):
    """A value for a place of a spec; with `times`, a text that is repeated as often."""

    file: str
    name: str
    spec: str
    path: tuple[str | int, ...]
    value: Any
    times: int = 1

    @property
    def whole_value(self) -> Any:
        return self.value * self.times if self.times > 1 else self.value


def read_mutations() -> Iterator[Mutation]:
    """All of them, file by file, in the order in which they are written."""
    for path in sorted((HERE / "mutations").glob("*.yaml")):
        for section in yaml.safe_load(path.read_text("utf-8")):
            spec, root = _ROOTS[section["in"]]
            place = (*root, *section["at"])
            subject = section.get("subject", path.stem)
            for name, value in section["try"].items():
                times = section.get("times", 1)
                yield Mutation(path.stem, f"{subject}: {name}", spec, place, value, times)


def mutated(tree: Any, path: tuple[str | int, ...], value: Any) -> Any:
    """A copy of plain data with another value at a path; mappings on the way are made."""
    if not path:
        return value
    first, *rest = path
    if isinstance(first, int):
        return [
            mutated(item, tuple(rest), value) if index == first else item
            for index, item in enumerate(tree)
        ]
    return {**tree, first: mutated(tree.get(first, {}), tuple(rest), value)}
