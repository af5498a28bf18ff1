"""A repository piece by piece: from its files to findings and manifests."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from renderer.evaluate.concluding import WHOLE, Again, conclusion, key_of_all
from renderer.evaluate.memory import Memory
from renderer.evaluate.outcomes import Entangled, Outcome, around, outcomes
from renderer.evaluate.parallel import in_chunks
from renderer.evaluate.pieces import Asked, Recalled, look_at
from renderer.evaluate.pipeline import Gathered, Rendering, conclude, render
from renderer.evaluate.survey import AROUND, Survey, survey
from renderer.io.loading import MARKER, load_files
from renderer.io.worktree import Listed
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.values.files import Files, Unreadable
from renderer.values.model import Document, Project

_AT_ONCE = 200
_FIRST = 5  # before others are forked, so that all of them have what any piece needs
_WORTH_A_FORK = 50


def look(files: Files, asked: Asked, memory: Memory) -> tuple[Project, Rendering]:
    """The same as loading a repository and rendering it, with as little work as possible."""
    files = Listed(files)
    try:
        return _by_pieces(files, asked, memory)
    except Entangled:
        project = load_files(files)
        return project, render(project, asked.environments, owns=asked.shard.owns, jobs=asked.jobs)


def _by_pieces(files: Files, asked: Asked, memory: Memory) -> tuple[Project, Rendering]:
    seen = survey(files, MARKER)
    keys = {stem: seen.key(stem, asked.text()) for stem in (AROUND, *seen.pieces)}
    again = Again(files, seen, asked, keys)
    if not asked.trees and (looked := again.look(memory)):
        project, rendering = looked
        return _with_sources(project, rendering, files, seen), rendering
    known = {**memory.recall(keys), **again.fresh}
    earlier = known.pop(AROUND, None)
    missing = [stem for stem in seen.pieces if stem not in known]
    if len(missing) > _AT_ONCE or (asked.jobs > 1 and len(missing) > _WORTH_A_FORK):
        work = _worker(files, seen, asked)
        first = work(missing[:_FIRST])
        parts = in_chunks(missing[_FIRST:], asked.jobs, work, _AT_ONCE)
        known |= _together((first, *parts))
        earlier = known.pop(AROUND, None) or earlier
        missing = []
    project, gathered = look_at(files, seen, asked, Recalled(known, earlier), missing)
    every = {**known, **outcomes(project, gathered, {stem: seen.pieces[stem] for stem in missing})}
    about = earlier or around(gathered, seen.files)
    gathered.found.extend(item for piece in known.values() for item in piece.found)
    gathered.broken.update(file for piece in known.values() for file in piece.broken)
    for item, used in chain.from_iterable(piece.ignores for piece in known.values()):
        gathered.ignores.add(item, used)
    rendering = conclude(project, asked.environments, gathered)
    if memory.remembers and _is_sound_around(project, gathered, seen):
        whole = conclusion(rendering, gathered, seen, every.values())
        keys[WHOLE] = key_of_all(seen, asked, every)
        shared = {AROUND: about, WHOLE: whole if about else None}
        memory.keep(keys, {**every, **{name: item for name, item in shared.items() if item}})
    return _with_sources(project, rendering, files, seen), rendering


def _is_sound_around(project: Project, gathered: Gathered, seen: Survey) -> bool:
    """Whether all that pieces may refer to was there when they were looked at."""
    placed = (item for item in project.environments if item.destinations)
    specs = (spec for item in placed for spec in item.specs if seen.files.isdisjoint(spec.files))
    return all(spec.key in gathered.sound and spec.key not in gathered.failed for spec in specs)


def _worker(
    files: Files, seen: Survey, asked: Asked
) -> Callable[[Sequence[str]], dict[str, Outcome] | None]:
    """Looks at some pieces at a time; what is around them is judged with the first ones only."""
    known: dict[str, Outcome] = {}

    def work(stems: Sequence[str]) -> dict[str, Outcome] | None:
        recalled = Recalled({}, known.get(AROUND), is_fine=AROUND in known)
        try:
            project, gathered = look_at(files, seen, asked, recalled, stems)
            found = outcomes(project, gathered, {stem: seen.pieces[stem] for stem in stems})
        except Entangled:
            return None
        if AROUND not in known and (about := around(gathered, seen.files)):
            found[AROUND] = known[AROUND] = about
        return found

    return work


def _together(parts: Iterable[dict[str, Outcome] | None]) -> dict[str, Outcome]:
    every: dict[str, Outcome] = {}
    for part in parts:
        if part is None:
            raise Entangled
        every |= part
    return every


def _with_sources(project: Project, rendering: Rendering, files: Files, seen: Survey) -> Project:
    """The project with the texts of all files that findings point into."""
    documents = dict(project.documents)
    for file in {item.file for item in rendering.diagnostics} & seen.files - documents.keys():
        try:
            text, _ = decode(files.read(file, SPEC_LIMITS.size), file, SPEC_LIMITS)
        except Unreadable:
            continue
        documents[file] = Document(file, text, None)
    return project._replace(documents=documents)
