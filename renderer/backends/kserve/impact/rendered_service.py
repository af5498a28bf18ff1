"""A rendered InferenceService in its state, as KServe's webhook leaves it behind."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.backends.fields import elements, members, plain, text
from renderer.backends.kserve.annotations import AUTOSCALER, FROZEN, STOP
from renderer.backends.kserve.canary_predictor import over
from renderer.backends.kserve.custom_containers import defaulted
from renderer.backends.kserve.dialect import KNATIVE, OLD_MODES, mode_of
from renderer.backends.kserve.impact.used_runtimes import (
    UsedRuntime,
    runtimes_near,
    shipped_runtime,
)
from renderer.backends.kserve.inference_service import MODE, PREDICTOR, Component, components
from renderer.backends.kserve.inference_service_plan import FORMAT
from renderer.backends.kserve.merged_container import Begun, Data, Metadata, service_metadata
from renderer.backends.kserve.model import FRAMEWORKS, MODEL, Model, model_of
from renderer.backends.kserve.replicas import HPA
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, Runtime
from renderer.backends.kserve.selection import Request, choose
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.stored_components import stored_component
from renderer.values.changes import State
from renderer.values.identity_cache import cached_by_identity
from renderer.values.objects import Manifest
from renderer.values.tree import Node, Plain


class RenderedService(NamedTuple):
    """A service whose runtime is the one that it finds in a state.

    Where nothing is known of the environment, it is one of the newest KServe as it is shipped.
    `others` are the runtimes of canaries that name one, by their units; the rest use that of the
    predictor, as if they named it.
    """

    manifest: Manifest
    settings: KServeSettings
    parts: tuple[Component, ...]
    model: Model | None
    used: UsedRuntime | None
    others: Mapping[str, UsedRuntime | None] = {}

    @classmethod
    @cached_by_identity
    def of(cls, manifest: Manifest, state: State, other: State) -> "RenderedService":
        name = manifest.environment
        environment = state.environments.get(name) or other.environments.get(name)
        settings = KServeSettings.of(environment) if environment else KServeSettings()
        spec = manifest.tree.get("spec") or Node({}, manifest.tree.origin)
        parts = tuple(components(spec))
        model = model_of(parts[0].node)
        return cls(manifest, settings, parts, model, None).using(state)

    def using(self, state: State) -> "RenderedService":
        """The same with the runtimes that it finds in a state."""
        if self.model is None:
            return self
        known = self._known(state)
        by_name = {item.runtime.name: item for item in reversed(known)}
        named = {part.unit: _named(part) for part in self.parts if part.is_canary}
        others = {unit: by_name.get(name) for unit, name in named.items() if name}
        return self._replace(used=self._runtime(known), others=others)

    @property
    def name(self) -> str:
        return text(self.manifest.tree, "metadata", "name")

    @property
    def namespace(self) -> str:
        return text(self.manifest.tree, "metadata", "namespace")

    @property
    def given_mode(self) -> str:
        """What the annotation says, by its present name; empty if there is none."""
        given = text(self.manifest.tree, "metadata", "annotations", MODE)
        return OLD_MODES.get(given, given)

    @property
    def mode(self) -> str:
        return mode_of(self.given_mode) or self.settings.default_mode

    @property
    def is_stopped(self) -> bool:
        return self.annotation(STOP).lower() == "true"

    @property
    def is_frozen(self) -> bool:
        """Whether KServe leaves it alone once it is ready."""
        return self.annotation(FROZEN) == "true"

    @property
    def autoscaler(self) -> str:
        """What scales its Deployments."""
        return self.annotation(AUTOSCALER) or HPA

    def annotation(self, key: str) -> str:
        return text(self.manifest.tree, "metadata", "annotations", key)

    @property
    def begun(self) -> Begun:
        """What its runtime brings along; nothing but a name if that is all that is known."""
        return self.used.begun if self.used else Begun(self.model.runtime if self.model else "")

    def used_by(self, part: Component) -> UsedRuntime | None:
        """The runtime of a component, if it has one that is known."""
        if part.kind != PREDICTOR:
            return None
        return self.others.get(part.unit, self.used)

    def begun_of(self, part: Component) -> Begun:
        """The same of a component: a canary may name a runtime of its own."""
        used = self.used_by(part)
        return used.begun if used else Begun(_named(part) or self.begun.name)

    def metadata_of(self, part: Component) -> Metadata:
        """Its metadata as a component's pods get it: canaries have labels by their own models."""
        model = self.data(part).get(MODEL) if part.is_canary else None
        if not isinstance(model, dict):
            return self.metadata
        return service_metadata(self.begun_of(part), model, self.metadata)

    @property
    def metadata(self) -> Metadata:
        """As its webhook and its controller have it."""
        tree = self.manifest.tree
        labels = {key: str(node.value) for key, node in members(tree, "metadata", "labels").items()}
        notes = members(tree, "metadata", "annotations").items()
        annotations = {key: str(node.value) for key, node in notes}
        if MODE in annotations or self.settings.default_mode != KNATIVE:
            annotations[MODE] = self.given_mode or self.mode
        if self.model is None:
            return Metadata(self.name, self.namespace, labels, annotations)
        if self.settings.dialect.notes_the_format:
            annotations.setdefault(FORMAT, self.model.format)
        found = Metadata(self.name, self.namespace, labels, annotations)
        asked: Data = {"modelFormat": {"name": self.model.format}, **_protocol(self.model)}
        return service_metadata(self.begun, asked, found)

    @property
    def wanted(self) -> Request | None:
        """What the model asks of its runtime."""
        if self.model is None:
            return None
        many = self.parts[0].node.get("workerSpec") is not None
        return Request(self.model.format, self.model.version, self.model.protocol, many)

    def data(self, part: Component) -> Data:
        """A component as it is stored; a canary lies over the predictor."""
        if part.is_canary:
            return over(self.data(self.parts[0]), _data(stored_component(part.node, None)))
        fields = _data(stored_component(defaulted(part), None))
        if part.path == (PREDICTOR,) and self.model:
            kept = {key: value for key, value in fields.items() if key not in FRAMEWORKS}
            stored = stored_component(part.node.with_value({MODEL: self.model.converted()}), None)
            model = _data(stored).get(MODEL)
            own = model if isinstance(model, dict) else {}
            return {**kept, MODEL: {**own, **_protocol(self.model)}}
        return fields

    def percent(self, part: Component) -> int:
        """How many of 100 requests a canary gets."""
        index = part.path[1]
        listing = elements(self.manifest.tree, "spec", "canary")
        found = listing[index].get("trafficPercent") if isinstance(index, int) else None
        return found.value if found and isinstance(found.value, int) else 0

    def _known(self, state: State) -> list[UsedRuntime]:
        """The runtimes in its reach, those of the repository first."""
        near = list(runtimes_near(self.manifest, state))
        own = {item.runtime.name for item in near if item.runtime.kind == CLUSTER_RUNTIME}
        dialect = self.settings.dialect
        rest = (item for item in self.settings.runtimes if item.name not in own)
        return [*near, *(shipped_runtime(item, dialect) for item in rest)]

    def _runtime(self, known: list[UsedRuntime]) -> UsedRuntime | None:
        """The one that the model names, else the one that KServe chooses."""
        request, model = self.wanted, self.model
        if request is None or model is None:
            return None
        if model.runtime:
            return next((item for item in known if item.runtime.name == model.runtime), None)
        asked = request._replace(protocol=request.protocol or "v1")
        winner = choose(asked, [item.runtime for item in known]).winner
        return _with(winner, known)


def _with(winner: Runtime | None, known: list[UsedRuntime]) -> UsedRuntime | None:
    return next((item for item in known if item.runtime is winner), None)


def _named(canary: Component) -> str:
    return text(canary.node, MODEL, "runtime")


def _protocol(model: Model) -> dict[str, Plain]:
    return {"protocolVersion": model.protocol} if model.protocol else {}


def _data(node: Node) -> Data:
    found = plain(node)
    return found if isinstance(found, dict) else {}
