"""What a rule looks at: variables as CEL reads them, each with the tree that knows the places."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from renderer.policies.matches import Facts, facts_of, matches
from renderer.policies.rule_files import RepositoryRule, Segments
from renderer.values.derivations import DerivedUnit
from renderer.values.diagnostics import Origin, Path
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, walk

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "spec": ("self", "spec", "environment", "destination"),
    "object": ("self", "object", "spec", "environment", "destination"),
    "unit": ("self", "unit", "object", "spec", "environment", "destination"),
    "change": ("self", "before", "after", "environment", "destination"),
}
FindEdit = Callable[[Sequence[Path]], Origin | None]
"""Where people edited what is at some paths of a tree."""


def nowhere(paths: Sequence[Path]) -> Origin | None:  # noqa: ARG001
    """Where people edited what is at some paths, of what is no change."""
    return None


class Subject(NamedTuple):
    """A spec at a destination, with an object that it is rendered to and a unit that runs by it.

    `tree` is what a rule on it calls `self`, `data` its variables but that one. Of a change `of`
    something, the tree is that of what there was if it is deleted, `former` what there was if it is
    not, and `find_edit` says where people edited what is at some paths of it.
    """

    on: str
    spec: Spec
    environment: Environment
    destination: Destination
    tree: Node
    data: Mapping[str, Plain]
    kind: str = ""
    of: str = ""
    former: "Subject | None" = None
    find_edit: FindEdit = nowhere

    @property
    def facts(self) -> Facts:
        return facts_of(self.spec, self.environment, self.destination, self.kind)

    @property
    def files(self) -> tuple[str, ...]:
        """Those of the spec and its environment, on both sides of a change."""
        former = self.former.spec.files if self.former else ()
        return (*self.spec.files, *former, *self.environment.files)


class Item(NamedTuple):
    """What `self` is in one evaluation of a rule."""

    tree: Node
    data: dict[str, Plain]


def items_of(rule: RepositoryRule, tree: Node, data: Mapping[str, Plain]) -> Iterator[Item]:
    """What `self` is for a rule, one after the other; nothing where its path leads nowhere."""
    if not rule.each:
        yield Item(tree, {**data, "self": data[rule.subject]})
        return
    for node in _nodes(tree, rule.each) if data[rule.subject] is not None else ():
        yield Item(node, {**data, "self": node.plain()})


def whole_item(subject: Subject) -> Item:
    """What `self` is for all rules that look at a subject as a whole."""
    name = "after" if subject.of else subject.on
    return Item(subject.tree, {**subject.data, "self": subject.data[name]})


def _nodes(node: Node, path: Segments) -> Iterator[Node]:
    """What is at a path, going through each list on the way and at its end."""
    if isinstance(node.value, tuple):
        for element in node.elements:
            yield from _nodes(element, path)
    elif not path:
        yield node
    elif path[0] in node.items:
        yield from _nodes(node.items[path[0]], path[1:])


def meant_rules(rules: Iterable[RepositoryRule], subject: Subject) -> list[RepositoryRule]:
    """The rules about a subject: everything that they match by holds, on one side of it."""
    about = [rule for rule in rules if rule.on == subject.on and rule.of == subject.of]
    if not any(rule.match for rule in about):
        return about
    sides = [side.facts for side in (subject, subject.former) if side]
    return [rule for rule in about if any(matches(rule, facts) for facts in sides)]


def environment_data(environment: Environment) -> dict[str, Plain]:
    """The variable `environment`."""
    labels = environment.tree.get("labels")
    return {
        "name": environment.name,
        "production": environment.is_production,
        "vars": {name: node.plain() for name, node in environment.variables.items()},
        "labels": labels.plain() if labels else {},
    }


def destination_data(destination: Destination) -> dict[str, Plain]:
    """The variable `destination`."""
    return {
        "name": destination.name,
        "platform": destination.platform,
        "cluster": destination.cluster_name,
        "namespace": destination.namespace,
    }


def spec_data(spec: Spec) -> Plain:
    """The variable `spec`: as it is composed, and always with a `name`."""
    found = spec.tree.plain()
    if isinstance(found, dict):
        found.setdefault("name", spec.name)
    return found


def written_origin(node: Node, spec: Spec, files: Sequence[str] = ()) -> Origin | None:
    """Where people wrote a value, or the first that it holds; templates are not theirs."""
    known = {*spec.files, *files}
    places = (below.origin for _, below in walk(node))
    return next((place for place in places if place.file in known), None)


def unit_tree(unit: DerivedUnit, tree: Node, spec: Spec) -> Node:
    """The variable `unit` of a rendered object, each value with the place that says so."""
    origin = _unit_origin(unit, tree, spec)

    def number(value: int) -> Node:
        return Node(value, origin)

    pods = {
        "least": number(sum(item.least for item in unit.pods)),
        "start": number(sum(item.start for item in unit.pods)),
    }
    most = [item.most for item in unit.pods if item.most is not None]
    if len(most) == len(unit.pods):
        pods["most"] = number(sum(most))
    specs = [item.spec for item in unit.pods]
    containers = tuple(
        _container(node)
        for spec in specs
        if (listing := spec.get("containers"))
        for node in listing.elements
    )
    labels = tree.get("metadata", "labels") or Node({}, origin)
    return Node(
        {
            "name": Node(unit.unit, origin),
            "kind": Node(tree.text_at("kind"), origin),
            "pods": Node(dict(pods), origin),
            "containers": Node(containers, origin),
            "labels": labels,
        },
        origin,
    )


def _unit_origin(unit: DerivedUnit, tree: Node, spec: Spec) -> Origin:
    """Where people describe a unit."""
    origin = tree.locate(unit.path)
    if origin.file in spec.files:
        return origin
    node = tree.get(*unit.path)
    written = written_origin(node, spec) if node else None
    return written or spec.name_node.origin


def _container(node: Node) -> Node:
    """What a rule sees of a container; what it does not say is not there."""
    places = {
        "name": ("name",),
        "image": ("image",),
        "args": ("args",),
        "requests": ("resources", "requests"),
        "limits": ("resources", "limits"),
    }
    found = {key: part for key, path in places.items() if (part := node.get(*path))}
    return node.with_members(found, gone={})
