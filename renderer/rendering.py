"""From checked specs to manifests: placing, planning, templates, and a look at the result."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.crds import Crd
from renderer.diagnostics import Diagnostic, Origin
from renderer.documents.text import Limits
from renderer.documents.yamlreader import read
from renderer.documents.yamlwriter import write
from renderer.kinds import OWNERS
from renderer.model import Destination, Environment, Manifest, Node, Placement, Render, Spec
from renderer.rules import environments as env
from renderer.rules import manifests as man
from renderer.schemacheck.sources import bundled
from renderer.schemacheck.validation import check as check_shape
from renderer.templating.faults import TemplateFault
from renderer.templating.placing import Source, fill, find
from renderer.templating.placing import render as render_template

_OUTPUT_LIMITS = Limits(size=16 << 20)
_OUR_BUG = "this is a bug in servingctl; please report it together with the spec"


class Context(NamedTuple):
    """What rendering needs besides the environment: the user's templates and CRDs."""

    templates: Mapping[str, str]
    crds: Mapping[tuple[str, str], Crd]


class Rendered(NamedTuple):
    manifests: list[Manifest]
    diagnostics: list[Diagnostic]


def render_environment(
    environment: Environment, sound: Sequence[Spec], context: Context
) -> Rendered:
    """The manifests of an environment's sound specs, and what is wrong with them."""
    rendered = Rendered([], [])
    places = placements(environment, sound)
    for spec in sound:
        for destination in places.get(spec.identity, ()):
            for plan in OWNERS[spec.kind.name].plan(spec, environment, destination):
                _add(rendered, _manifest(plan, spec, destination), context, plan)
    rendered.diagnostics.extend(_same_paths(rendered.manifests))
    if len(sound) == len(environment.specs):  # a broken spec may be the one that uses it
        unused = (spec for spec in sound if spec.identity not in places)
        rendered.diagnostics.extend(_unused(spec) for spec in unused)
    return rendered


def _unused(spec: Spec) -> Diagnostic:
    message = f"no spec of this environment uses the {spec.kind.name} {spec.name!r}"
    finding = env.UNUSED.at(spec.name_node.origin, message, "delete it, or use it")
    return finding.about(spec.environment, related=spec.files)


def placements(
    environment: Environment, sound: Iterable[Spec]
) -> dict[tuple[str, str], tuple[Destination, ...]]:
    """Where each spec goes; prerequisites go wherever one of their users needs them."""
    places: dict[tuple[str, str], dict[str, Destination]] = {}
    for spec in sound:
        if spec.kind.prerequisite:
            continue
        backend = OWNERS[spec.kind.name]
        placement: Placement = backend.place(spec, environment)
        places[spec.identity] = {item.name: item for item in placement.own}
        for reference in backend.references(spec):
            if used := environment.named(reference.kind, reference.name):
                needed = {item.name: item for item in placement.prerequisites}
                places.setdefault(used.identity, {}).update(needed)
    return {identity: tuple(found.values()) for identity, found in places.items()}


def _manifest(plan: Render, spec: Spec, destination: Destination) -> Manifest:
    path = f"{spec.environment}/{destination.name}/{plan.plural}/{plan.name}.yaml"
    return Manifest(path, spec.environment, destination.name, spec, Node(None, Origin(spec.file)))


def _add(rendered: Rendered, empty: Manifest, context: Context, plan: Render) -> None:
    """Render one object and keep it if nothing is wrong with it."""
    source = find(plan.template, context.templates)
    tree = _tree(plan, source, rendered.diagnostics)
    if tree is None:
        return
    manifest = empty._replace(tree=tree)
    found = [
        *_misfits(manifest, plan, source),
        *_crd_misfits(manifest, context.crds),
        *_disputes(manifest),
    ]
    related = (*manifest.spec.files, source.file)
    rendered.diagnostics.extend(f.about(manifest.environment, related=related) for f in found)
    if not found:
        rendered.manifests.append(manifest)


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
    reading = read(write(manifest.tree).encode(), manifest.path, _OUTPUT_LIMITS)
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


def _same_paths(manifests: list[Manifest]) -> Iterator[Diagnostic]:
    first: dict[str, Manifest] = {}
    for manifest in manifests:
        known = first.setdefault(manifest.path, manifest)
        if known is not manifest:
            message = f"{known.spec.file} renders to {manifest.path} as well"
            where = manifest.spec.name_node.origin
            finding = man.SAME_OBJECT.at(where, message, "give one of the two another name")
            yield finding.about(manifest.environment, related=known.spec.files)
