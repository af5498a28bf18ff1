"""Messages of Kuscia's API: which one a mapping is, in the spelling of the protocol."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from renderer.backends.api_messages import MessageShape
from renderer.backends.fields import elements, text
from renderer.backends.kuscia.derived_objects import service_name
from renderer.text.expressions import expression
from renderer.text.letter_case import snake_case
from renderer.text.wording import did_you_mean, nearest, path_text
from renderer.values.diagnostics import Path
from renderer.values.imports import DROPPED, Note, Source
from renderer.values.model import stem_of
from renderer.values.tree import Node

_SCHEMA = "spec/serving.json"
_HEADER = "it belongs to the request"
_STATUS = "it is the state of what runs"
_UNKNOWN = "Kuscia's API discards fields that it does not know"
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
    keys = {snake_case(key) for key in body.items} - {"header"}
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
    keys = {snake_case(key) for key in first.items}
    if area == "appimage" or {"image", "deploy_templates"} & keys:
        return Message("appimage/batchQuery" if data.elements else "appimage/query", data)
    if {"initiator", "parties"} & keys:
        return Message("serving/query", data)
    return Message("serving/batchQuery", data) if "servings" in keys else None


def spelled(node: Node, spell: Callable[[str], str]) -> Node:
    """The keys of a mapping in one spelling."""
    return node.with_members({spell(key): child for key, child in node.items.items()})


def serving_fields(body: Node, notes: list[Note]) -> Node:
    """The fields of a serving message that a spec has, in the protocol's spelling."""
    shape = MessageShape.of(_SCHEMA)
    given = _known(body, shape, (), notes)
    parties = given.get("parties")
    if parties is None:
        return given
    party = shape.member("parties").item()
    listed = enumerate(parties.elements)
    done = tuple(_party(node, party, ("parties", index), notes) for index, node in listed)
    return given.with_members({**given.items, "parties": parties.with_members(done)})


def _party(party: Node, shape: MessageShape, path: Path, notes: list[Note]) -> Node:
    known = _known(party, shape, path, notes)
    fields = dict(known.items)
    for key, node in known.items.items():
        is_list, place = isinstance(node.value, tuple), (*path, key)
        form = shape.member(key).item() if is_list else shape.member(key)
        if form.fields and is_list:
            items = (_known(item, form, place, notes) for item in node.elements)
            fields[key] = node.with_members(tuple(items))
        elif form.fields:
            fields[key] = _known(node, form, place, notes)
    return known.with_members(fields)


def _known(node: Node, shape: MessageShape, path: Path, notes: list[Note]) -> Node:
    """Only the fields that the API takes, in its order and in snake_case."""
    given, names = spelled(node, snake_case).items, shape.fields
    for key in given:
        if key not in names:
            why = {"header": _HEADER, "status": _STATUS}.get(key) or _discarded(key, names)
            notes.append(Note(path_text((*path, key)), DROPPED, why))
    return node.with_members({key: given[key] for key in names if key in given})


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
