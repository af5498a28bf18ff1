"""What the Serving API answers to a query, from the objects that it reads itself."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, members, plain, text
from renderer.backends.kuscia.status.parties import PartyStatus
from renderer.values.live import LiveObject
from renderer.values.tree import Node, Plain

_AMOUNTS = {"min": "requests", "max": "limits"}


def query_response(
    found: LiveObject, state: str, reason: str, message: str, parties: Sequence[PartyStatus]
) -> Plain:
    """The `data` of a QueryServingResponse; resources are those that the parties state."""
    tree = found.tree
    status: dict[str, Plain] = {
        "state": state,
        "reason": reason,
        "message": message,
        "total_parties": plain(tree, "status", "totalParties") or 0,
        "available_parties": plain(tree, "status", "availableParties") or 0,
        "create_time": text(tree, "metadata", "creationTimestamp"),
        "party_statuses": [_party_status(party) for party in parties],
    }
    return {
        "serving_input_config": text(tree, "spec", "inputConfig"),
        "initiator": text(tree, "spec", "initiator"),
        "parties": [_party(node) for node in elements(tree, "spec", "parties")],
        "status": status,
    }


def _party_status(party: PartyStatus) -> Plain:
    endpoints: list[Plain] = [
        {"port_name": item.port, "scope": item.scope, "endpoint": item.address}
        for item in party.endpoints
    ]
    return {
        "domain_id": party.domain,
        "role": party.role,
        "state": party.state,
        "replicas": party.number("replicas") or 0,
        "available_replicas": party.number("availableReplicas") or 0,
        "unavailable_replicas": party.number("unavailableReplicas") or 0,
        "updatedReplicas": party.number("updatedReplicas") or 0,
        "create_time": text(party.status, "creationTimestamp"),
        "endpoints": endpoints,
    }


def _party(node: Node) -> Plain:
    rolling = node.get("template", "strategy", "rollingUpdate")
    return {
        "domain_id": text(node, "domainID"),
        "role": text(node, "role"),
        "app_image": text(node, "appImageRef"),
        "replicas": plain(node, "template", "replicas"),
        "update_strategy": {
            "type": text(node, "template", "strategy", "type"),
            "max_surge": text(rolling, "maxSurge") if rolling else "",
            "max_unavailable": text(rolling, "maxUnavailable") if rolling else "",
        },
        "resources": list(_resources(node)),
    }


def _resources(node: Node) -> Iterator[Plain]:
    for container in elements(node, "template", "spec", "containers"):
        amounts: dict[str, Plain] = {"container_name": text(container, "name")}
        for end, key in _AMOUNTS.items():
            given = members(container, "resources", key)
            amounts |= {f"{end}_{what}": node.plain() for what, node in given.items()}
        yield amounts
