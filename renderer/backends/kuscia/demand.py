"""What the parties of a deployment ask of the control planes they run in."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from renderer.backends.kuscia.appimage import DeployTemplate
from renderer.backends.kuscia.running import (
    DEPLOYMENT,
    Amounts,
    Deployment,
    Party,
    kind_of,
    merged,
    surge,
)
from renderer.changes import Demand, State
from renderer.model import Manifest


def demands(manifest: Manifest, state: State) -> Iterator[Demand]:
    """A demand for each party that runs in a control plane of ours.

    What partners elsewhere ask is their own: it comes from their copy of the AppImage.
    """
    if kind_of(manifest) != DEPLOYMENT:
        return
    deployment = Deployment.of(manifest, state, state)
    for party in deployment.parties:
        place, template = deployment.place(party.domain), deployment.template(party)
        if not place or not template:
            continue
        pod = _pod(party, template)
        replicas = _replicas(party, template)
        yield Demand(
            manifest.environment,
            place,
            str(manifest.spec),
            party.unit,
            _times(pod, replicas),
            _times(pod, surge(party, replicas)),
        )


def _pod(party: Party, template: DeployTemplate) -> Amounts:
    """What one pod requests; where only a limit is given, Kubernetes requests that."""
    total: dict[str, Decimal] = {}
    for amounts in merged(party, template).values():
        for name, amount in {**amounts["limits"], **amounts["requests"]}.items():
            total[name] = total.get(name, Decimal(0)) + amount
    return total


def _times(pod: Amounts, number: int) -> Mapping[str, Decimal]:
    return {name: amount * number for name, amount in sorted(pod.items())}


def _replicas(party: Party, template: DeployTemplate) -> int:
    """The party's own number, else its template's, else one."""
    for node in (party.node.get("template", "replicas"), template.node.get("replicas")):
        if node and isinstance(node.value, int):
            return max(node.value, 0)
    return 1
