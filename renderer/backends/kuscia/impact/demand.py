"""What the parties of a deployment ask of the control planes they run in, before and after."""

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from renderer.backends.kuscia.deploy_template import DeployTemplate
from renderer.backends.kuscia.impact.blocking import blocks
from renderer.backends.kuscia.impact.deployment import (
    DEPLOYMENT,
    Amounts,
    Deployment,
    effective_amounts,
    kind_of,
    number_at,
    number_of_pods,
    rendered_image,
    surge,
)
from renderer.backends.kuscia.impact.refusals import find_refusal
from renderer.backends.kuscia.serving import Party
from renderer.values.changes import Demand, Effect, Impact, ObjectChange, State, UnitImpacts

_STARTS = frozenset((Effect.CREATE, Effect.ROLLING))


class Pods(NamedTuple):
    """What runs of a party: how many pods, what their containers ask for, and the surge."""

    replicas: int
    containers: Mapping[str, Mapping[str, Amounts]]
    surge: int

    def asked(self, number: int) -> Amounts:
        """What some of them request; where only a limit is given, Kubernetes requests that."""
        total: dict[str, Decimal] = {}
        for amounts in self.containers.values():
            for name, amount in {**amounts["limits"], **amounts["requests"]}.items():
                total[name] = total.get(name, Decimal(0)) + amount * number
        return total


_NONE = Pods(0, {}, 0)


def demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    """A demand for each party of which something changes in a control plane of ours.

    What partners elsewhere ask is their own: it comes from their copy of the AppImage.
    """
    if kind_of(change.manifest) != DEPLOYMENT or (
        change.after and find_refusal(change.after, after)
    ):
        return
    old = Deployment.of(change.before, before, after) if change.before else None
    new = Deployment.of(change.after, after, before) if change.after else None
    if old and new and not change.is_renamed:
        for party in new.parties:
            known = impacts.get((new.place(party.domain), party.unit), ())
            yield from _of_party(party, old, new, known)
        return
    for side in (side for side in (old, new) if side):
        for party in side.parties:
            pods = _pods(party, party.template)
            yield from _demand(party, side, *((pods, _NONE) if side is old else (_NONE, pods)))


def _of_party(
    party: Party, old: Deployment, new: Deployment, impacts: Collection[Impact]
) -> Iterator[Demand]:
    """A party of a deployment that stays; where that breaks, what runs stays as it is.

    So does what runs of parties that are gone.
    """
    if any(blocks(impact) for impact in impacts):
        return
    former = old.units.get(party.unit)
    template = _template(party, old, new)
    if former is None or old.plane(party.domain) != new.plane(party.domain):
        yield from _demand(party, new, _NONE, _pods(party, template))
    elif running := _pods(former, former.template):
        updated = _updated(running, former, party, template)
        rolls = any(impact.replaces_pods for impact in impacts)
        yield from _demand(party, new, running, updated, rolls=rolls)
    elif _STARTS & {impact.effect for impact in impacts}:
        yield from _demand(party, new, _NONE, _pods(party, template))


def _template(party: Party, old: Deployment, new: Deployment) -> DeployTemplate | None:
    """What the party gets of its AppImage; of one that is refused, the old one stays."""
    manifest = new.image_manifest(party)
    kept = old.image_manifest(party) if manifest and find_refusal(manifest, new.state) else manifest
    image = rendered_image(kept) if kept else None
    return image.template_for(party.role) if image else None


def _pods(party: Party, template: DeployTemplate | None) -> Pods | None:
    """What is made of a party: its own number of pods, else its template's, else one."""
    if template is None:
        return None
    replicas = number_of_pods(template, party)
    return Pods(replicas, effective_amounts(party, template), surge(party, replicas))


def _updated(running: Pods, former: Party, party: Party, template: DeployTemplate | None) -> Pods:
    """What becomes of pods: they keep their containers, and a number that is not given."""
    given = number_at(party.node, "template", "replicas")
    replicas = running.replicas if given is None else given
    now = effective_amounts(party, template) if template else {}
    containers = {name: now.get(name, was) for name, was in running.containers.items()}
    ruling = party if party.node.get("template", "strategy") else former
    return Pods(replicas, containers, surge(ruling, replicas))


def _demand(
    party: Party, side: Deployment, before: Pods | None, after: Pods | None, *, rolls: bool = False
) -> Iterator[Demand]:
    place = side.place(party.domain)
    if not place or before is None or after is None:
        return
    manifest = side.manifest
    where = (manifest.environment, place, str(manifest.spec), party.unit)
    ends = before.asked(before.replicas), after.asked(after.replicas)
    peak = _rollout(before, after) if rolls else _greatest(*ends)
    yield Demand(*where, *ends, peak)


def _rollout(before: Pods, after: Pods) -> Amounts:
    """The most at any moment of a rolling update, for each resource.

    A new number of pods is reached with old ones first, so there are at most as many old ones as
    the larger number. From the first new pod on there are never more than the new number and the
    surge together. Of all such mixes one of these asks for the most: old pods alone; all new ones
    and old ones as the surge; old ones and new ones as the surge.
    """
    return _greatest(
        before.asked(max(before.replicas, after.replicas)),
        _sum(after.asked(after.replicas), before.asked(after.surge)),
        _sum(before.asked(after.replicas), after.asked(after.surge)),
    )


def _sum(one: Amounts, other: Amounts) -> Amounts:
    names = {*one, *other}
    return {name: one.get(name, Decimal(0)) + other.get(name, Decimal(0)) for name in names}


def _greatest(*mixes: Amounts) -> Amounts:
    names = sorted({name for mix in mixes for name in mix})
    return {name: max(mix.get(name, Decimal(0)) for mix in mixes) for name in names}
