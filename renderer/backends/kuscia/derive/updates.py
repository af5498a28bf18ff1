"""How Kuscia updates what is there: it compares a handful of fields and leaves the rest alone.

Of a Deployment it sets replicas, strategy, affinity, and of each container the image, the amounts
and the input config. Services and ConfigMaps that exist stay as they are; what a party leaves
behind goes on running.
"""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import plain, text
from renderer.backends.kuscia.derive.problems import find_party, plane_views
from renderer.backends.kuscia.derive.refusals import find_refusal
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE
from renderer.backends.kuscia.pod_variables import INPUT_CONFIG
from renderer.backends.kuscia.serving import Party
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit, Later, Pods
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node


def apply_updates(made: Derivation, applied: Applied, former: Derivation) -> Derivation:
    """A derivation in view of what was there before."""
    before = former.source
    if before is None:
        return made
    known = {(unit.destination, unit.unit): unit for unit in former.units if unit.pods}
    units = {
        (unit.destination, unit.unit): _unit_after(unit, known, applied, before)
        for unit in made.units
    }
    left = {key: unit for key, unit in known.items() if key not in units}
    return made._replace(units=(*units.values(), *left.values()))


def keep_stored_images(applied: Applied, former: Derivation) -> Applied:
    """With AppImages as they were before, where the API server refuses the new ones."""
    before = former.source.needed if former.source else {}
    needed = {
        cluster: {
            name: before.get(cluster, {}).get(name, tree) if find_refusal(tree) else tree
            for name, tree in objects.items()
        }
        for cluster, objects in applied.needed.items()
    }
    is_same = all(needed[cluster] == objects for cluster, objects in applied.needed.items())
    return applied if is_same else applied._replace(needed=needed)


def _unit_after(
    unit: DerivedUnit,
    known: Mapping[tuple[str, str], DerivedUnit],
    applied: Applied,
    before: Applied,
) -> DerivedUnit:
    old, party = known.get((unit.destination, unit.unit)), find_party(applied, unit.unit)
    if party is None or (old and unit.problem):
        return old or unit
    if old:
        return _updated_unit(unit, old, party, applied, before)
    return (
        unit
        if _is_made(unit, party, applied, before)
        else unit._replace(objects=(), pods=(), workload=None)
    )


def _is_made(unit: DerivedUnit, party: Party, applied: Applied, before: Applied) -> bool:
    """Whether a party that had nothing gets it: not without ports, which are allocated once.

    The control plane of one that lacked its AppImage does not notice that it came.
    """
    clusters = {
        name: view.plane.cluster for view in plane_views(before) for name in (view.own or ("",))
    }
    own = next(v.plane.cluster for v in plane_views(applied) if unit.unit in v.own)
    if unit.unit not in clusters:
        return own not in clusters.values()
    return clusters[unit.unit] != own or notices_change(applied, before, party.domain)


def notices_change(applied: Applied, before: Applied, domain: str) -> bool:
    """Whether the party's Kuscia looks at the deployment: partners are sent its spec, no more."""
    return _differs(before, applied, () if _is_home(applied, domain) else ("spec",))


@cached_by_identity
def _differs(before: Applied, applied: Applied, path: tuple[str, ...]) -> bool:
    return plain(before.tree, *path) != plain(applied.tree, *path)


def _is_home(applied: Applied, domain: str) -> bool:
    """Whether a domain is of the control plane that the deployment is applied to."""
    views = plane_views(applied)
    return any(domain in v.plane.places and v.plane.cluster == applied.cluster for v in views)


def _updated_unit(
    fresh: DerivedUnit, known: DerivedUnit, party: Party, applied: Applied, before: Applied
) -> DerivedUnit:
    pods = (_pods(fresh.pods[0], known.pods[0], party),)
    if not notices_change(applied, before, party.domain):
        return fresh._replace(objects=known.objects, pods=pods)
    objects = Later(lambda: _updated_objects(fresh, known, party, applied))
    return fresh._replace(objects=objects, pods=pods)


def _updated_objects(
    fresh: DerivedUnit, known: DerivedUnit, party: Party, applied: Applied
) -> Iterator[DerivedObject]:
    """The Deployment with what Kuscia sets, what else exists as it is, then what is new."""
    there = {item.identity for item in known.objects}
    first = updated_deployment(known.objects[0].tree, fresh.objects[0].tree, party, applied)
    yield fresh.objects[0]._replace(tree=first)
    yield from known.objects[1:]
    yield from (item for item in fresh.objects[1:] if item.identity not in there)


def _pods(fresh: Pods, known: Pods, party: Party) -> Pods:
    """The pods once everything has reached them: a number that is not given stays.

    They keep the containers that they have, with new images and amounts.
    """
    if party.node.get("template", "replicas") is None:
        fresh = fresh._replace(least=known.least, most=known.most, start=known.start)
    if party.node.get("template", "strategy") is None:
        fresh = fresh._replace(surge=known.surge, stop_first=known.stop_first)
    listing, new = known.spec.get("containers"), fresh.spec.get("containers")
    if listing is None or new is None or known.spec is fresh.spec:
        return fresh
    by_name = {text(item, "name"): item for item in new.elements}
    kept = tuple(by_name.get(text(item, "name"), item) for item in listing.elements)
    members = {**fresh.spec.items, "containers": listing.with_members(kept)}
    return fresh._replace(spec=fresh.spec.with_members(members))


def updated_deployment(known: Node, fresh: Node, party: Party, applied: Applied) -> Node:
    """The Deployment that is there, with the fields that Kuscia compares."""
    given = party.node.get("template")
    spec, new = known.items["spec"], fresh.items["spec"]
    members = dict(spec.items)
    for key in ("replicas", "strategy"):  # one that is left out keeps its last value (edit 02)
        if given and given.get(key) is not None:
            members[key] = new.items[key]
    members["template"] = _template(spec.items["template"], new.items["template"], party, applied)
    return known.with_members({**known.items, "spec": spec.with_members(members)})


def _template(known: Node, fresh: Node, party: Party, applied: Applied) -> Node:
    pod, new = known.items["spec"], fresh.items["spec"]
    by_name = {text(item, "name"): item for item in new.items["containers"].elements}
    listing = pod.items["containers"]
    done = tuple(_container(item, by_name.get(text(item, "name"))) for item in listing.elements)
    members = {**pod.items, "containers": listing.with_members(done)}
    affinity = _affinity(pod, new, party, applied)
    if affinity:
        members["affinity"] = affinity
    return known.with_members({**known.items, "spec": pod.with_members(members)})


def _affinity(pod: Node, new: Node, party: Party, applied: Applied) -> Node | None:
    """The party's own; without one, Kuscia's where there is none yet, unless the mode says none."""
    given, known = party.node.get("template", "spec", "affinity"), pod.get("affinity")
    if given is not None or known is None:
        is_off = given is None and applied.annotation(AFFINITY_MODE) == "none"
        return None if is_off else new.get("affinity")
    return known


def _container(known: Node, fresh: Node | None) -> Node:
    """Image, amounts and input config as they should be, the rest as it is."""
    if fresh is None:
        return known
    members = {**known.items, "image": fresh.items["image"]}
    members.pop("resources", None)  # the template's again once an override goes (edit 10)
    if resources := fresh.get("resources"):
        members["resources"] = resources
    configs = {text(item, "name"): item for item in _variables(fresh)}
    listing = known.get("env")
    if listing:
        env = (
            configs.get(INPUT_CONFIG, item) if text(item, "name") == INPUT_CONFIG else item
            for item in listing.elements
        )
        members["env"] = listing.with_members(tuple(env))
    return known.with_members(members)


def _variables(container: Node) -> tuple[Node, ...]:
    listing = container.get("env")
    return listing.elements if listing else ()
