"""What Flux did since a moment, destination by destination, as rows that can be written down."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from conformance.flux.journal import Entry
from conformance.flux.stage import Stage, inventory
from conformance.kubernetes.client import Object
from conformance.operators.records import Row

FIRST_SUFFIX, LAST_SUFFIX = "-prerequisites", "-dependents"
#: The Secret of the cluster that Flux is on.
FIRST = "first"


class Chain(NamedTuple):
    """The Kustomizations of a destination, of which each waits for the one before."""

    destination: str
    prerequisites: Object
    workloads: Object
    #: Where an environment has settings of companions.
    dependents: Object | None = None

    @property
    def names(self) -> dict[str, str]:
        """What each is for, by its name."""
        parts = {
            "prerequisites": self.prerequisites,
            "workloads": self.workloads,
            "dependents": self.dependents,
        }
        return {thing["metadata"]["name"]: part for part, thing in parts.items() if thing}

    @property
    def awaited(self) -> list[str]:
        """What must be ready before the workloads are applied."""
        return [item["name"] for item in self.workloads["spec"]["dependsOn"]]

    @property
    def cluster(self) -> str:
        """The server that its Secret leads to, which is what the name of that begins with."""
        secret: str = self.workloads["spec"]["kubeConfig"]["secretRef"]["name"]
        return secret.partition("-")[0]


def chains(kustomizations: Iterable[Object]) -> Iterator[Chain]:
    """By destination, which is in the path of the second one."""
    by_name = {thing["metadata"]["name"]: thing for thing in kustomizations}
    for name, thing in by_name.items():
        if not name.endswith((FIRST_SUFFIX, LAST_SUFFIX)):
            last = by_name.get(name + LAST_SUFFIX)
            yield Chain(_destination(thing), by_name[name + FIRST_SUFFIX], thing, last)


def _destination(thing: Object) -> str:
    """From the path, which is that in a bundle if each environment has a source of its own."""
    path: str = thing["spec"]["path"].removesuffix("/flux/workloads")
    _, _, environment = thing["spec"]["sourceRef"]["name"].partition("-")
    return (
        path.replace("./", f"{environment}/") if environment else path.removeprefix("./rendered/")
    )


class Marks(NamedTuple):
    """A moment on both servers."""

    first: int
    second: int


def now(stage: Stage) -> Marks:
    return Marks(stage.first.journal.mark(), stage.second.journal.mark())


class Change(NamedTuple):
    """What happened at a destination, in its order, and what was ready before its workloads.

    The two servers count for themselves: of objects on the second one it is not known whether a
    Kustomization was ready before them.
    """

    chain: Chain
    order: list[str]
    ready_before: list[str] | None


def rows_of(stage: Stage, step: str, found: Iterable[Chain], since: Marks) -> Iterator[Row]:
    """One for each destination where an object came, changed or went."""
    known = stage.kustomizations()
    for chain, order, ready in changes(stage, found, since):
        row: Row = {"step": step, "destination": chain.destination, "cluster": chain.cluster}
        row |= {"order": order} | ({} if ready is None else {"ready_before_workloads": ready})
        yield row | {part: inventory(known[name]) for name, part in chain.names.items()}


def changes(stage: Stage, found: Iterable[Chain], since: Marks) -> Iterator[Change]:
    first = stage.first.journal.since(since.first)
    second = stage.second.journal.since(since.second)
    for chain in found:
        entries = first if chain.cluster == FIRST else second
        mine = [entry for entry in entries if entry.kustomization in chain.names]
        if any(entry.name for entry in mine):
            ready = _ready_before(chain, first) if chain.cluster == FIRST else None
            yield Change(chain, [_line(chain, entry) for entry in mine], ready)


def _line(chain: Chain, entry: Entry) -> str:
    return f"{entry.what} {entry.name or chain.names[entry.kustomization]}"


def _ready_before(chain: Chain, entries: Iterable[Entry]) -> list[str]:
    """Of what the workloads depend on, that which was ready before their first change."""
    workloads = chain.workloads["metadata"]["name"]
    earlier = takewhile(lambda entry: entry.kustomization != workloads, entries)
    ready = {entry.kustomization for entry in earlier if entry.what == "ready"}
    return sorted(ready.intersection(chain.awaited))
