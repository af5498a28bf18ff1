"""The texts of the files that a draft comes to, with all that people wrote in them kept."""

from collections.abc import Iterable, Iterator

from renderer.evaluate.project import Project
from renderer.promote.draft import Draft, OwnFile, written_tree
from renderer.promote.variables import description
from renderer.text import json_editor, yaml_editor
from renderer.text.decoder import SPEC_LIMITS
from renderer.text.yaml_editor import Uneditable
from renderer.values.environments import UncarriedDifference


def files_of(draft: Draft) -> tuple[dict[str, bytes], list[UncarriedDifference]]:
    """What is to be written, by path, and the specs whose file cannot be edited."""
    files: dict[str, bytes] = {}
    failed: list[UncarriedDifference] = []
    for identity, own in sorted(draft.own.items()):
        try:
            files[own.file] = _text(own).encode()
        except Uneditable as error:
            reason = f"{own.file} cannot be edited: {error}; edit it by hand"
            failed.append(UncarriedDifference("/".join(identity), None, reason))
    try:
        files |= _description(draft)
    except Uneditable as error:
        failed += _uncarried_variables(draft, str(error))
    files |= draft.texts
    former = former_files(draft.project, files)
    return {path: data for path, data in files.items() if former.get(path) != data}, failed


def former_files(project: Project, paths: Iterable[str]) -> dict[str, bytes]:
    """What is there now of some files."""
    files = project.files
    return {path: files.read(path, SPEC_LIMITS.size) for path in paths if files.exists(path)}


def _text(own: OwnFile) -> str:
    if not own.text:
        return yaml_editor.new_text(own.tree)
    if own.file.endswith(".json"):
        return json_editor.edit(own.text, own.tree)
    return yaml_editor.edit(own.text, own.tree)


def _description(draft: Draft) -> dict[str, bytes]:
    if not draft.variables:
        return {}
    project = draft.project
    part = project.shared.layers[draft.name].chain[-1].description
    text = project.text_of(part.file) or ""
    own = OwnFile(part.file, part.kind, written_tree(project, part.file), text)
    return {own.file: _text(own._replace(tree=description(draft, own.tree))).encode()}


def _uncarried_variables(draft: Draft, reason: str) -> Iterator[UncarriedDifference]:
    for name in draft.variables:
        text = f"the description of {draft.name} cannot be edited: {reason}; edit it by hand"
        yield UncarriedDifference(f"vars.{name}", None, text)
