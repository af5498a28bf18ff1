"""Objects as their authors wrote them: without what servers, controllers and we add to them."""

from collections.abc import Iterator

from renderer.adopt.marks import GITOPS, MarkedMetadata, drop_marks
from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import KINDS, kind_of_object, owner_of
from renderer.backends.object_places import MANAGED_BY, OURS
from renderer.rules.metadata import WAVE, is_ours
from renderer.text.scalars import whole_numbers
from renderer.text.wording import path_text
from renderer.values.imports import DROPPED, Note, Source
from renderer.values.kinds import Kind, Stage
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, walk

_SERVERS = "the API server writes it"
_METADATA = ("name", "namespace", "labels", "annotations")
#: What tells an object that was read from a server from one that was written for it.
_LIVE = frozenset(("uid", "resourceVersion", "managedFields"))
#: Of an object that is a spec as it is, all other fields of its metadata are the author's.
_SERVER_METADATA = _LIVE | frozenset(
    (
        "creationTimestamp",
        "deletionGracePeriodSeconds",
        "deletionTimestamp",
        "generation",
        "ownerReferences",
        "selfLink",
    )
)
_SERVER_KEYS = {
    "kubectl.kubernetes.io/last-applied-configuration": "kubectl writes it",
    "kubectl.kubernetes.io/restartedAt": "kubectl writes it",
}
_ARGO_KEY = "argocd.argoproj.io/instance"
#: Argo CD writes it by default, and so do authors: it is theirs in what no server has touched.
_INSTANCE = "app.kubernetes.io/instance"


class Owner(NamedTuple):
    """The backend that knows an object, and the kind of the spec that it is made of."""

    backend: Backend
    kind: Kind


class BareObject(NamedTuple):
    """An object without what others wrote into it, what that was, and why it is none of ours.

    One that `is_last` was rendered by us to be applied after others.
    """

    source: Source
    notes: tuple[Note, ...]
    refusal: str = ""
    is_last: bool = False


def owners_of(source: Source) -> list[Owner]:
    """Whose an object may be, the most likely first; the body of a request is nobody's."""
    found = [
        Owner(backend, KINDS[stored.spec])
        for backend in BACKENDS
        for stored in backend.stored
        if (stored.group, stored.kind) == (source.group, source.kind)
    ]
    version = source.tree.get("apiVersion")
    kind = kind_of_object(str(version.value), source.kind) if version and source.kind else None
    return [*found, Owner(owner_of(kind.name), kind)] if kind else found


def controller_of(source: Source) -> str:
    """The object that made this one, and would make it again."""
    owners = source.tree.get("metadata", "ownerReferences")
    for node in owners.elements if owners else ():
        kind, name = (node.get(key) for key in ("kind", "name"))
        if (flag := node.get("controller")) and flag.value is True and kind and name:
            return f"{kind.value}/{name.value}"
    return ""


def bare_object(
    source: Source, kind: Kind, environment: Environment, *, is_last: bool | None = None
) -> BareObject:
    """An object of a kind of spec as its author might have written it for an environment.

    Whether we rendered it to come after others is seen by its marks, unless it is known.
    """
    tree = drop_nulls(source.tree)
    status = [Note("status", DROPPED, _SERVERS)] if "status" in tree.items else []
    metadata = tree.get("metadata")
    members = {key: node for key, node in tree.items.items() if key != "status"}
    last = _is_last(metadata) if is_last is None else is_last
    notes, refusal = list(status), ""
    if metadata:
        bare = _drop_written(metadata, kind)
        members["metadata"], found, refusal = drop_marks(
            bare.metadata, kind, environment, is_last=last
        )
        notes += (*bare.notes, *found)
    cleared = tree.with_members(members)
    every = (*notes, *_numbers(cleared))
    is_rendered = _is_rendered(metadata)
    return BareObject(source._replace(tree=cleared, is_rendered=is_rendered), every, refusal, last)


def _is_rendered(metadata: Node | None) -> bool:
    label = metadata.get("labels", MANAGED_BY) if metadata else None
    return label is not None and label.value == OURS.value


def _is_last(metadata: Node | None) -> bool:
    """Whether we rendered an object so that it comes after others."""
    if metadata is None:
        return False
    wave = metadata.get("annotations", WAVE)
    is_last = wave is not None and wave.value == str(int(Stage.LAST))
    return is_last and _is_rendered(metadata)


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


def _drop_written(metadata: Node, kind: Kind) -> MarkedMetadata:
    """Metadata without the fields, labels and annotations that servers and controllers write."""
    is_live = not _LIVE.isdisjoint(metadata.items)
    others = [key for key in metadata.items if _is_written(key, kind, is_live=is_live)]
    notes = [Note(path_text(("metadata", key)), DROPPED, _SERVERS) for key in others]
    members = {key: node for key, node in metadata.items.items() if key not in others}
    for place in ("labels", "annotations"):
        if place in members:
            given = members[place].items
            writers = {key: who for key in given if (who := _writer(key, is_live=is_live))}
            notes += (
                Note(path_text(("metadata", place, key)), DROPPED, why)
                for key, why in writers.items()
            )
            kept = {key: node for key, node in given.items() if key not in writers}
            members[place] = members[place].with_members(kept)
    return MarkedMetadata(metadata.with_members(members), tuple(notes))


def _is_written(key: str, kind: Kind, *, is_live: bool) -> bool:
    """Whether a field of the metadata is not the author's; specs of our kinds have only a few."""
    if not kind.is_open:
        return key not in _METADATA
    is_written = key in _SERVER_METADATA or (key == "finalizers" and is_live)
    return is_written or key == "generateName"  # an object without a name has got one before


def _writer(key: str, *, is_live: bool) -> str:
    """Who writes a label or an annotation; empty if it is the author's."""
    is_argos = key == _ARGO_KEY or (key == _INSTANCE and is_live)
    return _SERVER_KEYS.get(key) or (GITOPS if is_ours(key) or is_argos else "")
