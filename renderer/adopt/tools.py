"""Files that tools read to make objects: named as such, with the command that makes the objects."""

import posixpath
from collections.abc import Iterable, Iterator

from renderer.text.decoder import position
from renderer.values.imports import SkippedSource, Source
from renderer.values.tree import Node

_KUSTOMIZE_GROUP = "kustomize.config.k8s.io"
_KUSTOMIZE_NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_BUILTIN = "builtin"
_PATCH = "$patch"
_CHART = "Chart.yaml"
_CHART_FILES = (_CHART, "Chart.lock", "requirements.yaml")
_VALUES = "values"
#: Where a file of kustomize names others that are no objects of their own.
_PATCHES = (
    ("patches", "path"),
    ("patchesJson6902", "path"),
    ("patchesStrategicMerge", ""),
    ("replacements", "path"),
    ("configurations", ""),
)
_BY_KUSTOMIZE = "kustomize reads it to make objects; import what `kustomize build {0}` prints"
_BY_HELM = "Helm reads it to make objects; import what `helm template {0}` prints"
_TEMPLATE = "it is a template and no YAML yet; import what `helm template`, or its own tool, prints"


def tool_files(sources: Iterable[Source]) -> dict[str, str]:
    """The files of an import that hold no objects, with what to do instead."""
    given = list(sources)
    charts = {_folder(_file(item)) for item in given if _base(_file(item)) == _CHART}
    found: dict[str, str] = {}
    for item in given:
        file = _file(item)
        folder = _folder(file)
        if _is_of_kustomize(item) or _base(file) in _KUSTOMIZE_NAMES:
            reason = _BY_KUSTOMIZE.format(folder or ".")
            found |= dict.fromkeys((file, *_patches(item.tree, folder)), reason)
        elif chart := _chart(file, charts, is_object=bool(item.kind)):
            found[file] = _BY_HELM.format(chart)
    return found


def _is_of_kustomize(source: Source) -> bool:
    """Whether kustomize reads an object itself, or lays it over another one."""
    version = source.tree.get("apiVersion")
    is_builtin = version is not None and version.value == _BUILTIN
    return is_builtin or source.group == _KUSTOMIZE_GROUP or _PATCH in source.tree.items


def template_text(name: str, text: str) -> SkippedSource | None:
    """That a text which cannot be read is a template of Helm or of another tool."""
    start = text.find("{{")
    return SkippedSource(position(name, text, start), "the file", _TEMPLATE) if start >= 0 else None


def _patches(tree: Node, folder: str) -> Iterator[str]:
    for place, field in _PATCHES:
        listing = tree.get(place)
        for item in listing.elements if listing else ():
            node = item.get(field) if field else item
            if node and isinstance(node.value, str):
                yield posixpath.normpath(posixpath.join(folder, node.value))


def _chart(file: str, charts: Iterable[str], *, is_object: bool) -> str:
    """The folder of the chart that a file is a part of; empty if it is of none."""
    base, folder = _base(file), _folder(file)
    if base in _CHART_FILES or (base.startswith(_VALUES) and not is_object and folder in charts):
        return folder or "."
    inside = (one for one in charts if file.startswith(posixpath.join(one, "templates/")))
    return next(inside, "")


def _file(source: Source) -> str:
    return source.tree.origin.file


def _folder(file: str) -> str:
    return file.rpartition("/")[0]


def _base(file: str) -> str:
    return file.rpartition("/")[2]
