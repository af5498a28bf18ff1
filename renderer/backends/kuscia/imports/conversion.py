"""Which spec a source becomes: objects by their kind, messages by what they are for."""

from collections.abc import Iterator, Sequence

from renderer.backends.api_messages import MessageShape
from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.derived_objects import service_name
from renderer.backends.kuscia.imports import app_images, deployments, servings
from renderer.backends.kuscia.imports.known_images import (
    DEPLOYMENT,
    GROUP,
    KnownImages,
    is_used,
    used_names,
)
from renderer.backends.kuscia.settings import PLATFORM
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, nearest, path_text, snake_case
from renderer.values.diagnostics import Path
from renderer.values.imports import (
    CHANGED,
    DROPPED,
    ImportedSpec,
    Note,
    SkippedSource,
    Source,
    Surroundings,
)
from renderer.values.model import stem_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_SCHEMA = "spec/serving.json"
_HEADER = "it belongs to the request"
_STATUS = "it is the state of what runs"
_UNKNOWN = "Kuscia's API discards fields that it does not know"
_NAME = expression(r"[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?")
_NAMESPACE = "cross-domain"
_NOTHING = constant({}, "there is no such serving yet")
_MIRROR = "Kuscia looks at deployments in cross-domain only; in a domain it keeps copies itself"
_OF_KUSCIA = "Kuscia keeps it for itself"
_NO_KIND = "servingctl has no kind of spec for it"
_OTHERS = {
    "Domain": "no spec; the destinations of an environment list the domains that they own",
    "KusciaDeploymentSummary": _OF_KUSCIA,
    "InteropConfig": _OF_KUSCIA,
}
_UNUSED = "no serving refers to it; to have it all the same, import it by itself"
_STATUS_ONLY = (
    "it tells a status and not what was asked for; import the answer of /api/v1/serving/query, "
    "or what 'kubectl get kd -A -o yaml' prints"
)
_NO_NAME = "an answer does not say the ID of its serving; name the file after it"
_NAMES_ONLY = "it only names what it is about; import the answer to a query instead"


class ApiMessage(NamedTuple):
    """The body of a request or an answer, and what it is for, such as `serving/create`."""

    call: str
    body: Node


def recognise_message(source: Source) -> ApiMessage | None:
    """The message that a mapping is, by the address it was sent to or by its fields."""
    body, call = source.tree, _call(source.address)
    if list(body.items) == ["status"] and body.get("status", "code"):
        return ApiMessage("status", body)
    if data := body.get("data"):
        is_answer = "status" in body.items or call
        return _answer(data, call) if is_answer else None
    keys = {snake_case(key) for key in body.items} - {"header"}
    if call:
        return ApiMessage(call, body)
    if {"serving_id", "parties"} <= keys:
        return ApiMessage("serving/create" if "initiator" in keys else "serving/update", body)
    if {"serving_id", "serving_input_config"} <= keys:
        return ApiMessage("serving/update", body)
    if {"initiator", "parties"} <= keys:
        return ApiMessage("serving/query", body)
    if {"name", "image", "deploy_templates"} <= keys:
        return ApiMessage("appimage/create", body)
    if keys in ({"serving_id"}, {"serving_ids"}):
        return ApiMessage("serving/delete", body)
    return None


def _call(address: str) -> str:
    parts = [part for part in address.split("/") if part]
    for area in ("serving", "appimage"):
        if area in parts[:-1]:
            return f"{area}/{parts[-1]}"
    return ""


def _answer(data: Node, call: str) -> ApiMessage | None:
    area = call.partition("/")[0]
    data = data.get("appimage_list") or data
    first = data.elements[0] if data.elements else data
    keys = {snake_case(key) for key in first.items}
    if area == "appimage" or {"image", "deploy_templates"} & keys:
        return ApiMessage("appimage/batchQuery" if data.elements else "appimage/query", data)
    if {"initiator", "parties"} & keys:
        return ApiMessage("serving/query", data)
    return ApiMessage("serving/batchQuery", data) if "servings" in keys else None


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
    given = {snake_case(key): child for key, child in node.items.items()}
    names = shape.fields
    for key in given:
        if key not in names:
            why = {"header": _HEADER, "status": _STATUS}.get(key) or _discarded(key, names)
            notes.append(Note(path_text((*path, key)), DROPPED, why))
    return node.with_members({key: given[key] for key in names if key in given})


def _discarded(key: str, names: tuple[str, ...]) -> str:
    hint = did_you_mean(nearest(key, names))
    return f"{_UNKNOWN}; {hint}" if hint else _UNKNOWN


def name_in_answer(body: Node) -> str:
    """The ID of a serving by the addresses in an answer, which has no ID; else by its file."""
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


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The spec that a source of Kuscia becomes."""
    if source.group == GROUP:
        yield from _convert_object(source, around)
    elif not source.kind and (message := recognise_message(source)):
        yield from _convert_message(message, source, around)


def _convert_object(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    where, what = source.tree.origin, f"{source.kind}/{source.name}"
    if source.kind == DEPLOYMENT:
        if source.namespace in ("", _NAMESPACE):
            yield deployments.read_deployment(source, around)
        else:
            yield SkippedSource(where, f"{what} in {source.namespace}", _MIRROR)
    elif source.kind == APP_IMAGE:
        if used_names(around) and not is_used(source.name, around):
            yield SkippedSource(where, what, _UNUSED)
        else:
            yield app_images.read_object(source, around)
    else:
        yield SkippedSource(where, what, _OTHERS.get(source.kind, _NO_KIND))


def _convert_message(
    message: ApiMessage, source: Source, around: Surroundings
) -> Iterator[ImportedSpec | SkippedSource]:
    area, _, call = message.call.partition("/")
    is_answer = message.body is not source.tree
    where = source.tree.origin
    if area == "status":
        yield _only_status(message.body)
    elif call not in ("create", "update") and not is_answer and "parties" not in message.body.items:
        yield SkippedSource(where, f"the request {message.call}", _NAMES_ONLY)
    elif area == "appimage":
        bodies = message.body.elements or (message.body,)
        for body in bodies:
            yield app_images.read_message(body, around, updates=call == "update")
    elif call == "batchQuery":
        yield SkippedSource(where, "the answer of serving/status/batchQuery", _STATUS_ONLY)
    else:
        yield _serving(message, around, updates=call == "update")


def _only_status(body: Node) -> SkippedSource:
    """An answer that says how a request went, and nothing else."""
    code, said = text(body, "status", "code"), text(body, "status", "message")
    why = "it says only that all went well" if code == "0" else f"it is an error, {code}: {said}"
    return SkippedSource(body.origin, "an answer of Kuscia's API", why)


def _serving(
    message: ApiMessage, around: Surroundings, *, updates: bool
) -> ImportedSpec | SkippedSource:
    notes: list[Note] = []
    fields = serving_fields(message.body, notes)
    given = fields.get("serving_id")
    name = str(given.value) if given else name_in_answer(message.body)
    if not name:
        return SkippedSource(message.body.origin, "the answer of serving/query", _NO_NAME)
    if given is None:
        notes.append(Note("serving_id", CHANGED, f"taken to be {name!r}, as an answer has none"))
    rest = {key: node for key, node in fields.items.items() if key != "serving_id"}
    asked = fields.with_members(rest)
    if updates:
        present = around.environment.spec_named(servings.KIND, name)
        tree = servings.read_update(asked, present.tree if present else _NOTHING, notes)
    else:
        tree = servings.simplify(asked, notes, KnownImages.of(around))
    return ImportedSpec(servings.KIND, name, tree, notes=tuple(notes), updates=updates)


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """One control plane with all domains, which is the centralised layout."""
    found = {
        text(party, "domain_id"): None for spec in specs for party in elements(spec.tree, "parties")
    }
    domains: list[Plain] = [name for name in found if name]
    return [{"name": "master", "platform": PLATFORM, "domains": domains or ["alice"]}]
