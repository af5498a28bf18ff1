"""Edits of a KusciaDeployment, on which its control planes act at once."""

from collections.abc import Mapping

from renderer.backends.fields import plain
from renderer.backends.kuscia.behaviour.change_kinds import NAME_RACE
from renderer.backends.kuscia.behaviour.plane_order import order_of_creation, order_of_reference
from renderer.backends.kuscia.behaviour.situations import (
    bare_values,
    edited,
    is_home,
    item_name,
    keeps_its_place,
    new_party,
    old_party,
    overridden_containers,
    row,
    template_node,
)
from renderer.backends.kuscia.deploy_template import served_ports
from renderer.backends.kuscia.derive.planes import serving_planes
from renderer.backends.kuscia.derive.problems import find_party, plane_views
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, DIGEST, GITOPS
from renderer.backends.kuscia.serving import Party
from renderer.derive.behaviour import ANY, Situation, Stage, all_of, negated
from renderer.text.wording import listed
from renderer.values.changes import How
from renderer.values.diagnostics import Path

_PARTIES = ("spec", "parties")
_PARTY = (*_PARTIES, ANY)
_TEMPLATE = (*_PARTY, "template")
_POD = (*_TEMPLATE, "spec")
_CONTAINERS = (*_POD, "containers")
_INPUT = ("spec", "inputConfig")
_MODE = ("metadata", "annotations", AFFINITY_MODE)
_POD_TEMPLATE = ("spec", "template")
#: How deep the names of a party, a container and its field stand in a path.
_PARTY_NAME, _CONTAINER_NAME, _FIELD = 2, 6, 7


def _object_words(situation: Situation) -> Mapping[str, str]:
    applied = situation.applied
    party = find_party(applied, situation.unit)
    if party is None:
        return {}
    names = party.names_in(applied.name)
    order = order_of_creation(situation)
    return {"deployment": names.deployment, "domain": party.domain, "order": order}


def _is_about_others(situation: Situation) -> bool:
    """Whether a party came or went, and the edit is about something else."""
    is_membership = len(situation.path) <= len(_PARTY) and situation.path[:2] == _PARTIES
    return not keeps_its_place(situation) and not is_membership


def _modes(situation: Situation) -> tuple[str, ...]:
    return tuple("" if value is None else str(value) for value in bare_values(situation))


def _own_affinity(party: Party | None) -> object:
    return plain(party.node, "template", "spec", "affinity") if party else None


def _gets_affinity(situation: Situation) -> bool:
    was, now = (_own_affinity(side(situation)) for side in (old_party, new_party))
    return now is not None and was != now


def _keeps_affinity(situation: Situation) -> bool:
    if _modes(situation)[1] == "none":
        return True
    party = old_party(situation)
    template = template_node(party)
    has_own = _own_affinity(party) is not None
    return has_own or bool(template and template.get("spec", "affinity"))


def _has_several_planes(situation: Situation) -> bool:
    return situation.after is not None and len(serving_planes(situation.after)) > 1


def _added_elsewhere(situation: Situation) -> Party | None:
    """The party that an edit adds in a control plane that ran none, if it does."""
    before, after = situation.before, situation.after
    if before is None or after is None or len(situation.path) > len(_PARTY):
        return None
    known = {view.plane.cluster for view in plane_views(before)}
    wanted = item_name(situation, _PARTY_NAME)
    for view in plane_views(after):
        for unit, party in view.own.items():
            is_new = find_party(before, unit) is None and view.plane.cluster not in known
            if is_new and wanted in ("", unit):
                return party
    return None


def _adds_elsewhere(situation: Situation) -> bool:
    party = _added_elsewhere(situation)
    if party is None or edited(How.REMOVED)(situation) or edited(How.MOVED)(situation):
        return False
    return party.unit == situation.unit or keeps_its_place(situation)


def _added_words(situation: Situation) -> Mapping[str, str]:
    party = _added_elsewhere(situation)
    name = party.unit if party else ""
    order = order_of_creation(situation._replace(unit=name))
    return {"after": name, "before": "", "order": order}


def _loses_party(situation: Situation) -> bool:
    """Whether the edit takes the party out of the serving."""
    is_gone = old_party(situation) is not None and new_party(situation) is None
    return is_gone and len(situation.path) <= len(_PARTY)


def _is_whole_party(situation: Situation) -> bool:
    return len(situation.path) <= len(_PARTY) and not edited(How.MOVED)(situation)


def _is_removed(situation: Situation) -> bool:
    """Whether a field of a party was taken away, and not a part of it."""
    return edited(How.REMOVED)(situation) and situation.path[-1] in (
        "replicas",
        "strategy",
        "affinity",
    )


def _is_rejected(situation: Situation) -> bool:
    """Whether the edit is one that Kubernetes refuses, which its problem says."""
    return any(
        problem.kind == "rejected" and _overlap(problem.path, situation.path)
        for problem in situation.present.problems
    )


def _overlap(place: Path, path: Path) -> bool:
    return all(one == other for one, other in zip(place, path, strict=False))


def _number_words(situation: Situation) -> Mapping[str, str]:
    was, now = bare_values(situation)
    return {"before": "the AppImage's" if was is None else str(was), "after": str(now)}


def _rolls(situation: Situation) -> bool:
    return situation.differs("Deployment", _POD_TEMPLATE)


def _is_incomplete(situation: Situation) -> bool:
    party = new_party(situation)
    return party is None or party.template is None


def _is_partner(situation: Situation) -> bool:
    unit = situation.new_unit
    return unit is not None and not unit.destination


def _image_words(situation: Situation) -> Mapping[str, str]:
    """The AppImage, and how sure it is that the reference is followed if it comes with it."""
    party, before = new_party(situation), situation.before
    name = party.image_name if party else ""
    unit = situation.new_unit
    clusters = {i.name: i.cluster for i in situation.applied.environment.destinations}
    place = clusters.get(unit.destination, unit.destination) if unit else ""
    known = before.needed.get(place, {}) if before else {}
    is_there = any(item[2] == name for item in known)
    race = "" if is_there else f" {NAME_RACE}"
    return {"image": name, "race": race, "order": order_of_reference(situation)}


def _container_name(situation: Situation) -> str:
    """The container that an edit is about; the first, if it is about the list of them."""
    named = item_name(situation, _CONTAINER_NAME)
    given = (
        *overridden_containers(new_party(situation)),
        *overridden_containers(old_party(situation)),
    )
    return named or next(iter(given), "")


def _container_words(situation: Situation) -> Mapping[str, str]:
    names = _container_names(new_party(situation))
    return {"container": _container_name(situation), "containers": listed(names)}


def _container_names(party: Party | None) -> tuple[str, ...]:
    return party.template.containers if party and party.template else ()


def _is_unknown_container(situation: Situation) -> bool:
    name = _container_name(situation)
    known = _container_names(new_party(situation))
    return bool(name) and bool(known) and name not in known


def _is_not_running(situation: Situation) -> bool:
    name = _container_name(situation)
    return name in _container_names(new_party(situation)) and name not in _container_names(
        old_party(situation)
    )


def _is_unread_field(situation: Situation) -> bool:
    """Whether it is a field of a container that Kuscia does not read."""
    field = item_name(situation, _FIELD)
    return bool(field) and field not in ("name", "workingDir", "resources")


def _container_field_words(situation: Situation) -> Mapping[str, str]:
    name, field = _container_name(situation), item_name(situation, _FIELD)
    return {"field": f"containers[{name}].{field}"}


def _has_no_services(situation: Situation) -> bool:
    nodes = [template_node(side(situation)) for side in (old_party, new_party)]
    return all(node is not None and not served_ports(node) for node in nodes)


_ELSEWHERE = negated(is_home)
_REPLICAS = (*_TEMPLATE, "replicas")
_STRATEGY = (*_TEMPLATE, "strategy")
_AFFINITY = (*_POD, "affinity")
_PREFIX = (*_PARTY, "serviceNamePrefix")
REFERENCE = (*_PARTY, "appImageRef")
_CREATED = {"stage": Stage.CREATED, "words": _object_words}
_DELETED = {"stage": Stage.DELETED, "words": _object_words}
_ADDED = {"words": _added_words, "reaches_all": True}
_REFERRED = {"words": _image_words, "goes_on": True}

#: In order; an edit is of the kind of the first that fits.
ROWS = (
    row("created-at-partner", when=_ELSEWHERE, **_CREATED),
    row("created", **_CREATED),
    row("deleted-at-partner", when=_ELSEWHERE, **_DELETED),
    row("deleted", **_DELETED),
    row("", when=_is_about_others),
    row("", "metadata", "annotations", DIGEST),
    # The API's annotation counts when a Deployment is made, or has no affinity yet (edits 11-13).
    row("affinity-mode-given", *_MODE, when=_gets_affinity),
    row("label", *_MODE, when=lambda s: "none" not in _modes(s)),
    row("affinity-mode-partner", *_MODE, when=_ELSEWHERE),
    row("affinity-mode-none", *_MODE, when=_keeps_affinity),
    row("affinity-mode-set", *_MODE),
    row("app-type", "metadata", "labels", APP_TYPE),
    row("gitops", "metadata", when=lambda s: str(s.path[-1]).startswith(GITOPS)),
    row("label", "metadata"),
    # Kuscia compares INPUT_CONFIG as a text: white space alone rolls all pods (edits 07, 08).
    row("input-config-text", *_INPUT, when=lambda s: s.change is not None and s.change.texts_only),
    row("input-config", *_INPUT),
    row("initiator-across", "spec", "initiator", when=_has_several_planes),
    row("initiator", "spec", "initiator"),
    # Ports are allocated once, and nothing deletes what a party had (edits 17-22).
    row("party-added-elsewhere", *_PARTIES, when=_adds_elsewhere, **_ADDED),
    row("party-removed", *_PARTIES, when=_loses_party, words=lambda s: {"before": s.unit}),
    row("parties-reordered", *_PARTIES, when=all_of(edited(How.MOVED), keeps_its_place)),
    row("", *_PARTIES, when=_is_whole_party),
    row("", *_PARTY, when=_is_rejected),
    row("", *REFERENCE, when=_is_incomplete),
    row("image-ref-partner", *REFERENCE, when=_is_partner, words=_image_words),
    # What the party leaves out, the controller does not compare (edits 01-06).
    row("replicas-removed", *_REPLICAS, when=_is_removed, words=_number_words),
    row("replicas-none", *_REPLICAS, when=lambda s: bare_values(s)[1] == 0, words=_number_words),
    row("replicas", *_REPLICAS, words=_number_words),
    row("strategy-removed", *_STRATEGY, when=_is_removed),
    row("strategy", *_STRATEGY),
    row("affinity", *_AFFINITY, when=_rolls),
    row("affinity-removed", *_AFFINITY, when=_is_removed),
    row("affinity-selector", *_AFFINITY),
    # Of a container in a party's template only the resources count (edits 09, 10, 70).
    row("pod-field", *_CONTAINERS, ANY, when=_is_unread_field, words=_container_field_words),
    row("resources-not-running", *_CONTAINERS, when=_is_not_running, words=_container_words),
    row("resources-unknown", *_CONTAINERS, when=_is_unknown_container, words=_container_words),
    row("resources", *_CONTAINERS, when=_rolls, words=_container_words),
    row("resources-same", *_CONTAINERS, words=_container_words),
    row("pod-field", *_POD, ANY, words=lambda s: {"field": item_name(s, len(_POD))}),
    # Services are only ever added (edits 23, 24, 59).
    row("service-prefix-unused", *_PREFIX, when=_has_no_services),
    row("service-prefix", *_PREFIX),
    # Another AppImage (edits 14-16, 71); the rows of its fields come next.
    row("image-ref", *REFERENCE, when=_rolls, **_REFERRED),
    row("image-ref-same", *REFERENCE, when=negated(_rolls), **_REFERRED),
)
