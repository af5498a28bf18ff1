"""What all pieces together came to, and when that must be the same again.

What is found by looking at everything depends on what is around the pieces, on what each piece
shows to others, and on what was found in it. As long as these are the same, so is the conclusion:
a piece that changed otherwise needs a look, and the others do not even have to be recalled.
"""

from collections.abc import Iterable, Mapping
from itertools import chain

from renderer.evaluate.memory import Memory
from renderer.evaluate.outcomes import Outcome, Seen, of_around, outcomes
from renderer.evaluate.pieces import Asked, Recalled, look_at
from renderer.evaluate.pipeline import Gathered, Rendering
from renderer.evaluate.survey import AROUND, Survey
from renderer.text.digests import blake2b
from renderer.values.files import Files
from renderer.values.model import Environment, Manifest, Project, Spec

WHOLE = "/"  # instead of a stem
_FEW = 20


def said(outcome: Outcome) -> str:
    """A digest of all that matters of a piece when everything is looked at.

    Where its values stand does not matter as long as there is nothing to be said of them.
    """
    if outcome.said:
        return outcome.said
    shown = [_shown(item) for item in outcome.specs]
    told = (outcome.found, outcome.ignores, outcome.broken)
    places = [item.spec.tree for item in outcome.specs] if any(told) else ()
    whole = repr((shown, told, places, sorted(outcome.used.items())))
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _shown(item: Seen) -> tuple[object, ...]:
    made = [(one.path, one.destination, one.identity) for one in item.manifests]
    return (*item.spec.key, item.spec.files, item.sound, made, item.spec.tree.plain())


def key_of_all(seen: Survey, asked: Asked, every: Mapping[str, Outcome]) -> str:
    """A name for the conclusion that is to be drawn from these outcomes."""
    total = blake2b(WHOLE.encode(), digest_size=20)
    total.update(asked.text())
    total.update(seen.around)
    for stem in sorted(seen.pieces):
        total.update(f"\0{stem}\0{said(every[stem])}".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def conclusion(
    rendering: Rendering, gathered: Gathered, seen: Survey, every: Iterable[Outcome]
) -> Outcome | None:
    """What everything came to, if it is all sound and says nothing new of any piece."""
    told = {item[:4] for outcome in every for item in outcome.found}
    news = (item for item in rendering.diagnostics if item[:4] not in told)
    if rendering.unsound or any(not seen.files.isdisjoint((i.file, *i.related)) for i in news):
        return None
    objects = of_around(gathered, seen.files)
    return Outcome(objects, tuple(rendering.diagnostics))


class Again:
    """A look at the few pieces that changed."""

    def __init__(self, files: Files, seen: Survey, asked: Asked, keys: Mapping[str, str]) -> None:
        self.files, self.seen, self.asked, self.keys = files, seen, asked, keys
        self.fresh: dict[str, Outcome] = {}

    def look(self, memory: Memory) -> tuple[Project, Rendering] | None:
        """Everything, if the conclusion must be the same as before; what was seen is kept."""
        known = memory.recall(self.keys, trees=False)
        around = known.pop(AROUND, None)
        missing = [stem for stem in self.seen.pieces if stem not in known]
        if around is None or len(missing) > _FEW:
            return None
        recalled = Recalled({}, around, is_fine=True)
        project, gathered = look_at(self.files, self.seen, self.asked, recalled, missing)
        pieces = {stem: self.seen.pieces[stem] for stem in missing}
        self.fresh = outcomes(project, gathered, pieces)
        every = {**known, **self.fresh}
        key = key_of_all(self.seen, self.asked, every)
        whole = memory.recall({WHOLE: key}).get(WHOLE)
        if whole is None:
            return None
        memory.keep({**self.keys, WHOLE: key}, {**every, AROUND: around, WHOLE: whole})
        specs = list(chain.from_iterable(item.specs for item in (*every.values(), whole)))
        made = sorted((one for item in specs for one in item.manifests), key=_path)
        return _completed(project, known), Rendering(tuple(made), list(whole.found))


def _path(manifest: Manifest) -> str:
    return manifest.path


def _completed(project: Project, known: Mapping[str, Outcome]) -> Project:
    """With the specs that were not looked at, by name."""
    specs: dict[str, list[Spec]] = {}
    for item in chain.from_iterable(outcome.specs for outcome in known.values()):
        specs.setdefault(item.spec.environment, []).append(item.spec)

    def completed(item: Environment) -> Environment:
        return item._replace(specs=(*item.specs, *specs.get(item.name, ())))

    return project._replace(environments=tuple(map(completed, project.environments)))
