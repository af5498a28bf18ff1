"""The tables of graphs, trained models and caches: manifests and edits, and what is beside them."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from conformance.kubernetes.client import Object
from conformance.operators.tables import Entry, merged, read_bases, read_entries

HERE = Path(__file__).resolve().parent
#: Where everything is, as rows tell it, and what names of objects of the cluster begin with; in
#: truth each case has a word of its own, so that none sees what is made of another one.
NAMESPACE = "tenant"
CLUSTER_KINDS = ("LocalModelCache", "LocalModelNodeGroup", "ClusterStorageContainer")
_AROUND = "around"


class Case(NamedTuple):
    """What is applied one after the other; the last of the steps is what is asked about.

    A step without a manifest deletes what was applied. Others are applied before the first step,
    or just before the second one, or deleted just before the last one. `fetched` is the address of
    the model of a pod that starts at the end.
    """

    file: str
    name: str
    steps: tuple[Object | None, ...]
    before: tuple[Object, ...] = ()
    after: tuple[Object, ...] = ()
    gone: tuple[Object, ...] = ()
    settings: Mapping[str, Any] = {}
    fetched: str = ""
    #: The word that it has in truth.
    place: str = ""

    @property
    def asked(self) -> Object:
        """The last manifest that is applied."""
        return next(step for step in reversed(self.steps) if step)


def read_cases(folder: str) -> list[Case]:
    """All of a folder, file by file, in the order in which they are written."""
    bases = read_bases(HERE)
    around = bases.pop(_AROUND)
    return [
        _case(folder, file, entry, bases, around) for file, entry in read_entries(HERE / folder)
    ]


def _case(
    folder: str, file: str, entry: Entry, bases: dict[str, Object], around: Mapping[str, Any]
) -> Case:
    usual = [{"base": name} for name in around[entry["base"]]]
    given = {"before": usual, **entry}
    others = {
        key: tuple(_placed(_other(item, bases)) for item in given.get(key, ()))
        for key in ("before", "after", "gone")
    }
    steps = tuple(_steps(entry, bases))
    if others["after"] and len(steps) == 1:
        steps *= 2
    return Case(
        file,
        entry["name"],
        steps,
        **others,
        settings=entry.get("settings", {}),
        fetched=entry.get("fetched", ""),
        place=NAMESPACE + sha256(f"{folder} {entry['name']}".encode()).hexdigest()[:6],
    )


def _steps(entry: Entry, bases: dict[str, Object]) -> Iterator[Object | None]:
    manifest = bases[entry["base"]]
    for change in entry.get("steps") or [entry.get("change", {})]:
        manifest = merged(manifest, change or {})
        yield None if change is None else _placed(manifest)


def _other(item: Object, bases: dict[str, Object]) -> Object:
    change = dict(item)
    result: Object = merged(bases[change.pop("base")], change)
    return result


def _placed(manifest: Object) -> Object:
    if manifest["kind"] in CLUSTER_KINDS:
        return manifest
    return {**manifest, "metadata": {"namespace": NAMESPACE, **manifest["metadata"]}}
