"""What companions select and name of all that runs: rows by kind, and what is wrong with it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from renderer.backends.companions.engine_requests import (
    Around,
    asks_engines,
    check_clients,
    check_service,
)
from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.mentions import mentions
from renderer.backends.companions.running import service
from renderer.backends.companions.selection_rules import (
    NOT_DERIVED,
    RULES,
    SELECTED_PORT,
    SELECTS_NOTHING,
)
from renderer.backends.companions.selectors import labels_text, may_select, unmet
from renderer.backends.companions.table import SCALERS, Path
from renderer.backends.fields import elements, is_true, text
from renderer.kubernetes.label_selectors import LabelSelector
from renderer.kubernetes.mentions import references
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Diagnostic, Origin, Rule, Severity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.references import ReferenceSettings
from renderer.values.running import Running, RunningEnvironment, RunningPods, RunningService

_USUAL_TARGET = "Deployment"
SERVICE, BUDGET, POLICY = "Service", "PodDisruptionBudget", "NetworkPolicy"


class Selecting(NamedTuple):
    """Where a kind selects pods, or Services instead; `ports` are those that it names of them."""

    at: Path
    is_plain: bool = False
    services: bool = False
    namespaces_at: Path = ()
    ports: Path = ()


_MONITOR = Selecting(("spec", "selector"), namespaces_at=("spec", "namespaceSelector"))
_SELECTING: Mapping[str, Selecting] = {
    SERVICE: Selecting(("spec", "selector"), is_plain=True),
    BUDGET: Selecting(("spec", "selector")),
    POLICY: Selecting(("spec", "podSelector")),
    "PodMonitor": _MONITOR._replace(ports=("spec", "podMetricsEndpoints")),
    "ServiceMonitor": _MONITOR._replace(services=True, ports=("spec", "endpoints")),
}
#: Kinds that name what runs, without a selector.
_NAMING = frozenset({*SCALERS, "HTTPRoute", "GRPCRoute", "Ingress"})


def selection_rules() -> tuple[Rule, ...]:
    """All rules on what companions select, and on what they name."""
    return RULES


def is_selecting(environment: Environment) -> bool:
    """Whether a companion selects what runs, or names it."""
    known = (spec.kind.name for spec in environment.specs)
    return any(name in _SELECTING or name in _NAMING for name in known) or asks_engines(environment)


class RunningAround(NamedTuple):
    """All that runs in the cluster of a destination, companions included."""

    running: tuple[Running, ...]
    objects: tuple[Manifest, ...]
    services: tuple[RunningService, ...]

    @property
    def pods(self) -> Iterator[RunningPods]:
        return (pods for item in self.running for pods in item.pods)

    def files(self, namespaces: Sequence[str] | None) -> Iterator[str]:
        """The files of all that runs in some namespaces: what is selected there depends on them."""
        near = (i for i in self.running if namespaces is None or i.namespace in namespaces)
        return (file for item in near for file in item.files)

    def is_known(self, namespaces: Sequence[str] | None) -> bool:
        """Whether all that runs in some namespaces is derived; in all of them, if none is given."""
        places = (item.namespace for item in self.running if not item.is_known)
        return not any(namespaces is None or place in namespaces for place in places)


def check_selections(given: RunningEnvironment) -> Iterator[Diagnostic]:
    """What is wrong with what companions select, and with what they name of what platforms make."""
    from renderer.backends.companions.barriers import check_budget, check_policy

    clusters = {item.name: item.cluster for item in given.environment.destinations}
    for cluster in dict.fromkeys(clusters.values()):
        around = _cluster_objects(given, {name for name in clusters if clusters[name] == cluster})
        for item in around.objects:
            namespace = text(item.tree, "metadata", "namespace")
            near: Sequence[str] | None = [namespace]
            found = [*check_names(item, around, given.environment)]
            found += check_clients(item, Around(namespace, around.services, around.running))
            if (row := _SELECTING.get(item.spec.kind.name)) and item.tree.get(*row.at):
                selection = Selection(item, row, around)
                near = selection.namespaces
                found += _check(selection)
                found += check_budget(selection) if item.spec.kind.name == BUDGET else ()
                found += check_policy(selection) if item.spec.kind.name == POLICY else ()
            if found:
                files = (*item.spec.files, *around.files(near))
                yield from (one.about(related=files) for one in found)


def _cluster_objects(given: RunningEnvironment, destinations: set[str]) -> RunningAround:
    running = tuple(i for i in given.running if i.destination in destinations)
    objects = tuple(i for i in given.objects if i.destination in destinations)
    made = [one for item in running for one in item.services]
    own = [service(i.tree, str(i.spec)) for i in objects if i.spec.kind.name == SERVICE]
    return RunningAround(running, objects, (*made, *own))


class Selection:
    """What an object selects of all that runs around it."""

    def __init__(self, item: Manifest, row: Selecting, around: RunningAround) -> None:
        self.item, self.row, self.around, self.tree = item, row, around, item.tree

    @cached_property
    def selector(self) -> LabelSelector:
        node = self.tree.get(*self.row.at) or self.tree
        return LabelSelector.read_labels(node) if self.row.is_plain else LabelSelector.of(node)

    @cached_property
    def namespaces(self) -> list[str] | None:
        """The namespaces that it looks at; nothing if these are all."""
        given = self.tree.get(*self.row.namespaces_at) if self.row.namespaces_at else None
        if given and is_true(given, "any"):
            return None
        named = [str(node.value) for node in elements(given, "matchNames")]
        return named or [text(self.tree, "metadata", "namespace")]

    @cached_property
    def candidates(self) -> "list[RunningPods] | list[RunningService]":
        near = self.namespaces
        if self.row.services:
            return [i for i in self.around.services if near is None or i.namespace in near]
        return [i for i in self.around.pods if near is None or i.namespace in near]

    @cached_property
    def pods(self) -> list[RunningPods]:
        """The pods that it selects."""
        pods = (i for i in self.candidates if isinstance(i, RunningPods))
        return [i for i in pods if may_select(self.selector, i.labels, is_open=i.has_open_labels)]

    @cached_property
    def services(self) -> list[RunningService]:
        services = (i for i in self.candidates if isinstance(i, RunningService))
        return [i for i in services if may_select(self.selector, i.labels)]

    @property
    def is_known(self) -> bool:
        return self.around.is_known(self.namespaces)


def other_selections(selection: Selection) -> Iterator[Selection]:
    """Those of all objects of the kind in the namespace, itself included."""
    item, namespace = selection.item, selection.namespaces
    for other in selection.around.objects:
        if other.spec.kind.name == item.spec.kind.name and other.tree.get(*selection.row.at):
            found = Selection(other, selection.row, selection.around)
            if found.namespaces == namespace:
                yield found


def _check(selection: Selection) -> Iterator[Diagnostic]:
    if not (selection.pods or selection.services):
        yield from _nothing_selected(selection)
    elif selection.row.ports:
        yield from _monitor_ports(selection)
    elif selection.item.spec.kind.name == SERVICE:
        found = [*check_service(selection.tree, selection.pods)]
        yield from found or _service_ports(selection)


def _nothing_selected(selection: Selection) -> Iterator[Diagnostic]:
    selector, candidates = selection.selector, selection.candidates
    if not selector.terms or not selection.is_known:
        return
    noun = "Services" if selection.row.services else "pods"
    term = unmet(selector, [item.labels for item in candidates])
    message = f"'{selector}' selects no {noun} of this repository, by what platforms make of it"
    near = labels_text(selector, candidates, noun)
    there = near or f"there are no {noun} with labels in this namespace"
    yield SELECTS_NOTHING.at(term.node.origin, message, there)


def _monitor_ports(selection: Selection) -> Iterator[Diagnostic]:
    """Ports of endpoints that nothing has which the monitor selects."""
    selected: Sequence[RunningPods | RunningService] = selection.services or selection.pods
    known = {name for item in selected for name in _port_names(item)}
    owners = listed(dict.fromkeys(item.owner for item in selected))
    for endpoint in elements(selection.tree, *selection.row.ports):
        node = endpoint.get("port")
        if node and isinstance(node.value, str) and node.value not in known and selection.is_known:
            noun = "Service" if selection.services else "pod"
            message = f"no {noun} that is selected has a port of the name {node.value!r}"
            yield SELECTED_PORT.at(node.origin, message, _ports_text(owners, known))


def _port_names(item: RunningPods | RunningService) -> Iterator[str]:
    return (port[0] for port in item.ports if port[0])


def _ports_text(owners: str, names: "set[str] | set[int]") -> str:
    known = listed(str(name) for name in sorted(names))
    return f"{owners} has {known}" if names else f"{owners} declares none"


def _service_ports(selection: Selection) -> Iterator[Diagnostic]:
    """Targets that no container of the selected pods has, as far as these declare ports."""
    ports = {port for pods in selection.pods for port in pods.ports}
    names = {name for name, _ in ports if name}
    numbers = {number for _, number in ports}
    declare_all = all(pods.ports for pods in selection.pods)
    owners = listed(dict.fromkeys(pods.owner for pods in selection.pods))
    for port in elements(selection.tree, "spec", "ports"):
        node = port.get("targetPort") or port.get("port")
        if node is None:
            continue
        if isinstance(node.value, str) and node.value not in names:
            message = f"no container of the selected pods has a port of the name {node.value!r}"
            yield SELECTED_PORT.at(node.origin, message, _ports_text(owners, names))
        elif isinstance(node.value, int) and declare_all and node.value not in numbers:
            message = f"no container of the selected pods declares the port {node.value}"
            found = SELECTED_PORT.at(node.origin, message, _ports_text(owners, numbers))
            yield found._replace(severity=Severity.INFO)


def check_names(
    item: Manifest, around: RunningAround, environment: Environment
) -> Iterator[Diagnostic]:
    """Names of objects that begin as those of a platform, and that are none of these."""
    for kind, namespace, name, origin in _named_objects(item):
        there = {n for k, where, n in _objects(around) if (k, where) == (kind, namespace)}
        if name in there or _is_provided(kind, namespace, name, item.destination, environment):
            continue
        for running in around.running:
            made = sorted(n for k, where, n in running.objects if (k, where) == (kind, namespace))
            is_named = name == running.name or name.startswith(f"{running.name}-")
            # A Service with any other name is looked for as every reference is.
            is_near = is_named or (kind != SERVICE and bool(nearest(name, made)))
            if made and running.is_known and running.namespace == namespace and is_near:
                message = f"{running.owner} has no {kind} {name!r}, by what its platform makes"
                yield NOT_DERIVED.at(origin, message, f"write {listed(map(repr, made), 'or')}")
                break


def _named_objects(item: Manifest) -> Iterator[tuple[str, str, str, Origin]]:
    """What an object names of what platforms make: kind, namespace, name, and where it does so."""
    own = text(item.tree, "metadata", "namespace")
    for use in references(item.tree, mentions(item.spec.kind.name)):
        if use.kind == SERVICE and use.origin:
            yield use.kind, use.namespace or own, use.name, use.origin
    scaler = SCALERS.get(item.spec.kind.name)
    target = item.tree.get(*scaler.target) if scaler else None
    node = target.get("name") if target else None
    if target and node:
        kind = text(target, "kind") or _USUAL_TARGET
        if row_of(kind).numbers:
            yield kind, own, str(node.value), node.origin


def _objects(around: RunningAround) -> Iterator[tuple[str, str, str]]:
    for running in around.running:
        yield from running.objects
    for item in around.objects:
        metadata = (text(item.tree, "metadata", key) for key in ("namespace", "name"))
        namespace, name = metadata
        yield row_of(item.spec.kind.name).kind, namespace, name


def _is_provided(
    kind: str, namespace: str, name: str, destination: str, environment: Environment
) -> bool:
    return any(
        (item.kind, item.name) == (kind, name) and item.is_at(destination, namespace)
        for item in ReferenceSettings.of(environment).provided
    )
