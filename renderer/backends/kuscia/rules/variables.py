"""The variables of an AppImage's containers: names and values that Kubernetes takes."""

import re
from collections.abc import Iterator

from renderer.backends.kuscia.appimage import AppImage
from renderer.backends.kuscia.pods import containers
from renderer.backends.kuscia.versions import parse
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.tree import Node

_PLAIN = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_TAKEN = re.compile(r"[ -<>-~]+")
_SOURCES = ("configMapKeyRef", "secretKeyRef", "fieldRef", "resourceFieldRef")
_RELAXED = "1.1.0b0"


@rule("KUS743", Severity.ERROR, "AppImage")
def variable_names_are_taken(image: AppImage) -> Iterator[Finding]:
    """The name of a variable is one that Kubernetes takes.

    It takes printable ASCII characters but `=`. The Kubernetes in Kuscia before 1.1.0b0 takes
    letters, digits, `_`, `-` and `.` only, not a digit first. It refuses the Deployment otherwise
    (CreateDeploymentFailed).

    Fails:

        deployTemplates:
          - name: a
            spec: {containers: [{name: a, workingDir: "", env: [{name: A=B, value: x}]}]}

    Passes:

        deployTemplates:
          - name: a
            spec: {containers: [{name: a, workingDir: "", env: [{name: A_B, value: x}]}]}
    """
    taken = _TAKEN if _is_relaxed(image) else _PLAIN
    for where, name, _ in _variables(image):
        if name and not taken.fullmatch(name):
            message = f"Kubernetes does not take {visible(name)!r} as the name of a variable"
            yield Finding((*where, "name"), message, "write letters, digits and _")


@rule("KUS744", Severity.WARNING, "AppImage")
def variable_names_are_plain(image: AppImage) -> Iterator[Finding]:
    """The name of a variable has letters, digits, `_`, `-` and `.` only, and no digit first.

    No config template and hardly any shell can read another one, and a host cluster before
    Kubernetes 1.32 refuses it.

    Fails:

        deployTemplates:
          - name: a
            spec: {containers: [{name: a, workingDir: "", env: [{name: A B, value: x}]}]}

    Passes:

        deployTemplates:
          - name: a
            spec: {containers: [{name: a, workingDir: "", env: [{name: A_B, value: x}]}]}
    """
    for where, name, _ in _variables(image) if _is_relaxed(image) else ():
        if _TAKEN.fullmatch(name) and not _PLAIN.fullmatch(name):
            message = f"hardly anything can read a variable that is called {name!r}"
            yield Finding((*where, "name"), message, "write letters, digits and _")


@rule("KUS745", Severity.ERROR, "AppImage")
def variables_have_one_source(image: AppImage) -> Iterator[Finding]:
    """A variable has a value, or one source that it is taken from.

    Kubernetes refuses the Deployment otherwise (CreateDeploymentFailed).

    Fails:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]

    Passes:

        deployTemplates:
          - name: a
            spec:
              containers:
                - name: a
                  workingDir: ""
                  env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
    """
    for where, name, node in _variables(image):
        source, value = node.get("valueFrom"), node.get("value")
        given = [key for key in _SOURCES if source and source.get(key)]
        if source and not given:
            fix = f"add {listed(_SOURCES, 'or')}, or write value instead"
            yield Finding(
                (*where, "valueFrom"), f"{name!r} is taken from nowhere", fix, at_key=True
            )
        elif value and value.value and given:
            message = f"{name!r} has a value, and is taken from {given[0]} too"
            yield Finding((*where, "valueFrom"), message, "delete one of the two", at_key=True)
        elif len(given) > 1:
            message = f"{name!r} is taken from {listed(given)}"
            yield Finding((*where, "valueFrom", given[1]), message, "keep one", at_key=True)


def _is_relaxed(image: AppImage) -> bool:
    """Whether the Kubernetes inside Kuscia is 1.32 or newer."""
    given = image.environment.setting("kuscia", "version") if image.environment else None
    version = parse(given) if isinstance(given, str) else None
    return version is None or version.knows(_RELAXED)


def _variables(image: AppImage) -> Iterator[tuple[Path, str, Node]]:
    for index, template in enumerate(image.templates):
        for container in containers(template.node):
            listing = container.node.get("env")
            for number, node in enumerate(listing.elements if listing else ()):
                name = node.get("name")
                where = ("deployTemplates", index, *container.path, "env", number)
                yield where, str(name.value) if name else "", node


RULES = (variable_names_are_taken, variable_names_are_plain, variables_have_one_source)
