"""From checked specs to the manifests of an environment: naming, placing, making."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.backends.kinds import OWNERS, PLATFORMS
from renderer.evaluate.parallel import in_chunks
from renderer.render import rules as man
from renderer.render.objects import Context, make
from renderer.render.placement import Identity, placements, unrouted
from renderer.render.templates import content, find
from renderer.text.digests import name_by_content
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Destination, Environment, Manifest, Scene, Spec
from renderer.values.tree import Node

Names = dict[Identity, str]
Objects = dict[str, dict[Identity, Node]]


class Rendered(NamedTuple):
    """The objects, and what is wrong with them.

    `unused` are the specs that nothing in the environment uses, `failed` those without an object
    that they should have.
    """

    manifests: list[Manifest]
    diagnostics: list[Diagnostic]
    unused: Sequence[Spec] = ()
    failed: Sequence[Spec] = ()


def render_environment(
    environment: Environment, sound: Sequence[Spec], context: Context
) -> Rendered:
    """The manifests of an environment's sound specs, and what is wrong with them."""
    places = placements(environment, sound, OWNERS)
    stage = _Stage(environment, context, {}, {}, places)
    parts = [stage.prerequisite(spec) for spec in sound if spec.kind.prerequisite]
    users = [spec for spec in sound if not spec.kind.prerequisite]
    parts += _of_users(users, stage)
    manifests = [
        item
        for part in parts
        for item in part.manifests
        if context.owns(item.environment, item.destination)
    ]
    found = [item for part in parts for item in part.diagnostics]
    found += _same_paths(manifests)
    # a broken spec may be the one that uses it
    complete = len(sound) == len(environment.specs) and not environment.unread
    unused = [spec for spec in sound if complete and spec.identity not in places]
    failed = [spec for part in parts for spec in part.failed]
    return Rendered(manifests, found, unused, failed)


def _of_users(users: Sequence[Spec], stage: "_Stage") -> Iterator[Rendered]:
    """What comes of each spec by itself, its prerequisites being made; on several cores."""

    def work(chunk: Sequence[int]) -> list[tuple[int, Rendered]]:
        return [(index, stage.user(users[index])) for index in chunk]

    known = stage.context.known
    fresh = [index for index, spec in enumerate(users) if spec.key not in known]
    parts = in_chunks(fresh, stage.context.jobs, work)
    made = {index: rendered for part in parts for index, rendered in part}
    for index, spec in enumerate(users):
        one = made.get(index) or Rendered(list(known[spec.key].manifests), [])
        yield one._replace(manifests=[item._replace(spec=spec) for item in one.manifests])


class _Stage(NamedTuple):
    """An environment being rendered: names by content, and the prerequisites of each cluster."""

    environment: Environment
    context: Context
    names: Names
    made: Objects
    places: Mapping[Identity, tuple[Destination, ...]]

    def prerequisite(self, spec: Spec) -> Rendered:
        """Make a prerequisite, named by its content if its platform wants that, and note it."""
        if spec.key in self.context.known and spec.identity not in self.places:
            return Rendered([], [])  # nothing that is looked at needs it
        by_content = OWNERS[spec.kind.name].names_by_content(spec.kind, self.environment)
        if by_content and (found := self._name(spec)):
            return Rendered([], found, failed=[spec])
        rendered = self._render(spec, self.places.get(spec.identity, ()), by_content=by_content)
        clusters = {item.name: item.cluster for item in self.environment.destinations}
        for item in rendered.manifests:
            objects = self.made.setdefault(clusters[item.destination], {})
            objects[spec.kind.name, spec.name] = item.tree
        return rendered

    def user(self, spec: Spec) -> Rendered:
        """Make what a spec is for, where this run is responsible for it."""
        name, owns = self.environment.name, self.context.owns
        wanted = (item for item in self.places.get(spec.identity, ()) if owns(name, item.name))
        rendered = self._render(spec, wanted, by_content=False)
        if not spec.kind.routes_itself:
            rendered.diagnostics.extend(unrouted(spec, self.environment, PLATFORMS[spec.kind.name]))
        return rendered

    def _name(self, spec: Spec) -> list[Diagnostic]:
        """Name a spec by what it holds before any destination changes it, or say why not."""
        scene = Scene(self.environment, None, {}, {})
        for plan in OWNERS[spec.kind.name].plan(spec, scene):
            tree, found = content(plan, find(plan.template, self.context.templates))
            if tree is None:
                return [item.about(self.environment.name, related=spec.files) for item in found]
            data = (tree.get("spec") or tree).plain()
            self.names[spec.kind.name, spec.name] = name_by_content(spec.name, data)
        return []

    def _render(
        self, spec: Spec, destinations: Iterable[Destination], *, by_content: bool
    ) -> Rendered:
        rendered = Rendered([], [])
        whole = True
        related = (*spec.files, *self.environment.files)
        for destination in destinations:
            made = self.made.get(destination.cluster, {})
            scene = Scene(self.environment, destination, self.names, made)
            for plan in OWNERS[spec.kind.name].plan(spec, scene):
                one = make(plan, spec, destination, self.context, by_content=by_content)
                found = (item.about(spec.environment, related=related) for item in one.diagnostics)
                rendered.diagnostics.extend(found)
                rendered.manifests.extend([one.manifest] if one.manifest else [])
                whole = whole and one.manifest is not None
        return rendered if whole else rendered._replace(failed=[spec])


def same_objects(
    manifests: Iterable[Manifest], environments: Iterable[Environment]
) -> Iterator[Diagnostic]:
    """Objects that two destinations would bring to one cluster."""
    clusters = {(e.name, d.name): d.cluster for e in environments for d in e.destinations}
    first: dict[tuple[str, str], Manifest] = {}
    for item in manifests:
        cluster = clusters[item.environment, item.destination]
        known = first.setdefault((cluster, item.identity), item)
        if known.path != item.path:
            rule = man.SHARED if item.spec.kind.prerequisite else man.SAME_CLUSTER
            message = f"{item.identity} goes to the cluster {cluster!r} as {known.path} as well"
            fix = "give it another name, or render it for one of the two"
            finding = rule.at(item.spec.name_node.origin, message, fix)
            yield finding.about(item.environment, related=known.spec.files)


def _same_paths(manifests: list[Manifest]) -> Iterator[Diagnostic]:
    first: dict[str, Manifest] = {}
    for manifest in manifests:
        known = first.setdefault(manifest.path, manifest)
        if known is not manifest:
            message = f"{known.spec.file} renders to {manifest.path} as well"
            where = manifest.spec.name_node.origin
            finding = man.SAME_OBJECT.at(where, message, "give one of the two another name")
            yield finding.about(manifest.environment, related=known.spec.files)
