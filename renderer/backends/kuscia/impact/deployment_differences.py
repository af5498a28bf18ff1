"""What changed in a KusciaDeployment, in terms of what its controller compares."""

from collections.abc import Iterator

from renderer.backends.fields import members, plain, text
from renderer.backends.kuscia.deploy_template import served_ports
from renderer.backends.kuscia.impact.deployment import Deployment
from renderer.backends.kuscia.impact.differences import Difference, PathPattern
from renderer.backends.kuscia.impact.party_differences import (
    compare_membership,
    compare_overrides,
    compare_references,
    party_place,
)
from renderer.backends.kuscia.impact.refusals import find_strategy_fault
from renderer.backends.kuscia.labels import AFFINITY_MODE, APP_TYPE, DIGEST, GITOPS
from renderer.backends.kuscia.serving import Party
from renderer.values.tree import Node, Plain

_AFFINITY = ("template", "spec", "affinity")
_SELECTED = ("podAffinity", "podAntiAffinity")


def compare_deployments(before: Deployment, after: Deployment) -> Iterator[Difference]:
    """Everything that differs between two states of one deployment."""
    yield from _input_config(before, after)
    yield from _initiator(before, after)
    yield from _metadata(before, after)
    yield from compare_membership(before, after)
    for unit, party in after.units.items():
        if unit in before.units:
            yield from _party(before.units[unit], party, before, after)


def _input_config(before: Deployment, after: Deployment) -> Iterator[Difference]:
    path = ("spec", "inputConfig")
    if plain(before.manifest.tree, *path) != plain(after.manifest.tree, *path):
        yield Difference("input-config", path, _running(before, after))


def _running(before: Deployment, after: Deployment) -> tuple[Party, ...]:
    """The parties that there were already."""
    return tuple(party for party in after.parties if party.unit in before.units)


def _initiator(before: Deployment, after: Deployment) -> Iterator[Difference]:
    if before.initiator == after.initiator:
        return
    planes = {after.plane(party.domain) for party in after.parties}
    kind = "initiator-across" if len(planes) > 1 else "initiator"
    words = {"before": before.initiator, "after": after.initiator}
    yield Difference(kind, ("spec", "initiator"), _running(before, after), words)


def _metadata(before: Deployment, after: Deployment) -> Iterator[Difference]:
    """Labels and annotations; the digest only carries the edits of AppImages."""
    for group in ("labels", "annotations"):
        old, new = (side.manifest.tree.get("metadata", group) for side in (before, after))
        for key in sorted({*members(old), *members(new)} - {DIGEST}):
            was, now = plain(old, key), plain(new, key)
            if was == now:
                continue
            place = ("metadata", group, key)
            if key == AFFINITY_MODE:
                yield from _affinity_mode((was, now), place, before, after)
                continue
            kind = "app-type" if key == APP_TYPE else "label"
            kind = "gitops" if key.startswith(GITOPS) else kind
            words = {"what": f"The {group[:-1]} `{key}`"}
            yield Difference(kind, place, _running(before, after), words)


def _affinity_mode(
    modes: tuple[Plain, Plain], place: PathPattern, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    """The annotation by itself: it matters where the party is not given an affinity."""
    for party in _running(before, after):
        old = before.units[party.unit]
        was, now = (plain(side.node, *_AFFINITY) for side in (old, party))
        words = {"what": f"The annotation `{AFFINITY_MODE}`"}
        if now is not None and was != now:
            kind = "affinity-mode-given"
        elif "none" not in modes:
            kind = "label"
        elif after.plane(party.domain) != after.home:
            kind = "affinity-mode-partner"
        elif modes[1] == "none" or _has_affinity(old):
            kind = "affinity-mode-none"
        else:
            kind = "affinity-mode-set"
        yield Difference(kind, place, (party,), words)


def _has_affinity(party: Party) -> bool:
    template = party.template
    own = party.node.get(*_AFFINITY)
    return bool(own or (template and template.node.get("spec", "affinity")))


def _party(old: Party, new: Party, before: Deployment, after: Deployment) -> Iterator[Difference]:
    place = party_place(old, new)
    yield from compare_references(old, new, before, after)
    yield from _replicas(old, new, (*place, "template", "replicas"), after)
    yield from _strategy(old, new, (*place, "template", "strategy"), after)
    yield from _affinity(old, new, (*place, *_AFFINITY))
    yield from compare_overrides(old, new, after)
    if text(old.node, "serviceNamePrefix") != text(new.node, "serviceNamePrefix"):
        kind = "service-prefix" if _has_services(old, new) else "service-prefix-unused"
        yield Difference(kind, (*place, "serviceNamePrefix"), (new,))


def _has_services(*parties: Party) -> bool:
    """Whether a party has Services, or may have some: nothing is known of its AppImage."""
    templates = [party.template for party in parties]
    return any(item is None or served_ports(item.node) for item in templates)


def _replicas(
    old: Party, new: Party, place: PathPattern, after: Deployment
) -> Iterator[Difference]:
    was, now = (plain(party.node, "template", "replicas") for party in (old, new))
    if was == now:
        return
    words = {"before": "the AppImage's" if was is None else str(was), "after": str(now)}
    if isinstance(now, int) and now < 0:
        reason = {"reason": f"replicas is {now}"}
        yield Difference("rejected", place, after.beside(new.domain), reason)
        return
    kind = "replicas-none" if now == 0 else "replicas"
    yield Difference("replicas-removed" if now is None else kind, place, (new,), words)


def _strategy(
    old: Party, new: Party, place: PathPattern, after: Deployment
) -> Iterator[Difference]:
    was, now = (party.node.get("template", "strategy") for party in (old, new))
    if plain(was) == plain(now):
        return
    if now is None:
        yield Difference("strategy-removed", place, (new,))
    elif reason := find_strategy_fault(now):
        yield Difference("rejected", place, after.beside(new.domain), {"reason": reason})
    else:
        yield Difference("strategy", place, (new,))


def _affinity(old: Party, new: Party, place: PathPattern) -> Iterator[Difference]:
    was, now = (party.node.get(*_AFFINITY) for party in (old, new))
    if plain(was) == plain(now):
        return
    kind = "affinity" if _unselected(was) != _unselected(now) else "affinity-selector"
    yield Difference("affinity-removed" if now is None else kind, place, (new,))


def _unselected(affinity: Node | None) -> Plain:
    """An affinity without the selectors of pod terms, which Kuscia overwrites."""
    terms = {
        kind: _without_selector(plain(node)) if kind in _SELECTED else plain(node)
        for kind, node in members(affinity).items()
    }
    return terms or None


def _without_selector(data: Plain) -> Plain:
    if isinstance(data, dict):
        kept = {key: _without_selector(child) for key, child in data.items()}
        kept.pop("labelSelector", None)
        return kept
    return [_without_selector(child) for child in data] if isinstance(data, list) else data
