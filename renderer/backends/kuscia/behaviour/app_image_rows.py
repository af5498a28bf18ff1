"""Edits of an AppImage, which Kuscia does not watch: it looks when the serving is updated."""

from collections.abc import Mapping

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.behaviour.change_kinds import HASHED, PLAIN_RACE, TOUCH
from renderer.backends.kuscia.behaviour.plane_order import order_of_reference
from renderer.backends.kuscia.behaviour.serving_rows import REFERENCE
from renderer.backends.kuscia.behaviour.situations import (
    Words,
    bare_values,
    edited,
    has_same_amounts,
    image_text,
    is_followed_now,
    is_here,
    item_name,
    keeps_its_place,
    new_party,
    old_party,
    overridden_containers,
    row,
    settings_of,
    template_node,
    uses_edited_image,
)
from renderer.backends.kuscia.serving import Party
from renderer.derive.behaviour import ANY, Row, Situation, all_of, negated
from renderer.derive.pods import surge_of
from renderer.text.wording import counted
from renderer.values.changes import How
from renderer.values.derivations import Pods, object_name
from renderer.values.diagnostics import Path

_IMAGE = ("spec", "image")
_CONFIG = ("spec", "configTemplates")
_TEMPLATES = ("spec", "deployTemplates")
_TEMPLATE = (*_TEMPLATES, ANY)
_CONTAINERS = (*_TEMPLATE, "spec", "containers")
_CONTAINER = (*_CONTAINERS, ANY)
_RESOURCES = (*_CONTAINER, "resources")
_PORTS = (*_CONTAINER, "ports")
_PORT = (*_PORTS, ANY)
#: How deep the names of a template, a container and a port stand in a path.
_TEMPLATE_NAME, _CONTAINER_NAME, _PORT_NAME = 2, 5, 7


def _image_name(situation: Situation) -> str:
    return object_name(situation.edited.manifest)[2]


def _is_created(situation: Situation) -> bool:
    return situation.edited.before is None


def _is_deleted(situation: Situation) -> bool:
    return situation.edited.after is None


def _image_words(situation: Situation) -> Mapping[str, str]:
    """What is edited, how sure it is that Kuscia follows, and how it reaches pods otherwise.

    Names by content hold no registries; an AppImage of another name is never taken for the old one.
    """
    is_hashed = settings_of(situation).names_images_by_content
    is_renamed = situation.edited.is_renamed
    party = new_party(situation) or old_party(situation)
    names = party.names_in(situation.applied.name) if party else None
    return {
        "image": _image_name(situation),
        "party": situation.unit,
        "domain": party.domain if party else "",
        "config_map": names.config_map if names else "",
        "field": item_name(situation, _field_depth(situation.path)),
        "container": item_name(situation, _CONTAINER_NAME) or _first_container(situation),
        "port": item_name(situation, _PORT_NAME),
        "way": TOUCH if is_hashed else HASHED,
        "race": "" if is_renamed else f" {PLAIN_RACE}",
        "instead": "" if is_renamed or is_hashed else HASHED,
        "order": order_of_reference(situation) if is_renamed else "",
    }


def _field_depth(path: Path) -> int:
    """Where in a path the name of a field stands: of the image, a template, container or port."""
    if path[:2] == _IMAGE:
        return len(_IMAGE)
    if path[4:5] != ("containers",):
        return len(_TEMPLATE) + 1
    return len(_PORT) if path[6:7] == ("ports",) else len(_CONTAINER)


def _first_container(situation: Situation) -> str:
    """The container to name where a deploy template is edited as a whole."""
    listing = elements(template_node(new_party(situation)), "spec", "containers")
    return text(listing[0], "name") if listing else ""


def _move_words(situation: Situation) -> Mapping[str, str]:
    """From which destination to which the party moves."""
    sides = {"before": situation.former, "after": situation.present}
    places = {
        side: next(
            (u.destination for u in made.units if u.unit == situation.unit and u.objects), ""
        )
        for side, made in sides.items()
    }
    return {**_image_words(situation), **places}


def _name_words(what: str, *, old: bool) -> Words:
    """The name of a renamed container or port, before or after."""

    def words(situation: Situation) -> Mapping[str, str]:
        change = situation.change
        node = (change.before if old else change.after) if change else None
        return {**_image_words(situation), what: text(node, "name") if node else ""}

    return words


def _loses_its_image(situation: Situation) -> bool:
    """Whether what runs of a party that is gone loses its AppImage."""
    party = old_party(situation)
    if party is None or new_party(situation):
        return False
    is_deleted = _is_deleted(situation) and party.image_name == _image_name(situation)
    return is_deleted and is_here(situation)


def _has_moved(situation: Situation) -> bool:
    """Whether the party's domain is of another control plane of ours now."""
    is_there = bool(old_party(situation) and new_party(situation))
    return _is_created(situation) and is_there and not keeps_its_place(situation)


def _has_new_problem(situation: Situation) -> bool:
    """Whether the AppImage is such that Kuscia puts nothing together, which its problem says."""
    return any(
        item.source_path == _TEMPLATES
        and item not in situation.former.problems
        and item.source == object_name(situation.edited.manifest)
        for item in situation.present.problems
    )


def _is_pinned(situation: Situation) -> bool:
    """Whether nodes compare the id of the image, which stays in the pods' annotation."""
    is_compared = settings_of(situation).dialect.compares_image_ids
    return is_compared and image_text(old_party(situation), "image", "id").startswith("sha256:")


def _pinned_words(situation: Situation) -> Mapping[str, str]:
    has_id = image_text(new_party(situation), "image", "id")
    return {
        "runtime": settings_of(situation).dialect.runtime,
        "left": _remaining_pods(situation),
        "later": "; without image.id, later images will roll" if has_id else "",
    }


def _remaining_pods(situation: Situation) -> str:
    """What becomes of the old pods while no new one ever runs."""
    old, new = situation.old_unit, situation.new_unit
    if not old or not new or not old.pods or not new.pods:
        return ""
    number = new.pods[0].least
    if kept := _kept_pods(situation, new.pods[0], number):
        stay = "stays" if kept == 1 else "stay"
        return (
            f"Of {counted(number, 'old pod')} {kept} {stay}, and the rollout never ends (inferred)."
        )
    return "No old pod is left then (inferred)."


def _kept_pods(situation: Situation, pods: Pods, number: int) -> int:
    """How many old pods a rollout leaves whose new pods never run; a share is rounded down."""
    if pods.stop_first:
        return 0
    party = new_party(situation)
    if party and party.node.get("template", "strategy") is None:
        party = old_party(situation)  # Kuscia keeps the last strategy it was given
    path = ("template", "strategy", "rollingUpdate", "maxUnavailable")
    amount = text(party.node, *path) if party else ""
    share = (amount or "25%").removesuffix("%")
    if not share.isdecimal():
        return number
    gone = int(share) if share == amount else int(share) * number // 100
    return max(number - (gone or int(not surge_of(pods, number))), 0)


def _unpinned_words(situation: Situation) -> Mapping[str, str]:
    """The words of an image; one that is pinned is advised on by another row."""
    empty = {"way": "", "instead": ""} if _is_pinned(situation) else {}
    return {**_image_words(situation), **empty}


def _is_of_other_template(situation: Situation) -> bool:
    """Whether the edit is in a deploy template that the party's role does not get."""
    name = item_name(situation, _TEMPLATE_NAME)
    nodes = (template_node(side(situation)) for side in (old_party, new_party))
    known = {text(node, "name") for node in nodes if node}
    return bool(name) and not name.isdecimal() and name not in known


def _gets_template(situation: Situation) -> bool:
    """Whether the party gets a template that came or went as a whole, and pods differ by it."""
    return len(situation.path) == len(_TEMPLATE) and _changes_pods(situation)


def _has_no_config(situation: Situation) -> bool:
    return not _config_templates(new_party(situation))


def _has_first_config(situation: Situation) -> bool:
    return not _config_templates(old_party(situation))


def _config_templates(party: Party | None) -> object:
    return plain(party.image.tree, "configTemplates") if party and party.image else None


def _is_overridden(situation: Situation) -> bool:
    """Whether the party gives the amounts that the edit would change."""
    name = item_name(situation, _CONTAINER_NAME)
    is_given = name in overridden_containers(new_party(situation))
    return is_given and has_same_amounts(situation, name)


def _is_rejected(situation: Situation) -> bool:
    return any(problem.kind == "rejected" for problem in situation.present.problems)


def _changes_pods(situation: Situation) -> bool:
    """Whether the pods would be others once the edit reaches them."""
    old, new = situation.old_unit, situation.new_unit
    if not old or not new or not old.pods or not new.pods:
        return False
    return old.pods[0].spec.plain() != new.pods[0].spec.plain()


def _is_whole_container(situation: Situation) -> bool:
    return len(situation.path) == len(_CONTAINER)


def _is_whole_port(situation: Situation) -> bool:
    return len(situation.path) == len(_PORT)


def _renames_container(situation: Situation) -> bool:
    return len(situation.path) == len(_CONTAINERS) and edited(How.RENAMED)(situation)


def _port_scope(party: Party | None, name: str) -> str:
    for container in elements(template_node(party), "spec", "containers"):
        for port in elements(container, "ports"):
            if text(port, "name") == name:
                return text(port, "scope") or "Local"
    return "Local"


def _was_local(situation: Situation) -> bool:
    return _port_scope(old_party(situation), item_name(situation, _PORT_NAME)) == "Local"


def _is_local(situation: Situation) -> bool:
    return _port_scope(new_party(situation), item_name(situation, _PORT_NAME)) == "Local"


def _renames_local_port(situation: Situation) -> bool:
    before = situation.change.before if situation.change else None
    scope = text(before, "scope") if before else ""
    return edited(How.RENAMED)(situation) and scope in ("", "Local")


def _config_differs(situation: Situation) -> bool:
    """Whether another AppImage is referred to, and not a new name of the same, with other files."""
    is_other = keeps_its_place(situation) and bare_values(situation)[0] is not None
    old, new = (_config_templates(side(situation)) for side in (old_party, new_party))
    return is_other and bool(old and new) and old != new


def _is_pinned_elsewhere(situation: Situation) -> bool:
    old, new = (image_text(side(situation), "image", "tag") for side in (old_party, new_party))
    return _is_pinned(situation) and old != new


def _row(kind: str, *at: str, **more: object) -> Row:
    return row(kind, *at, of=APP_IMAGE, **{"words": _image_words, **more})


_PINNED = {"words": _pinned_words, "goes_on": True}
_MOVED = {"words": _move_words, "reaches_all": True}
_REMOVED = {"when": _renames_container, "words": _name_words("container", old=True)}
_ADDED = {"when": _renames_container, "words": _name_words("container", old=False)}
_OLD_PORT = _name_words("port", old=True)

#: In order; an edit is of the kind of the first that fits.
ROWS = (
    # What another AppImage brings besides its image and amounts, at the party's reference.
    row("image-pinned", *REFERENCE, when=_is_pinned_elsewhere, **_PINNED),
    row("config-templates", *REFERENCE, when=_config_differs, words=_image_words, goes_on=True),
    row("", *REFERENCE),
    # The AppImage as a whole.
    _row("image-deleted-left", when=_loses_its_image, reaches_all=True),
    _row("domain-came", when=all_of(_has_moved, is_here), **_MOVED),
    _row("domain-left", when=_has_moved, **_MOVED),
    _row("", when=negated(uses_edited_image)),
    _row("", when=_has_new_problem),
    _row("image-created-now", when=all_of(_is_created, is_followed_now)),
    _row("image-created", when=_is_created),
    _row("", when=_is_deleted),
    _row("", "metadata"),
    # The id of the image is copied into pods once, and nodes compare it (edits 31, 61, 80).
    _row("image-id", *_IMAGE, "id"),
    _row("image-id", *_IMAGE, "sign"),
    _row("image-pinned", *_IMAGE, when=_is_pinned, **_PINNED),
    _row("image-now", *_IMAGE, when=is_followed_now, words=_unpinned_words),
    _row("image", *_IMAGE, words=_unpinned_words),
    # The ConfigMap is made where there is none, and never updated (edits 36, 62, 63).
    _row("config-templates-removed", *_CONFIG, when=_has_no_config),
    _row("config-templates-added-now", *_CONFIG, when=all_of(_has_first_config, is_followed_now)),
    _row("config-templates-added", *_CONFIG, when=_has_first_config),
    _row("config-templates", *_CONFIG),
    _row("", *_TEMPLATES, when=_is_of_other_template),
    _row("image-resources-now", *_TEMPLATE, when=all_of(_gets_template, is_followed_now)),
    _row("image-resources", *_TEMPLATE, when=_gets_template),
    _row("image-replicas", *_TEMPLATE, "replicas"),
    _row("network-policy", *_TEMPLATE, "networkPolicy"),
    _row("image-affinity", *_TEMPLATE, "spec", "affinity"),
    _row("template-field", *_TEMPLATE, "spec", "restartPolicy"),
    # Containers stay as they were made, but for image and resources (edits 33, 34, 38-40, 50, 51).
    _row("container-added", *_CONTAINER, when=all_of(_is_whole_container, edited(How.ADDED))),
    _row("container-removed", *_CONTAINER, when=all_of(_is_whole_container, edited(How.REMOVED))),
    _row("container-added", *_CONTAINERS, goes_on=True, **_ADDED),
    _row("container-removed", *_CONTAINERS, **_REMOVED),
    _row("image-resources-overridden", *_RESOURCES, when=_is_overridden),
    _row("", *_RESOURCES, when=_is_rejected),
    _row("image-resources-now", *_RESOURCES, when=is_followed_now),
    _row("image-resources", *_RESOURCES, when=_changes_pods),
    # Ports are allocated once, and a Service that exists is not updated (edits 41-49, 82, 87).
    _row("port-removed-local", *_PORTS, when=_renames_local_port, words=_OLD_PORT),
    _row("port-removed", *_PORTS, when=edited(How.RENAMED), words=_OLD_PORT),
    _row("", *_PORT, when=all_of(_is_whole_port, edited(How.ADDED))),
    _row("port-removed-local", *_PORT, when=all_of(edited(How.REMOVED), _was_local)),
    _row("port-removed", *_PORT, when=edited(How.REMOVED)),
    _row("port-number", *_PORT, "port"),
    _row("port-closed", *_PORT, "scope", when=all_of(_is_local, negated(_was_local))),
    _row("port-field-local", *_PORT, when=all_of(_was_local, _is_local)),
    _row("port-opened-now", *_PORT, when=all_of(_was_local, is_followed_now)),
    _row("port-opened", *_PORT, when=_was_local),
    _row("port-field", *_PORT),
    _row("container-field", *_CONTAINER, ANY),
)
