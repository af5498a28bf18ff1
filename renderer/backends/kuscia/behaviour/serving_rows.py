"""Edits of a KusciaDeployment, on which its control planes act at once."""

from collections.abc import Mapping

from renderer.backends.fields import elements, members, plain, text
from renderer.backends.kuscia.behaviour.change_kinds import NAME_RACE
from renderer.backends.kuscia.behaviour.situations import (
    edit_is,
    has_same_amounts,
    is_home,
    item_name,
    new_party,
    old_party,
    stays,
    template_node,
    values,
)
from renderer.backends.kuscia.deploy_template import served_ports
from renderer.backends.kuscia.derive.plan import planes_of
from renderer.backends.kuscia.derive.problems import party_of, plane_views
from renderer.backends.kuscia.labels import AFFINITY_MODE, APP_TYPE, DIGEST, GITOPS
from renderer.backends.kuscia.serving import Party
from renderer.derive.behaviour import Row, Situation, Stage
from renderer.text.wording import listed
from renderer.values.changes import How
from renderer.values.diagnostics import Path

_PARTIES = ("spec", "parties")
_PARTY = (*_PARTIES, "*")
_TEMPLATE = (*_PARTY, "template")
_POD = (*_TEMPLATE, "spec")
_CONTAINERS = (*_POD, "containers")
_MODE = ("metadata", "annotations", AFFINITY_MODE)
_POD_TEMPLATE = ("spec", "template")
_ITEM, _CONTAINER, _FIELD = 2, 6, 7
_WHOLE = ("replicas", "strategy", "affinity")


def _is_elsewhere(situation: Situation) -> bool:
    return not is_home(situation)


def _whole_words(situation: Situation) -> Mapping[str, str]:
    applied = situation.applied
    party = party_of(applied, situation.unit)
    if party is None:
        return {}
    names = party.names_in(applied.name)
    return {"deployment": names.deployment, "domain": party.domain, "image": party.image_name}


def _is_apart(situation: Situation) -> bool:
    """Whether a party came or went, and the edit is about something else."""
    is_membership = len(situation.path) <= len(_PARTY) and situation.path[:2] == _PARTIES
    return not stays(situation) and not is_membership


def _is_for_gitops(situation: Situation) -> bool:
    return str(situation.path[-1]).startswith(GITOPS)


def _modes(situation: Situation) -> tuple[str, ...]:
    return tuple("" if value is None else str(value) for value in values(situation))


def _affinity_of(party: Party | None) -> object:
    return plain(party.node, "template", "spec", "affinity") if party else None


def _is_given_an_affinity(situation: Situation) -> bool:
    was, now = (_affinity_of(side(situation)) for side in (old_party, new_party))
    return now is not None and was != now


def _mode_means_nothing(situation: Situation) -> bool:
    return "none" not in _modes(situation)


def _keeps_its_affinity(situation: Situation) -> bool:
    if _modes(situation)[1] == "none":
        return True
    party = old_party(situation)
    template = template_node(party)
    has_own = _affinity_of(party) is not None
    return has_own or bool(template and template.get("spec", "affinity"))


def _is_same_data(situation: Situation) -> bool:
    return situation.change is not None and situation.change.texts_only


def _has_several_planes(situation: Situation) -> bool:
    return situation.after is not None and len(planes_of(situation.after)) > 1


def _added_elsewhere(situation: Situation) -> Party | None:
    """The party that an edit adds in a control plane that ran none, if it does."""
    before, after = situation.before, situation.after
    if before is None or after is None or len(situation.path) > len(_PARTY):
        return None
    known = {view.plane.cluster for view in plane_views(before)}
    wanted = item_name(situation, _ITEM)
    for view in plane_views(after):
        for unit, party in view.own.items():
            is_new = party_of(before, unit) is None and view.plane.cluster not in known
            if is_new and wanted in ("", unit):
                return party
    return None


def _adds_elsewhere(situation: Situation) -> bool:
    party = _added_elsewhere(situation)
    if party is None or edit_is(situation, How.REMOVED) or edit_is(situation, How.MOVED):
        return False
    return party.unit == situation.unit or stays(situation)


def _added_words(situation: Situation) -> Mapping[str, str]:
    party = _added_elsewhere(situation)
    return {"after": party.unit if party else "", "before": ""}


def _is_left(situation: Situation) -> bool:
    """Whether the edit takes the party out of the serving."""
    is_gone = old_party(situation) is not None and new_party(situation) is None
    return is_gone and len(situation.path) <= len(_PARTY)


def _unit_words(situation: Situation) -> Mapping[str, str]:
    return {"before": situation.unit}


def _is_whole_party(situation: Situation) -> bool:
    return len(situation.path) <= len(_PARTY) and not edit_is(situation, How.MOVED)


def _is_moved(situation: Situation) -> bool:
    return edit_is(situation, How.MOVED) and stays(situation)


def _removed(situation: Situation) -> bool:
    """Whether a field of a party was taken away, and not a part of it."""
    return edit_is(situation, How.REMOVED) and situation.path[-1] in _WHOLE


def _is_zero(situation: Situation) -> bool:
    return values(situation)[1] == 0


def _is_rejected(situation: Situation) -> bool:
    """Whether the edit is one that Kubernetes refuses, which its problem says."""
    return any(
        problem.kind == "rejected" and _meets(problem.path, situation.path)
        for problem in situation.present.problems
    )


def _meets(place: Path, path: Path) -> bool:
    return all(one == other for one, other in zip(place, path, strict=False))


def _number_words(situation: Situation) -> Mapping[str, str]:
    was, now = values(situation)
    return {"before": "the AppImage's" if was is None else str(was), "after": str(now)}


def _rolls(situation: Situation) -> bool:
    return situation.differs("Deployment", _POD_TEMPLATE)


def _rolls_not(situation: Situation) -> bool:
    return not _rolls(situation)


def _is_incomplete(situation: Situation) -> bool:
    party = new_party(situation)
    return party is None or party.template is None


def _is_partners(situation: Situation) -> bool:
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
    return {"image": name, "race": "" if is_there else f" {NAME_RACE}"}


def _container_name(situation: Situation) -> str:
    """The container that an edit is about; the first, if it is about the list of them."""
    named = item_name(situation, _CONTAINER)
    given = (*overridden(new_party(situation)), *overridden(old_party(situation)))
    return named or next(iter(given), "")


def overridden(party: Party | None) -> list[str]:
    """The containers whose amounts a party gives."""
    listing = elements(party.node, "template", "spec", "containers") if party else ()
    return [text(item, "name") for item in listing if members(item, "resources")]


def _container_words(situation: Situation) -> Mapping[str, str]:
    template = new_party(situation)
    names = template.template.containers if template and template.template else ()
    return {"container": _container_name(situation), "containers": listed(names)}


def _names_of(party: Party | None) -> tuple[str, ...]:
    return party.template.containers if party and party.template else ()


def _is_unknown_container(situation: Situation) -> bool:
    name = _container_name(situation)
    known = _names_of(new_party(situation))
    return bool(name) and bool(known) and name not in known


def _is_not_running(situation: Situation) -> bool:
    name = _container_name(situation)
    return name in _names_of(new_party(situation)) and name not in _names_of(old_party(situation))


def _is_other_field(situation: Situation) -> bool:
    """Whether it is a field of a container that Kuscia does not read."""
    field = item_name(situation, _FIELD)
    return bool(field) and field not in ("name", "workingDir", "resources")


def _asks_for_the_same(situation: Situation) -> bool:
    return has_same_amounts(situation, _container_name(situation))


def _container_field(situation: Situation) -> Mapping[str, str]:
    name, field = _container_name(situation), item_name(situation, _FIELD)
    return {"field": f"containers[{name}].{field}"}


def _pod_field(situation: Situation) -> Mapping[str, str]:
    return {"field": item_name(situation, len(_POD))}


def _has_no_services(situation: Situation) -> bool:
    nodes = [template_node(side(situation)) for side in (old_party, new_party)]
    return all(node is not None and not served_ports(node) for node in nodes)


#: In order; an edit is of the kind of the first that fits.
ROWS = (
    Row("created-at-partner", stage=Stage.CREATED, when=_is_elsewhere, words=_whole_words),
    Row("created", stage=Stage.CREATED, words=_whole_words),
    Row("deleted-at-partner", stage=Stage.DELETED, when=_is_elsewhere, words=_whole_words),
    Row("deleted", stage=Stage.DELETED, words=_whole_words),
    Row("", when=_is_apart),
    Row("", at=("metadata", "annotations", DIGEST)),
    Row("affinity-mode-given", at=_MODE, when=_is_given_an_affinity),
    Row("label", at=_MODE, when=_mode_means_nothing),
    Row("affinity-mode-partner", at=_MODE, when=_is_elsewhere),
    Row("affinity-mode-none", at=_MODE, when=_keeps_its_affinity),
    Row("affinity-mode-set", at=_MODE),
    Row("app-type", at=("metadata", "labels", APP_TYPE)),
    Row("gitops", at=("metadata",), when=_is_for_gitops),
    Row("label", at=("metadata",)),
    Row("input-config-text", at=("spec", "inputConfig"), when=_is_same_data),
    Row("input-config", at=("spec", "inputConfig")),
    Row("initiator-across", at=("spec", "initiator"), when=_has_several_planes),
    Row("initiator", at=("spec", "initiator")),
    Row(
        "party-added-elsewhere",
        at=_PARTIES,
        when=_adds_elsewhere,
        words=_added_words,
        reaches_all=True,
    ),
    Row("party-removed", at=_PARTIES, when=_is_left, words=_unit_words),
    Row("parties-reordered", at=_PARTIES, when=_is_moved),
    Row("", at=_PARTIES, when=_is_whole_party),
    Row("", at=_PARTY, when=_is_rejected),
    Row("", at=(*_PARTY, "appImageRef"), when=_is_incomplete),
    Row("image-ref-partner", at=(*_PARTY, "appImageRef"), when=_is_partners, words=_image_words),
    Row("replicas-removed", at=(*_TEMPLATE, "replicas"), when=_removed, words=_number_words),
    Row("replicas-none", at=(*_TEMPLATE, "replicas"), when=_is_zero, words=_number_words),
    Row("replicas", at=(*_TEMPLATE, "replicas"), words=_number_words),
    Row("strategy-removed", at=(*_TEMPLATE, "strategy"), when=_removed),
    Row("strategy", at=(*_TEMPLATE, "strategy")),
    Row("affinity", at=(*_POD, "affinity"), when=_rolls),
    Row("affinity-removed", at=(*_POD, "affinity"), when=_removed),
    Row("affinity-selector", at=(*_POD, "affinity")),
    Row("pod-field", at=(*_CONTAINERS, "*"), when=_is_other_field, words=_container_field),
    Row("resources-not-running", at=_CONTAINERS, when=_is_not_running, words=_container_words),
    Row("resources-unknown", at=_CONTAINERS, when=_is_unknown_container, words=_container_words),
    Row("resources", at=_CONTAINERS, when=_rolls, words=_container_words),
    Row("resources-same", at=_CONTAINERS, words=_container_words),
    Row("pod-field", at=(*_POD, "*"), words=_pod_field),
    Row("service-prefix-unused", at=(*_PARTY, "serviceNamePrefix"), when=_has_no_services),
    Row("service-prefix", at=(*_PARTY, "serviceNamePrefix")),
)
REFERENCE = (*_PARTY, "appImageRef")
#: What follows from another AppImage; the rows of its fields come between.
REFERENCE_ROWS = (
    Row("image-ref", at=REFERENCE, when=_rolls, words=_image_words, goes_on=True),
    Row(
        "image-ref-same",
        at=REFERENCE,
        when=lambda s: not _rolls(s),
        words=_image_words,
        goes_on=True,
    ),
)
