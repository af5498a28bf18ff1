"""What the parties of a deployment ask of the control planes they run in, before and after."""

from collections.abc import Collection, Iterator

from renderer.backends.kuscia.deploy_template import DeployTemplate
from renderer.backends.kuscia.impact.blocking import blocks
from renderer.backends.kuscia.impact.deployment import (
    DEPLOYMENT,
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
from renderer.kubernetes.rollouts import NO_PODS, Pods, greatest, rollout
from renderer.values.changes import Demand, Effect, Impact, ObjectChange, State, UnitImpacts

_STARTS = frozenset((Effect.CREATE, Effect.ROLLING))


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
            yield from _demand(party, side, *((pods, NO_PODS) if side is old else (NO_PODS, pods)))


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
        yield from _demand(party, new, NO_PODS, _pods(party, template))
    elif running := _pods(former, former.template):
        updated = _updated(running, former, party, template)
        rolls = any(impact.replaces_pods for impact in impacts)
        yield from _demand(party, new, running, updated, rolls=rolls)
    elif _STARTS & {impact.effect for impact in impacts}:
        yield from _demand(party, new, NO_PODS, _pods(party, template))


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
    peak = rollout(before, after) if rolls else greatest(*ends)
    yield Demand(*where, *ends, peak)
