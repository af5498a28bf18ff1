"""A serving as requests of Kuscia's Serving API."""

from collections.abc import Iterator

from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.api.requests import api_request, lost_metadata
from renderer.backends.kuscia.api.serving_update import update_request
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.serving import AMOUNTS, FIELD, Party, Serving, input_config_text
from renderer.values.requests import ApiRequest, ExportRequest, Remark, SentSpec
from renderer.values.tree import Node, Plain

_AMOUNTS_OF_STRATEGY = ("max_surge", "max_unavailable")


def export(wanted: ExportRequest) -> ApiRequest:
    """The request that a verb stands for."""
    sent = wanted.sent[0]
    match wanted.verb:
        case "create":
            return _create(sent)
        case "update" if wanted.former:
            return update_request(wanted.former, sent)
        case "batch-query":
            names: list[Plain] = [item.spec.name for item in wanted.sent]
            return api_request("serving/status/batchQuery", {"serving_ids": names})
        case verb:
            return api_request(f"serving/{verb}", {"serving_id": sent.spec.name})


def _create(sent: SentSpec) -> ApiRequest:
    tree = sent.spec.tree
    serving = Serving.of(sent.spec, sent.scene.environment)
    config = tree.get(FIELD)
    body: dict[str, Plain] = {
        "serving_id": serving.name,
        "serving_input_config": input_config_text(config) if config else "",
        "initiator": serving.initiator,
        "parties": [_party(party, sent) for party in serving.parties],
    }
    if mode := text(tree, "affinity_mode"):
        body["affinity_mode"] = mode
    return api_request("serving/create", body, lost_metadata(tree), _unknown_fields(serving))


def _unknown_fields(serving: Serving) -> Iterator[Remark]:
    """What the API of the version drops without a word."""
    dialect, path = serving.settings.dialect, ("affinity_mode",)
    if text(serving.tree, *path) and not dialect.takes_affinity_mode:
        said = f"the API of Kuscia {dialect.version} does not know it, and drops it"
        yield Remark(path, serving.tree.locate(path), said)


def _party(party: Party, sent: SentSpec) -> dict[str, Plain]:
    """A party with what is said of it, under the name that its AppImage is rendered with."""
    node = party.node
    message: dict[str, Plain] = {
        "domain_id": party.domain,
        "app_image": sent.scene.name_of(APP_IMAGE, party.image_name),
        "role": party.role,
        "replicas": plain(node, "replicas"),
        "update_strategy": _strategy(node.get("update_strategy")),
        "resources": [_resource(entry) for entry in elements(node, "resources")],
        "service_name_prefix": party.service_prefix,
    }
    return {key: value for key, value in message.items() if value not in (None, "", [], {})}


def _strategy(given: Node | None) -> dict[str, Plain]:
    """As it is written; without a type the API refuses it."""
    if given is None:
        return {}
    amounts = {key: text(given, key) for key in _AMOUNTS_OF_STRATEGY if text(given, key)}
    return {"type": text(given, "type"), **amounts}


def _resource(entry: Node) -> dict[str, Plain]:
    return {key: text(entry, key) for key in ("container_name", *AMOUNTS) if text(entry, key)}
