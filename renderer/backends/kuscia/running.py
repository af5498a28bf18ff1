"""What runs of a rendered deployment: its parties, their control planes, their containers."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from renderer.backends.kuscia import merging
from renderer.backends.kuscia.appimage import DeployTemplate, choose, deploy_templates
from renderer.backends.kuscia.pods import containers
from renderer.backends.kuscia.serving import domains, text
from renderer.kubernetes.quantities import value
from renderer.values.changes import State
from renderer.values.model import Destination, Environment, Manifest
from renderer.values.tree import Node

DEPLOYMENT, IMAGE = "KusciaDeployment", "AppImage"
KINDS = ("requests", "limits")
Amounts = Mapping[str, Decimal]
_STRATEGY = (("type",), ("rollingUpdate", "maxSurge"))


class Party(NamedTuple):
    """A party of a rendered deployment, and its place in the list."""

    node: Node
    number: int
    domain: str
    role: str
    image: str

    @property
    def unit(self) -> str:
        return f"{self.domain}/{self.role}" if self.role else self.domain


class Deployment(NamedTuple):
    """A rendered deployment in its state, whose AppImages and control planes it looks up.

    Where nothing is known of the environment, every party is taken to run where the deployment
    is applied.
    """

    manifest: Manifest
    parties: tuple[Party, ...]
    state: State
    environment: Environment | None

    @classmethod
    def of(cls, manifest: Manifest, state: State, other: State) -> "Deployment":
        listing = manifest.tree.get("spec", "parties")
        parties = (_party(*item) for item in enumerate(listing.elements if listing else ()))
        environment = environment_of(manifest.environment, state, other)
        return cls(manifest, tuple(parties), state, environment)

    @property
    def name(self) -> str:
        return text(self.manifest.tree, "metadata", "name")

    @property
    def initiator(self) -> str:
        return text(self.manifest.tree, "spec", "initiator")

    @property
    def runtime(self) -> str:
        setting = self.environment.setting("kuscia", "runtime") if self.environment else None
        return str(setting or "runc")

    @property
    def units(self) -> dict[str, Party]:
        return {party.unit: party for party in self.parties}

    def place(self, domain: str) -> str:
        """The destination of the domain's control plane; nothing if that is not ours."""
        if self.environment is None:
            return self.manifest.destination
        owner = _owner(self.environment, domain)
        return owner.name if owner else ""

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

    def image(self, party: Party) -> Manifest | None:
        """The party's AppImage as its control plane has it; a partner's as ours has it."""
        place = self.place(party.domain) or self.manifest.destination
        return image_at(self.state, self.manifest.environment, place, party.image)

    def template(self, party: Party) -> DeployTemplate | None:
        image = self.image(party)
        return template_of(image, party.role) if image else None


def environment_of(name: str, *states: State) -> Environment | None:
    """An environment as the first state that has it describes it."""
    found = (state.environments.get(name) for state in states)
    return next((item for item in found if item), None)


def cluster(environment: Environment | None, destination: str) -> str:
    """The identity of a destination's control plane."""
    named = environment.destinations if environment else ()
    return next((item.cluster for item in named if item.name == destination), destination)


def kind_of(manifest: Manifest) -> str:
    return text(manifest.tree, "kind")


def below(state: State, folder: str) -> Iterator[Manifest]:
    """The manifests whose paths start in some way; they are in order of their paths."""
    start = bisect_left(state.manifests, folder, key=lambda item: item.path)
    for manifest in state.manifests[start:]:
        if not manifest.path.startswith(folder):
            return
        yield manifest


def deployments(state: State, environment: str, other: State) -> Iterator[Deployment]:
    """The deployments of an environment."""
    for manifest in below(state, f"{environment}/"):
        if kind_of(manifest) == DEPLOYMENT:
            yield Deployment.of(manifest, state, other)


def image_at(state: State, environment: str, destination: str, name: str) -> Manifest | None:
    """An AppImage by its name, as one destination gets it."""
    path = f"{environment}/{destination}/appimages/{name}.yaml"
    return next((item for item in below(state, path) if item.path == path), None)


def template_of(image: Manifest, role: str) -> DeployTemplate | None:
    """The deploy template of a rendered AppImage that a role gets."""
    spec = image.tree.get("spec")
    return choose(deploy_templates(spec), role) if spec else None


def overrides(party: Party) -> dict[str, Node]:
    """What the party says of containers, by their names."""
    listing = party.node.get("template", "spec", "containers")
    return {text(node, "name"): node for node in (listing.elements if listing else ())}


def merged(party: Party, template: DeployTemplate) -> dict[str, dict[str, Amounts]]:
    """Requests and limits by container, as Kuscia makes them of the template and the party."""
    whole = merging.merged(template.node, party.node.get("template"))
    return {
        item.name: {kind: amounts(item.node, kind) for kind in KINDS} for item in containers(whole)
    }


def amounts(container: Node | None, kind: str) -> Amounts:
    """The requests or limits of a container, whichever way they are written."""
    given = container.get("resources", kind) if container else None
    read = {name: value(str(node.value)) for name, node in (given.items if given else {}).items()}
    return {name: amount for name, amount in read.items() if amount is not None}


def surge(party: Party, replicas: int) -> int:
    """How many pods a rollout adds, at most as many as there are; a share is rounded up."""
    kind, given = (text(party.node, "template", "strategy", *path) for path in _STRATEGY)
    if kind == "Recreate":
        return 0
    amount = given or "25%"
    share = amount.removesuffix("%")
    if not share.isdecimal():
        return 0
    added = -(-int(share) * replicas // 100) if amount.endswith("%") else int(share)
    return min(added, replicas)


def _party(number: int, node: Node) -> Party:
    image = text(node, "appImageRef")
    return Party(node, number, text(node, "domainID"), text(node, "role"), image)


def _owner(environment: Environment, domain: str) -> Destination | None:
    ours = environment.of_platform("kuscia")
    return next((item for item in ours if domain in domains(item)), None)
