"""AppImages as specs say them: of the object, or of a message of Kuscia's AppImage API."""

from renderer.backends.fields import elements, made, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.imports.known_images import KnownImages, image_spec
from renderer.kubernetes.stored_pods import each
from renderer.text.wording import camel_case
from renderer.values.imports import CHANGED, DROPPED, ImportedSpec, Note, Source, Surroundings
from renderer.values.tree import Node

_DEFAULTS = {"protocol": "HTTP", "scope": "Local"}
_CLUSTER_WIDE = "an AppImage is in no namespace"
_NEEDED = ("workingDir", "tag", "value", "replicas")
_EMPTY: tuple[object, ...] = ("", (), {}, 0)
_LARGE = "terminationGracePeriodSeconds"
_ORDER = ("image", "configTemplates", "deployTemplates", "labels", "annotations")


def read_object(source: Source, around: Surroundings) -> ImportedSpec:
    """The spec of an AppImage."""
    notes: list[Note] = []
    spec = image_spec(source, around.environment)
    name = KnownImages.of(around).names.get(source.name, source.name)
    if name != source.name:
        why = f"servingctl adds the digest of its content to {name!r}"
        notes.append(Note("metadata.name", CHANGED, why))
    if text(source.tree, "spec", "image", "name") != text(spec, "image", "name"):
        there = text(source.tree, "spec", "image", "name")
        why = f"a destination takes it from {there}"
        notes.append(Note("spec.image.name", CHANGED, why))
    if source.namespace:
        notes.append(Note("metadata.namespace", DROPPED, _CLUSTER_WIDE))
    fields = {key: node for key, node in drop_port_defaults(spec).items.items() if node.value != {}}
    for place in ("labels", "annotations"):
        if given := source.tree.get("metadata", place):
            fields[place] = given
    in_order = {key: fields[key] for key in _ORDER if key in fields}
    tree = source.tree.with_members({**in_order, **fields})
    return ImportedSpec(APP_IMAGE, name, tree, notes=tuple(notes))


def drop_port_defaults(spec: Node) -> Node:
    """The fields of an AppImage without the defaults of its ports."""
    return each(
        spec,
        ("deployTemplates",),
        lambda template: each(template, ("spec", "containers"), _container),
    )


def _container(container: Node) -> Node:
    done = each(container, ("ports",), _port)
    if not elements(done, "ports") and "ports" in done.items:
        done = done.with_members({k: v for k, v in done.items.items() if k != "ports"})
    return done


def _port(port: Node) -> Node:
    """Without its defaults, as far as they come back in the same order when it is rendered."""
    wanted = list(port.items)
    for left in (("protocol", "scope"), ("scope",), ("protocol",)):
        kept = {k: v for k, v in port.items.items() if k not in left or v.value != _DEFAULTS[k]}
        if [*kept, *(key for key in _DEFAULTS if key not in kept)] == wanted:
            return port.with_members(kept)
    return port


def read_message(body: Node, around: Surroundings, *, updates: bool) -> ImportedSpec:
    """The spec of a message of the AppImage API, which has other words than the object."""
    notes: list[Note] = []
    given = body.with_members({camel_case(key): node for key, node in body.items.items()})
    fields = {key: given.items[key] for key in _ORDER[:3] if key in given.items}
    notes += (
        Note(key, DROPPED, "it belongs to the request")
        for key in given.items
        if key not in fields and key != "name"
    )
    if "image" in fields:
        fields["image"] = _drop_zeros(fields["image"])
    if "deployTemplates" in fields:
        templates = fields["deployTemplates"]
        done = tuple(_template(item, notes) for item in templates.elements)
        fields["deployTemplates"] = templates.with_members(done)
    stored = made(body, {"metadata": None, "spec": body.with_members(fields)})
    spec = drop_port_defaults(image_spec(Source(stored), around.environment))
    kept = {key: node for key, node in spec.items.items() if node.value not in ({}, ())}
    return ImportedSpec(
        APP_IMAGE, text(given, "name"), body.with_members(kept), notes=tuple(notes), updates=updates
    )


def _template(template: Node, notes: list[Note]) -> Node:
    """A deploy template, whose containers stand one level deeper in the object."""
    given = _drop_zeros(_camel(template))
    pod = {k: v for k, v in given.items.items() if k in ("containers", "restartPolicy")}
    fields = {k: v for k, v in given.items.items() if k in ("name", "role")}
    replicas = given.get("replicas")
    if replicas is None:
        why = "Kuscia's API stores 0 where a request says nothing"
        notes.append(Note("deployTemplates.replicas", CHANGED, why))
    fields["replicas"] = replicas or Node(0, template.origin)
    fields["spec"] = template.with_members(pod)
    return made(template, {**fields})


def _camel(node: Node) -> Node:
    """All keys as the object has them; names of variables and files are values here."""
    if isinstance(node.value, dict):
        fields = {camel_case(key): _camel(child) for key, child in node.items.items()}
        return node.with_members(fields)
    if isinstance(node.value, tuple):
        return node.with_members(tuple(map(_camel, node.elements)))
    return node


def _drop_zeros(node: Node) -> Node:
    """As protobuf has it: what is empty or zero is not there, and large numbers are texts."""
    if isinstance(node.value, dict):
        done = {key: _number(key, _drop_zeros(child)) for key, child in node.items.items()}
        kept = {k: v for k, v in done.items() if v.value not in _EMPTY or k in _NEEDED}
        return node.with_members(kept)
    if isinstance(node.value, tuple):
        return node.with_members(tuple(map(_drop_zeros, node.elements)))
    return node


def _number(key: str, node: Node) -> Node:
    text_value = str(node.value)
    return node.with_value(int(text_value)) if key == _LARGE and text_value.isdigit() else node
