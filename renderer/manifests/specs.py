"""From a sound spec to its manifests: named, placed and made for each destination."""

from collections.abc import Iterable, Mapping
from itertools import product

from renderer.backends.kinds import functions_of, used_specs
from renderer.manifests.content_names import content_name, follow_names, general_name
from renderer.manifests.objects import Context, make
from renderer.manifests.placement import place, unrouted_findings
from renderer.manifests.prerequisite_places import Place
from renderer.manifests.templates import content, find
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest, Placement, Scene
from renderer.values.tree import Node

Identity = tuple[str, str]


class RenderedSpec(NamedTuple):
    """The objects of a spec, what is wrong with them, and whether none is missing."""

    manifests: tuple[Manifest, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    is_whole: bool = True


def render_spec(spec: Spec, environment: Environment, context: Context) -> RenderedSpec:
    """What a spec is for, where this run is responsible for it, its prerequisites being made."""
    placement = place(spec, environment)
    used = used_specs(spec, environment)
    names: dict[Identity, str] = {}
    for item in used:
        names |= general_name(item, environment, context.templates).names(item)
    wanted = (item for item in placement.own if context.owns(environment.name, item.name))
    scenes = [
        Scene(environment, item, names, _present(used, environment, item, placement, context))
        for item in wanted
    ]
    if functions_of(spec.kind.name).named_by_content(spec, environment):
        scenes = [_add_own_name(spec, scene, context.templates) for scene in scenes]
    rendered = _render(spec, scenes, context, by_content=False)
    lost = tuple(unrouted_findings(spec, environment))
    return rendered._replace(diagnostics=(*rendered.diagnostics, *lost))


def made_prerequisites(
    spec: Spec, environment: Environment, context: Context
) -> dict[str, dict[tuple[str, str, str], Node]]:
    """What a spec refers to, as it is made in each cluster, by kind, namespace and name."""
    placement, used = place(spec, environment), used_specs(spec, environment)
    found: dict[str, dict[tuple[str, str, str], Node]] = {}
    for item in placement.own:
        for (kind, _), tree in _present(used, environment, item, placement, context).items():
            place_nodes = (tree.get("metadata", key) for key in ("namespace", "name"))
            namespace, name = (str(node.value) if node else "" for node in place_nodes)
            found.setdefault(item.cluster, {})[kind, namespace, name] = tree
    return found


def _add_own_name(spec: Spec, scene: Scene, templates: Mapping[str, str]) -> Scene:
    """The scene with the name that a spec has by its content there; making it tells what fails."""
    own = content_name(spec, scene, templates).names(spec)
    return scene._replace(names={**scene.names, **own})


def render_prerequisite(
    spec: Spec, environment: Environment, places: Iterable[Place], context: Context
) -> RenderedSpec:
    """A prerequisite for the places where it is needed."""
    naming = general_name(spec, environment, context.templates)
    if naming.diagnostics:
        return RenderedSpec((), naming.diagnostics, is_whole=False)
    names = naming.names(spec)
    scenes = [Scene(environment, p.destination, names, {}, p.namespace) for p in places]
    return _render(spec, scenes, context, by_content=bool(naming.name))


def _present(
    used: Iterable[Spec],
    environment: Environment,
    destination: Destination,
    placement: Placement,
    context: Context,
) -> dict[Identity, Node]:
    """The prerequisites of a spec as they are in the cluster of a destination."""
    found: dict[Identity, Node] = {}
    near = [i for i in placement.prerequisites if i.cluster == destination.cluster]
    near.sort(key=lambda item: item.namespace == destination.namespace)
    for spec, item in product(used, near):
        if tree := _content_at(spec, environment, item, context.templates):
            found[spec.kind.name, spec.name] = tree
    return found


@cached_by_identity
def _content_at(
    spec: Spec, environment: Environment, destination: Destination, templates: Mapping[str, str]
) -> Node | None:
    """What a prerequisite holds at a destination; its own check is another matter."""
    naming = general_name(spec, environment, templates)
    scene = Scene(environment, destination, naming.names(spec), {})
    plans = () if naming.diagnostics else functions_of(spec.kind.name).plan(spec, scene)
    for plan in plans:
        tree, _ = content(plan, find(plan.template, templates))
        return tree
    return None


def _render(
    spec: Spec, scenes: Iterable[Scene], context: Context, *, by_content: bool
) -> RenderedSpec:
    manifests: list[Manifest] = []
    found: list[Diagnostic] = []
    is_whole = True
    for scene in scenes:
        if scene.destination is None:
            continue
        there = Place(scene.destination, scene.namespace or _own_namespace(spec))
        following = follow_names(spec, scene.environment, there, context.templates)
        found += following.diagnostics
        for plan in functions_of(spec.kind.name).plan(following.spec, scene):
            where = scene.environment, scene.destination
            one = make(plan, spec, *where, context, by_content=by_content)
            related = (*spec.files, *scene.environment.files)
            found += (item.about(spec.environment, related=related) for item in one.diagnostics)
            manifests += [one.manifest] if one.manifest else []
            is_whole = is_whole and one.manifest is not None
    return RenderedSpec(tuple(manifests), tuple(found), is_whole)


def _own_namespace(spec: Spec) -> str:
    given = spec.tree.get("namespace")
    return str(given.value) if given else ""
