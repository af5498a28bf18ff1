"""Lists of what a cluster has, of which only names and keys are read."""

from functools import cache

from renderer.backends.companions.kinds import find, row_of
from renderer.backends.companions.made_objects import MADE
from renderer.backends.companions.table import ROWS
from renderer.backends.fields import members
from renderer.values.imports import ListedObject, Source
from renderer.values.kinds import Kind

#: Kinds of a namespace that specs name and that often nobody keeps in Git.
_NAMED = frozenset(("ConfigMap", "PersistentVolumeClaim", "Secret", "ServiceAccount"))
#: Only an API server writes these.
_LIVE = ("uid", "resourceVersion")


def listed_object(source: Source) -> ListedObject | None:
    """Who an object of a list is, if it is live and of a kind that such lists are made for.

    Values of its data are not looked at.
    """
    file, kind = source.tree.origin.file, _kind(source)
    if source.is_name:  # one of a kind that no table has is none that specs name
        name = kind.name if kind else source.kind
        return ListedObject(name, source.name, "", file, is_name=True)
    is_live = any(key in members(source.tree, "metadata") for key in _LIVE)
    if kind is None or not source.is_listed or not is_live or not _is_for_lists(kind):
        return None
    namespace = "" if kind.cluster_wide else source.namespace
    return ListedObject(kind.name, source.name, namespace, file, _keys(source, kind))


def _is_for_lists(kind: Kind) -> bool:
    return kind.name in _NAMED or (kind.cluster_wide and not row_of(kind.name).family)


def _kind(source: Source) -> Kind | None:
    word = _words().get(source.kind, source.kind) if source.is_name else source.kind
    return find(word, source.group)


@cache
def _words() -> dict[str, str]:
    """Kinds by the words that kubectl prints."""
    return {row.kind.lower(): row.kind for row in ROWS}


def _keys(source: Source, kind: Kind) -> tuple[str, ...] | None:
    """The keys of its data, where references name keys."""
    made = MADE.get(kind.name)
    if made is None or made.kind != kind.name:
        return None
    return tuple(sorted({key for place in made.members for key in members(source.tree, *place)}))
