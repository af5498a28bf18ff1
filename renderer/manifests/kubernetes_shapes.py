"""Objects of Kubernetes itself against the schemas of the version that they go to."""

from collections.abc import Iterator

from renderer.kubernetes.versions import Version, shown
from renderer.manifests import rules as man
from renderer.schema.kubernetes_schemas import nearest_version, object_schema, served_versions
from renderer.schema.validation import check
from renderer.text.secrets.masks import HIDDEN
from renderer.text.wording import listed
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.objects import Manifest
from renderer.values.tree import Node

#: How names of the templates begin that come with us.
_BUNDLED = "servingctl:"
_SECRET_DATA = ("data", "stringData")


def kubernetes_shape_errors(manifest: Manifest, version: Version) -> Iterator[Diagnostic]:
    """What the API server would refuse or drop; nothing where no schemas are installed."""
    nodes = (manifest.tree.get(key) for key in ("apiVersion", "kind"))
    api_version, kind = (str(node.value) if node else "" for node in nodes)
    near = nearest_version(version)
    if near is None:
        return
    schema = object_schema(near, api_version, kind)
    if schema is None:
        yield from _unserved(manifest, near, api_version, kind)
        return
    tree = _hide_data(manifest.tree) if kind == "Secret" else manifest.tree
    for found in check(tree, schema):
        message = f"the {kind} does not fit Kubernetes {shown(near)}: {found.message}"
        yield man.KUBERNETES_SHAPE.at(_place(found, manifest), message, found.fix)


def _hide_data(secret: Node) -> Node:
    """A Secret without what it keeps, as messages quote what does not fit."""
    kept = {key: node for key in _SECRET_DATA if (node := secret.get(key)) is not None}
    return secret.with_members({**secret.items, **{key: _hide(kept[key]) for key in kept}})


def _hide(node: Node) -> Node:
    if node.items:
        return node.with_members({key: _hide(item) for key, item in node.items.items()})
    if node.elements:
        return node.with_members(tuple(_hide(item) for item in node.elements))
    return node.with_value(HIDDEN) if isinstance(node.value, str) else node


def _place(found: Diagnostic, manifest: Manifest) -> Origin:
    """Where a file of the repository says it, else the object as a whole."""
    is_ours = not found.file or found.file.startswith(_BUNDLED)
    own = Origin(found.file, found.line, found.column)
    return manifest.spec.tree.origin if is_ours else own


def _unserved(
    manifest: Manifest, version: Version, api_version: str, kind: str
) -> Iterator[Diagnostic]:
    """A kind that Kubernetes has, but not in this version of its group."""
    if served := served_versions(version, api_version, kind):
        message = f"Kubernetes {shown(version)} serves no {kind} of {api_version}"
        fix = f"write apiVersion: {listed(served, 'or')}"
        where = manifest.tree.locate(("apiVersion",))
        yield man.KUBERNETES_SHAPE.at(where, message, fix)
