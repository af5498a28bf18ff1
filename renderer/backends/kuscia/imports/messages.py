"""Messages of Kuscia's API: which one a mapping is, in the spelling of the protocol."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.derived_objects import service_name
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, nearest, path_text
from renderer.values.diagnostics import Path
from renderer.values.imports import DROPPED, Note, Source
from renderer.values.model import stem_of
from renderer.values.tree import Node

_CAPITAL = expression(r"(?<=[a-z0-9])([A-Z])")
_UNDERSCORE = expression(r"_([a-z0-9])")
_HEADER = "it belongs to the request"
_STATUS = "it is the state of what runs"
_UNKNOWN = "Kuscia's API discards fields that it does not know"
_STRATEGY = ("type", "max_surge", "max_unavailable")
_RESOURCE = ("container_name", "min_cpu", "max_cpu", "min_memory", "max_memory")
_PARTY: Mapping[str, tuple[str, ...]] = {
    "domain_id": (),
    "app_image": (),
    "role": (),
    "replicas": (),
    "update_strategy": _STRATEGY,
    "resources": _RESOURCE,
    "service_name_prefix": (),
}
_SERVING = ("serving_id", "initiator", "affinity_mode", "serving_input_config", "parties")
_NAME = expression(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")


class Message(NamedTuple):
    """The body of a request or an answer, and what it is for, such as `serving/create`."""

    call: str
    body: Node


def message_of(source: Source) -> Message | None:
    """The message that a mapping is, by the address it was sent to or by its fields."""
    body, call = source.tree, _call(source.address)
    if list(body.items) == ["status"] and body.get("status", "code"):
        return Message("status", body)
    if data := body.get("data"):
        is_answer = "status" in body.items or call
        return _answer(data, call) if is_answer else None
    keys = {snake(key) for key in body.items} - {"header"}
    if call:
        return Message(call, body)
    if {"serving_id", "parties"} <= keys:
        return Message("serving/create" if "initiator" in keys else "serving/update", body)
    if {"serving_id", "serving_input_config"} <= keys:
        return Message("serving/update", body)
    if {"initiator", "parties"} <= keys:
        return Message("serving/query", body)
    if {"name", "image", "deploy_templates"} <= keys:
        return Message("appimage/create", body)
    if keys in ({"serving_id"}, {"serving_ids"}):
        return Message("serving/delete", body)
    return None


def _call(address: str) -> str:
    parts = [part for part in address.split("/") if part]
    for area in ("serving", "appimage"):
        if area in parts[:-1]:
            return f"{area}/{parts[-1]}"
    return ""


def _answer(data: Node, call: str) -> Message | None:
    area = call.partition("/")[0]
    data = data.get("appimage_list") or data
    first = data.elements[0] if data.elements else data
    keys = {snake(key) for key in first.items}
    if area == "appimage" or {"image", "deploy_templates"} & keys:
        return Message("appimage/batchQuery" if data.elements else "appimage/query", data)
    if {"initiator", "parties"} & keys:
        return Message("serving/query", data)
    return Message("serving/batchQuery", data) if "servings" in keys else None


def snake(name: str) -> str:
    """`servingId` as protobuf has it."""
    return _CAPITAL.sub(r"_\1", name).lower()


def camel(name: str) -> str:
    """`deploy_templates` as the objects have it."""
    return _UNDERSCORE.sub(lambda match: match[1].upper(), name)


def spelled(node: Node, spell: Callable[[str], str]) -> Node:
    """The keys of a mapping in one spelling."""
    return node.with_members({spell(key): child for key, child in node.items.items()})


def serving_fields(body: Node, notes: list[Note]) -> Node:
    """The fields of a serving message that a spec has, in the protocol's spelling."""
    given = _known(spelled(body, snake), _SERVING, (), notes)
    parties = given.get("parties")
    if parties is None:
        return given
    done = tuple(
        _party(party, ("parties", index), notes) for index, party in enumerate(parties.elements)
    )
    return given.with_members({**given.items, "parties": parties.with_members(done)})


def _party(party: Node, path: Path, notes: list[Note]) -> Node:
    known = _known(spelled(party, snake), tuple(_PARTY), path, notes)
    fields = dict(known.items)
    for key, names in _PARTY.items():
        node = fields.get(key)
        if node is None or not names:
            continue
        below = (*path, key)
        if isinstance(node.value, tuple):
            items = (_known(spelled(i, snake), names, below, notes) for i in node.elements)
            fields[key] = node.with_members(tuple(items))
        else:
            fields[key] = _known(spelled(node, snake), names, below, notes)
    return known.with_members({key: fields[key] for key in _PARTY if key in fields})


def _known(node: Node, names: tuple[str, ...], path: Path, notes: list[Note]) -> Node:
    """Only the fields that the API takes."""
    for key in node.items:
        if key not in names:
            why = {"header": _HEADER, "status": _STATUS}.get(key) or _discarded(key, names)
            notes.append(Note(path_text((*path, key)), DROPPED, why))
    return node.with_members({key: node.items[key] for key in names if key in node.items})


def _discarded(key: str, names: tuple[str, ...]) -> str:
    hint = did_you_mean(nearest(key, names))
    return f"{_UNKNOWN}; {hint}" if hint else _UNKNOWN


def name_in_answer(body: Node) -> str:
    """The ID of a serving, of which an answer tells the addresses only; else by its file."""
    names = {name for item in elements(body, "status", "party_statuses") for name in _names(item)}
    if len(names) == 1:
        return names.pop()
    stem = stem_of(f"/{body.origin.file}")
    return stem if _NAME.fullmatch(stem) else ""


def _names(party: Node) -> Iterator[str]:
    """What the serving is called if a party's addresses are those of its ports."""
    role = text(party, "role")
    for item in elements(party, "endpoints"):
        service, port = text(item, "endpoint").partition(".")[0], text(item, "port_name")
        base = service.removesuffix(f"-{port}")
        name = base.removesuffix(f"-{role}") if role else base
        if port and name and service_name(base, port) == service:
            yield name
