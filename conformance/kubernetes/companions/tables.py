"""The tables of companions: small objects, changes that may be right or wrong, and edits."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.client import Object
from conformance.kubernetes.places import HERE
from conformance.operators.tables import merged, read_bases, read_entries

PLACE = HERE / "companions"


class Case(NamedTuple):
    """An object as somebody writes it, with the file of the table that it is in."""

    file: str
    name: str
    manifest: Object


class Edit(NamedTuple):
    """An object before and after an edit; `status` is what controllers wrote in between."""

    file: str
    name: str
    before: Object
    after: Object
    status: Object | None


def read_around() -> list[Object]:
    """What is in the cluster meanwhile."""
    found: list[Object] = yaml.safe_load((PLACE / "around.yaml").read_text("utf-8"))
    return found


def read_cases() -> Iterator[Case]:
    bases = read_bases(PLACE)
    for file, section in read_entries(PLACE / "cases"):
        for title, change in section["try"].items():
            yield Case(file, _name(section, title), merged(bases[section["base"]], change))


def read_edits() -> Iterator[Edit]:
    bases = read_bases(PLACE)
    for file, section in read_entries(PLACE / "edits"):
        before = merged(bases[section["base"]], section.get("before", {}))
        for title, change in section["try"].items():
            after, status = merged(before, change), section.get("status")
            yield Edit(file, _name(section, title), before, after, status)


def _name(section: dict[str, Any], title: str) -> str:
    """`claim, bound: more`."""
    named = f", {section['named']}" if "named" in section else ""
    return f"{section['base']}{named}: {title}"
