"""An AppImage as requests of Kuscia's AppImage API, which knows less of it than its CRD."""

from collections.abc import Iterator, Mapping

from renderer.backends.api_messages import MessageShape, message
from renderer.backends.fields import elements, plain, text
from renderer.backends.kuscia.api.requests import (
    api_request,
    changed_metadata,
    lost_metadata,
    no_difference,
)
from renderer.backends.kuscia.deploy_template import Container, containers
from renderer.backends.kuscia.plans import plan_app_image
from renderer.text.wording import snake_case
from renderer.values.diagnostics import Path
from renderer.values.requests import ApiRequest, ExportRequest, Remark, SentSpec
from renderer.values.tree import Node, Plain

_PODS = "shared/kuscia-pod.json"
#: Kuscia draws the numbers of ports itself.
_WITHOUT_EFFECT = ("ports", "port")
_TEMPLATES = "deployTemplates"


def export(wanted: ExportRequest) -> ApiRequest:
    """The request that a verb stands for."""
    sent = wanted.sent[0]
    match wanted.verb:
        case "create":
            return _create(sent)
        case "update" if wanted.former:
            return _update(wanted.former, sent)
        case "batch-query":
            names: list[Plain] = [_name(item) for item in wanted.sent]
            return api_request("appimage/batchQuery", {"names": names})
        case verb:
            return api_request(f"appimage/{verb}", {"name": _name(sent)})


def _create(sent: SentSpec) -> ApiRequest:
    values = _stored(sent)
    body: dict[str, Plain] = {"name": _name(sent), "image": _image(values)}
    if texts := values["config_templates"].plain():
        body["config_templates"] = texts
    body["deploy_templates"] = _templates(values)
    return api_request(
        "appimage/create", body, lost_metadata(sent.spec.tree), _unsupported_fields(sent)
    )


def _update(before: SentSpec, after: SentSpec) -> ApiRequest:
    """The image always; config files and deploy templates as a whole, if they differ."""
    old, new = _stored(before), _stored(after)
    body: dict[str, Plain] = {"name": _name(after), "image": _image(new)}
    obstacles = list(_fixed_fields(before, after))
    texts = new["config_templates"].plain()
    if texts and texts != old["config_templates"].plain():
        body["config_templates"] = texts
    if new["deploy_templates"].plain() != old["deploy_templates"].plain():
        body["deploy_templates"] = _templates(new)
        obstacles += _unsupported_fields(after)
    is_idle = len(body) == 2 and old["image"].plain() == new["image"].plain()  # noqa: PLR2004
    notes = [no_difference()] if is_idle and not obstacles else []
    return api_request("appimage/update", body, notes, obstacles)


def _fixed_fields(before: SentSpec, after: SentSpec) -> Iterator[Remark]:
    """What no update can change."""
    tree = after.spec.tree
    if _name(before) != _name(after):
        said = f"it was rendered as {_name(before)} and is {_name(after)} now: create it, and"
        where = after.spec.name_node.origin
        yield Remark(("name",), where, f"{said} update what uses it")
    if plain(before.spec.tree, "configTemplates") and not plain(tree, "configTemplates"):
        path = ("configTemplates",)
        yield Remark(path, tree.locate(path), "the API cannot take away all config files")
    yield from changed_metadata(before.spec.tree, tree)


def _stored(sent: SentSpec) -> Mapping[str, Node]:
    (render,) = plan_app_image(sent.spec, sent.scene)
    return render.values


def _name(sent: SentSpec) -> str:
    return str(_stored(sent)["name"].value)


def _image(values: Mapping[str, Node]) -> dict[str, Plain]:
    return message(values["image"], MessageShape.of(_PODS, "Image"), snake_case)


def _templates(values: Mapping[str, Node]) -> list[Plain]:
    """Each with its replicas: the API takes a number that is missing for 0."""
    found: list[Plain] = []
    shape, pods = _template_shape(), MessageShape.of(_PODS, "PodSpec")
    for template in values["deploy_templates"].elements:
        pod = template.get("spec")
        said = {"replicas": 1, **message(template, shape, snake_case)}
        kept = {key: said[key] for key in shape.fields if said.get(key, "") != ""}
        found.append({**kept, **(message(pod, pods, snake_case) if pod else {})})
    return found


def _template_shape() -> MessageShape:
    return MessageShape.of("spec/appimage.json", "DeployTemplate")


def _unsupported_fields(sent: SentSpec) -> Iterator[Remark]:
    """What the API cannot say of deploy templates, at its line."""
    for template in elements(sent.spec.tree, _TEMPLATES):
        path: Path = (_TEMPLATES, f"[{text(template, 'name')}]")
        own = {key: node for key, node in template.items.items() if key != "spec"}
        yield from _unknown_fields(template.with_members(own), _template_shape(), path)
        if pod := template.get("spec"):
            yield from _unknown_fields(pod, MessageShape.of(_PODS, "PodSpec"), (*path, "spec"))
        for container in containers(template):
            yield from _numbered_ports(container, (*path, "spec", "containers"))


def _unknown_fields(node: Node, shape: MessageShape, path: Path) -> Iterator[Remark]:
    """The fields below a value that no message has; those that say nothing do not matter."""
    for number, item in enumerate(node.elements):
        name = text(item, "name")
        yield from _unknown_fields(item, shape.item(), (*path, f"[{name}]" if name else number))
    for key, child in node.items.items() if shape.fields else ():
        place = (*path, key)
        if key in shape.fields:
            yield from _unknown_fields(child, shape.member(key), place)
        elif child.value not in (None, False, "", {}, ()) and not _is_without_effect(place):
            said = "the AppImage API has no such field; render and apply the object"
            yield Remark(place, child.key or child.origin, said)


def _is_without_effect(path: Path) -> bool:
    return tuple(key for key in path[-3:] if not str(key).startswith("[")) == _WITHOUT_EFFECT


def _numbered_ports(container: Container, path: Path) -> Iterator[Remark]:
    """Ports of probes by number, which the API stores as names that Kubernetes refuses."""
    for probe in container.probes():
        port = probe.port
        if port and str(port.value).isdecimal() and probe.kind != "grpc":
            said = "the API stores a number as the name of a port, which Kubernetes refuses"
            place = (*path, f"[{container.name}]", *probe.path[len(container.path) :])
            yield Remark(place, port.origin, f"{said}; write the name of the port")
