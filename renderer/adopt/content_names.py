"""Objects that rendering named by their content, under their own names, and what refers to them."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.adopt.conversion import Conversion, ConvertedSpec, source_title
from renderer.adopt.marks import drop_last_pruning
from renderer.backends.kinds import functions_of
from renderer.kubernetes.mentions import references
from renderer.values.imports import SkippedSource
from renderer.values.kinds import NAMING
from renderer.values.model import Reference
from renderer.values.tree import put_texts

#: The kind of an object and its name by content, to its own name.
_Names = Mapping[tuple[str, str], str]


def follow_own_names(found: Conversion) -> Conversion:
    """Specs that refer to others by the names that these have as specs.

    Of several generations of an object, the one that is referred to becomes the spec. If that is
    none or several, all keep the names that they have.
    """
    renamed = [item for item in found.specs if _is_renamed(item)]
    if not renamed:
        return found
    used = {(use.kind, use.name) for item in found.specs for use in _uses(item)}
    former, kept = _other_generations(renamed, used)
    names = {_object(i): i.imported.name for i in renamed if _object(i) not in former | kept}
    specs = [
        _former_name(item) if _object(item) in kept else _followed(item, names)
        for item in found.specs
        if _object(item) not in former or not _is_renamed(item)
    ]
    skipped = [_skipped(item) for item in renamed if _object(item) in former]
    return Conversion(tuple(specs), (*found.skipped, *skipped))


def _object(item: ConvertedSpec) -> tuple[str, str]:
    return item.imported.kind, item.source.name


def _is_renamed(item: ConvertedSpec) -> bool:
    is_open = item.owner is not None and item.owner.kind.is_open
    return is_open and item.imported.name != item.source.name


def _uses(item: ConvertedSpec) -> Iterator[Reference]:
    kind = item.imported.kind
    return references(item.imported.tree, functions_of(kind).mentions(kind))


def _other_generations(
    renamed: Iterable[ConvertedSpec], used: set[tuple[str, str]]
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Objects that are former generations of others, and those of which that is not clear."""
    generations: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for item in renamed:
        name = item.imported.kind, item.imported.name
        generations.setdefault(name, set()).add(_object(item))
    former: set[tuple[str, str]] = set()
    unclear: set[tuple[str, str]] = set()
    for some in (some for some in generations.values() if len(some) > 1):
        if len(some & used) == 1:
            former |= some - used
        else:
            unclear |= some
    return former, unclear


def _skipped(item: ConvertedSpec) -> SkippedSource:
    imported = item.imported
    why = f"it is a former generation of {imported.kind}/{imported.name}, to which nothing refers"
    return SkippedSource(item.source.tree.origin, source_title(item.source), why)


def _former_name(item: ConvertedSpec) -> ConvertedSpec:
    """A spec with the name that its object has."""
    imported = item.imported
    members = {key: node for key, node in imported.tree.items.items() if key != NAMING}
    tree = imported.tree.with_members(members)
    notes = imported.notes[:-1]
    return item._replace(imported=imported._replace(name=item.source.name, tree=tree, notes=notes))


def _followed(item: ConvertedSpec, names: _Names) -> ConvertedSpec:
    texts = {
        use.path: own for use in _uses(item) if (own := names.get((use.kind, use.name))) is not None
    }
    tree = put_texts(item.imported.tree, texts) if texts else item.imported.tree
    if _is_renamed(item) and (metadata := tree.get("metadata")):
        members = {**tree.items, "metadata": drop_last_pruning(metadata)}
        tree = tree.with_members({key: node for key, node in members.items() if node.value != {}})
    return item._replace(imported=item.imported._replace(tree=tree))
