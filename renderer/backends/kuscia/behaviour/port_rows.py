"""Edits of an AppImage's ports, which Kuscia allocates once and gives Services that stay."""

from collections.abc import Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.behaviour.app_image_rows import (
    CONTAINER,
    field_words,
    image_row,
    image_words,
)
from renderer.backends.kuscia.behaviour.situations import (
    edit_is,
    is_followed_now,
    item_name,
    new_party,
    old_party,
    template_node,
)
from renderer.backends.kuscia.serving import Party
from renderer.derive.behaviour import ANY, Situation
from renderer.values.changes import How
from renderer.values.tree import Node

_PORTS = (*CONTAINER, "ports")
_PORT = (*_PORTS, ANY)
#: How deep the name of a port and that of its field stand in a path.
_NAME, _FIELD = 7, 8


def _port_node(party: Party | None, name: str) -> Node | None:
    template = template_node(party)
    for container in elements(template, "spec", "containers"):
        for port in elements(container, "ports"):
            if text(port, "name") == name:
                return port
    return None


def _was_local(situation: Situation) -> bool:
    return _scope(old_party(situation), item_name(situation, _NAME)) == "Local"


def _is_local(situation: Situation) -> bool:
    return _scope(new_party(situation), item_name(situation, _NAME)) == "Local"


def _scope(party: Party | None, name: str) -> str:
    node = _port_node(party, name)
    return (text(node, "scope") if node else "") or "Local"


def _removes(situation: Situation) -> bool:
    return edit_is(situation, How.REMOVED)


def _removes_local(situation: Situation) -> bool:
    return _removes(situation) and _was_local(situation)


def _is_renamed_port(situation: Situation) -> bool:
    return edit_is(situation, How.RENAMED)


def _renames_local_port(situation: Situation) -> bool:
    before = situation.change.before if situation.change else None
    scope = text(before, "scope") if before else ""
    return _is_renamed_port(situation) and scope in ("", "Local")


def _old_name(situation: Situation) -> Mapping[str, str]:
    before = situation.change.before if situation.change else None
    return {**image_words(situation), "port": text(before, "name") if before else ""}


def _new_port(situation: Situation) -> bool:
    return len(situation.path) == len(_PORT) and edit_is(situation, How.ADDED)


def _is_opened(situation: Situation) -> bool:
    return _was_local(situation) and not _is_local(situation)


def _is_opened_now(situation: Situation) -> bool:
    return _is_opened(situation) and is_followed_now(situation)


def _is_closed(situation: Situation) -> bool:
    return (
        item_name(situation, _FIELD) == "scope"
        and _is_local(situation)
        and not _was_local(situation)
    )


def _has_local_port(situation: Situation) -> bool:
    return _was_local(situation) and _is_local(situation)


ROWS = (
    image_row("port-removed-local", *_PORTS, when=_renames_local_port, words=_old_name),
    image_row("port-removed", *_PORTS, when=_is_renamed_port, words=_old_name),
    image_row("", *_PORT, when=_new_port),
    image_row("port-removed-local", *_PORT, when=_removes_local, words=field_words(_FIELD)),
    image_row("port-removed", *_PORT, when=_removes, words=field_words(_FIELD)),
    image_row("port-number", *_PORT, "port", words=field_words(_FIELD)),
    image_row("port-closed", *_PORT, when=_is_closed, words=field_words(_FIELD)),
    image_row("port-field-local", *_PORT, when=_has_local_port, words=field_words(_FIELD)),
    image_row("port-opened-now", *_PORT, when=_is_opened_now, words=field_words(_FIELD)),
    image_row("port-opened", *_PORT, when=_is_opened, words=field_words(_FIELD)),
    image_row("port-field", *_PORT, words=field_words(_FIELD)),
)
