"""What people changed in the files of a repository, in their own words."""

from collections.abc import Iterator, Mapping

from renderer.changes.trees import differences
from renderer.compose.kind_shapes import shape_of
from renderer.compose.settings import MARKER
from renderer.compose.shapes import Shape
from renderer.evaluate.documents import read_documents
from renderer.evaluate.inputs import read_source
from renderer.evaluate.project import Project
from renderer.text.wording import LINE_END
from renderer.values.changes import Change, Edit, EditKind, How
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node

_UNDESCRIBED = Shape({}, {})


def edits(before: Project, after: Project) -> list[Edit]:
    """Every difference of the files that both states were read from, in order of its place."""
    old, new = before.digests, after.digests
    files = {file for file in old.keys() | new.keys() if old.get(file) != new.get(file)}
    former = _former_names(old, new)
    files.difference_update(former.values())
    found: list[Edit] = []
    for file in sorted(files):
        if file in former:
            names = (Node(name, Origin(name)) for name in (former[file], file))
            found.append(Edit(_kind(file), Origin(file), (), How.RENAMED, *names))
        else:
            found += _file_edits(file, before, after)
    return found


def _former_names(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Of files that only have another name, if it is clear which is which."""
    gone, come = _files_by_content(old, new), _files_by_content(new, old)
    return {
        come[content][0]: files[0]
        for content, files in gone.items()
        if len(files) == len(come.get(content, ())) == 1
    }


def _files_by_content(
    some: Mapping[str, bytes], others: Mapping[str, bytes]
) -> dict[bytes, list[str]]:
    """The files that only one side has."""
    found: dict[bytes, list[str]] = {}
    for file in some.keys() - others.keys():
        found.setdefault(some[file], []).append(file)
    return found


def _file_edits(file: str, before: Project, after: Project) -> Iterator[Edit]:
    kind = _kind(file)
    come, gone = file not in before.digests, file not in after.digests
    if come or gone:
        how = How.ADDED if come else How.REMOVED
        yield Edit(kind, Origin(file), (), how)
        return
    old, new = (tree_of(file, project) for project in (before, after))
    if old is None or new is None:
        yield _text_edit(kind, file, before, after)
        return
    found = (_named_fields(change) for change in differences(old, new, _shape(new)))
    for change in (one for some in found for one in some):
        present = change.after or change.before or new
        where = present.key or present.origin
        yield Edit(kind, where, change.path, change.how, change.before, change.after)


def _named_fields(change: Change) -> list[Change]:
    """Of an item that only has another name, what was written otherwise; else the change."""
    if change.how is not How.RENAMED or not change.before or not change.after:
        return [change]
    fields = list(differences(change.before, change.after))
    former = next((str(field.before.value) for field in fields if field.before), "")
    place = (*change.path, f"[{former}]") if former else change.path
    return [field._replace(path=(*place, *field.path)) for field in fields]


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


def _text_edit(kind: EditKind, file: str, before: Project, after: Project) -> Edit:
    """A text from the first line that is another one to the last such line."""
    old, new = (LINE_END.split(project.text_of(file) or "") for project in (before, after))
    most = min(len(old), len(new))
    first = next((n for n in range(most) if old[n] != new[n]), most)
    same = next((n for n in range(most - first) if old[-1 - n] != new[-1 - n]), most - first)
    where = Origin(file, min(first + 1, len(new)))
    sides = ("\n".join(lines[first : len(lines) - same]) for lines in (old, new))
    nodes = (Node(text, where) if text else None for text in sides)
    return Edit(kind, where, (), How.CHANGED, *nodes)
