"""Two states of a repository, without the pieces that are the same in both and affect no other."""

from renderer.compose.environment_rules import UNUSED_VARIABLE
from renderer.evaluate.outcomes import MISREAD, face
from renderer.evaluate.survey import PIECES, Selection, Survey, is_surveyed, survey
from renderer.io.loading import MARKER, load_files
from renderer.values.files import Files
from renderer.values.model import Project, SpecKey
from renderer.values.tree import Plain


def load_both(old: Files, new: Files) -> tuple[Project, Project]:
    """Both states as far as they can differ; if what is shared differs too, all of both.

    Whatever one piece says of itself to others is its face. As long as that and everything around
    the pieces is the same, each piece that is the same comes to the same objects.
    """
    return _narrowly(old, new) or (load_files(old), load_files(new))


def _narrowly(old: Files, new: Files) -> tuple[Project, Project] | None:
    """Both states without the pieces that are the same; nothing if others depend on the rest."""
    after = survey(new, MARKER)  # first: what is on disk need not be asked of Git
    before = survey(old, MARKER)
    same = _same(before, after) if before.around == after.around else frozenset()
    if not same:
        return None
    first, second = (load_files(Selection(files, same)) for files in (old, new))
    contained = _is_contained(first, before) and _is_contained(second, after)
    if not contained or _said_to_others(first) != _said_to_others(second):
        return None
    return _alone(first), _alone(second)


def _same(before: Survey, after: Survey) -> frozenset[str]:
    """The files of all pieces that are the same in both states."""
    stems = before.pieces.keys() & after.pieces.keys()
    same = (stem for stem in stems if before.key(stem, b"") == after.key(stem, b""))
    return frozenset(file for stem in same for file in before.pieces[stem])


def _is_contained(project: Project, seen: Survey) -> bool:
    """Whether everything could be read, and the pieces are what they seemed to be."""
    return (
        is_surveyed(project, seen)
        and not any(item.code.startswith(MISREAD) for item in project.diagnostics)
        and all(part.kind.name in PIECES for part in project.parts if part.file in seen.files)
    )


def _said_to_others(project: Project) -> tuple[dict[SpecKey, Plain], dict[str, dict[str, bool]]]:
    """The faces of the pieces, and which variables are used."""
    specs = (spec for item in project.environments for spec in item.specs)
    faces = {spec.key: face(spec).tree.plain() for spec in specs if spec.kind.name in PIECES}
    used = {name: {key: bool(uses[key]) for key in uses} for name, uses in project.used.items()}
    return faces, used


def _alone(project: Project) -> Project:
    """Without what can only be said in view of all pieces."""
    found = (item for item in project.diagnostics if item.code != UNUSED_VARIABLE.code)
    return project._replace(diagnostics=tuple(found))
