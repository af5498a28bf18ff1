"""An AppImage with the defaults that the API server would add on every apply."""

from collections.abc import Iterator

from renderer.backends.fields import ABSENT, unless_empty
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.object_labels import object_labels
from renderer.backends.registries import registries_of, relocated
from renderer.kubernetes.stored_pods import each, replace_at, stored_resources
from renderer.values.model import Destination, Spec
from renderer.values.objects import Render, Scene
from renderer.values.tree import Node, constant

_DEFAULTED = "the default of Kuscia's schema, which the API server would add"

_KEPT = (("metadata", "name"), ("spec", "image", "name"), ("spec", "image", "tag"))


def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
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
    yield Render(template, values, schema, "appimages", name, _KEPT)


def image_at(image: Node, destination: Destination | None) -> Node:
    """The image, taken from the registry that the destination names."""
    if name := image.get("name"):
        there = relocated(name, registries_of(destination))
        return image if there is name else image.with_value({**image.items, "name": there})
    return image


def stored_deploy_template(template: Node) -> Node:
    """A deploy template with the defaults of its ports, and amounts in their canonical form."""
    return each(template, ("spec", "containers"), _container)


def _container(container: Node) -> Node:
    return replace_at(each(container, ("ports",), _port), ("resources",), stored_resources)


def _port(port: Node) -> Node:
    defaults = {"protocol": constant("HTTP", _DEFAULTED), "scope": constant("Local", _DEFAULTED)}
    missing = {key: node for key, node in defaults.items() if key not in port.items}
    return port.with_value({**port.items, **missing})
