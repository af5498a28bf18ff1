"""What runs by an applied object, as far as objects beside it name or select any of it."""

from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest

Labels = tuple[tuple[str, str], ...]


class RunningPods(NamedTuple):
    """Pods that are alike: at least so many, with the names and numbers of declared ports.

    If it `has_open_labels`, something that is not derived adds others. Those of an engine of
    language models have the port that it listens on and the names of its `models`, if known.
    """

    owner: str
    namespace: str
    labels: Labels
    ports: tuple[tuple[str, int], ...] = ()
    least: int = 0
    has_open_labels: bool = False
    engine_port: str = ""
    models: tuple[str, ...] = ()


class ServicePort(NamedTuple):
    """A port of a Service; the target is the name or the number of a port of its pods."""

    name: str
    number: int
    target: str


class RunningService(NamedTuple):
    """A Service with what selects it, and what it selects."""

    owner: str
    namespace: str
    name: str
    labels: Labels
    ports: tuple[ServicePort, ...] = ()
    selector: Labels = ()


class Running(NamedTuple):
    """All that runs by an object at a destination; unless it `is_known`, there may be more.

    `objects` are the kinds, namespaces and names of what was made of it, `files` those of the spec.
    """

    owner: str
    name: str
    destination: str
    namespace: str
    is_known: bool = True
    pods: tuple[RunningPods, ...] = ()
    services: tuple[RunningService, ...] = ()
    objects: tuple[tuple[str, str, str], ...] = ()
    files: tuple[str, ...] = ()


class RunningEnvironment(NamedTuple):
    """All that runs in an environment, and the objects of companions, one for each place."""

    environment: Environment
    running: tuple[Running, ...]
    objects: tuple[Manifest, ...]
