"""What a party's own amounts, strategy and replicas come to, laid over its AppImage."""

from collections.abc import Iterator
from decimal import Decimal

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.pods import Container, containers
from renderer.backends.kuscia.serving import Party, Serving, text
from renderer.diagnostics import Finding, Path, Severity, rule
from renderer.quantities import value
from renderer.tree import Node
from renderer.wording import listed

_KINDS = {"requests": "min", "limits": "max"}
_WHATS = ("cpu", "memory")
_ALL = 100
_LARGEST = 2**63


@rule("KUS305", Severity.WARNING, "Serving", reads=("parties.resources",))
def override_keeps_amounts(serving: Serving) -> Iterator[Finding]:
    """A party's resources do not drop amounts that the AppImage sets.

    Kuscia replaces the whole map of requests, or of limits: a party that sets only the cpu loses
    the AppImage's memory.

    Fails:

        parties:
          - {domain_id: alice, app_image: sized, resources: [{max_cpu: "1"}]}

    Passes:

        parties:
          - {domain_id: alice, app_image: sized, resources: [{max_cpu: "1", max_memory: 1Gi}]}
    """
    for index, party, container in party_containers(serving):
        given = party.amounts_of(container.name)
        for kind, end in _KINDS.items():
            own = {what for what in _WHATS if f"{end}_{what}" in given}
            lost = [w for w in _WHATS if w not in own and container.amount(kind, w)]
            if own and lost:
                yield Finding(
                    ("parties", index, "resources"),
                    f"the {kind} of {container.name!r} lose the AppImage's {listed(lost)}",
                    f"add {listed(f'{end}_{what}' for what in lost)} as well",
                    at_key=True,
                )


@rule("KUS306", Severity.ERROR, "Serving")
def requests_within_limits(serving: Serving) -> Iterator[Finding]:
    """A container requests no more than its limit.

    Kubernetes refuses the Deployment (CreateDeploymentFailed).

    Fails:

        parties:
          - {domain_id: alice, app_image: sized, resources: [{min_cpu: "4", max_cpu: "1"}]}

    Passes:

        parties:
          - {domain_id: alice, app_image: sized, resources: [{min_cpu: "1", max_cpu: "1"}]}
    """
    for index, party, container in party_containers(serving):
        for what in _WHATS:
            least, most = (effective(party, container, kind, what) for kind in _KINDS)
            if least and most and _amount(least) > _amount(most):
                yield Finding(
                    blamed(index, party, what),
                    f"{container.name!r} requests {what} {least.value} of at most {most.value}",
                    f"lower min_{what} or raise max_{what}",
                )


@rule("KUS307", Severity.ERROR, "Serving")
def strategy_can_move(serving: Serving) -> Iterator[Finding]:
    """A rolling update may add a pod or take one away, and takes away at most all of them.

    Kubernetes refuses a Deployment whose surge and unavailability are both zero, or whose
    unavailability is above 100% (CreateDeploymentFailed).

    Fails:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: RollingUpdate, max_surge: "0", max_unavailable: "0"}

    Passes:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: RollingUpdate, max_surge: "1", max_unavailable: "0"}
    """
    for index, party in enumerate(serving.parties):
        where = ("parties", index, "update_strategy")
        if text(party.node, "update_strategy", "type") != "RollingUpdate":
            continue
        surge = text(party.node, "update_strategy", "max_surge")
        away = text(party.node, "update_strategy", "max_unavailable")
        if _is_zero(surge) and _is_zero(away):
            message = "max_surge and max_unavailable are both 0, so no pod can ever be replaced"
            yield Finding(where, message, "raise one of them", at_key=True)
        if away.endswith("%") and int(away[:-1]) > _ALL:
            message = f"max_unavailable is {away}, more than all pods"
            yield Finding((*where, "max_unavailable"), message, "write at most 100%")


@rule("KUS308", Severity.WARNING, "Serving")
def replicas_above_zero(serving: Serving) -> Iterator[Finding]:
    """A party has at least one replica, its own or its AppImage's.

    A party without pods stays Progressing for ever, and so does the serving. AppImages made through
    Kuscia's API store 0 when no number is given.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 0}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 1}
    """
    for index, party in enumerate(serving.parties):
        own = party.node.get("replicas")
        inherited = party.template.node.get("replicas") if party.template else None
        effective = own or inherited
        if effective and effective.value == 0:
            whose = "" if own else " (the AppImage says so)"
            message = f"the party {party.domain!r} has no replicas{whose}"
            yield Finding(("parties", index, "replicas"), message, "set replicas to 1 or more")


@rule("KUS309", Severity.ERROR, "Serving")
def amounts_can_be_stored(serving: Serving) -> Iterator[Finding]:
    """A party's amounts are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, resources: [{max_memory: 100Ei}]}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, resources: [{max_memory: 100Gi}]}
    """
    for index, party in enumerate(serving.parties):
        for place, entry in enumerate(party.resources):
            for name, node in entry.amounts.items():
                if not _fits(node):
                    where = ("parties", index, "resources", place, name)
                    yield Finding(where, f"{name} {node.value} is too large", "write a smaller one")


@rule("KUS310", Severity.ERROR, "AppImage")
def image_amounts_can_be_stored(image: AppImage) -> Iterator[Finding]:
    """The amounts of an AppImage are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", resources: {limits: {memory: 100Ei}}}]

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", resources: {limits: {memory: 100Gi}}}]
    """
    for index, template in enumerate(image.templates):
        for container in containers(template.node):
            for kind in _KINDS:
                amounts = container.node.get("resources", kind)
                for name, node in amounts.items.items() if amounts else ():
                    if not _fits(node):
                        place = ("deployTemplates", index, *container.path, "resources", kind, name)
                        message = f"{name} {node.value} is too large"
                        yield Finding(place, message, "write a smaller one")


def _fits(node: Node) -> bool:
    amount = value(str(node.value))
    return amount is None or abs(amount) < _LARGEST


def _is_zero(amount: str) -> bool:
    return bool(amount) and not amount.rstrip("%").strip("0")


def party_containers(serving: Serving) -> Iterator[tuple[int, Party, Container]]:
    for index, party in enumerate(serving.parties):
        for container in containers(party.template.node) if party.template else ():
            yield index, party, container


def effective(party: Party, container: Container, kind: str, what: str) -> Node | None:
    """An amount after Kuscia's merge: the party's map, if it has any, else the AppImage's."""
    given = party.amounts_of(container.name)
    end = _KINDS[kind]
    own = {key: node for key, node in given.items() if key.startswith(end)}
    return own.get(f"{end}_{what}") if own else container.amount(kind, what)


def _amount(node: Node) -> Decimal:
    return value(str(node.value)) or Decimal(0)


def blamed(index: int, party: Party, what: str) -> Path:
    """The party's own word on the amount, one that overrides another first; else its AppImage."""
    found = [
        (not node.trail, end, ("parties", index, "resources", place, f"{end}_{what}"))
        for place, entry in enumerate(party.resources)
        for end in ("max", "min")
        if (node := entry.amounts.get(f"{end}_{what}"))
    ]
    return min(found)[2] if found else ("parties", index, "app_image")


RULES = (
    override_keeps_amounts,
    requests_within_limits,
    strategy_can_move,
    replicas_above_zero,
    amounts_can_be_stored,
    image_amounts_can_be_stored,
)
