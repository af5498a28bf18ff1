"""From checked specs to manifests: placing, planning, templates, and a look at the result."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.backends.base import Backend
from renderer.crds import Crd
from renderer.diagnostics import Diagnostic, Origin
from renderer.documents.text import Limits
from renderer.documents.yamlreader import read
from renderer.documents.yamlwriter import write
from renderer.gitops import annotated
from renderer.hashing import name_by_content
from renderer.kinds import OWNERS, PLATFORMS
from renderer.model import Destination, Environment, Manifest, Render, Scene, Spec
from renderer.parallel import in_chunks
from renderer.placing import Identity, placements, unrouted
from renderer.rules import manifests as man
from renderer.schemacheck.sources import bundled
from renderer.schemacheck.validation import check as check_shape
from renderer.templating.faults import TemplateFault
from renderer.templating.placing import Source, fill, find
from renderer.templating.placing import render as render_template
from renderer.tree import Node

_OUTPUT_LIMITS = Limits(size=16 << 20)
_OUR_BUG = "this is a bug in servingctl; please report it together with the spec"


class Context(NamedTuple):
    """What rendering needs besides the environment: the user's templates and CRDs.

    `owns` says which destinations of an environment are wanted, `jobs` how many processes work.
    """

    templates: Mapping[str, str]
    crds: Mapping[tuple[str, str], Crd]
    owns: Callable[[str, str], bool]
    jobs: int = 1


class Rendered(NamedTuple):
    """The objects, what is wrong with them, and the specs that nothing in the environment uses."""

    manifests: list[Manifest]
    diagnostics: list[Diagnostic]
    unused: Sequence[Spec] = ()


def render_environment(
    environment: Environment, sound: Sequence[Spec], context: Context
) -> Rendered:
    """The manifests of an environment's sound specs, and what is wrong with them."""
    places = placements(environment, sound, OWNERS)
    rendering = _Rendering(environment, context)
    for spec in sound:
        if spec.kind.prerequisite:
            rendering.add(spec, places.get(spec.identity, ()))
    users = [spec for spec in sound if not spec.kind.prerequisite]
    for spec in users:
        if not spec.kind.routes_itself:
            rendering.found += unrouted(spec, environment, PLATFORMS[spec.kind.name])

    def work(chunk: Sequence[int]) -> list[tuple[int, Rendered]]:
        return [(index, rendering.of_user(users[index], places)) for index in chunk]

    for part in in_chunks(range(len(users)), context.jobs, work):
        for index, of_user in part:
            rendering.manifests += (m._replace(spec=users[index]) for m in of_user.manifests)
            rendering.found += of_user.diagnostics
    manifests = [m for m in rendering.manifests if context.owns(m.environment, m.destination)]
    rendering.found.extend(_same_paths(manifests))
    complete = len(sound) == len(environment.specs)  # a broken spec may be the one that uses it
    unused = [spec for spec in sound if complete and spec.identity not in places]
    return Rendered(manifests, rendering.found, unused)


class _Rendering:
    """One environment being rendered; prerequisites come before their users."""

    def __init__(self, environment: Environment, context: Context) -> None:
        self.environment = environment
        self.context = context
        self.manifests: list[Manifest] = []
        self.found: list[Diagnostic] = []
        self.names: dict[Identity, str] = {}
        self.made: dict[str, dict[Identity, Node]] = {}

    def add(self, spec: Spec, destinations: Iterable[Destination]) -> None:
        backend = OWNERS[spec.kind.name]
        by_content = backend.names_by_content(spec.kind, self.environment)
        if by_content and not self._named_by_content(spec, backend):
            return
        for destination in destinations:
            made = self.made.setdefault(destination.cluster, {})
            scene = Scene(self.environment, destination, self.names, made)
            for plan in backend.plan(spec, scene):
                manifest = self._manifest(plan, spec, destination, by_content=by_content)
                if manifest:
                    made[spec.kind.name, spec.name] = manifest.tree
                    self.manifests.append(manifest)

    def of_user(self, spec: Spec, places: Mapping[Identity, tuple[Destination, ...]]) -> Rendered:
        """What comes of one spec by itself, its prerequisites being made."""
        alone = _Rendering(self.environment, self.context)
        alone.names, alone.made = self.names, self.made
        owns = self.context.owns
        wanted = (d for d in places.get(spec.identity, ()) if owns(spec.environment, d.name))
        alone.add(spec, wanted)
        return Rendered(alone.manifests, alone.found)

    def _named_by_content(self, spec: Spec, backend: Backend) -> bool:
        """Give a spec a name that says what it holds before any destination changes it."""
        scene = Scene(self.environment, None, {}, {})
        for plan in backend.plan(spec, scene):
            tree = self._tree(plan, find(plan.template, self.context.templates), spec)
            if tree is None:
                return False
            content = (tree.get("spec") or tree).plain()
            self.names[spec.kind.name, spec.name] = name_by_content(spec.name, content)
        return True

    def _manifest(
        self, plan: Render, spec: Spec, destination: Destination, *, by_content: bool
    ) -> Manifest | None:
        """One object, if nothing is wrong with it."""
        source = find(plan.template, self.context.templates)
        tree = self._tree(plan, source, spec)
        if tree is None:
            return None
        tree = annotated(tree, prerequisite=spec.kind.prerequisite, by_content=by_content)
        manifest = Manifest(
            f"{spec.environment}/{destination.name}/{plan.plural}/{plan.name}.yaml",
            spec.environment,
            destination.name,
            spec,
            plan.schema,
            tree,
            write(tree),
            _identity(tree),
        )
        found = [
            *_misfits(manifest, plan, source),
            *_crd_misfits(manifest, self.context.crds),
            *_disputes(manifest),
        ]
        related = (*spec.files, *self.environment.files, source.file)
        self.found += (item.about(spec.environment, related=related) for item in found)
        return None if found else manifest

    def _tree(self, plan: Render, source: Source, spec: Spec) -> Node | None:
        found: list[Diagnostic] = []
        tree = _tree(plan, source, found)
        self.found += (item.about(self.environment.name, related=spec.files) for item in found)
        return tree


def _identity(tree: Node) -> str:
    """Group, kind, namespace and name, as a cluster tells objects apart."""
    paths = (("apiVersion",), ("kind",), ("metadata", "namespace"), ("metadata", "name"))
    nodes = [tree.get(*path) for path in paths]
    version, *rest = (str(node.value) if node else "" for node in nodes)
    return "/".join(part for part in (version.rpartition("/")[0], *rest) if part)


def _tree(plan: Render, source: Source, found: list[Diagnostic]) -> Node | None:
    try:
        skeleton = render_template(source, plan.values)
        reading = read(skeleton.text.encode(), source.file)
        tree = reading.document.tree
        if not reading.problems and tree is not None and isinstance(tree.value, Mapping):
            return fill(tree, skeleton)
    except TemplateFault as fault:
        found.append(man.TEMPLATE.at(Origin(source.file, fault.line), fault.message, fault.fix))
        return None
    fix = "mend the template, or delete it to use the bundled one"
    for item in reading.problems:
        where = skeleton.origin(Origin(item.file, item.line))
        message = f"the template does not make YAML: {item.message}"
        found.append(man.NOT_YAML.at(where, message, item.fix or fix))
    if not reading.problems:
        message = "the template does not make a mapping"
        found.append(man.NOT_YAML.at(Origin(source.file), message, fix))
    return None


def _misfits(manifest: Manifest, plan: Render, source: Source) -> Iterator[Diagnostic]:
    """Where the object is not what the platform stores: our fault, or an override's."""
    overridden = not source.file.startswith("servingctl:")
    fix = f"mend {source.file}, or delete it to use the bundled template"
    for found in check_shape(manifest.tree, bundled(plan.schema)):
        where = _place(found, manifest)
        message = f"the rendered object is not what the platform stores: {found.message}"
        yield man.MISFIT.at(where, message, fix if overridden else _OUR_BUG)


def _crd_misfits(manifest: Manifest, crds: Mapping[tuple[str, str], Crd]) -> Iterator[Diagnostic]:
    identity = [manifest.tree.get(key) for key in ("apiVersion", "kind")]
    version_text, kind = (str(node.value) if node else "" for node in identity)
    group, _, version = version_text.rpartition("/")
    crd = crds.get((group, kind))
    if crd is None:
        return
    if version not in crd.versions:
        message = f"{crd.file} serves no version {version!r} of {kind}"
        where = Origin(manifest.spec.file)
        fix = f"bring {crd.file} up to date with the cluster"
        yield man.CRD_MISFIT.at(where, message, fix).about(related=(crd.file,))
        return
    for found in check_shape(manifest.tree, crd.versions[version]):
        message = f"the rendered {kind} does not fit {crd.file}: {found.message}"
        finding = man.CRD_MISFIT.at(_place(found, manifest), message, found.fix)
        yield finding.about(related=(crd.file,))


def _disputes(manifest: Manifest) -> Iterator[Diagnostic]:
    """Read the text back under the tables of all readers at once."""
    reading = read(manifest.text.encode(), manifest.path, _OUTPUT_LIMITS)
    tree = reading.document.tree
    if reading.problems or tree is None or tree.plain() != manifest.tree.plain():
        what = reading.problems[0].message if reading.problems else "other data is read back"
        message = f"the text of {manifest.path} does not mean the same to all readers: {what}"
        yield man.DISPUTED.at(Origin(manifest.spec.file), message, _OUR_BUG)


def _place(found: Diagnostic, manifest: Manifest) -> Origin:
    """Where a value came from; the spec itself for values that no file gave."""
    if found.file:
        return Origin(found.file, found.line, found.column)
    return manifest.spec.tree.origin


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
