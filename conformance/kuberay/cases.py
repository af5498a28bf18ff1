"""The tables of cases and edits: manifests, each a small change of another one."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.kuberay.places import HERE, PLAIN
from conformance.kubernetes.client import Object
from conformance.operators.tables import Entry, merged, read_bases, read_entries, steps_of


class Case(NamedTuple):
    """What is applied one after the other; the last of the steps is what is asked about.

    Before that one, somebody else may patch the object, as the autoscaler of Ray does.
    """

    file: str
    name: str
    steps: tuple[Object, ...]
    before: tuple[Object, ...] = ()
    patch: tuple[Object, ...] = ()
    is_brief: bool = False


def read_cases(folder: str) -> Iterator[Case]:
    """All of a folder, file by file, in the order in which they are written."""
    bases = read_bases(HERE)
    for file, entry in read_entries(HERE / folder):
        yield _case(file, entry, bases)


def _case(file: str, entry: Entry, bases: dict[str, Object]) -> Case:
    return Case(
        file,
        entry["name"],
        tuple(map(_placed, steps_of(entry, bases))),
        tuple(map(_placed, entry.get("before", ()))),
        tuple(entry.get("patch", ())),
        is_brief="brief" in entry,
    )


def _placed(manifest: Object) -> Object:
    placed: Object = merged({"metadata": {"namespace": PLAIN}}, manifest)
    return placed
