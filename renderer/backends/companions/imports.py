"""Objects as companions: as their files say, without what servers and controllers write."""

from collections.abc import Callable, Iterator, Sequence

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.objects import HASHED, NAMED_BY_CONTENT
from renderer.backends.companions.server_fields import drop_server_fields
from renderer.backends.companions.settings import CompanionSettings
from renderer.backends.fields import members, text
from renderer.backends.kinds import kind_of_object
from renderer.backends.object_places import drop_usual_namespace, place_of, proposed
from renderer.text.digests import name_by_content
from renderer.text.expressions import expression
from renderer.values.imports import (
    CHANGED,
    ImportedSpec,
    Note,
    SkippedSource,
    Source,
    Surroundings,
)
from renderer.values.kinds import NAMING, Kind
from renderer.values.model import Environment
from renderer.values.tree import Node, Plain

_PLATFORM = "kubernetes"
_HEAD = ("apiVersion", "kind")
_PLAIN_DATA = ("data", "stringData")
_BY_CONTENT = expression(r"(.+)-[0-9a-f]{10}")


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """The clusters that specs need."""
    return proposed(specs, _PLATFORM)


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The companion that an object is, or why it must not be one."""
    kind = kind_of_object(text(source.tree, "apiVersion"), source.kind)
    if kind is None:
        return
    settings = CompanionSettings.of(around.environment)
    if refusal := next((why for ask in _REFUSALS if (why := ask(source, kind, settings))), ""):
        yield SkippedSource(source.tree.origin, f"{source.kind}/{source.name}", refusal)
        return
    if _is_copied(source, kind) and _has_others_beside(source, around):
        why = (
            "SOPS encrypted it together with others of its file; encrypt each in a file of its own"
        )
        yield SkippedSource(source.tree.origin, f"{source.kind}/{source.name}", why)
        return
    bare = drop_server_fields(source.tree, kind)
    namespace = "" if kind.cluster_wide else source.namespace
    tree = _fields(source._replace(tree=bare.tree), kind, around.environment)
    spec = ImportedSpec(kind.name, source.name, tree, namespace, bare.notes)
    yield _undo_name(spec) if kind.name == NAMED_BY_CONTENT else spec


def _undo_name(spec: ImportedSpec) -> ImportedSpec:
    """Without the digest at the end of the name, if it is one of the content that is there."""
    match = _BY_CONTENT.fullmatch(spec.name)
    held = {key: node for key, node in spec.tree.items.items() if key != "metadata"}
    content = spec.tree.with_members(held).plain()
    if not match or name_by_content(match[1], content) != spec.name:
        return spec
    note = Note("metadata.name", CHANGED, f"{spec.name} is a name by content, as servingctl gives")
    tree = spec.tree.with_members({NAMING: spec.tree.with_value(HASHED), **spec.tree.items})
    return spec._replace(name=match[1], tree=tree, notes=(*spec.notes, note))


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object without what servers write, and the namespace that a destination gives it."""
    kind = kind_of_object(text(tree, "apiVersion"), text(tree, "kind"))
    bare = drop_server_fields(tree, kind).tree if kind else tree
    return drop_usual_namespace(bare, environment, _PLATFORM)


def _plain_secret(source: Source, kind: Kind, settings: CompanionSettings) -> str:  # noqa: ARG001
    """Why a Secret does not come into a repository; empty if it holds nothing."""
    if row_of(kind.name).kind != "Secret" or _is_copied(source, kind):
        return ""
    keys = [key for place in _PLAIN_DATA for key in members(source.tree, place)]
    if not keys:
        return ""
    data = ", ".join(f"{{secretKey: {key}, remoteRef: {{key: …}}}}" for key in dict.fromkeys(keys))
    return (
        "everyone who reads the repository could read it; keep its values in a secret store and "
        f"write an ExternalSecret {source.name!r} with data: [{data}]"
    )


def _has_others_beside(source: Source, around: Surroundings) -> bool:
    file = source.tree.origin.file
    return sum(other.tree.origin.file == file for other in around.sources) > 1


def _is_copied(source: Source, kind: Kind) -> bool:
    return kind.copied is not None and kind.copied.is_one(source.tree)


def _forbidden(source: Source, kind: Kind, settings: CompanionSettings) -> str:  # noqa: ARG001
    """Why objects of a kind may not be added; empty if they may."""
    if settings.allows(kind):
        return ""
    usual = "" if settings.allow is not None else " beside the other kinds"
    return (
        f"{kind.name} is not among the kinds that may be added; name it in companions.allow of the "
        f"environment or of servingctl.yaml{usual}"
    )


_REFUSALS: tuple[Callable[[Source, Kind, CompanionSettings], str], ...] = (
    _plain_secret,
    _forbidden,
)


def _fields(source: Source, kind: Kind, environment: Environment) -> Node:
    """The object without its head and name, and its namespace only if no destination has that."""
    tree = source.tree
    place = place_of(source, environment, _PLATFORM)
    left_out = {"name"} if "namespace" in place.fields else {"name", "namespace"}
    if kind.cluster_wide:
        left_out |= {"namespace"}
    metadata = {k: node for k, node in members(tree, "metadata").items() if k not in left_out}
    rest = {k: n for k, n in tree.items.items() if k not in (*_HEAD, "metadata")}
    head = {"metadata": tree.items["metadata"].with_members(metadata)} if metadata else {}
    return tree.with_members({**head, **rest})
