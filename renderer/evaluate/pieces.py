"""Some pieces of a repository looked at, with what is around them."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from renderer.compose.environment_rules import UNUSED_VARIABLE
from renderer.compose.environments import unused_variables
from renderer.evaluate.earlier import Known
from renderer.evaluate.outcomes import MISREAD, Entangled, Outcome, settled
from renderer.evaluate.pipeline import Gathered, gather
from renderer.evaluate.shard import Shard
from renderer.evaluate.survey import Selection, Survey, is_surveyed
from renderer.io.loading import load_files
from renderer.values.files import Files
from renderer.values.model import Environment, Project, Spec


class Asked(NamedTuple):
    """What is asked of a repository: which environments and destinations, by how many processes.

    With `trees`, all specs are wanted with what they say, and not only what comes of them.
    """

    environments: tuple[str, ...] = ()
    shard: Shard = Shard()
    jobs: int = 1
    trees: bool = False

    def text(self) -> bytes:
        return repr((sorted(self.environments), *self.shard)).encode()


class Recalled(NamedTuple):
    """Outcomes of an earlier run: of pieces by stem, and of what is around them.

    `is_fine` says that what is around need not be judged again in view of all pieces.
    """

    pieces: Mapping[str, Outcome]
    around: Outcome | None = None
    is_fine: bool = False

    def known(self) -> Iterable[Outcome]:
        """The outcomes of all specs that are not to be looked at."""
        return (*self.pieces.values(), *([self.around] if self.around and self.is_fine else ()))


def look_at(
    files: Files,
    seen: Survey,
    asked: Asked,
    recalled: Recalled,
    stems: Iterable[str],
) -> tuple[Project, Gathered]:
    """Some pieces together with what all of them depend on, and the faces of those known."""
    wanted = {file for stem in stems for file in seen.pieces[stem]}
    project = _with_faces(load_files(Selection(files, seen.files - wanted)), recalled.pieces)
    if not is_surveyed(project, seen):
        raise Entangled
    specs = (item for piece in recalled.known() for item in piece.specs)
    known = {item.spec.key: Known(item.sound, item.manifests) for item in specs}
    fine = settled(recalled.around, seen.files) if recalled.around else None
    owns = asked.shard.owns
    gathered = gather(project, asked.environments, owns=owns, known=known, settled=fine)
    if any(item.code.startswith(MISREAD) for item in gathered.found):
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
            used[name] = {**dict.fromkeys(variables, ()), **used.get(name, {})}
    told = [item for item in project.diagnostics if item.code != UNUSED_VARIABLE.code]
    told += unused_variables(environments, used)
    return project._replace(environments=environments, used=used, diagnostics=tuple(told))


def _joined(environment: Environment, faces: list[Spec]) -> Environment:
    specs = tuple(sorted((*environment.specs, *faces), key=lambda spec: spec.identity))
    by_name = {(spec.kind.name, spec.name): spec for spec in reversed(specs)}
    if len(by_name) < len(specs):
        raise Entangled  # two of one name: which of them is meant?
    return environment._replace(specs=specs, by_name=by_name)
