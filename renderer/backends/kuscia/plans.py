"""What is applied: KusciaDeployments as Kuscia's own API would have stored them, and AppImages."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import ABSENT, members, text, unless_empty
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, DIGEST, SERVING_NAME
from renderer.backends.kuscia.serving import (
    AMOUNTS,
    FIELD,
    STRATEGY_AMOUNTS,
    Party,
    Serving,
    input_config_text,
)
from renderer.backends.object_places import object_labels
from renderer.backends.registries import registries_of, relocated
from renderer.kubernetes.stored_pods import each, quantity, replace_at, stored_resources
from renderer.text.digests import canonical, digest_of_members
from renderer.values.diagnostics import Origin
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Destination, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, Plain, constant

_API = "what Kuscia's Serving API sets"
_STORED = "the form in which Kuscia stores it"
_SERVING = constant("serving", _API)
_UNSET = constant("", _API)
_ROLLING = constant("RollingUpdate", _API)
_QUARTER = constant("25%", _API)
_NO_FOLDER = constant("", _STORED)
_AFFINITIES = {"none": "", "affinity": "podAffinity"}
#: What names, partners and prerequisites depend on.
_KEPT = (
    ("metadata", "name"),
    ("spec", "initiator"),
    ("spec", "parties", "domainID"),
    ("spec", "parties", "appImageRef"),
    ("spec", "parties", "role"),
    ("spec", "parties", "serviceNamePrefix"),
)
_TERMS = "preferredDuringSchedulingIgnoredDuringExecution"
_DEFAULTED = "the default of Kuscia's schema, which the API server would add"

_KEPT_OF_IMAGE = (("metadata", "name"), ("spec", "image", "name"), ("spec", "image", "tag"))


def plan_serving(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The KusciaDeployment that a create request would make."""
    serving = Serving.of(spec, scene.environment)
    tree = spec.tree
    affinity = preferred_affinity(text(tree, "affinity_mode"), spec.name_node)
    parties = tuple(_party(party, serving, affinity, scene) for party in serving.parties)
    values = {
        "name": spec.name_node,
        "labels": object_labels(tree, {APP_TYPE: _SERVING}),
        "annotations": _annotations(serving, scene),
        "initiator": tree.get("initiator") or ABSENT,
        "input_config": _input_config(tree.get(FIELD)),
        "parties": Node(parties, tree.locate(("parties",))),
    }
    template = "kuscia/kusciadeployment.yaml.j2"
    schema = "manifests/kuscia/kusciadeployment.json"
    yield Render(template, values, schema, "kusciadeployments", spec.name, _KEPT)


def _annotations(serving: Serving, scene: Scene) -> Node:
    """The user's, the affinity mode as the API writes it, and what makes image edits roll."""
    mode = serving.tree.get("affinity_mode") or _UNSET
    annotations = {**members(serving.tree, "annotations"), AFFINITY_MODE: mode}
    used: dict[str, str] = {}
    for party in serving.parties:
        image = scene.made.get((APP_IMAGE, party.image_name))
        if image and scene.name_of(APP_IMAGE, party.image_name) == party.image_name:
            used[party.image_name] = _canonical_spec(image)
    if used:
        reason = "changes with the AppImages, which Kuscia itself does not watch"
        annotations[DIGEST] = constant(f"sha256:{digest_of_members(used)}", reason)
    return Node(annotations, serving.tree.locate(("annotations",)))


@cached_by_identity
def _canonical_spec(image: Node) -> str:
    """What makes two AppImages differ; many servings use the same one."""
    return canonical((image.get("spec") or ABSENT).plain())


def _input_config(config: Node | None) -> Node:
    """As it is stored; there always is one."""
    if config is None:
        return _UNSET
    return config if isinstance(config.value, str) else config.with_value(input_config_text(config))


def _party(party: Party, serving: Serving, affinity: Node, scene: Scene) -> Node:
    node = party.node
    members = {
        "domain_id": node.get("domain_id") or ABSENT,
        "app_image": _image_name(party, serving, scene),
        "role": unless_empty(node.get("role")),
        "service_name_prefix": unless_empty(node.get("service_name_prefix")),
        "replicas": node.get("replicas") or ABSENT,
        "strategy": _strategy(node.get("update_strategy")),
        "containers": _containers(party),
        "affinity": affinity,
    }
    return Node(members, node.origin)


def _image_name(party: Party, serving: Serving, scene: Scene) -> Node:
    """The AppImage's name as it is rendered, which may change with its content."""
    given = party.node.get("app_image") or serving.tree.get("app_image") or ABSENT
    return given.with_value(scene.name_of(APP_IMAGE, party.image_name))


def _strategy(given: Node | None) -> Node:
    """Always set; amounts not given are a quarter, and what is a number becomes one."""
    kind = (given and given.get("type")) or _ROLLING
    if kind.value == "Recreate":
        return Node({"type": kind}, kind.origin)
    rolling = {
        key: _amount((given and given.get(field)) or ABSENT)
        for field, key in STRATEGY_AMOUNTS.items()
    }
    return Node({"type": kind, "rollingUpdate": Node(rolling, kind.origin)}, kind.origin)


def _amount(given: Node) -> Node:
    if not given.value:
        return _QUARTER
    amount = str(given.value)
    return given.with_value(int(amount) if amount.lstrip("+").isdigit() else amount)


def _containers(party: Party) -> Node:
    """An entry for each container of the template, if the party says anything about any."""
    template = party.template
    if not template or not any(entry.amounts for entry in party.resources):
        return ABSENT
    origin = party.node.locate(("resources",))
    containers = (_container(name, party.amounts_of(name), origin) for name in template.containers)
    return Node(tuple(containers), origin)


def _container(name: str, amounts: Mapping[str, Node], origin: Origin) -> Node:
    resources: dict[str, dict[str, Node]] = {"requests": {}, "limits": {}}
    for amount, (kind, what) in AMOUNTS.items():
        if node := amounts.get(amount):
            resources[kind][what] = quantity(node)
    given = {key: Node(values, origin) for key, values in resources.items() if values}
    members = {
        "name": Node(name, origin),
        "workingDir": _NO_FOLDER,
        "resources": Node(given, origin),
    }
    return Node(members, origin)


def preferred_affinity(mode: str, name: Node) -> Node:
    """One preferred term that spreads or gathers the pods of a party."""
    kind = _AFFINITIES.get(mode, "podAntiAffinity")
    if not kind:
        return ABSENT
    selector: Plain = {"matchLabels": {SERVING_NAME: str(name.value)}}
    term: Plain = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
    return constant({kind: {_TERMS: [{"weight": 100, "podAffinityTerm": term}]}}, _API)


def plan_app_image(spec: Spec, scene: Scene) -> Iterator[Render]:
    """The AppImage for a destination, or as it is before any destination changes it."""
    tree = spec.tree
    templates = tree.get("deployTemplates") or ABSENT
    name = scene.name_of(APP_IMAGE, spec.name)
    values = {
        "name": spec.name_node.with_value(name),
        "labels": object_labels(tree, {}),
        "annotations": unless_empty(tree.get("annotations")),
        "image": image_at(tree.get("image") or ABSENT, scene.destination),
        "config_templates": unless_empty(tree.get("configTemplates")),
        "deploy_templates": templates.with_value(
            tuple(stored_deploy_template(node) for node in templates.elements)
        ),
    }
    template = "kuscia/appimage.yaml.j2"
    schema = "manifests/kuscia/appimage.json"
    yield Render(template, values, schema, "appimages", name, _KEPT_OF_IMAGE)


def image_at(image: Node, destination: Destination | None) -> Node:
    """The image, taken from the registry that the destination names."""
    if name := image.get("name"):
        there = relocated(name, registries_of(destination))
        return image if there is name else image.with_value({**image.items, "name": there})
    return image


def stored_deploy_template(template: Node) -> Node:
    """A deploy template with the defaults of its ports, and amounts in their canonical form."""
    return each(template, ("spec", "containers"), _stored_container)


def _stored_container(container: Node) -> Node:
    return replace_at(each(container, ("ports",), _stored_port), ("resources",), stored_resources)


def _stored_port(port: Node) -> Node:
    defaults = {"protocol": constant("HTTP", _DEFAULTED), "scope": constant("Local", _DEFAULTED)}
    missing = {key: node for key, node in defaults.items() if key not in port.items}
    return port.with_value({**port.items, **missing})
