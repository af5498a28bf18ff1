"""A template of the user's own writes what the spec says, and keeps the order of objects."""

from collections.abc import Iterator
from itertools import zip_longest

from renderer.manifests import rules as man
from renderer.manifests.templates import TemplateSource, bundled_template, content
from renderer.rules.metadata import misuses
from renderer.text.wording import path_text
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.objects import Render
from renderer.values.tree import Node


def changed_values(tree: Node, plan: Render, source: TemplateSource) -> Iterator[Diagnostic]:
    """Where an override writes something else than the bundled template does."""
    if not plan.keeps or source == bundled_template(plan.template):
        return
    wanted, _ = content(plan, bundled_template(plan.template))
    for keys in plan.keeps if wanted else ():
        pairs = zip_longest(_values(wanted, keys), _values(tree, keys), fillvalue=((), None))
        for (path, want), (place, made) in pairs:
            if (want.value if want else None) != (made.value if made else None):
                yield _changed(tree, place or path, want, made, source)
                break  # one that is left out moves all that follow


def misused_metadata(tree: Node, source: TemplateSource, *, first: bool) -> Iterator[Diagnostic]:
    """Labels and annotations of an override that change how or when its object is applied."""
    metadata = tree.get("metadata")
    if metadata is None or source.file.startswith("servingctl:"):
        return
    for found in misuses(metadata, first=first):
        where = metadata.locate(found.path, at_key=found.at_key)
        place = where if where.file == source.file else Origin(source.file)
        yield man.APPLIED_OTHERWISE.at(place, found.message, found.fix)


def _values(tree: Node | None, keys: tuple[str, ...], path: Path = ()) -> list[tuple[Path, Node]]:
    """The values at a path, which leads through every item of a list."""
    if tree is None:
        return []
    if tree.elements:
        items = enumerate(tree.elements)
        return [found for n, item in items for found in _values(item, keys, (*path, n))]
    return _values(tree.get(keys[0]), keys[1:], (*path, keys[0])) if keys else [(path, tree)]


def _changed(
    tree: Node, path: Path, want: Node | None, made: Node | None, source: TemplateSource
) -> Diagnostic:
    says = f"the spec has {want.value!r}" if want else "the spec has nothing there"
    writes = f"writes {made.value!r}" if made else "writes nothing"
    message = f"the template {writes} as {path_text(path)}, and {says}"
    places = (tree.locate(path), tree.locate(path, at_key=True))
    where = next((place for place in places if place.file == source.file), Origin(source.file))
    return man.CHANGED_VALUE.at(where, message, f"place the value that {source.file} is given")
