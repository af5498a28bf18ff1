"""A rendered KusciaDeployment in its state: its parties, their control planes and containers."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import elements, members, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import DeployTemplate, containers, with_overrides
from renderer.backends.kuscia.serving import Party, rendered_parties
from renderer.backends.kuscia.settings import KusciaSettings, owners
from renderer.kubernetes.quantities import value
from renderer.kubernetes.rollouts import Amounts, surge_of
from renderer.values.changes import State
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from renderer.values.tree import Node

DEPLOYMENT = "KusciaDeployment"
KINDS = ("requests", "limits")
_STRATEGY = (("type",), ("rollingUpdate", "maxSurge"))


class Deployment(NamedTuple):
    """A rendered deployment in its state, whose AppImages and control planes it looks up.

    Where nothing is known of the environment, every party is taken to run where the deployment
    is applied. A party has its AppImage as its control plane has it, a partner's as ours has it.
    """

    manifest: Manifest
    state: State
    environment: Environment | None
    parties: tuple[Party, ...] = ()
    units: Mapping[str, Party] = {}

    @classmethod
    def of(cls, manifest: Manifest, state: State, other: State) -> "Deployment":
        """The deployment that an object is; asked for by each AppImage of its environment."""
        known = _deployments(state, other)
        if id(manifest) not in known:
            environment = _environment_of(manifest.environment, state, other)
            found = cls(manifest, state, environment)
            parties = rendered_parties(manifest.tree, found._image)
            units = {party.unit: party for party in parties}
            known[id(manifest)] = found._replace(parties=parties, units=units)
        return known[id(manifest)]

    @property
    def name(self) -> str:
        return text(self.manifest.tree, "metadata", "name")

    @property
    def initiator(self) -> str:
        return text(self.manifest.tree, "spec", "initiator")

    @property
    def settings(self) -> KusciaSettings:
        return KusciaSettings.of(self.environment)

    def place(self, domain: str) -> str:
        """The destination of the domain's control plane; nothing if that is not ours."""
        if self.environment is None:
            return self.manifest.destination
        owned = owners(self.environment).get(domain)
        return owned[0].name if owned else ""

    def plane(self, domain: str) -> str:
        """What tells control planes apart: ours by their cluster, others by their domain."""
        place = self.place(domain)
        return cluster(self.environment, place) if place else f"the control plane of {domain}"

    @property
    def home(self) -> str:
        """The control plane that the deployment is applied to."""
        return cluster(self.environment, self.manifest.destination)

    def beside(self, domain: str) -> tuple[Party, ...]:
        """The parties that run in the same control plane as a domain."""
        plane = self.plane(domain)
        return tuple(party for party in self.parties if self.plane(party.domain) == plane)

    def image_manifest(self, party: Party) -> Manifest | None:
        """The object that a party's AppImage is, in this state."""
        return self._manifest(party.domain, party.image_name)

    def _manifest(self, domain: str, name: str) -> Manifest | None:
        place = self.place(domain) or self.manifest.destination
        return self.state.at(f"{self.manifest.environment}/{place}/appimages/{name}.yaml")

    def _image(self, domain: str, name: str) -> AppImage | None:
        found = self._manifest(domain, name)
        return rendered_image(found) if found else None


@cached_by_identity
def _deployments(state: State, other: State) -> dict[int, Deployment]:  # noqa: ARG001
    """By the ids of the objects, which they hold; filled as they are asked for."""
    return {}


@cached_by_identity
def rendered_image(manifest: Manifest) -> AppImage | None:
    """The AppImage that an object is; many servings use the same one."""
    spec = manifest.tree.get("spec")
    return AppImage.of_tree(spec, text(manifest.tree, "metadata", "name")) if spec else None


def cluster(environment: Environment | None, destination: str) -> str:
    """The identity of a destination's control plane."""
    named = environment.destinations if environment else ()
    return next((item.cluster for item in named if item.name == destination), destination)


def kind_of(manifest: Manifest) -> str:
    return text(manifest.tree, "kind")


@cached_by_identity
def _in_environments(state: State) -> dict[str, list[Manifest]]:
    """The deployments of each environment."""
    found: dict[str, list[Manifest]] = {}
    for item in state.manifests:
        if kind_of(item) == DEPLOYMENT:
            found.setdefault(item.environment, []).append(item)
    return found


@cached_by_identity
def destinations(state: State) -> dict[tuple[str, str], list[str]]:
    """Where an object is, by its environment and identity."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in state.manifests:
        found.setdefault((item.environment, item.identity), []).append(item.destination)
    return found


def find_deployments(state: State, environment: str, other: State) -> Iterator[Deployment]:
    """The deployments of an environment."""
    for manifest in _in_environments(state).get(environment, ()):
        yield Deployment.of(manifest, state, other)


def overrides(party: Party) -> dict[str, Node]:
    """What the party says of containers, by their names."""
    listing = elements(party.node, "template", "spec", "containers")
    return {text(node, "name"): node for node in listing}


def effective_amounts(party: Party, template: DeployTemplate) -> dict[str, dict[str, Amounts]]:
    """Requests and limits by container, as Kuscia makes them of the template and the party."""
    override = party.node.get("template")
    given = override if overrides(party) else None
    return _effective_amounts(template.node, given)


@cached_by_identity
def _effective_amounts(template: Node, override: Node | None) -> dict[str, dict[str, Amounts]]:
    whole = with_overrides(template, override)
    return {
        item.name: {kind: amounts(item.node, kind) for kind in KINDS} for item in containers(whole)
    }


def amounts(container: Node | None, kind: str) -> Amounts:
    """The requests or limits of a container, whichever way they are written."""
    given = members(container, "resources", kind)
    read = {name: value(str(node.value)) for name, node in given.items()}
    return {name: amount for name, amount in read.items() if amount is not None}


def surge(party: Party, replicas: int) -> int:
    """How many pods a rollout of the party adds."""
    kind, given = (text(party.node, "template", "strategy", *path) for path in _STRATEGY)
    return surge_of(kind, given, replicas)


def number_of_pods(template: DeployTemplate, *parties: Party) -> int:
    """The number that the first party gives, else the next, else the template's, else one."""
    given = [number_at(party.node, "template", "replicas") for party in parties]
    found = (item for item in (*given, number_at(template.node, "replicas")) if item is not None)
    return next(found, 1)


def number_at(node: Node, *path: str) -> int | None:
    """A number of pods, if it is one."""
    found = node.get(*path)
    return max(found.value, 0) if found and isinstance(found.value, int) else None


def spared(party: Party, replicas: int) -> int:
    """How many old pods a rollout leaves whose new pods never run; a share is rounded down."""
    strategy = party.node.get("template", "strategy")
    if strategy and text(strategy, "type") == "Recreate":
        return 0
    amount = text(strategy, "rollingUpdate", "maxUnavailable") if strategy else ""
    share = (amount or "25%").removesuffix("%")
    if not share.isdecimal():
        return replicas
    gone = int(share) if share == amount else int(share) * replicas // 100
    return max(replicas - (gone or int(not surge(party, replicas))), 0)


def _environment_of(name: str, *states: State) -> Environment | None:
    """An environment as the first state that has it describes it."""
    found = (state.environments.get(name) for state in states)
    return next((item for item in found if item), None)
