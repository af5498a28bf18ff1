"""A difference that means something to Kuscia, and what it does to each party it reaches."""

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuscia.impact.app_image_change_kinds import IMAGE_CHANGES
from renderer.backends.kuscia.impact.change_kinds import OBJECT_CHANGES, SERVING_CHANGES
from renderer.backends.kuscia.impact.deployment import Deployment, surge
from renderer.backends.kuscia.serving import Party
from renderer.values.changes import Change, Effect, How, Impact, ObjectChange, State

#: All changes that mean something. The controller never recomputes a Deployment: it compares a
#: handful of fields and leaves the rest, and Services and ConfigMaps that exist, as they are.
CHANGE_KINDS = {**OBJECT_CHANGES, **SERVING_CHANGES, **IMAGE_CHANGES}
#: Keys, and sets of what an item of a list may be called.
PathPattern = tuple[str | frozenset[str | int], ...]
#: Any item of a list.
ANY: frozenset[str | int] = frozenset()
CausedImpact = tuple[Change | None, Impact]
FindImpacts = Callable[[ObjectChange, State, State], Iterator[CausedImpact]]
_COLLIDES = (
    "Under runp a new pod cannot start beside the old one on a node (inferred): it may never end.",
    "Change the strategy to Recreate first.",
)


class Difference(NamedTuple):
    """A change by its kind, where it is, whom it reaches, and the words of its sentences.

    One of `order` is about items that moved, and no other one is.
    """

    kind: str
    place: PathPattern
    parties: tuple[Party, ...]
    words: Mapping[str, str] = {}
    order: bool = False

    @property
    def stops_all(self) -> bool:
        """Whether it stops the whole reconcile of a deployment, and so every party of it there."""
        kind = CHANGE_KINDS[self.kind]
        return kind.effect is Effect.BREAKS and not kind.replaces_pods

    def causes(self, changes: tuple[Change, ...]) -> Iterator[Change | None]:
        """The changes at, below or around its place; if there is none, the object itself."""
        alike = (change for change in changes if (change.how is How.MOVED) == self.order)
        found = [change for change in alike if _meets(self.place, change)]
        yield from found
        if not found:
            yield None


def item(name: str, *indexes: int) -> frozenset[str | int]:
    """An item of a list, as changes may call it: by its name or by its number."""
    return frozenset((f"[{name}]", *indexes))


def _meets(place: PathPattern, change: Change) -> bool:
    """Whether they are about the same; of an item that was renamed, the list is the path."""
    if change.how is How.RENAMED:
        return any(_meets(place, item) for item in _ends(change))
    pairs = zip(place, change.path, strict=False)
    return all(
        have == want if isinstance(want, str) else want is ANY or have in want
        for want, have in pairs
    )


def _ends(change: Change) -> Iterator[Change]:
    """A renamed item as one that went and one that came."""
    for node in (change.before, change.after):
        keys = ("domainID", "role") if node and node.get("domainID") else ("name", "mountPath")
        parts = [text(node, key) for key in keys] if node else []
        name = "/".join(part for part in parts if part)
        yield change._replace(path=(*change.path, f"[{name}]"), how=How.CHANGED)


def find_impacts(
    difference: Difference, deployment: Deployment, changes: tuple[Change, ...]
) -> Iterator[CausedImpact]:
    """A difference as impacts of each change it is about, on each party it reaches."""
    for cause in difference.causes(changes):
        for party in difference.parties:
            yield cause, _impact(difference, party, deployment, cause)


def _impact(
    difference: Difference, party: Party, deployment: Deployment, cause: Change | None
) -> Impact:
    name = difference.kind
    if name == "input-config" and cause and cause.texts_only:
        name = "input-config-text"
    kind = CHANGE_KINDS[name]
    consequence, advice = (t.format(**difference.words) for t in (kind.consequence, kind.advice))
    if kind.observed:
        consequence = f"{consequence.removesuffix('.')} (observed)."
    if kind.races:
        consequence += difference.words["race"]
    rolls = kind.replaces_pods and kind.effect is not Effect.BREAKS
    if rolls and deployment.settings.dialect.shares_ports and surge(party, 1):
        consequence, advice = f"{consequence} {_COLLIDES[0]}", f"{advice} {_COLLIDES[1]}".strip()
    return Impact(
        kind.effect,
        deployment.place(party.domain),
        str(deployment.manifest.spec),
        party.unit,
        consequence,
        advice,
        replaces_pods=kind.replaces_pods,
        by_platform=name != "gitops",
    )


def distinct(find: FindImpacts) -> FindImpacts:
    """Each impact of a change once, however often it is found."""

    @wraps(find)
    def found(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
        seen: set[tuple[int, Impact]] = set()
        for cause, impact in find(change, before, after):
            if (id(cause), impact) not in seen:
                seen.add((id(cause), impact))
                yield cause, impact

    return found
