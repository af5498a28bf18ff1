"""What people changed in the files of a repository, in their own words."""

from collections.abc import Iterator

from renderer.compare.trees import differences
from renderer.compose.environments import shape_of
from renderer.compose.settings import MARKER
from renderer.compose.shapes import Shape
from renderer.evaluate.documents import read_documents
from renderer.evaluate.inputs import read_source
from renderer.evaluate.project import Project
from renderer.text.wording import LINE_END
from renderer.values.changes import Edit, EditKind, How
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node

_UNDESCRIBED = Shape({}, {})


def edits(before: Project, after: Project) -> list[Edit]:
    """Every difference of the files that both states were read from, in order of its place."""
    old, new = before.digests, after.digests
    files = {file for file in old.keys() | new.keys() if old.get(file) != new.get(file)}
    return [edit for file in sorted(files) for edit in _edits_of(file, before, after)]


def _edits_of(file: str, before: Project, after: Project) -> Iterator[Edit]:
    kind = _kind(file)
    come, gone = file not in before.digests, file not in after.digests
    if come or gone:
        how = How.ADDED if come else How.REMOVED
        yield Edit(kind, Origin(file), (), how)
        return
    old, new = (tree_of(file, project) for project in (before, after))
    if old is None or new is None:
        yield Edit(kind, _first_difference(file, before, after), (), How.CHANGED)
        return
    shape = _shape(new)
    for change in differences(old, new, shape):
        present = change.after or change.before or new
        where = present.key or present.origin
        yield Edit(kind, where, change.path, change.how, change.before, change.after)


def _kind(file: str) -> EditKind:
    if file == MARKER:
        return EditKind.SETTINGS
    if file.startswith("schemas/crds/"):
        return EditKind.CRD
    return EditKind.TEMPLATE if file.endswith(".j2") else EditKind.EDIT


def tree_of(file: str, project: Project) -> Node | None:
    """The tree of a spec file; nothing for other texts, and for what cannot be read."""
    if file == MARKER:
        return project.settings.tree
    if file not in project.inputs.digests:
        return None
    known = project.shared.documents.get(file)
    if known is None:
        known = read_documents([read_source(project.files, file)]).by_file[file]
    return known.tree


def _shape(tree: Node) -> Shape:
    kind = tree.get("kind")
    return (shape_of(str(kind.value)) if kind else None) or _UNDESCRIBED


def _first_difference(file: str, before: Project, after: Project) -> Origin:
    """The first line of a text that is another one, as the new state has it."""
    old, new = (LINE_END.split(project.text_of(file) or "") for project in (before, after))
    same = next(
        (n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )
    return Origin(file, min(same + 1, len(new)))
