"""Edits of an AppImage, which Kuscia does not watch: it looks when the serving is updated."""

from collections.abc import Callable, Mapping

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.behaviour.change_kinds import HASHED, PLAIN_RACE, TOUCH
from renderer.backends.kuscia.behaviour.serving_rows import REFERENCE, overridden
from renderer.backends.kuscia.behaviour.situations import (
    edit_is,
    has_same_amounts,
    image_text,
    is_followed_now,
    is_here,
    is_of_this_image,
    is_renamed_image,
    item_name,
    new_party,
    old_party,
    settings_of,
    stays,
    template_node,
    values,
)
from renderer.backends.kuscia.serving import Party
from renderer.derive.applied import object_name
from renderer.derive.behaviour import ANY, Row, Situation
from renderer.derive.pods import surge_of
from renderer.text.wording import counted
from renderer.values.changes import How
from renderer.values.derivations import DerivedUnit, Pods

_IMAGE = ("spec", "image")
_CONFIG = ("spec", "configTemplates")
_TEMPLATES = ("spec", "deployTemplates")
_TEMPLATE = (*_TEMPLATES, ANY)
_CONTAINERS = (*_TEMPLATE, "spec", "containers")
CONTAINER = (*_CONTAINERS, ANY)
#: How deep names stand in a path: a field of the image, a container, its field, a port.
_OF_IMAGE, _OF_CONTAINER, _FIELD, _OF_PORT = 2, 5, 6, 7


def _name(situation: Situation) -> str:
    return object_name(situation.edited.manifest)[2]


def _came(situation: Situation) -> bool:
    return situation.edited.before is None


def _went(situation: Situation) -> bool:
    return situation.edited.after is None


def image_words(situation: Situation) -> Mapping[str, str]:
    """How sure it is that an edit is followed, and how it reaches pods otherwise.

    Names by content hold no registries; an AppImage of another name is never taken for the old one.
    """
    is_hashed = settings_of(situation).names_images_by_content
    is_renamed = is_renamed_image(situation)
    party = new_party(situation) or old_party(situation)
    names = party.names_in(situation.applied.name) if party else None
    return {
        "image": _name(situation),
        "party": situation.unit,
        "domain": party.domain if party else "",
        "config_map": names.config_map if names else "",
        "way": TOUCH if is_hashed else HASHED,
        "race": "" if is_renamed else f" {PLAIN_RACE}",
        "instead": "" if is_renamed or is_hashed else HASHED,
    }


def _left_words(situation: Situation) -> Mapping[str, str]:
    places = [unit.destination if unit else "" for unit in _moved_units(situation)]
    return {**image_words(situation), "before": places[0], "after": places[1]}


def _moved_units(situation: Situation) -> tuple[DerivedUnit | None, ...]:
    sides = (situation.former, situation.present)
    return tuple(
        next((unit for unit in side.units if unit.unit == situation.unit and unit.objects), None)
        for side in sides
    )


def _is_left_without(situation: Situation) -> bool:
    """Whether what runs of a party that is gone loses its AppImage."""
    party = old_party(situation)
    if party is None or new_party(situation):
        return False
    return _went(situation) and is_here(situation) and party.image_name == _name(situation)


def _has_moved(situation: Situation) -> bool:
    """Whether the party's domain is of another control plane of ours now."""
    is_there = bool(old_party(situation) and new_party(situation))
    return _came(situation) and is_there and not stays(situation)


def _comes_here(situation: Situation) -> bool:
    return _has_moved(situation) and is_here(situation)


def _is_apart(situation: Situation) -> bool:
    return not is_of_this_image(situation)


def _is_told_otherwise(situation: Situation) -> bool:
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
        "left": _left_pods(situation),
        "later": "; without image.id, later images will roll" if has_id else "",
    }


def _left_pods(situation: Situation) -> str:
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
        party = old_party(situation)
    amount = (
        text(party.node, "template", "strategy", "rollingUpdate", "maxUnavailable") if party else ""
    )
    share = (amount or "25%").removesuffix("%")
    if not share.isdecimal():
        return number
    gone = int(share) if share == amount else int(share) * number // 100
    return max(number - (gone or int(not surge_of(pods, number))), 0)


def _unadvised(situation: Situation) -> Mapping[str, str]:
    """The words of an image; one that is pinned is advised on by another row."""
    empty = {"way": "", "instead": ""} if _is_pinned(situation) else {}
    return {**image_words(situation), **empty}


def field_words(depth: int) -> Callable[[Situation], Mapping[str, str]]:
    def words(situation: Situation) -> Mapping[str, str]:
        container, port = item_name(situation, _OF_CONTAINER), item_name(situation, _OF_PORT)
        field = {"field": item_name(situation, depth), "container": container, "port": port}
        return {**image_words(situation), **field}

    return words


def _is_of_other_template(situation: Situation) -> bool:
    """Whether the edit is in a deploy template that the party's role does not get."""
    name = item_name(situation, 2)
    nodes = (template_node(side(situation)) for side in (old_party, new_party))
    known = {text(node, "name") for node in nodes if node}
    return bool(name) and not name.isdecimal() and name not in known


def _gets_template(situation: Situation) -> bool:
    """Whether the party gets a template that came or went as a whole, and pods differ by it."""
    return len(situation.path) == len(_TEMPLATE) and _changes_pods(situation)


def _gets_template_now(situation: Situation) -> bool:
    return _gets_template(situation) and is_followed_now(situation)


def _words_of_pod(situation: Situation) -> Mapping[str, str]:
    template = template_node(new_party(situation))
    names = [text(item, "name") for item in elements(template, "spec", "containers")]
    return {**image_words(situation), "container": names[0] if names else ""}


def _has_no_config(situation: Situation) -> bool:
    return not _configs(new_party(situation))


def _has_first_config(situation: Situation) -> bool:
    return not _configs(old_party(situation))


def _configs(party: Party | None) -> object:
    return plain(party.image.tree, "configTemplates") if party and party.image else None


def _has_first_config_now(situation: Situation) -> bool:
    return _has_first_config(situation) and is_followed_now(situation)


def _added(situation: Situation) -> bool:
    return edit_is(situation, How.ADDED)


def _is_overridden(situation: Situation) -> bool:
    """Whether the party gives the amounts that the edit would change."""
    name = item_name(situation, _OF_CONTAINER)
    return name in overridden(new_party(situation)) and has_same_amounts(situation, name)


def _is_rejected(situation: Situation) -> bool:
    return any(problem.kind == "rejected" for problem in situation.present.problems)


def _changes_pods(situation: Situation) -> bool:
    """Whether the pods would be others once the edit reaches them."""
    old, new = situation.old_unit, situation.new_unit
    if not old or not new or not old.pods or not new.pods:
        return False
    return old.pods[0].spec.plain() != new.pods[0].spec.plain()


def _is_whole_container(situation: Situation) -> bool:
    return len(situation.path) == len(CONTAINER)


def _adds_container(situation: Situation) -> bool:
    return _is_whole_container(situation) and _added(situation)


def _removes_container(situation: Situation) -> bool:
    return _is_whole_container(situation) and edit_is(situation, How.REMOVED)


def _renames_container(situation: Situation) -> bool:
    return len(situation.path) == len(_CONTAINERS) and edit_is(situation, How.RENAMED)


def _names_of_container(situation: Situation) -> Mapping[str, str]:
    after = situation.change.after if situation.change else None
    return {"container": text(after, "name") if after else ""}


def _old_container(situation: Situation) -> Mapping[str, str]:
    before = situation.change.before if situation.change else None
    return {"container": text(before, "name") if before else ""}


def image_row(kind: str, *at: str, **more: object) -> Row:
    return Row(kind, of=APP_IMAGE, at=at, **{"words": image_words, **more})  # type: ignore[arg-type]


ROWS = (
    image_row("image-deleted-left", when=_is_left_without, reaches_all=True),
    image_row("domain-came", when=_comes_here, words=_left_words, reaches_all=True),
    image_row("domain-left", when=_has_moved, words=_left_words, reaches_all=True),
    image_row("", when=_is_apart),
    image_row("", when=_is_told_otherwise),
    image_row("image-created-now", when=lambda s: _came(s) and is_followed_now(s)),
    image_row("image-created", when=_came),
    image_row("", when=_went),
    image_row("", "metadata"),
    image_row("image-id", *_IMAGE, "id", words=field_words(_OF_IMAGE)),
    image_row("image-id", *_IMAGE, "sign", words=field_words(_OF_IMAGE)),
    image_row("image-pinned", *_IMAGE, when=_is_pinned, words=_pinned_words, goes_on=True),
    image_row("image-now", *_IMAGE, when=is_followed_now, words=_unadvised),
    image_row("image", *_IMAGE, words=_unadvised),
    image_row("config-templates-removed", *_CONFIG, when=_has_no_config),
    image_row("config-templates-added-now", *_CONFIG, when=_has_first_config_now),
    image_row("config-templates-added", *_CONFIG, when=_has_first_config),
    image_row("config-templates", *_CONFIG),
    image_row("", *_TEMPLATES, when=_is_of_other_template),
    image_row("image-resources-now", *_TEMPLATE, when=_gets_template_now, words=_words_of_pod),
    image_row("image-resources", *_TEMPLATE, when=_gets_template, words=_words_of_pod),
    image_row("image-replicas", *_TEMPLATE, "replicas"),
    image_row("network-policy", *_TEMPLATE, "networkPolicy"),
    image_row("image-affinity", *_TEMPLATE, "spec", "affinity"),
    image_row("template-field", *_TEMPLATE, "spec", "restartPolicy", words=field_words(4)),
    image_row(
        "container-added",
        *CONTAINER,
        when=_adds_container,
        words=field_words(_OF_CONTAINER),
    ),
    image_row(
        "container-removed",
        *CONTAINER,
        when=_removes_container,
        words=field_words(_OF_CONTAINER),
    ),
    image_row(
        "container-added",
        *_CONTAINERS,
        when=_renames_container,
        words=_names_of_container,
        goes_on=True,
    ),
    image_row("container-removed", *_CONTAINERS, when=_renames_container, words=_old_container),
    image_row(
        "image-resources-overridden",
        *CONTAINER,
        "resources",
        when=_is_overridden,
        words=field_words(_OF_CONTAINER),
    ),
    image_row("", *CONTAINER, "resources", when=_is_rejected),
    image_row(
        "image-resources-now",
        *CONTAINER,
        "resources",
        when=is_followed_now,
        words=field_words(_OF_CONTAINER),
    ),
    image_row(
        "image-resources",
        *CONTAINER,
        "resources",
        when=_changes_pods,
        words=field_words(_OF_CONTAINER),
    ),
)
#: What is left once ports have been looked at.
LAST_ROWS = (image_row("container-field", *CONTAINER, ANY, words=field_words(_FIELD)),)


def _is_other_image(situation: Situation) -> bool:
    """Whether another AppImage is referred to, and not a new name of the same."""
    return stays(situation) and values(situation)[0] is not None


def _config_differs(situation: Situation) -> bool:
    old, new = (_configs(side(situation)) for side in (old_party, new_party))
    return _is_other_image(situation) and (old or None) != (new or None) and bool(old and new)


def _is_pinned_elsewhere(situation: Situation) -> bool:
    names = (image_text(side(situation), "image", "tag") for side in (old_party, new_party))
    old, new = names
    return _is_pinned(situation) and old != new


#: What another AppImage brings besides its image and amounts.
REFERENCE_ROWS = (
    Row("image-pinned", at=REFERENCE, when=_is_pinned_elsewhere, words=_pinned_words, goes_on=True),
    Row("config-templates", at=REFERENCE, when=_config_differs, words=image_words, goes_on=True),
    Row("", at=REFERENCE),
)
