"""What objects of Kuscia come to: with its defaults, without what it ignores or keeps as state."""

from collections.abc import Mapping

from renderer.backends.fields import elements, members, text
from renderer.backends.kuscia.app_image import APP_IMAGE, drop_selectors, image_named
from renderer.backends.kuscia.deploy_template import apply_overrides
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, DIGEST, STATE
from renderer.backends.kuscia.imports.known_images import strip_digest
from renderer.backends.kuscia.plans import preferred_affinity, stored_deploy_template
from renderer.backends.kuscia.settings import KusciaSettings
from renderer.kubernetes.stored_pods import each, replace_at, stored_resources
from renderer.values.model import Environment
from renderer.values.tree import Node, constant, drop_paths

_QUARTERS = constant({"maxSurge": "25%", "maxUnavailable": "25%"}, "what Kubernetes sets")


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object of Kuscia in one form for all that mean the same."""
    if text(tree, "kind") == APP_IMAGE:
        return _image(tree)
    return _deployment(tree, environment)


def _image(tree: Node) -> Node:
    done = _drop_fields(tree, ("metadata", "namespace"))
    stored = each(done, ("spec", "deployTemplates"), stored_deploy_template)
    return _drop_empty(stored)


def _deployment(tree: Node, environment: Environment) -> Node:
    """The affinity mode is left out: the affinity that Kuscia makes of it is compared."""
    mode = text(tree, "metadata", "annotations", AFFINITY_MODE)
    name = text(tree, "metadata", "name")
    noted = (("metadata", "annotations", key) for key in (*STATE, DIGEST, AFFINITY_MODE))
    done = _drop_fields(tree, *noted)
    done = each(done, ("spec", "parties"), lambda party: _party(party, name, mode, environment))
    return _drop_empty(done)


def _party(party: Node, name: str, mode: str, environment: Environment) -> Node:
    """With the template that the controller makes a Deployment of, as far as a party says it."""
    reference = strip_digest(text(party, "appImageRef"), environment)
    image = image_named(reference, environment)
    template = image.template_for(text(party, "role")) if image else None
    given = _stored(party.get("template"))
    whole = apply_overrides(template.node, given) if template else given
    pod = whole.get("spec") or whole.with_members({})
    fields = {
        "replicas": whole.get("replicas"),
        "strategy": _strategy(whole.get("strategy")),
        "affinity": _affinity(pod.get("affinity"), name, mode, environment),
        "resources": _resources(pod, whole),
    }
    said = {key: node for key, node in fields.items() if node is not None}
    return party.with_members({**party.items, "template": party.with_members(said)})


def _stored(template: Node | None) -> Node:
    if template is None:
        return constant({}, "not given")
    return each(template, ("spec", "containers"), _container)


def _container(container: Node) -> Node:
    return replace_at(container, ("resources",), stored_resources)


def _strategy(given: Node | None) -> Node | None:
    """Amounts that are not given are a quarter."""
    if given is None or text(given, "type") == "Recreate":
        return given
    rolling = {**_QUARTERS.items, **members(given, "rollingUpdate")}
    kind = given.get("type") or constant("RollingUpdate", "what Kubernetes sets")
    return given.with_members({"type": kind, "rollingUpdate": given.with_members(rolling)})


def _affinity(given: Node | None, name: str, mode: str, environment: Environment) -> Node | None:
    """What Kuscia adds where there is none; it replaces the selectors of terms about pods."""
    is_added = mode != "none" and KusciaSettings.of(environment).dialect.spreads_pods
    found = given or (preferred_affinity("", constant(name, "the serving")) if is_added else None)
    return drop_selectors(found) if found else None


def _resources(pod: Node, where: Node) -> Node:
    """What containers ask for, by their names."""
    found = {
        text(item, "name"): item.get("resources") or where.with_members({})
        for item in elements(pod, "containers")
    }
    return where.with_members(found)


def _drop_fields(tree: Node, *paths: tuple[str, ...]) -> Node:
    return drop_paths(tree, frozenset(path for path in paths if tree.get(*path)))


def _drop_empty(node: Node) -> Node:
    """Without empty texts, lists and mappings that say no more than nothing does."""
    if isinstance(node.value, Mapping):
        done = {key: _drop_empty(child) for key, child in node.items.items()}
        return node.with_members({k: v for k, v in done.items() if v.value not in ("", (), {})})
    if isinstance(node.value, tuple):
        return node.with_members(tuple(map(_drop_empty, node.elements)))
    return node
