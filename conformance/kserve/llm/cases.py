"""The tables of language models: manifests and edits, each a small change of another manifest."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from conformance.kubernetes.client import Object
from conformance.operators.tables import Entry, merged, read_bases, read_entries, steps_of

HERE = Path(__file__).resolve().parent
#: Where everything is, as rows tell it; in truth each case has a namespace of its own, so that
#: all objects may have the same names.
NAMESPACE, NAME = "tenant", "chat"
_CLUSTER_KINDS = ("ClusterRole", "GatewayClass")


class Case(NamedTuple):
    """What is applied one after the other; the last of the steps is what is asked about."""

    file: str
    name: str
    base: str
    steps: tuple[Object, ...]
    before: tuple[Object, ...] = ()
    after: tuple[Object, ...] = ()
    #: Keys of the cluster's settings that differ from the shipped ones, and those of the last step.
    settings: Any = None
    settings_after: Any = None
    #: Where it is in truth.
    place: str = ""

    @property
    def is_service(self) -> bool:
        return bool(self.steps[-1]["kind"] == "LLMInferenceService")


def read_cases(folder: str) -> list[Case]:
    """All of a folder, file by file, in the order in which they are written."""
    bases = read_bases(HERE)
    return [_case(folder, file, entry, bases) for file, entry in read_entries(HERE / folder)]


def _case(folder: str, file: str, entry: Entry, bases: dict[str, Object]) -> Case:
    place = NAMESPACE + sha256(f"{folder} {entry['name']}".encode()).hexdigest()[:6]
    others = {key: tuple(_others(entry.get(key, ()), bases)) for key in ("before", "after")}
    steps = tuple(_steps(entry, bases))
    return Case(
        file,
        entry["name"],
        entry["base"],
        steps,
        **others,
        settings=entry.get("settings"),
        settings_after=entry.get("settings_after"),
        place=place,
    )


def _steps(entry: Entry, bases: dict[str, Object]) -> Iterator[Object]:
    """Named alike, unless the name is what is asked about."""
    for given in steps_of(entry, bases):
        metadata = {"namespace": NAMESPACE, **given["metadata"]}
        name = NAME if metadata["name"] == entry["name"] else metadata["name"]
        yield {**given, "metadata": {**metadata, "name": name}}


def _others(given: list[Any], bases: dict[str, Object]) -> Iterator[Object]:
    """Manifests, or changes of a base that they name."""
    for item in given:
        thing = dict(item)
        base = thing.pop("base", None)
        manifest = merged(bases[base], thing) if base else thing
        if manifest["kind"] not in _CLUSTER_KINDS:
            place = {"namespace": NAMESPACE, **manifest["metadata"]}
            manifest = {**manifest, "metadata": place}
        yield manifest
