"""Which spec a source becomes: objects by their kind, messages by what they are for."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.imports import app_images, deployments, servings
from renderer.backends.kuscia.imports.known_images import (
    DEPLOYMENT,
    GROUP,
    KnownImages,
    is_used,
    used_names,
)
from renderer.backends.kuscia.imports.messages import (
    Message,
    message_of,
    name_in_answer,
    serving_fields,
)
from renderer.backends.kuscia.settings import PLATFORM
from renderer.values.imports import CHANGED, ImportedSpec, Note, SkippedSource, Source, Surroundings
from renderer.values.tree import Node, Plain, constant

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


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The spec that a source of Kuscia becomes."""
    if source.group == GROUP:
        yield from _of_object(source, around)
    elif not source.kind and (message := message_of(source)):
        yield from _of_message(message, source, around)


def _of_object(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    where, what = source.tree.origin, f"{source.kind}/{source.name}"
    if source.kind == DEPLOYMENT:
        if source.namespace in ("", _NAMESPACE):
            yield deployments.of_deployment(source, around)
        else:
            yield SkippedSource(where, f"{what} in {source.namespace}", _MIRROR)
    elif source.kind == APP_IMAGE:
        if used_names(around) and not is_used(source.name, around):
            yield SkippedSource(where, what, _UNUSED)
        else:
            yield app_images.of_object(source, around)
    else:
        yield SkippedSource(where, what, _OTHERS.get(source.kind, _NO_KIND))


def _of_message(
    message: Message, source: Source, around: Surroundings
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
            yield app_images.of_message(body, around, updates=call == "update")
    elif call == "batchQuery":
        yield SkippedSource(where, "the answer of serving/status/batchQuery", _STATUS_ONLY)
    else:
        yield _serving(message, around, updates=call == "update")


def _only_status(body: Node) -> SkippedSource:
    """An answer that tells how a request went, and nothing else."""
    code, said = text(body, "status", "code"), text(body, "status", "message")
    why = "it says only that all went well" if code == "0" else f"it is an error, {code}: {said}"
    return SkippedSource(body.origin, "an answer of Kuscia's API", why)


def _serving(
    message: Message, around: Surroundings, *, updates: bool
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
        tree = servings.changes(asked, present.tree if present else _NOTHING, notes)
    else:
        tree = servings.idiomatic(asked, notes, KnownImages.beside(around))
    return ImportedSpec(servings.KIND, name, tree, notes=tuple(notes), updates=updates)


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """One control plane with all domains, which is the centralised layout."""
    found = {
        text(party, "domain_id"): None for spec in specs for party in elements(spec.tree, "parties")
    }
    domains: list[Plain] = [name for name in found if name]
    return [{"name": "master", "platform": PLATFORM, "domains": domains or ["alice"]}]
