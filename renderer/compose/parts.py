"""Which documents are specs, of which kind, in which environment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.backends import BACKENDS
from renderer.backends.kinds import API_VERSION, ENVIRONMENT, KINDS, kind_called, kind_of_tree
from renderer.compose import environment_rules as env
from renderer.compose import spec_rules as spc
from renderer.compose.kind_shapes import respell_keys
from renderer.compose.shapes import Shape
from renderer.schema.bundle import Schema
from renderer.schema.crds import Crd
from renderer.schema.rules import MISSING_KEY
from renderer.schema.validation import fits, shape_errors
from renderer.text.expressions import expression
from renderer.text.wording import listed, nearest, path_text, suggest
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.kinds import Kind
from renderer.values.model import Document, SpecPart, environment_of, stem_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import StoredKind
from renderer.values.tree import Node

_FOLDER = expression(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_DESCRIPTION = "environment"
_FEW = 3
#: As long as the name of a kind can be.
_KIND_LENGTH = 63
_NO_CRDS: Mapping[tuple[str, str], Crd] = {}


class Folder(NamedTuple):
    """An environment before it is composed: its description and its specs by identity.

    `unread` are the stems of files that are no specs because something is wrong with them.
    """

    name: str
    description: SpecPart
    specs: Mapping[tuple[str, str], SpecPart]
    unread: frozenset[str]


class Parts(NamedTuple):
    """Documents as parts of specs, the stems by folder of those that are none, and why."""

    parts: tuple[SpecPart, ...]
    unread: Mapping[str, frozenset[str]]
    diagnostics: tuple[Diagnostic, ...]


class Folders(NamedTuple):
    """The environments that are described, the names of those that are not, and what is wrong."""

    folders: Mapping[str, Folder]
    undescribed: frozenset[str]
    diagnostics: tuple[Diagnostic, ...]


def parts_of(
    documents: Iterable[Document],
    texts: Mapping[str, tuple[str, ...]],
    crds: Mapping[tuple[str, str], Crd] = _NO_CRDS,
) -> Parts:
    """Find the environment and kind of every document; `texts` are the files it took texts from.

    The CRDs of the user's clusters say what is not known of kinds of their own.
    """
    found: list[Diagnostic] = []
    parts: list[SpecPart] = []
    unread: dict[str, set[str]] = {}
    for document in documents:
        environment = environment_of(document.file)
        if not environment:
            found.append(_outside_finding(document))
            continue
        part = _part(document, environment, texts.get(document.file, ()), crds)
        if isinstance(part, SpecPart):
            parts.append(part)
        else:
            found += [part.about(environment)] if part else []
            unread.setdefault(environment, set()).add(stem_of(document.file))
    parts.sort(key=lambda part: part.environment)
    stems = {name: frozenset(some) for name, some in unread.items()}
    return Parts(tuple(parts), stems, tuple(found))


def folders_of(names: Iterable[str], given: Parts) -> Folders:
    """The environments of these folders, as far as they are described."""
    parts = _group_by_folder(given.parts)
    made = [
        _folder(name, parts.get(name, []), given.unread.get(name, frozenset()))
        for name in sorted(names)
    ]
    folders = {folder.name: folder for folder, _ in made if folder}
    found = tuple(item for _, some in made for item in some)
    return Folders(folders, frozenset(names) - folders.keys(), found)


def _group_by_folder(parts: Iterable[SpecPart]) -> dict[str, list[SpecPart]]:
    folders: dict[str, list[SpecPart]] = {}
    for part in parts:
        folders.setdefault(part.environment, []).append(part)
    return folders


def _outside_finding(document: Document) -> Diagnostic:
    fix = "move it into the folder of an environment"
    return env.OUTSIDE_ENVIRONMENTS.at(
        Origin(document.file), "the file belongs to no environment", fix
    )


def _part(
    document: Document,
    environment: str,
    texts: tuple[str, ...],
    crds: Mapping[tuple[str, str], Crd],
) -> SpecPart | Diagnostic | None:
    """The document as a spec, or why it is none; nothing if its reader reported that already."""
    tree = document.tree
    if tree is None:
        return None
    problem = _not_a_spec(tree)
    kind = None if problem else kind_of_tree(tree)
    if problem or not kind:
        return problem or _unknown_kind(tree)
    if kind.is_open:
        kind = described(kind, tree, crds)
    tree = respell_keys(tree, kind)
    source = document.source if kind.copied and kind.copied.is_one(tree) else ""
    return SpecPart(kind, stem_of(document.file), environment, document.file, tree, texts, source)


def _not_a_spec(tree: Node) -> Diagnostic | None:
    header = f"begin with 'apiVersion: {API_VERSION}' and a kind"
    if not isinstance(tree.value, Mapping):
        what = "the file is empty" if tree.value is None else "a spec is a mapping"
        return spc.NOT_A_SPEC.at(tree.origin, what, header)
    version = tree.get("apiVersion")
    if version is None:
        return spc.NOT_A_SPEC.at(tree.origin, "'apiVersion' is missing", header)
    if version.value != API_VERSION and (stored := _stored_kind(tree, str(version.value))):
        message = f"{stored.kind} as the platform stores it is not a spec"
        fix = f"write the {stored.spec} of its fields, or move the file elsewhere and import it: "
        fix += f"'servingctl import FILE --env {environment_of(version.origin.file)}'"
        return spc.NOT_A_SPEC.at(version.origin, message, fix)
    kind = kind_of_tree(tree)
    if version.value != API_VERSION and not (kind and kind.is_open):
        return _foreign_file(tree, version)
    return None


def _foreign_file(tree: Node, version: Node) -> Diagnostic:
    """What is neither a spec nor an object of a known kind, most often for a slip in its kind."""
    name = _value(tree, "kind")
    spec = f"'apiVersion: {API_VERSION}'"
    if isinstance(name, str) and name not in KINDS:
        message = f"{name[:_KIND_LENGTH]!r} of apiVersion {version.plain()!r} is no known kind"
        fix = f"correct both; a spec has {spec}; move a file that is neither elsewhere"
    else:
        message = f"apiVersion is {version.plain()!r}, not {API_VERSION!r}"
        fix = f"write {spec}, or move a file that is no spec elsewhere"
    return spc.NOT_A_SPEC.at(version.origin, message, fix)


def described(kind: Kind, tree: Node, crds: Mapping[tuple[str, str], Crd]) -> Kind:
    """A kind as the CRD of the user's clusters has it, if there is one."""
    group, _, version = str(_value(tree, "apiVersion")).rpartition("/")
    crd = crds.get((group, str(_value(tree, "kind"))))
    if crd is None:
        return kind
    keys = crd.list_keys(version)
    return kind._replace(cluster_wide=not crd.is_namespaced, list_keys=keys, is_described=True)


def _stored_kind(tree: Node, version: str) -> StoredKind | None:
    """The kind of object that a platform stores, if the file holds one."""
    name = version.partition("/")[0], _value(tree, "kind")
    kinds = (item for backend in BACKENDS for item in backend.stored)
    return next((item for item in kinds if (item.group, item.kind) == name), None)


def _unknown_kind(tree: Node) -> Diagnostic:
    kind = _value(tree, "kind")
    known = f"write one of {listed(KINDS, 'or')}"
    if kind is None:
        return spc.UNKNOWN_KIND.at(tree.origin, "'kind' is missing", known)
    fix = suggest(str(kind), KINDS, known)
    if kind_called(str(kind)):
        fix = f"write the {kind} as it is, with its own apiVersion"
    return spc.UNKNOWN_KIND.at(tree.locate(("kind",)), f"{kind!r} is not a kind of spec", fix)


def _value(tree: Node, key: str) -> object:
    node = tree.get(key)
    return node.plain() if node else None


def _folder(
    name: str, parts: list[SpecPart], unread: frozenset[str]
) -> tuple[Folder | None, list[Diagnostic]]:
    """An environment, if its folder has a usable name and is described, and what is wrong."""
    own = [part for part in parts if part.kind is ENVIRONMENT]
    if not _FOLDER.fullmatch(name):
        fix = "rename the folder: lower-case letters, digits and '-', at most 63 characters"
        where = Origin(own[0].file if own else f"environments/{name}")
        message = f"{name!r} cannot be the name of a folder"
        return None, [env.FOLDER_NAME.at(where, message, fix)]
    found = [item.about(name) for item in _descriptions(name, own)]
    if not own:  # a description that could not be read has a finding of its reader
        return None, [] if _DESCRIPTION in unread else found
    specs = (part for part in reversed(parts) if part.kind is not ENVIRONMENT)
    by_identity = {(part.kind.name, part.stem): part for part in specs}
    return Folder(name, own[0], by_identity, unread), found


def _descriptions(name: str, own: list[SpecPart]) -> Iterator[Diagnostic]:
    if not own:
        message = f"the environment {name!r} is not described"
        fix = f"add environments/{name}/environment.yaml of kind Environment"
        yield env.NO_ENVIRONMENT.at(Origin(f"environments/{name}"), message, fix)
    for part in own[1:]:
        message = f"{own[0].file} describes the environment {name!r} already"
        yield env.NO_ENVIRONMENT.at(part.tree.origin, message, "delete one of the two")


def same_stems(parts: Iterable[SpecPart]) -> Iterator[Diagnostic]:
    """Files that are the same spec of the same environment."""
    first: dict[tuple[str, str, str], SpecPart] = {}
    for part in parts:
        known = first.setdefault((part.environment, part.kind.name, part.stem), part)
        if known is not part:
            message = f"{known.file} is the {part.kind.name} {part.stem!r} already"
            finding = spc.SAME_STEM.at(part.tree.origin, message, "rename one of the two files")
            yield finding.about(part.environment, related=(known.file,))


def missing_parts(tree: Node, shape: Shape, schema: Schema) -> list[str]:
    """What a spec does not say although every one has to, or what is said of that at all."""
    if (found := shape.lacks(tree)) or fits(tree, schema):
        return found
    faults = (fault for fault in shape_errors(tree, schema) if fault.unreliable_path)
    return [
        path_text(fault.unreliable_path or ())
        for fault in faults
        if fault.diagnostic.code == MISSING_KEY.code
    ]


def misnamed_finding(
    file: str, kind: str, missing: Sequence[str], inherited: Iterable[str]
) -> Diagnostic | None:
    """That a spec of its own is not complete, and perhaps meant for an inherited one."""
    stem, others = stem_of(file), sorted(inherited) if missing else []
    if not others:
        return None
    message = f"no environment above has {kind}/{stem}, which this would change, and by itself it "
    message += f"lacks {listed(map(repr, missing))}"
    hint = nearest(stem, others)
    fix = f"did you mean {hint!r}? Then rename the file; otherwise add what is missing"
    if not hint:
        fix = f"name the file as the {kind} that it is to change, such as "
        fix += f"{listed(others[:_FEW], 'or')}; otherwise add what is missing"
    return env.MISNAMED.at(Origin(file), message, fix)  # what is missing was an error before, too
