"""Objects as their authors wrote them: without what servers, controllers and we add to them."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import KINDS, functions_of
from renderer.rules.metadata import SYNC_OPTIONS, WAVE, is_ours
from renderer.text.scalars import whole_numbers
from renderer.text.wording import path_text
from renderer.values.imports import CHANGED, DROPPED, Note, Source
from renderer.values.kinds import Kind, Stage
from renderer.values.model import Environment, Spec
from renderer.values.objects import StoredKind
from renderer.values.tree import Node, walk

_SERVERS = "the API server writes it"
_GITOPS = "servingctl or a GitOps controller writes it"
_METADATA = ("name", "namespace", "labels", "annotations")
_SERVER_KEYS = {
    "kubectl.kubernetes.io/last-applied-configuration": "kubectl writes it",
    "kubectl.kubernetes.io/restartedAt": "kubectl writes it",
}
_ARGO_KEYS = frozenset(("argocd.argoproj.io/instance", "app.kubernetes.io/instance"))
_PRUNE_LAST = "PruneLast=true"


class Owner(NamedTuple):
    """The backend that knows an object, and the kind of the spec that it is made of."""

    backend: Backend
    stored: StoredKind

    @property
    def kind(self) -> Kind:
        return KINDS[self.stored.spec]


class BareObject(NamedTuple):
    """An object without what others wrote into it, and what that was."""

    source: Source
    notes: tuple[Note, ...]


def owner_of(source: Source) -> Owner | None:
    """Whose an object is; nothing for the body of a request and for unknown kinds."""
    for backend in BACKENDS:
        for stored in backend.stored:
            if (stored.group, stored.kind) == (source.group, source.kind):
                return Owner(backend, stored)
    return None


def controller_of(source: Source) -> str:
    """The object that made this one, and would make it again."""
    owners = source.tree.get("metadata", "ownerReferences")
    for node in owners.elements if owners else ():
        kind, name = (node.get(key) for key in ("kind", "name"))
        if (flag := node.get("controller")) and flag.value is True and kind and name:
            return f"{kind.value}/{name.value}"
    return ""


def bare_object(source: Source, kind: Kind, environment: Environment) -> BareObject:
    """An object of a kind of spec as its author might have written it for an environment."""
    tree = drop_nulls(source.tree)
    status = [Note("status", DROPPED, _SERVERS)] if "status" in tree.items else []
    metadata = tree.get("metadata")
    members = {key: node for key, node in tree.items.items() if key != "status"}
    notes: list[Note] = []
    if metadata:
        members["metadata"], notes = _bare_metadata(metadata, kind, environment)
    cleared = tree.with_members(members)
    every = (*status, *notes, *_numbers(cleared))
    return BareObject(source._replace(tree=cleared), every)


def _numbers(tree: Node) -> Iterator[Note]:
    """Whole numbers that not every reader takes for the same."""
    for path, node in walk(tree):
        if isinstance(node.value, int) and node.text and whole_numbers(node.text):
            what = f"{node.text} written as {node.value}"
            yield Note(path_text(path), what, "as Kubernetes reads it")


def drop_nulls(node: Node) -> Node:
    """As the API server takes it: a field that is null is not there."""
    if isinstance(node.value, dict):
        kept = {k: drop_nulls(child) for k, child in node.items.items() if child.value is not None}
        return node.with_members(kept)
    if isinstance(node.value, tuple):
        return node.with_members(tuple(map(drop_nulls, node.elements)))
    return node


def _bare_metadata(metadata: Node, kind: Kind, environment: Environment) -> tuple[Node, list[Note]]:
    others = [key for key in metadata.items if key not in _METADATA]
    notes = [Note(path_text(("metadata", key)), DROPPED, _SERVERS) for key in others]
    members = {key: node for key, node in metadata.items.items() if key in _METADATA}
    for place in ("labels", "annotations"):
        if place in members:
            given = members[place].items
            writers = {key: writer for key in given if (writer := _writer(key))}
            notes += (
                Note(path_text(("metadata", place, key)), DROPPED, why)
                for key, why in writers.items()
            )
            kept = {key: node for key, node in given.items() if key not in writers}
            members[place] = members[place].with_members(kept)
    if "annotations" in members:
        kept, ordering = _drop_order(members["annotations"].items, kind, environment)
        members["annotations"] = members["annotations"].with_members(kept)
        notes += ordering
    kept = {key: node for key, node in members.items() if node.value != {}}
    return metadata.with_members(kept), notes


def _writer(key: str) -> str:
    """Who writes a label or an annotation; empty if it is the author's."""
    return _SERVER_KEYS.get(key) or (_GITOPS if is_ours(key) or key in _ARGO_KEYS else "")


def _drop_order(
    given: Mapping[str, Node], kind: Kind, environment: Environment
) -> tuple[dict[str, Node], list[Note]]:
    """Without what makes Argo CD apply prerequisites first, and prune superseded ones last."""
    kept, notes = dict(given), list[Note]()
    path = "metadata.annotations"
    wave, options = kept.get(WAVE), kept.get(SYNC_OPTIONS)
    if wave and kind.stage is Stage.FIRST and wave.value == str(int(Stage.FIRST)):
        del kept[WAVE]
        notes.append(Note(f'{path}["{WAVE}"]', DROPPED, _GITOPS))
    if options and kind.stage is Stage.FIRST and _is_named_by_content(kind, environment):
        words = str(options.value).split(",")
        if words[-1] == _PRUNE_LAST:
            what = CHANGED if words[:-1] else DROPPED
            notes.append(Note(f'{path}["{SYNC_OPTIONS}"]', what, _GITOPS))
            kept[SYNC_OPTIONS] = options.with_value(",".join(words[:-1]))
            if not words[:-1]:
                del kept[SYNC_OPTIONS]
    return kept, notes


def _is_named_by_content(kind: Kind, environment: Environment) -> bool:
    nothing = Spec(kind, "", environment.name, ("",), environment.tree.with_members({}))
    return functions_of(kind.name).named_by_content(nothing, environment)
