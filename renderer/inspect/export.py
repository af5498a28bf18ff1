"""A spec as a request to its platform's own API: which spec, for which destination, since when."""

from collections.abc import Iterator, Sequence

from renderer.backends.base import Export
from renderer.backends.kinds import functions_of, owner_of, used_specs
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.question import find_spec
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.run import render
from renderer.inspect.preview import hindrances
from renderer.manifests.content_names import follow_rendered
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Diagnostic
from renderer.values.kinds import Kind, Verb
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest, Scene
from renderer.values.requests import ApiRequest, ExportRequest, SentSpec


class Exported(NamedTuple):
    """What people ask for: specs by what they call them, in an environment, and a verb."""

    environment: str
    specs: tuple[str, ...]
    verb: str
    destination: str = ""


class SpecState(NamedTuple):
    """Specs of one state of a repository, with what was rendered there."""

    environment: Environment
    specs: tuple[Spec, ...]
    manifests: tuple[Manifest, ...]


def read_state(project: Project, wanted: Exported) -> SpecState | list[Diagnostic]:
    """The specs that are wanted, or the errors that keep them from being sent."""
    rendering = render(project, [wanted.environment])
    environment = project.environment(wanted.environment)
    if environment is None:
        return rendering.diagnostics
    specs = list({spec.identity: spec for spec in _found(environment, wanted.specs)}.values())
    verb_of(specs, wanted)
    found = [one for spec in specs for one in hindrances(rendering, environment, spec)]
    if found:
        return list(dict.fromkeys(found))
    return SpecState(environment, tuple(specs), _manifests(rendering, environment))


def verb_of(specs: Sequence[Spec], wanted: Exported) -> Verb:
    """The verb that is meant, if the specs are of one kind and that kind has it."""
    kind = _only_kind(specs)
    _export_of(specs[0])
    names = [verb.name for verb in kind.verbs]
    for verb in kind.verbs:
        if verb.name == wanted.verb:
            _refuse_several(specs, verb, kind)
            return verb
    meant = suggest(wanted.verb, names, f"say {listed(names, 'or')}")
    raise UsageError(f"{kind.name} has no request {wanted.verb!r}; {meant}")


def request_of(state: SpecState, wanted: Exported, former: SpecState | None) -> ApiRequest:
    """The request, which is the same for all destinations or for the one that is named."""
    if not state.environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {state.environment.name!r} {reason}")
    places = _wanted_places(state, wanted)
    first, *others = (_made(state, wanted.verb, former, place) for place in places)
    if all(first.sends_the_same_as(other) for other in others):
        return first
    names = listed((place.name for place in places if place), "or")
    raise UsageError(f"destinations get different requests; say --destination {names}")


def _made(
    state: SpecState, verb: str, former: SpecState | None, place: Destination | None
) -> ApiRequest:
    sent = tuple(_sent(spec, _scene(state, place)) for spec in state.specs)
    return _export_of(state.specs[0])(ExportRequest(verb, sent, _former(former, place)))


def _export_of(spec: Spec) -> Export:
    export = functions_of(spec.kind.name).export
    if export is None:
        raise UsageError(f"{spec} has no API to export to; render it, and apply that")
    return export


def _former(state: SpecState | None, place: Destination | None) -> SentSpec | None:
    """The spec as it was, for the destination that had the same name."""
    if state is None:
        return None
    known = {item.name: item for item in state.environment.destinations}
    there = known.get(place.name) if place else None
    return _sent(state.specs[0], _scene(state, there))


def _sent(spec: Spec, scene: Scene) -> SentSpec:
    """A spec that names objects as they are rendered."""
    return SentSpec(follow_rendered(spec, scene), scene)


def _scene(state: SpecState, place: Destination | None) -> Scene:
    """What a spec is sent for; names are those that are rendered there."""
    names = {
        (item.spec.kind.name, item.spec.name): _name(item)
        for item in state.manifests
        if place is None or item.destination == place.name
    }
    return Scene(state.environment, place, names, {})


def _name(item: Manifest) -> str:
    name = item.tree.get("metadata", "name")
    return str(name.value) if name else ""


def _found(environment: Environment, names: Sequence[str]) -> Iterator[Spec]:
    return (find_spec(environment, name) for name in names)


def _manifests(rendering: Rendering, environment: Environment) -> tuple[Manifest, ...]:
    return tuple(m for m in rendering.manifests if m.environment == environment.name)


def _only_kind(specs: Sequence[Spec]) -> Kind:
    kinds = {spec.kind.name: spec.kind for spec in specs}
    if len(kinds) > 1:
        raise UsageError(f"one request is about one kind, not about {listed(kinds)}")
    return specs[0].kind


def _refuse_several(specs: Sequence[Spec], verb: Verb, kind: Kind) -> None:
    if len(specs) > 1 and not verb.takes_several:
        several = [item.name for item in kind.verbs if item.takes_several]
        other = f"; several go with --as {listed(several, 'or')}" if several else ""
        raise UsageError(f"--as {verb.name} is about one spec{other}")


def _wanted_places(state: SpecState, wanted: Exported) -> list[Destination | None]:
    """The destinations that have the specs; without any, one request for no place in particular."""
    places: list[Destination | None] = [*_places(state)]
    if not wanted.destination:
        return places or [None]
    names = [item.name for item in places if item]
    if wanted.destination not in names:
        hint = suggest(wanted.destination, names)
        what = f"{listed(map(str, state.specs))} does not go to {wanted.destination!r}"
        raise UsageError(f"{what}; {hint}")
    return [item for item in places if item and item.name == wanted.destination]


def _places(state: SpecState) -> list[Destination]:
    """Where the specs are rendered; what is no object by itself is where its users are."""
    environment = state.environment
    own = {spec.identity for spec in state.specs}
    users = {
        item.identity
        for item in environment.specs
        if not own.isdisjoint(one.identity for one in used_specs(item, environment))
    }
    for identities in (own, users):
        there = {m.destination for m in state.manifests if m.spec.identity in identities}
        if there:
            return [item for item in environment.destinations if item.name in there]
    platform = owner_of(state.specs[0].kind.name).platform
    return list(environment.routed_destinations(platform, state.specs[0]))
