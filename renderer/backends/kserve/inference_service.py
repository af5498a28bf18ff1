"""An InferenceService in KServe's terms: its components, its mode, and the runtime it gets."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from renderer.backends.fields import text
from renderer.backends.kserve.components import MODE, PREDICTOR, Component, components
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH, OLD_MODES, STANDARD, parse_mode
from renderer.backends.kserve.model import MODEL, Model, find_model
from renderer.backends.kserve.runtimes import RUNTIME_KINDS, Runtime
from renderer.backends.kserve.selection import (
    Choice,
    Request,
    find_runtime,
    join_runtimes,
    request_for,
)
from renderer.backends.kserve.settings import PLATFORM, KServeSettings
from renderer.backends.kserve.shipped_containers import runtime_container
from renderer.text.wording import nearest
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import (
    ANY,
    Destination,
    Environment,
    Placeless,
    PlacelessSpec,
    Reference,
    Spec,
    Summary,
)
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class PlacelessService(Placeless, Protocol):
    """What a service is by its spec, the settings of KServe and its runtime, wherever it goes."""

    @property
    def spec(self) -> PlacelessSpec: ...
    @property
    def settings(self) -> KServeSettings: ...
    @property
    def mode(self) -> str: ...
    @property
    def components(self) -> tuple[Component, ...]: ...
    @property
    def model(self) -> Model | None: ...
    @property
    def choice(self) -> Choice: ...
    @property
    def tree(self) -> Node: ...
    @property
    def name(self) -> str: ...
    @property
    def predictor(self) -> Component: ...
    @property
    def canaries(self) -> tuple[Component, ...]: ...
    @property
    def stable_components(self) -> tuple[Component, ...]: ...
    @property
    def runtime(self) -> Runtime | None: ...
    @property
    def request(self) -> Request | None: ...
    @property
    def protocol(self) -> str: ...
    @property
    def runtime_container(self) -> Node | None: ...
    def component(self, kind: str) -> Component | None: ...
    def canary_request(self, canary: Component) -> Request | None: ...


class InferenceService(NamedTuple):
    """A service as KServe will see it once it is rendered for the environment.

    `destination` is nothing if it is ambiguous. `choice` is the runtime that its model names or
    KServe chooses, and those that it does not.
    """

    spec: Spec
    environment: Environment
    settings: KServeSettings
    destination: Destination | None
    mode: str
    components: tuple[Component, ...]
    model: Model | None = None
    choice: Choice = Choice()

    @classmethod
    @cached_by_identity
    def of(cls, spec: Spec, environment: Environment) -> "InferenceService":
        settings = KServeSettings.of(environment)
        places = environment.routed_destinations(PLATFORM, spec)
        mode = parse_mode(text(spec.tree, "annotations", MODE)) or settings.default_mode
        parts = _components(spec.tree)
        predictor = spec.tree.get(PREDICTOR)
        model = find_model(predictor) if predictor else None
        bare = cls(spec, environment, settings, places[0] if places else None, mode, parts, model)
        return bare._find_runtime()

    @property
    def tree(self) -> Node:
        return self.spec.tree

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def namespace(self) -> str:
        """Its own, else that of the destination; empty if neither has one."""
        own = text(self.tree, "namespace")
        return own or (self.destination.namespace if self.destination else "")

    @property
    def predictor(self) -> Component:
        return self.components[0]

    def component(self, kind: str) -> Component | None:
        """The transformer or the explainer, if there is one."""
        return next((item for item in self.components if item.unit == kind), None)

    @property
    def canaries(self) -> tuple[Component, ...]:
        return tuple(item for item in self.components if item.is_canary)

    @property
    def stable_components(self) -> tuple[Component, ...]:
        """All components but canaries, whose replicas follow those of the predictor."""
        return tuple(item for item in self.components if not item.is_canary)

    @property
    def runtime(self) -> Runtime | None:
        """The runtime that its model gets, if it is known."""
        return self.choice.winner

    @property
    def request(self) -> Request | None:
        """What the model asks of runtimes, if there is a model and KServe chooses by it."""
        model = self.model
        if model is None or not model.format or self.mode == MODEL_MESH:
            return None
        return request_for(model, self.predictor)

    @property
    def protocol(self) -> str:
        """The protocol of its model: as it says, else as KServe takes it from the runtime."""
        if self.model is None:
            return ""
        return self.model.protocol or (self.runtime.silent_protocol if self.runtime else "")

    def canary_request(self, canary: Component) -> Request | None:
        """What a canary asks of its runtime, else what the predictor does."""
        stable, own = self.request, canary.node.get(MODEL)
        if stable is None or own is None or self.mode != STANDARD:
            return None
        return Request(
            text(own, "modelFormat", "name") or stable.format,
            text(own, "modelFormat", "version") or stable.version,
            text(own, "protocolVersion") or self.protocol,
        )

    @property
    def runtime_container(self) -> Node | None:
        """The container of its runtime that serves the model, if both are known."""
        return runtime_container(self.runtime, self.settings.dialect) if self.runtime else None

    def runtimes(self) -> list[Runtime]:
        """What KServe has to choose from: of the namespace, and of the cluster."""
        own = [Runtime.of(item, self.home) for item in self.environment.specs if _is_runtime(item)]
        return join_runtimes(own, self.namespace, self.settings.runtimes)

    @property
    def home(self) -> str:
        """The namespace of runtimes that are rendered for it and do not name their own."""
        return self.destination.namespace if self.destination else ""

    def _find_runtime(self) -> "InferenceService":
        request = self.request
        if request is None or self.model is None:
            return self
        has_own = any(map(_is_runtime, self.environment.specs))
        known = _known_choices(self.environment if has_own else self.settings)
        key = request, self.model.runtime, *((self.namespace, self.home) if has_own else ())
        if key not in known:
            known[key] = find_runtime(self.model, request, self.runtimes())
        return self._replace(choice=known[key])


@cached_by_identity
def _components(tree: Node) -> tuple[Component, ...]:
    return tuple(components(tree))


@cached_by_identity
def _known_choices(where: object) -> dict[tuple[object, ...], Choice]:  # noqa: ARG001
    """By what decides, the runtime that models get somewhere; filled as they ask."""
    return {}


def _is_runtime(spec: Spec) -> bool:
    return spec.kind.name in RUNTIME_KINDS


def placeless(service: InferenceService) -> tuple[object, ...]:
    """What a placeless service is read from."""
    spec = service.spec
    return spec.tree, spec.stem, service.settings, service.mode, service.choice


def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> InferenceService:  # noqa: ARG001
    """What the rules of an InferenceService are given."""
    service = InferenceService.of(spec, environment)
    given = text(spec.tree, "annotations", MODE)
    meant = "" if parse_mode(given) else probable_mode(given)
    return service._replace(mode=meant) if meant else service


def probable_mode(name: str) -> str:
    """The mode that a misspelt name was probably meant for; empty if none is near."""
    return parse_mode(nearest(name, (STANDARD, KNATIVE, MODEL_MESH, *OLD_MODES)))


def references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    """The runtime that a model names; else all that may be chosen, and the one that is."""
    service = InferenceService.of(spec, environment)
    for component in service.canaries:
        if name := text(component.node, "model", "runtime"):
            path = (*component.path, "model", "runtime")
            yield from (Reference(kind, name, path) for kind in RUNTIME_KINDS)
    if service.model is None or service.request is None:
        return
    path = (*service.model.path, "runtime")
    if name := service.model.runtime:
        yield from (Reference(kind, name, path) for kind in RUNTIME_KINDS)
        return
    yield from (Reference(kind, ANY, path) for kind in RUNTIME_KINDS)
    winner = service.choice.winner
    if winner and winner.spec:
        yield Reference(winner.kind, winner.name, path)
