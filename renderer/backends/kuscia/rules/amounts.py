"""What a party's own amounts come to, laid over those of its AppImage."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Container, containers
from renderer.backends.kuscia.fields import members
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import Party, Serving
from renderer.kubernetes.quantities import billionths
from renderer.kubernetes.resource_names import can_be_overcommitted
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path, Severity, rule, sourced
from renderer.values.model import environment_of
from renderer.values.tree import Node

_KINDS = {"requests": "min", "limits": "max"}
_WHATS = ("cpu", "memory")
_LARGEST = 2**63 * 10**9  # billionths
_LONGEST = 40
_IN_BYTES = ("memory", "ephemeral-storage", "hugepages-")
_PARTS = ("m", "u", "n")
_WHOLE = 10**9  # billionths


class Amount(NamedTuple):
    """An amount after Kuscia's merge, and the party's name for it if the party set it."""

    node: Node
    own: str


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
        given = party.amounts_of(container.name)
        for what in (*_WHATS, *_others(container)):
            least, most = (effective(given, container, kind, what) for kind in _KINDS)
            if not least or not most or (what == "memory" and _is_split_byte(str(most.node.value))):
                continue
            if _exceeds(str(least.node.value), str(most.node.value)):
                whose = "the party" if least.own and most.own else repr(container.name)
                message = f"{whose} requests {what} {_shown(least.node)}"
                message += f" of at most {_shown(most.node)}"
                yield _blaming(serving, index, what, (least, most), message)


def _others(container: Container) -> Iterator[str]:
    """What else is requested, of what a container may be granted more than that."""
    for name in members(container.node, "resources", "requests"):
        if name not in _WHATS and can_be_overcommitted(name):
            yield name


@rule("KUS748", Severity.ERROR, "Serving", reads=("parties.resources",))
def override_keeps_devices(serving: Serving) -> Iterator[Finding]:
    """A party's limits do not drop the limit of a device that its AppImage requests.

    Kuscia replaces the whole map of limits, and Kubernetes refuses a Deployment that requests
    nvidia.com/gpu, another extended resource or hugepages without a limit
    (CreateDeploymentFailed).

    Fails:

        parties:
          - {domain_id: alice, app_image: devices, resources: [{max_cpu: "1"}]}

    Passes:

        parties:
          - {domain_id: alice, app_image: devices}
    """
    for index, party, container in party_containers(serving):
        given = party.amounts_of(container.name)
        limits, requests = (any(f"{end}_{w}" in given for w in _WHATS) for end in ("max", "min"))
        if limits and not requests:
            needed = members(container.node, "resources", "requests")
            lost = [name for name in needed if not can_be_overcommitted(name)]
            for name in (name for name in lost if container.amount("limits", name)):
                yield Finding(
                    ("parties", index, "resources"),
                    f"the limits of {container.name!r} lose {name}, which it requests",
                    "set the limits in the AppImage: a party cannot give this one",
                    at_key=True,
                )


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
                if wrong := _unstorable(str(node.value)):
                    where = ("parties", index, "resources", place, name)
                    yield Finding(
                        where, f"{name} {_shown(node)} {wrong}", "write a sensible amount"
                    )


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
    for place, container in image.containers():
        for kind in _KINDS:
            for name, node in members(container.node, "resources", kind).items():
                if wrong := _unstorable(str(node.value)):
                    where = (*place, *container.path, "resources", kind, name)
                    message = f"{name} {_shown(node)} {wrong}"
                    yield Finding(where, message, "write a sensible amount")


@rule("KUS313", Severity.ERROR, "Serving")
def memory_is_in_bytes(serving: Serving) -> Iterator[Finding]:
    """A party's memory is an amount of bytes; `m` means thousandths, and `Mi` mebibytes.

    Kubernetes takes 512m of memory for half a byte, rounds it up to one, and no process can run
    within it.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, resources: [{max_memory: 512m}]}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, resources: [{max_memory: 512Mi}]}
    """
    for index, party in enumerate(serving.parties):
        for place, entry in enumerate(party.resources):
            for name in ("min_memory", "max_memory"):
                node = entry.amounts.get(name)
                if node and _is_split_byte(str(node.value)):
                    where = ("parties", index, "resources", place, name)
                    yield _split_byte(where, name, node)


@rule("KUS314", Severity.ERROR, "AppImage")
def image_memory_is_in_bytes(image: AppImage) -> Iterator[Finding]:
    """An AppImage's memory and storage are amounts of bytes; `m` means thousandths.

    Kubernetes takes 512m of memory for half a byte, rounds it up to one, and no process can run
    within it.

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", resources: {limits: {memory: 512m}}}]

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers: [{name: a, workingDir: "", resources: {limits: {memory: 512Mi}}}]
    """
    for place, container in image.containers():
        for kind in _KINDS:
            for name, node in members(container.node, "resources", kind).items():
                if name.startswith(_IN_BYTES) and _is_split_byte(str(node.value)):
                    where = (*place, *container.path, "resources", kind, name)
                    yield _split_byte(where, name, node)


def _is_split_byte(amount: str) -> bool:
    """Whether an amount is in parts of a byte, and does not come to whole ones."""
    return amount.endswith(_PARTS) and (billionths(amount) or 0) % _WHOLE != 0


def _split_byte(where: Path, name: str, node: Node) -> Finding:
    message = f"{name} {_shown(node)} is in parts of a byte"
    number = _shown(node).rstrip("mun…")
    return Finding(where, message, f"write {number}Mi for mebibytes, or {number}M for megabytes")


def party_containers(serving: Serving) -> Iterator[tuple[int, Party, Container]]:
    for index, party in enumerate(serving.parties):
        for container in containers(party.template.node) if party.template else ():
            yield index, party, container


def effective(
    given: Mapping[str, Node], container: Container, kind: str, what: str
) -> Amount | None:
    """An amount after Kuscia's merge: of what a party gives, if anything, else the AppImage's."""
    end = _KINDS[kind]
    is_own = f"{end}_cpu" in given or f"{end}_memory" in given
    node = given.get(f"{end}_{what}") if is_own else container.amount(kind, what)
    return Amount(node, f"{end}_{what}" if is_own else "") if node else None


def blamed(
    serving: Serving, index: int, amounts: tuple[Amount, ...], message: str, fix: str
) -> Finding:
    """At the party's own word, the most particular one first; else at the AppImage's."""
    found = [
        (_generality(serving, amount), ("parties", index, "resources", place, amount.own))
        for amount in amounts
        if amount.own
        for place, entry in enumerate(serving.parties[index].resources)
        if entry.amounts.get(amount.own) is amount.node
    ]
    if not found:
        return Finding((), message, fix, origin=amounts[0].node.origin)
    return Finding(min(found, key=lambda item: item[0])[1], message, fix)


def _generality(serving: Serving, amount: Amount) -> tuple[int, bool, bool]:
    """How far up the environment is that gives an amount; there, what overrides another first."""
    file = amount.node.origin.file
    above = [environment_of(each) for each in serving.environment.files]
    own = environment_of(file)
    height = above.index(own) if own in above else len(above)
    return height, file in serving.environment.files, not amount.node.trail


def _blaming(
    serving: Serving, index: int, what: str, amounts: tuple[Amount, Amount], message: str
) -> Finding:
    least, most = amounts
    lower = f"lower {least.own}" if least.own else f"lower the requests by min_{what}"
    higher = f"raise {most.own}" if most.own else f"raise the limits by max_{what}"
    if not least.own and not most.own:
        lower, higher = f"lower {what} in requests", "raise it in limits"
    return blamed(serving, index, amounts, message, f"{lower}, or {higher}")


@lru_cache(maxsize=1024)
def _exceeds(least: str, most: str) -> bool:
    """Whether an amount is above another one, as far as both can be stored."""
    first, second = billionths(least), billionths(most)
    storable = not (_unstorable(least) or _unstorable(most))
    return storable and first is not None and second is not None and first > second


@lru_cache(maxsize=1024)
def _unstorable(text: str) -> str:
    """What keeps Kubernetes from holding an amount; a form that has none is told by its shape."""
    amount = billionths(text)
    if amount is not None:
        return "is too large" if max(+amount, -amount) >= _LARGEST else ""
    return "is too small" if "e-" in text.lower() else "is too large"


def _shown(node: Node) -> str:
    text = str(node.value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


RULES = sourced(
    (
        override_keeps_amounts,
        requests_within_limits,
        override_keeps_devices,
        amounts_can_be_stored,
        image_amounts_can_be_stored,
        memory_is_in_bytes,
        image_memory_is_in_bytes,
    ),
    CONTROLLER,
)
