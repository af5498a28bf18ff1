"""Marks by which GitOps tools order, keep and leave out objects: ours are undone, others judged."""

from renderer.backends.kinds import functions_of
from renderer.manifests.gitops import NEVER_PRUNED, NO_PRUNING
from renderer.rules.metadata import (
    REPLACING,
    SYNC_OPTIONS,
    WAVE,
    is_hook,
    is_left_out,
    misuses,
)
from renderer.text.wording import path_text
from renderer.values.imports import CHANGED, DROPPED, Note
from renderer.values.kinds import Kind, Stage
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Scene
from renderer.values.tree import Node

GITOPS = "servingctl or a GitOps controller writes it"
_PRUNE_LAST = "PruneLast=true"
_PLACE = "annotations"


class MarkedMetadata(NamedTuple):
    """The metadata of an object, what was taken out of it, and why the object is none for us."""

    metadata: Node
    notes: tuple[Note, ...] = ()
    refusal: str = ""


def drop_marks(
    metadata: Node, kind: Kind, environment: Environment, *, is_last: bool
) -> MarkedMetadata:
    """Metadata without marks that rendering writes, or that no spec may have."""
    notes: list[Note] = []
    ours = metadata.get(_PLACE)
    if ours:
        kept = _drop_own(ours, kind, environment, notes, is_last=is_last)
        metadata = metadata.with_members({**metadata.items, _PLACE: kept})
    refusal = ""
    for found in list(misuses(metadata, kind.stage)):
        place, key = str(found.path[0]), str(found.path[1])
        if is_hook(key) or is_left_out(key):
            refusal = refusal or f"{found.message}; write it without {key}, or apply it by itself"
        else:
            metadata = _drop_misuse(metadata, place, key)
            what = CHANGED if metadata.get(place, key) else DROPPED
            notes.append(Note(path_text(("metadata", place, key)), what, found.message))
    filled = {key: node for key, node in metadata.items.items() if node.value != {}}
    return MarkedMetadata(metadata.with_members(filled), tuple(notes), refusal)


def _drop_own(
    annotations: Node, kind: Kind, environment: Environment, notes: list[Note], *, is_last: bool
) -> Node:
    """Without what we write so that objects are applied in order, and never or last pruned."""
    kept = dict(annotations.items)
    wave, options = kept.get(WAVE), kept.get(SYNC_OPTIONS)
    stage = Stage.LAST if is_last else kind.stage
    if wave and stage is not Stage.MAIN and wave.value == str(int(stage)):
        del kept[WAVE]
        notes.append(_note(WAVE, DROPPED))
    is_kept = _is_kept(kind, environment)
    if is_kept and NO_PRUNING in kept:
        del kept[NO_PRUNING]
        notes.append(_note(NO_PRUNING, DROPPED))
    words = str(options.value).split(",") if options else []
    rest = _other_options(words, kind, environment, is_kept=is_kept)
    if options and rest != words:
        kept[SYNC_OPTIONS] = options.with_value(",".join(rest))
        notes.append(_note(SYNC_OPTIONS, CHANGED if rest else DROPPED))
        if not rest:
            del kept[SYNC_OPTIONS]
    return annotations.with_members(kept)


def _note(key: str, what: str) -> Note:
    return Note(path_text(("metadata", _PLACE, key)), what, GITOPS)


def _other_options(
    words: list[str], kind: Kind, environment: Environment, *, is_kept: bool
) -> list[str]:
    """The options of Argo CD that rendering does not write by itself."""
    ours = NEVER_PRUNED.split(",")
    if is_kept and {*ours} <= {*words}:
        return [word for word in words if word not in ours]
    is_first = kind.stage is Stage.FIRST and words[-1:] == [_PRUNE_LAST]
    return words[:-1] if is_first and _is_named_by_content(kind, environment) else words


def drop_last_pruning(metadata: Node) -> Node:
    """Metadata without the mark that rendering gives to what is named by its content."""
    given = metadata.get(_PLACE)
    options = given.get(SYNC_OPTIONS) if given else None
    words = str(options.value).split(",") if options else []
    if not given or not options or words[-1:] != [_PRUNE_LAST]:
        return metadata
    marks = {key: node for key, node in given.items.items() if key != SYNC_OPTIONS}
    if rest := ",".join(words[:-1]):
        marks[SYNC_OPTIONS] = options.with_value(rest)
    members = {**metadata.items, _PLACE: given.with_members(marks)}
    return metadata.with_members({key: node for key, node in members.items() if node.value != {}})


def _drop_misuse(metadata: Node, place: str, key: str) -> Node:
    """Without a mark that no spec may have; of the options of Argo CD, without those alone."""
    given = metadata.items[place]
    marks = dict(given.items)
    found = marks.pop(key)
    words = [word for word in str(found.value).split(",") if word not in REPLACING]
    if key == SYNC_OPTIONS and words:
        marks[key] = found.with_value(",".join(words))
    return metadata.with_members(
        {**metadata.items, place: metadata.items[place].with_members(marks)}
    )


def _is_kept(kind: Kind, environment: Environment) -> bool:
    """Whether objects of a kind are rendered so that nothing prunes them."""
    if not kind.is_open:
        return False
    planned = functions_of(kind.name).plan(_nothing(kind, environment), _scene(environment))
    return any(item.is_kept for item in planned)


def _is_named_by_content(kind: Kind, environment: Environment) -> bool:
    return functions_of(kind.name).named_by_content(_nothing(kind, environment), environment)


def _nothing(kind: Kind, environment: Environment) -> Spec:
    return Spec(kind, "", environment.name, ("",), environment.tree.with_members({}))


def _scene(environment: Environment) -> Scene:
    return Scene(environment, None, {}, {})
