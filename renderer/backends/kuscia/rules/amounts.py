"""What a party's own amounts come to, laid over those of its AppImage."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from renderer.backends.fields import members
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Container, containers
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import Party, Serving
from renderer.kubernetes.names import can_be_overcommitted
from renderer.kubernetes.quantities import BILLION, billionths, is_split_byte
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.model import environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_KINDS = {"requests": "min", "limits": "max"}
_WHATS = ("cpu", "memory")
_LARGEST = 2**63 * BILLION
_LONGEST = 40
_Amounts = Iterator[tuple[Path, str, Node]]


class Amount(NamedTuple):
    """An amount after Kuscia's merge, and the party's name for it if the party set it."""

    node: Node
    own: str


@rule("KUS305", Severity.WARNING, "Serving", reads=("parties.resources",))
def override_keeps_amounts(serving: Serving) -> Iterator[Finding]:
    """A party's resources do not drop amounts that the AppImage sets.

    Kuscia replaces the whole map of requests, or of limits: a party that sets only the cpu loses
    the AppImage's memory, and any party that sets an amount loses its devices.

    Fails: parties: [{domain_id: alice, app_image: sized, resources: [{max_cpu: "1"}]}]
    Passes with: parties: [{domain_id: alice, resources: [{max_memory: 1Gi}]}]
    """
    for index, party, container in party_containers(serving):
        given = party.amounts_of(container.name)
        for kind, end in _KINDS.items():
            own = {what for what in _WHATS if f"{end}_{what}" in given}
            devices = _lost_devices(given, container) if kind == "limits" else ()  # KUS748
            set_there = dict.fromkeys((*_WHATS, *members(container.node, "resources", kind)))
            kept = {*own, *devices}
            lost = [w for w in set_there if w not in kept and container.amount(kind, w)]
            if own and lost:
                message = f"the {kind} of {container.name!r} lose the AppImage's {listed(lost)}"
                where = ("parties", index, "resources")
                yield Finding(where, message, _restoring(kind, lost), at_key=True)


def _restoring(kind: str, lost: list[str]) -> str:
    """How a party gets back what it lost; only cpu and memory are its to give."""
    if all(what in _WHATS for what in lost):
        return f"add {listed(f'{_KINDS[kind]}_{what}' for what in lost)} as well"
    others = listed(what for what in lost if what not in _WHATS)
    return f"set the {kind} in the AppImage, and none here: a party cannot give {others}"


@rule("KUS306", Severity.ERROR, "Serving")
def requests_within_limits(serving: Serving) -> Iterator[Finding]:
    """A container requests no more than its limit.

    Kubernetes refuses the Deployment (CreateDeploymentFailed).

    Fails: parties: [{domain_id: alice, resources: [{min_cpu: "4", max_cpu: "1"}]}]
    Passes with: parties: [{domain_id: alice, resources: [{min_cpu: "1"}]}]
    """
    for index, party, container in party_containers(serving):
        given = party.amounts_of(container.name)
        for what in (*_WHATS, *_overcommitted_names(container)):
            least, most = (effective_amount(given, container, kind, what) for kind in _KINDS)
            if not least or not most or (what == "memory" and is_split_byte(str(most.node.value))):
                continue
            if _exceeds(str(least.node.value), str(most.node.value)):
                whose = "the party" if least.own and most.own else repr(container.name)
                message = f"{whose} requests {what} {shortened(least.node)}"
                message += f" of at most {shortened(most.node)}"
                yield _blame_bounds(serving, index, what, (least, most), message)


def _overcommitted_names(container: Container) -> Iterator[str]:
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

    Fails: parties: [{domain_id: alice, app_image: devices, resources: [{max_cpu: "1"}]}]
    Passes: parties: [{domain_id: alice, app_image: devices}]
    """
    for index, party, container in party_containers(serving):
        for name in _lost_devices(party.amounts_of(container.name), container):
            yield Finding(
                ("parties", index, "resources"),
                f"the limits of {container.name!r} lose {name}, which it requests",
                "set the limits in the AppImage: a party cannot give this one",
                at_key=True,
            )


def _lost_devices(given: Mapping[str, Node], container: Container) -> list[str]:
    """What a container still requests, and has no longer a limit of, as it needs to."""
    limits, requests = (any(f"{end}_{w}" in given for w in _WHATS) for end in ("max", "min"))
    needed = members(container.node, "resources", "requests") if limits and not requests else ()
    lost = (name for name in needed if not can_be_overcommitted(name))
    return [name for name in lost if container.amount("limits", name)]


def party_containers(serving: Serving) -> Iterator[tuple[int, Party, Container]]:
    for index, party in enumerate(serving.parties):
        for container in containers(party.template.node) if party.template else ():
            yield index, party, container


def effective_amount(
    given: Mapping[str, Node], container: Container, kind: str, what: str
) -> Amount | None:
    """An amount after Kuscia's merge: of what a party gives, if anything, else the AppImage's."""
    end = _KINDS[kind]
    is_own = f"{end}_cpu" in given or f"{end}_memory" in given
    node = given.get(f"{end}_{what}") if is_own else container.amount(kind, what)
    return Amount(node, f"{end}_{what}" if is_own else "") if node else None


def blame_amount(
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


def _blame_bounds(
    serving: Serving, index: int, what: str, amounts: tuple[Amount, Amount], message: str
) -> Finding:
    least, most = amounts
    lower = f"lower {least.own}" if least.own else f"lower the requests by min_{what}"
    higher = f"raise {most.own}" if most.own else f"raise the limits by max_{what}"
    if not least.own and not most.own:
        lower, higher = f"lower {what} in requests", "raise it in limits"
    return blame_amount(serving, index, amounts, message, f"{lower}, or {higher}")


@lru_cache(maxsize=1024)
def _exceeds(least: str, most: str) -> bool:
    """Whether an amount is above another one, as far as both can be stored."""
    first, second = billionths(least), billionths(most)
    storable = not (storage_fault(least) or storage_fault(most))
    return storable and first is not None and second is not None and first > second


@rule("KUS309", Severity.ERROR, "Serving")
def amounts_can_be_stored(serving: Serving) -> Iterator[Finding]:
    """A party's amounts are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails: parties: [{domain_id: alice, resources: [{max_memory: 100Ei}]}]
    Passes: parties: [{domain_id: alice, resources: [{max_memory: 100Gi}]}]
    """
    yield from _storage_findings(_party_amounts(serving))


@rule("KUS310", Severity.ERROR, "AppImage")
def image_amounts_can_be_stored(image: AppImage) -> Iterator[Finding]:
    """The amounts of an AppImage are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails: containers: [{name: scorer, resources: {limits: {memory: 100Ei}}}]
    Passes: containers: [{name: scorer, resources: {limits: {memory: 100Gi}}}]
    """
    yield from _storage_findings(_image_amounts(image))


@rule("KUS313", Severity.ERROR, "Serving")
def memory_is_in_bytes(serving: Serving) -> Iterator[Finding]:
    """A party's memory is an amount of bytes; `m` means thousandths, and `Mi` mebibytes.

    Kubernetes takes 512m of memory for half a byte, rounds it up to one, and no process can run
    within it.

    Fails: parties: [{domain_id: alice, resources: [{max_memory: 512m}]}]
    Passes: parties: [{domain_id: alice, resources: [{max_memory: 512Mi}]}]
    """
    for where, name, node in _party_amounts(serving):
        if name.endswith("_memory") and is_split_byte(str(node.value)):
            message = f"{name} {shortened(node)} is in parts of a byte"
            number = shortened(node).rstrip("mun…")
            fix = f"write {number}Mi for mebibytes, or {number}M for megabytes"
            yield Finding(where, message, fix)


def _party_amounts(serving: Serving) -> _Amounts:
    """The amounts that parties give, each with its place and name."""
    for index, party in enumerate(serving.parties):
        for number, entry in enumerate(party.resources):
            for name, node in entry.amounts.items():
                yield ("parties", index, "resources", number, name), name, node


def _image_amounts(image: AppImage) -> _Amounts:
    """The amounts of an AppImage's containers, each with its place and name."""
    for container in image.containers():
        for kind in ("requests", "limits"):
            for name, node in members(container.node, "resources", kind).items():
                yield (*container.path, "resources", kind, name), name, node


def _storage_findings(amounts: _Amounts) -> Iterator[Finding]:
    for where, name, node in amounts:
        if wrong := storage_fault(str(node.value)):
            yield Finding(where, f"{name} {shortened(node)} {wrong}", "write an amount below 2^63")


@lru_cache(maxsize=1024)
def storage_fault(text: str) -> str:
    """What keeps Kubernetes from holding an amount; other texts are judged by their form."""
    amount = billionths(text)
    if amount is not None:
        return "is too large" if max(+amount, -amount) >= _LARGEST else ""
    return "is too small" if "e-" in text.lower() else "is too large"


def shortened(node: Node) -> str:
    text = str(node.value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


RULES = rules_with_source(
    (
        override_keeps_amounts,
        requests_within_limits,
        override_keeps_devices,
        amounts_can_be_stored,
        image_amounts_can_be_stored,
        memory_is_in_bytes,
    ),
    CONTROLLER,
)
