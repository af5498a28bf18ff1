"""The specs of a promotion: which are carried, which are new, and what differs in others."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from renderer.backends.kinds import references_of
from renderer.changes.environments import ROUTES, spec_differences
from renderer.errors import UsageError
from renderer.evaluate.composition import Composition, Identity, unbound_tree
from renderer.evaluate.project import Project
from renderer.evaluate.question import spec_named
from renderer.promote.attempts import Case, SourceSpec, attempts
from renderer.promote.draft import Attempt, Draft, OwnFile, written_parts, written_tree
from renderer.promote.tree_paths import match_order
from renderer.text.decoder import SPEC_LIMITS
from renderer.values.changes import How
from renderer.values.environments import SpecDifference, UncarriedDifference
from renderer.values.files import Unreadable
from renderer.values.model import ANY, Environment, Settings, Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_ENCRYPTED = "it is encrypted, and only SOPS can edit it"


class Sides(NamedTuple):
    """Both environments as they are, and the settings that say what they may differ in."""

    source: Environment
    target: Environment
    settings: Settings

    def differences(self, source: SourceSpec, target: Spec) -> list[SpecDifference]:
        pair = (self.source, self.target)
        return list(spec_differences(source.spec, target, self.settings, pair))


def carry(
    draft: Draft, identity: Identity, source: SourceSpec, sides: Sides
) -> list[UncarriedDifference]:
    """Edit the draft's spec until it is as the source's where it must be; what cannot be done."""
    target = draft.spec(identity)
    if target is None:
        return [UncarriedDifference("/".join(identity), None, f"it has errors in {draft.name}")]
    now = sides.differences(source, target)
    if target.source:
        return [UncarriedDifference(i.spec, i.change, _ENCRYPTED) for i in now if not i.reason]
    failed: dict[tuple[object, ...], SpecDifference] = {}
    while item := next((d for d in now if not d.reason and _key(d) not in failed), None):
        own = draft.own_file(identity)
        case = Case(item.change, source, target, draft, own) if own else None
        done = _first(case, item, now, sides) if case else None
        if done is None:
            failed[_key(item)] = item
            continue
        attempt, target, now = done
        draft.take(identity, attempt)
    own = draft.own.get(identity)
    if own and not own.text:
        draft.take(identity, Attempt(match_order(own.tree, source.fresh or source.unbound)))
    return [
        UncarriedDifference(item.spec, item.change, _reason(draft, identity, item))
        for item in now
        if not item.reason
    ]


def _first(
    case: Case, item: SpecDifference, now: Sequence[SpecDifference], sides: Sides
) -> tuple[Attempt, Spec, list[SpecDifference]] | None:
    """The first attempt that does what it should and nothing else."""
    for attempt in attempts(case):
        made = case.draft.spec(case.target.identity, attempt)
        if made is None:
            continue
        new = sides.differences(case.source, made)
        if _is_better(item, now, new):
            return attempt, made, new
    return None


def _is_better(
    item: SpecDifference, now: Sequence[SpecDifference], new: Sequence[SpecDifference]
) -> bool:
    """Whether a difference is gone, what may differ is as before, and nothing else differs.

    What is new may differ where it may; the order of a list that is not complete yet is no matter.
    """
    known = {_key(other) for other in now if not other.reason} - {_key(item)}
    path = item.change.path
    for other in new:
        is_below = bool(other.reason) and other.change.path[: len(path)] == path
        is_order = other.change.how is How.MOVED and other.change.path == path[:-1]
        is_known = _is_among(other, now) if other.reason else _key(other) in known
        if not (is_below or is_order or is_known):
            return False
    return all(_is_among(other, new) for other in now if other.reason)


def _key(item: SpecDifference) -> tuple[object, ...]:
    """What tells the differences of a spec apart, whatever their values are."""
    change = item.change
    if change.how is How.RENAMED:
        return change.path, *(repr(node and node.plain()) for node in (change.before, change.after))
    return change.path, change.how is How.MOVED


def _is_among(item: SpecDifference, others: Sequence[SpecDifference]) -> bool:
    return any(_same(item, other) for other in others)


def _same(one: SpecDifference, other: SpecDifference) -> bool:
    first, second = one.change, other.change
    if (first.path, first.how) != (second.path, second.how):
        return False
    pairs = ((first.before, second.before), (first.after, second.after))
    return all(repr(a and a.plain()) == repr(b and b.plain()) for a, b in pairs)


def _reason(draft: Draft, identity: Identity, item: SpecDifference) -> str:
    own = draft.own_file(identity)
    file = own.file if own else f"environments/{draft.name}"
    if item.change.how is How.MOVED:
        return f"the order of these items comes from above, and {file} cannot change it"
    return f"no edit of {file} by itself does it without changing what else {draft.name} has"


def wanted_specs(environment: Environment, names: Collection[str]) -> list[Identity]:
    """The specs that names mean, without names all of them, and the prerequisites they use."""
    specs = {spec.identity: spec for spec in environment.specs}
    where = f" in {environment.name!r} to be promoted"
    waiting = [spec_named(name, specs, where) for name in names] if names else [*specs]
    found = dict.fromkeys(waiting)
    while waiting:
        spec = specs[waiting.pop()]
        for use in references_of(spec, environment):
            meant = environment.referenced_specs(use) if use.name != ANY else []
            new = [item.identity for item in meant if item.identity not in found]
            found.update(dict.fromkeys(new))
            waiting += new
    return sorted(found)


def source_spec(
    composition: Composition, identity: Identity, inherited: Collection[str]
) -> SourceSpec | None:
    """A spec of the source; `inherited` are the folders that the target has as well."""
    spec = composition.spec(identity)
    parts = [*written_parts(composition.project, composition.spec_parts.get(identity, ()))]
    whole = unbound_tree(parts, composition.layers.chain)
    if spec is None or whole is None:
        return None
    return SourceSpec(spec, whole, unbound_tree(fresh_parts(parts, inherited), ()))


def fresh_parts(parts: Iterable[SpecPart], inherited: Collection[str]) -> Sequence[SpecPart]:
    """What is said where the target does not hear it."""
    return [part for part in parts if part.environment not in inherited]


def refuse_environments(project: Project, source: str, target: str) -> None:
    """There must be two of them, and what is written for the target must reach no other one."""
    project.refuse_unknown((source, target))
    if source == target:
        raise UsageError(f"{source!r} cannot be promoted to itself; name two environments")
    for name, layers in sorted(project.shared.layers.items()):
        if name != target and any(folder.name == target for folder in layers.chain):
            raise UsageError(
                f"{name!r} extends {target!r}, so what is written there would reach it too; "
                "promote to an environment that none extends, or edit this one by hand"
            )


def create_spec(draft: Draft, identity: Identity, origin: Composition) -> str:
    """Let the draft have the spec; what is returned says why it cannot, if so."""
    parts = fresh_parts(origin.spec_parts[identity], draft.composition.folders)
    own = _copy(draft, parts) if len(parts) == 1 else _join(draft, parts)
    if draft.project.files.exists(own.file):
        return f"{own.file} is there already, and is not this spec"
    draft.own[identity] = own
    draft.texts.update(_texts(draft, parts, own))
    return ""


def _copy(draft: Draft, parts: Sequence[SpecPart]) -> OwnFile:
    """The only file, with its comments."""
    (part,) = parts
    project = draft.project
    made = draft.new_file(part, Node({}, part.tree.origin))
    ending = part.file.rsplit(".", 1)[1]
    file = f"{made.file.rsplit('.', 1)[0]}.{ending}"
    tree = _drop_routes(written_tree(project, part.file))
    return OwnFile(file, part.kind, tree, project.text_of(part.file) or "")


def _join(draft: Draft, parts: Sequence[SpecPart]) -> OwnFile:
    tree = unbound_tree([*written_parts(draft.project, parts)], ())
    return draft.new_file(parts[-1], _drop_routes(tree) if tree else parts[-1].tree)


def _drop_routes(tree: Node) -> Node:
    """Where a spec goes is for each environment to say."""
    members = {key: node for key, node in tree.items.items() if key not in ROUTES}
    return Node(members, tree.origin)


def _texts(draft: Draft, parts: Sequence[SpecPart], own: OwnFile) -> Iterator[tuple[str, bytes]]:
    """Files beside the source's, which the target needs beside its own."""
    folder = own.file.rsplit("/", 1)[0]
    for part in parts:
        start = f"{part.file.rsplit('/', 1)[0]}/"
        for text in part.texts:
            target = f"{folder}/{text.removeprefix(start)}"
            if text.startswith(start) and not draft.project.files.exists(target):
                yield target, _bytes(draft, text)


def _bytes(draft: Draft, file: str) -> bytes:
    try:
        return draft.project.files.read(file, SPEC_LIMITS.size)
    except Unreadable:
        return b""


def disabled_place(parts: Collection[SpecPart]) -> str:
    """Where a spec is said to be off."""
    drops = (part.tree.get(key) for part in reversed([*parts]) for key in part.kind.drops)
    node = next((node for node in drops if node), None)
    return f"{node.origin.file}:{node.origin.line}" if node else ""
