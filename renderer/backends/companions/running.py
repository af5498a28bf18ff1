"""What runs by a derivation: pods with their labels and ports, Services, and names."""

from collections.abc import Iterator, Sequence

from renderer.backends.companions.table import ROWS, Path
from renderer.backends.fields import elements, members, text, whole_number
from renderer.engines.marks import names_engine
from renderer.kubernetes.pods import Field, Pod
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit
from renderer.values.model import Environment
from renderer.values.running import Labels, Running, RunningPods, RunningService, ServicePort
from renderer.values.tree import Node

_POD, _SERVICE = ("", "Pod"), ("", "Service")
_KNATIVE = ("serving.knative.dev", "Service")
#: Where objects describe the pods that they make.
_PLACES: dict[tuple[str, str], tuple[Path, ...]] = {
    **{(row.group, row.kind): row.pods for row in ROWS if row.numbers},
    _KNATIVE: (("spec", "template", "spec"),),
}
#: What makes pods with labels of its own, by revision.
_LABELLING = frozenset({_KNATIVE})
_CONTAINERS = ("initContainers", "containers")


def running(applied: Applied, derivation: Derivation) -> Running:
    """What objects beside an applied one may name or select of it."""
    owner, units = str(applied.spec), derivation.units
    is_known = bool(units) and not derivation.gap and not any(unit.problem for unit in units)
    made = [item for unit in units for item in unit.objects]
    return Running(
        owner,
        applied.name,
        applied.destination,
        applied.namespace,
        is_known,
        tuple(one for unit in units for one in _pods(owner, unit, applied.environment)),
        tuple(service(item.tree, owner) for item in made if _type(item) == _SERVICE),
        tuple(dict.fromkeys((item.kind, item.namespace, item.name) for item in made)),
        applied.spec.files,
    )


def service(tree: Node, owner: str) -> RunningService:
    """A Service as it is applied, or as a platform makes it."""
    ports = []
    for port in elements(tree, "spec", "ports"):
        number = whole_number(port, "port") or 0
        ports.append(
            ServicePort(text(port, "name"), number, text(port, "targetPort") or str(number))
        )
    namespace, name = (text(tree, "metadata", key) for key in ("namespace", "name"))
    labels, selector = (_labels(tree.get(*at)) for at in (("metadata", "labels"), _SELECTOR))
    return RunningService(owner, namespace, name, labels, tuple(ports), selector)


_SELECTOR = ("spec", "selector")


def _pods(owner: str, unit: DerivedUnit, environment: Environment) -> Iterator[RunningPods]:
    """Each sort of pods: as they are derived themselves, else as what makes them describes them."""
    is_open = any(_type(item) in _LABELLING for item in unit.objects)
    derived = [item for item in unit.objects if _type(item) == _POD]
    found = [one for item in derived or unit.objects for one in _described(item)]
    for (namespace, metadata, spec), least in zip(found, _numbers(unit, found), strict=True):
        labels, ports = _labels(metadata.get("labels") if metadata else None), tuple(_ports(spec))
        port, models = _engine(spec, environment)
        yield RunningPods(owner, namespace, labels, ports, least, is_open, port, models)


def _engine(spec: Node, environment: Environment) -> tuple[str, tuple[str, ...]]:
    """Where the engine of a pod listens, if it is alone there, and the names of its models."""
    has_own_images = "engines" in environment.tree.items
    if not has_own_images and not any(map(names_engine, elements(spec, "containers"))):
        return "", ()
    from renderer.engines.answers import answered_names, listening_port
    from renderer.engines.runs import containers_of, engine_runs

    runs = list(engine_runs(containers_of(Pod(Field((), spec))), environment))
    if len(runs) != 1:
        return "", ()
    return listening_port(runs[0]) if runs[0].is_alone else "", answered_names(runs[0])


def _described(item: DerivedObject) -> Iterator[tuple[str, Node | None, Node]]:
    for place in _PLACES.get(_type(item), ()):
        if spec := item.tree.get(*place):
            yield item.namespace, item.tree.get(*place[:-1], "metadata"), spec


def _numbers(unit: DerivedUnit, found: Sequence[object]) -> list[int]:
    """The least number of each sort; none where it is not clear which one is which."""
    if len(unit.pods) == len(found):
        return [item.least for item in unit.pods]
    return [0 for _ in found]


def _ports(spec: Node) -> Iterator[tuple[str, int]]:
    for place in _CONTAINERS:
        for container in elements(spec, place):
            for port in elements(container, "ports"):
                yield text(port, "name"), whole_number(port, "containerPort") or 0


def _labels(node: Node | None) -> Labels:
    return tuple((key, str(item.value)) for key, item in members(node).items())


def _type(item: DerivedObject) -> tuple[str, str]:
    return item.group, item.kind
