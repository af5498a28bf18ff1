"""From specs to the objects that Kuscia's own API would have stored."""

import json

from renderer.backends.kuscia.serving import AMOUNTS, Party, Serving, text
from renderer.diagnostics import Origin
from renderer.model import Environment, Node, Plain, Render, Spec, constant, derived
from renderer.quantities import canonical

APP_TYPE = "kuscia.secretflow/app-type"
AFFINITY_MODE = "kuscia.secretflow/affinity-mode"
_MANAGED_BY = constant("servingctl", "marks what servingctl rendered")
_API = "what Kuscia's Serving API sets"
_STORED = "the form in which Kuscia stores it"
_DEFAULTED = "the default of Kuscia's schema, which the API server would add"
_ABSENT = constant(None, "not set")
_AFFINITIES = {"none": "", "affinity": "podAffinity"}
_TERMS = "preferredDuringSchedulingIgnoredDuringExecution"


def kuscia_deployment(spec: Spec, environment: Environment) -> Render:
    """The KusciaDeployment that a create request would make."""
    serving = Serving.of(spec, environment)
    tree = spec.tree
    mode = tree.get("affinity_mode") or constant("", _API)
    affinity = _affinity(text(tree, "affinity_mode"), spec.name_node)
    values = {
        "name": spec.name_node,
        "labels": _labels(tree, {APP_TYPE: constant("serving", _API)}),
        "annotations": Node({**_members(tree, "annotations"), AFFINITY_MODE: mode}, mode.origin),
        "initiator": tree.get("initiator") or _ABSENT,
        "input_config": _input_config(tree.get("serving_input_config")),
        "parties": Node(tuple(_party(party, affinity) for party in serving.parties), tree.origin),
    }
    template = "kuscia/kusciadeployment.yaml.j2"
    schema = "manifests/kuscia/kusciadeployment.json"
    return Render(template, values, schema, "kusciadeployments", spec.name)


def app_image(spec: Spec) -> Render:
    """The AppImage, with the defaults that the API server would add on every apply."""
    tree = spec.tree
    templates = tree.get("deployTemplates") or _ABSENT
    values = {
        "name": spec.name_node,
        "labels": _labels(tree, {}),
        "annotations": _unless_empty(tree.get("annotations")),
        "image": tree.get("image") or _ABSENT,
        "config_templates": _unless_empty(tree.get("configTemplates")),
        "deploy_templates": templates.with_value(
            tuple(_deploy_template(node) for node in templates.elements)
        ),
    }
    template = "kuscia/appimage.yaml.j2"
    return Render(template, values, "manifests/kuscia/appimage.json", "appimages", spec.name)


def _members(tree: Node, key: str) -> dict[str, Node]:
    node = tree.get(key)
    return dict(node.items) if node else {}


def _labels(tree: Node, own: dict[str, Node]) -> Node:
    """The user's labels and ours, which only the marker of our output overrides."""
    labels = {**own, **_members(tree, "labels"), "app.kubernetes.io/managed-by": _MANAGED_BY}
    return Node(labels, tree.locate(("labels",)))


def _input_config(config: Node | None) -> Node:
    """A text byte for byte; a mapping as compact JSON with sorted keys."""
    if config is None:
        return constant("", _API)
    if isinstance(config.value, str):
        return config
    data = config.plain()
    compact = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return config.with_value(compact)


def _party(party: Party, affinity: Node) -> Node:
    node = party.node
    name = node.get("app_image")
    members = {
        "domain_id": node.get("domain_id") or _ABSENT,
        "app_image": name or derived(party.image_name, node.origin),
        "role": _unless_empty(node.get("role")),
        "service_name_prefix": _unless_empty(node.get("service_name_prefix")),
        "replicas": node.get("replicas") or _ABSENT,
        "strategy": _strategy(node.get("update_strategy")),
        "containers": _containers(party),
        "affinity": affinity,
    }
    return Node(members, node.origin)


def _unless_empty(node: Node | None) -> Node:
    return node if node and node.value else _ABSENT


def _strategy(given: Node | None) -> Node:
    """Always set; amounts not given are a quarter, and digits alone become a number."""
    kind = (given and given.get("type")) or constant("RollingUpdate", _API)
    if kind.value == "Recreate":
        return Node({"type": kind}, kind.origin)
    amounts = {"maxSurge": "max_surge", "maxUnavailable": "max_unavailable"}
    rolling = {
        key: _amount((given and given.get(field)) or _ABSENT) for key, field in amounts.items()
    }
    return Node({"type": kind, "rollingUpdate": Node(rolling, kind.origin)}, kind.origin)


def _amount(given: Node) -> Node:
    if not given.value:
        return constant("25%", _API)
    amount = str(given.value)
    return given.with_value(int(amount) if amount.isdigit() else amount)


def _containers(party: Party) -> Node:
    """An entry for each container of the template, if the party says anything about any."""
    template = party.template
    if not template or not any(entry.amounts for entry in party.resources):
        return _ABSENT
    origin = party.node.locate(("resources",))
    containers = (_container(name, party.amounts_of(name), origin) for name in template.containers)
    return Node(tuple(containers), origin)


def _container(name: str, amounts: dict[str, Node], origin: Origin) -> Node:
    resources: dict[str, dict[str, Node]] = {"requests": {}, "limits": {}}
    for amount in AMOUNTS:
        if node := amounts.get(amount):
            end, _, what = amount.partition("_")
            resources["requests" if end == "min" else "limits"][what] = _quantity(node)
    given = {key: Node(values, origin) for key, values in resources.items() if values}
    members = {
        "name": Node(name, origin),
        "workingDir": constant("", _STORED),
        "resources": Node(given, origin),
    }
    return Node(members, origin)


def _quantity(node: Node) -> Node:
    return node.with_value(canonical(str(node.value)))


def _affinity(mode: str, name: Node) -> Node:
    """One preferred term that spreads or gathers the pods of a party."""
    kind = _AFFINITIES.get(mode, "podAntiAffinity")
    if not kind:
        return _ABSENT
    selector: Plain = {"matchLabels": {"kuscia.secretflow/kd-name": str(name.value)}}
    term: Plain = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    return constant({kind: {_TERMS: [{"weight": 100, "podAffinityTerm": term}]}}, _API)


def _deploy_template(template: Node) -> Node:
    spec = template.get("spec")
    containers = spec.get("containers") if spec else None
    if not spec or not containers:
        return template
    done = containers.with_value(tuple(_image_container(node) for node in containers.elements))
    pod = spec.with_value({**spec.items, "containers": done})
    return template.with_value({**template.items, "spec": pod})


def _image_container(container: Node) -> Node:
    members = dict(container.items)
    if ports := members.get("ports"):
        members["ports"] = ports.with_value(tuple(_port(node) for node in ports.elements))
    if resources := members.get("resources"):
        members["resources"] = resources.with_value(
            {key: _amounts(key, node) for key, node in resources.items.items()}
        )
    return container.with_value(members)


def _amounts(key: str, node: Node) -> Node:
    if key not in ("requests", "limits"):
        return node
    return node.with_value({name: _quantity(amount) for name, amount in node.items.items()})


def _port(port: Node) -> Node:
    defaults = {"protocol": constant("HTTP", _DEFAULTED), "scope": constant("Local", _DEFAULTED)}
    missing = {key: node for key, node in defaults.items() if key not in port.items}
    return port.with_value({**port.items, **missing})
