"""A repository piece by piece: from its files to findings and manifests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from renderer.composition.environments import unused_variables
from renderer.documents.text import SPEC_LIMITS, decode
from renderer.earlier import Known
from renderer.incremental.outcomes import Entangled, Outcome, around, outcomes, settled
from renderer.incremental.survey import AROUND, Selection, Survey, is_surveyed, survey
from renderer.loading import MARKER, load_files
from renderer.model import Document, Environment, Project, Spec
from renderer.parallel import in_chunks
from renderer.pipeline import Gathered, Rendering, conclude, gather, render
from renderer.rules.environments import UNUSED_VARIABLE
from renderer.sharding import Shard
from renderer.worktree import Files, Unreadable

_AT_ONCE = 400
_WORTH_A_FORK = 50


class Asked(NamedTuple):
    """What is asked of a repository: which environments and destinations, by how many processes."""

    environments: tuple[str, ...] = ()
    shard: Shard = Shard()
    jobs: int = 1

    def text(self) -> bytes:
        return repr((sorted(self.environments), *self.shard)).encode()


class Recalled(NamedTuple):
    """Outcomes of an earlier run: of pieces by stem, and of what is around them."""

    pieces: Mapping[str, Outcome]
    around: Outcome | None = None


class Memory(Protocol):
    """Where outcomes of earlier runs may be found; forgetting is never wrong."""

    def recall(self, keys: Mapping[str, str]) -> dict[str, Outcome]:
        """The outcomes of pieces by stem, as far as they are known by their keys."""

    def keep(self, keys: Mapping[str, str], found: Mapping[str, Outcome]) -> None:
        """All outcomes of this run."""


class Forgetful:
    """No memory at all."""

    def recall(self, keys: Mapping[str, str]) -> dict[str, Outcome]:  # noqa: ARG002
        return {}

    def keep(self, keys: Mapping[str, str], found: Mapping[str, Outcome]) -> None:
        pass


def look(files: Files, asked: Asked, memory: Memory) -> tuple[Project, Rendering]:
    """The same as loading a repository and rendering it, with as little work as possible."""
    try:
        return _by_pieces(files, asked, memory)
    except Entangled:
        project = load_files(files)
        return project, render(project, asked.environments, owns=asked.shard.owns, jobs=asked.jobs)


def _by_pieces(files: Files, asked: Asked, memory: Memory) -> tuple[Project, Rendering]:
    seen = survey(files, MARKER)
    keys = {stem: seen.key(stem, asked.text()) for stem in (AROUND, *seen.pieces)}
    known = memory.recall(keys)
    earlier = known.pop(AROUND, None)
    missing = [stem for stem in seen.pieces if stem not in known]
    if len(missing) > _AT_ONCE or (asked.jobs > 1 and len(missing) > _WORTH_A_FORK):
        known |= _together(in_chunks(missing, asked.jobs, _worker(files, seen, asked)))
        missing = []
    project, gathered = _around(files, seen, asked, Recalled(known, earlier), missing)
    fresh = outcomes(project, gathered, {stem: seen.pieces[stem] for stem in missing})
    if about := earlier or around(gathered, seen.files):
        fresh[AROUND] = about
    memory.keep(keys, {**known, **fresh})
    gathered.found.extend(item for piece in known.values() for item in piece.found)
    gathered.broken.update(file for piece in known.values() for file in piece.broken)
    for item, used in chain.from_iterable(piece.ignores for piece in known.values()):
        gathered.ignores.add(item, used)
    rendering = conclude(project, asked.environments, gathered)
    return _with_sources(project, rendering, files, seen), rendering


def _worker(
    files: Files, seen: Survey, asked: Asked
) -> Callable[[Sequence[str]], dict[str, Outcome] | None]:
    """Looks at pieces together with what is around them, some at a time: trees need much room."""

    def work(stems: Sequence[str]) -> dict[str, Outcome] | None:
        found: dict[str, Outcome] = {}
        for start in range(0, len(stems), _AT_ONCE):
            some = stems[start : start + _AT_ONCE]
            try:
                project, gathered = _around(files, seen, asked, Recalled({}), some)
                found |= outcomes(project, gathered, {stem: seen.pieces[stem] for stem in some})
            except Entangled:
                return None
        return found

    return work


def _together(parts: Iterable[dict[str, Outcome] | None]) -> dict[str, Outcome]:
    every: dict[str, Outcome] = {}
    for part in parts:
        if part is None:
            raise Entangled
        every |= part
    return every


def _around(
    files: Files,
    seen: Survey,
    asked: Asked,
    recalled: Recalled,
    stems: Iterable[str],
) -> tuple[Project, Gathered]:
    """What all pieces depend on, some pieces themselves, and the faces of those known."""
    wanted = {file for stem in stems for file in seen.pieces[stem]}
    project = _with_faces(load_files(Selection(files, seen.files - wanted)), recalled.pieces)
    if not is_surveyed(project, seen):
        raise Entangled
    specs = (item for piece in recalled.pieces.values() for item in piece.specs)
    known = {item.spec.key: Known(item.sound, item.manifests) for item in specs}
    fine = settled(recalled.around, seen.files) if recalled.around else None
    owns = asked.shard.owns
    gathered = gather(project, asked.environments, owns=owns, known=known, settled=fine)
    if any(item.code.startswith(("YML", "SPC")) for item in gathered.found):
        raise Entangled
    return project, gathered


def _with_faces(project: Project, known: Mapping[str, Outcome]) -> Project:
    if not known:
        return project
    faces: dict[str, list[Spec]] = {}
    for item in chain.from_iterable(piece.specs for piece in known.values()):
        faces.setdefault(item.spec.environment, []).append(item.spec)
    environments = tuple(_joined(item, faces.get(item.name, [])) for item in project.environments)
    used = {name: {**uses} for name, uses in project.used.items()}
    for piece in known.values():
        for name, variables in piece.used.items():
            used.setdefault(name, {}).update(dict.fromkeys(variables, ()))
    told = [item for item in project.diagnostics if item.code != UNUSED_VARIABLE.code]
    told += unused_variables(environments, used)
    return project._replace(environments=environments, used=used, diagnostics=tuple(told))


def _joined(environment: Environment, faces: list[Spec]) -> Environment:
    specs = tuple(sorted((*environment.specs, *faces), key=lambda spec: spec.identity))
    by_name = {(spec.kind.name, spec.name): spec for spec in reversed(specs)}
    if len(by_name) < len(specs):
        raise Entangled  # two of one name: which of them is meant?
    return environment._replace(specs=specs, by_name=by_name)


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
