"""One object: its template filled with values, and a look at the result."""

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from zlib import crc32

from renderer.compose.environment_rules import NOT_DECRYPTED
from renderer.kubernetes.versions import versions_of
from renderer.manifests import rules as man
from renderer.manifests.gitops import Marks, annotate
from renderer.manifests.sizes import sizes
from renderer.manifests.templates import TemplateSource, bundled_template, content, find
from renderer.rules.metadata import misuses
from renderer.rules.policy import tempered
from renderer.schema.bundle import bundled_schema
from renderer.schema.crds import Crd
from renderer.schema.validation import check as check_shape
from renderer.text.decoder import Limits, decode
from renderer.text.digests import digest
from renderer.text.wording import path_text
from renderer.text.yaml_writer import dispute, write
from renderer.values.diagnostics import Diagnostic, Origin, Path, has_errors
from renderer.values.kinds import DECRYPTION, STEERING, Stage
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest, Render
from renderer.values.tree import Node

_OUTPUT_LIMITS = Limits(size=16 << 20)
#: File systems take 255 bytes, of which `.servingctl-draft-` and the ending need some.
_LONGEST_NAME = 232
_SAMPLED = 16
_OUR_BUG = "this is a bug in servingctl; please report it together with the spec"


class Context(NamedTuple):
    """What rendering needs besides specs: the user's templates and CRDs.

    `owns` says which destinations of an environment are wanted. What only versions of servingctl
    after `rules_as_of` find keeps no object from being made. Unless it `reads_all`, a few of the
    texts are read back.
    """

    templates: Mapping[str, str]
    crds: Mapping[tuple[str, str], Crd]
    owns: Callable[[str, str], bool]
    rules_as_of: str = ""
    reads_all: bool = True


class MadeObject(NamedTuple):
    """An object, if nothing is wrong with it, and what is."""

    manifest: Manifest | None
    diagnostics: list[Diagnostic]


def make(
    plan: Render,
    spec: Spec,
    environment: Environment,
    where: Destination,
    context: Context,
    *,
    by_content: bool,
) -> MadeObject:
    """The object that a plan describes, checked as the cluster would check it."""
    path = f"{spec.environment}/{where.name}/{plan.plural}/{_file_name(plan.name)}"
    if spec.source:
        return _copy(plan, spec, where, path)
    source = find(plan.template, context.templates)
    bare, found = content(plan, source)
    if bare is None:
        return MadeObject(None, found)
    text = write(bare)
    marks = Marks(spec.stage, by_content=by_content, is_kept=plan.is_kept)
    tree = annotate(bare, text, marks)
    place = (path, spec.environment, where.name)
    text = text if tree is bare else write(tree)
    manifest = Manifest(
        *place, spec, plan.schema, tree, text, _identity(tree),
        stage=spec.stage, has_generations=plan.has_generations,
    )  # fmt: skip
    checks = (
        *_object_shape_errors(manifest, plan, source),
        *changed_values(tree, plan, source),
        *misused_metadata(tree, source, stage=spec.stage),
        *_crd_shape_errors(manifest, context.crds),
        *_kubernetes_shape_errors(manifest, environment, where),
        *(_disputes(manifest) if context.reads_all or _is_sample(path) else ()),
        *sizes(manifest),
    )
    found = tempered(checks, context.rules_as_of)
    return MadeObject(
        None if has_errors(found) else manifest,
        [item.about(related=(source.file,)) for item in found],
    )


def _copy(plan: Render, spec: Spec, where: Destination, path: str) -> MadeObject:
    """The object with the text of its file; what its environment says of it is not in it."""
    members = {key: node for key, node in spec.tree.items.items() if key not in STEERING}
    tree = spec.tree.with_members(members)
    place = (path, spec.environment, where.name)
    made = Manifest(*place, spec, plan.schema, tree, spec.source, _identity(tree), stage=spec.stage)
    found = [*_undecrypted(spec, where), *sizes(made)]
    return MadeObject(None if has_errors(found) else made, found)


def _undecrypted(spec: Spec, where: Destination) -> Iterator[Diagnostic]:
    if where.tree.get(DECRYPTION) is None:
        message = f"{spec} is encrypted, and nothing is said to decrypt it at {where.name!r}"
        fix = f"add `{DECRYPTION}: flux` or `{DECRYPTION}: plugin` to this destination"
        yield NOT_DECRYPTED.at(where.tree.origin, message, fix)


def _file_name(name: str) -> str:
    """A name with the ending; one that file systems do not take is cut, and has a digest."""
    if len(name) > _LONGEST_NAME:
        end = f"-{digest(name)[:10]}"
        name = f"{name[: _LONGEST_NAME - len(end)]}{end}"
    return f"{name}.yaml"


def _object_shape_errors(
    manifest: Manifest, plan: Render, source: TemplateSource
) -> Iterator[Diagnostic]:
    """Where the object is not what the platform stores: our fault, or an override's."""
    overridden = not source.file.startswith("servingctl:")
    fix = f"mend {source.file}, or delete it to use the bundled template"
    for found in check_shape(manifest.tree, bundled_schema(plan.schema)):
        where = _place(found, manifest)
        message = f"the rendered object is not what the platform stores: {found.message}"
        yield man.OBJECT_SHAPE.at(where, message, fix if overridden else _OUR_BUG)


def _crd_shape_errors(
    manifest: Manifest, crds: Mapping[tuple[str, str], Crd]
) -> Iterator[Diagnostic]:
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
        yield man.CRD_SHAPE.at(where, message, fix).about(related=(crd.file,))
        return
    for found in check_shape(manifest.tree, crd.versions[version]):
        message = f"the rendered {kind} does not fit {crd.file}: {found.message}"
        finding = man.CRD_SHAPE.at(_place(found, manifest), message, found.fix)
        yield finding.about(related=(crd.file,))


def _kubernetes_shape_errors(
    manifest: Manifest, environment: Environment, where: Destination
) -> Iterator[Diagnostic]:
    """Kinds of a registry are none of Kubernetes itself, and need no schemas of it."""
    if manifest.spec.kind.is_open:
        from renderer.manifests.kubernetes_shapes import kubernetes_shape_errors

        version = versions_of(environment, [where])[0]
        yield from kubernetes_shape_errors(manifest, version)


def _is_sample(path: str) -> bool:
    """Whether a text is read back in any case: always the same few.

    That the writer says to every reader what it was given is shown by tests of its grammar.
    """
    return crc32(path.encode("utf-8", "surrogatepass")) % _SAMPLED == 0


def _disputes(manifest: Manifest) -> Iterator[Diagnostic]:
    """Read the text back under the tables of all readers at once."""
    _, problems = decode(manifest.text.encode(), manifest.path, _OUTPUT_LIMITS)
    what = problems[0].message if problems else dispute(manifest.text, manifest.tree)
    if what:
        message = f"the text of {manifest.path} does not mean the same to all readers: {what}"
        yield man.DISPUTED.at(Origin(manifest.spec.file), message, _OUR_BUG)


def _place(found: Diagnostic, manifest: Manifest) -> Origin:
    """Where a value came from; the spec itself for values that no file gave."""
    if found.file:
        return Origin(found.file, found.line, found.column)
    return manifest.spec.tree.origin


def _identity(tree: Node) -> str:
    """Group, kind, namespace and name, as a cluster tells objects apart."""
    paths = (("apiVersion",), ("kind",), ("metadata", "namespace"), ("metadata", "name"))
    nodes = [tree.get(*path) for path in paths]
    version, *rest = (str(node.value) if node else "" for node in nodes)
    return "/".join(part for part in (version.rpartition("/")[0], *rest) if part)


def changed_values(tree: Node, plan: Render, source: TemplateSource) -> Iterator[Diagnostic]:
    """Where an override writes something else than the bundled template does."""
    if not plan.keeps or source == bundled_template(plan.template):
        return
    wanted, _ = content(plan, bundled_template(plan.template))
    for keys in plan.keeps if wanted else ():
        pairs = zip_longest(_values(wanted, keys), _values(tree, keys), fillvalue=((), None))
        for (path, want), (place, made) in pairs:
            if (want.value if want else None) != (made.value if made else None):
                yield _changed(tree, place or path, want, made, source)
                break  # one that is left out moves all that follow


def misused_metadata(tree: Node, source: TemplateSource, *, stage: Stage) -> Iterator[Diagnostic]:
    """Labels and annotations of an override that change how or when its object is applied."""
    metadata = tree.get("metadata")
    if metadata is None or source.file.startswith("servingctl:"):
        return
    for found in misuses(metadata, stage):
        where = metadata.locate(found.path, at_key=found.at_key)
        place = where if where.file == source.file else Origin(source.file)
        yield man.APPLIED_OTHERWISE.at(place, found.message, found.fix)


def _values(tree: Node | None, keys: tuple[str, ...], path: Path = ()) -> list[tuple[Path, Node]]:
    """The values at a path, which leads through every item of a list."""
    if tree is None:
        return []
    if tree.elements:
        items = enumerate(tree.elements)
        return [found for n, item in items for found in _values(item, keys, (*path, n))]
    return _values(tree.get(keys[0]), keys[1:], (*path, keys[0])) if keys else [(path, tree)]


def _changed(
    tree: Node, path: Path, want: Node | None, made: Node | None, source: TemplateSource
) -> Diagnostic:
    says = f"the spec has {want.value!r}" if want else "the spec has nothing there"
    writes = f"writes {made.value!r}" if made else "writes nothing"
    message = f"the template {writes} as {path_text(path)}, and {says}"
    places = (tree.locate(path), tree.locate(path, at_key=True))
    where = next((place for place in places if place.file == source.file), Origin(source.file))
    return man.CHANGED_VALUE.at(where, message, f"place the value that {source.file} is given")
