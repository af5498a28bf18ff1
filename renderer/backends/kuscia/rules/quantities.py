"""Single amounts, of a party or of an AppImage: numbers that can be stored, and whole bytes."""

from collections.abc import Iterator
from functools import lru_cache

from renderer.backends.fields import members
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import Serving
from renderer.kubernetes.quantities import BILLION, billionths, is_split_byte
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node

_LARGEST = 2**63 * BILLION
_LONGEST = 40
_Amounts = Iterator[tuple[Path, str, Node]]


@rule("KUS309", Severity.ERROR, "Serving")
def amounts_can_be_stored(serving: Serving) -> Iterator[Finding]:
    """A party's amounts are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails: parties: [{domain_id: alice, resources: [{max_memory: 100Ei}]}]
    Passes: parties: [{domain_id: alice, resources: [{max_memory: 100Gi}]}]
    """
    yield from _unstorable_amounts(_party_amounts(serving))


@rule("KUS310", Severity.ERROR, "AppImage")
def image_amounts_can_be_stored(image: AppImage) -> Iterator[Finding]:
    """The amounts of an AppImage are numbers that Kubernetes can hold.

    Beyond 2^63 it stores another number than was written.

    Fails: containers: [{name: scorer, resources: {limits: {memory: 100Ei}}}]
    Passes: containers: [{name: scorer, resources: {limits: {memory: 100Gi}}}]
    """
    yield from _unstorable_amounts(_image_amounts(image))


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
            message = f"{name} {shown(node)} is in parts of a byte"
            number = shown(node).rstrip("mun…")
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
    for place, container in image.containers():
        for kind in ("requests", "limits"):
            for name, node in members(container.node, "resources", kind).items():
                yield (*place, *container.path, "resources", kind, name), name, node


def _unstorable_amounts(amounts: _Amounts) -> Iterator[Finding]:
    for where, name, node in amounts:
        if wrong := unstorable(str(node.value)):
            yield Finding(where, f"{name} {shown(node)} {wrong}", "write a sensible amount")


@lru_cache(maxsize=1024)
def unstorable(text: str) -> str:
    """What keeps Kubernetes from holding an amount; a form that has none is told by its shape."""
    amount = billionths(text)
    if amount is not None:
        return "is too large" if max(+amount, -amount) >= _LARGEST else ""
    return "is too small" if "e-" in text.lower() else "is too large"


def shown(node: Node) -> str:
    text = str(node.value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


RULES = rules_with_source(
    (
        amounts_can_be_stored,
        image_amounts_can_be_stored,
        memory_is_in_bytes,
    ),
    CONTROLLER,
)
