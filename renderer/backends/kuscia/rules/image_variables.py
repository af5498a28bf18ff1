"""The variables of an AppImage's containers, as Kubernetes takes them."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import AppImage, pods
from renderer.backends.kuscia.rules.sources import KUBERNETES
from renderer.kubernetes.names import is_plain_variable, is_variable
from renderer.kubernetes.pod_rules.containers import names_twice
from renderer.kubernetes.pods import Field
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


@rule("KUS747", Severity.WARNING, "AppImage")
def variables_once(image: AppImage) -> Iterator[Finding]:
    """The name of a variable stands once in its container.

    Kubernetes takes the last of several, and says nothing.

    Fails: containers: [{name: scorer, env: [{name: A, value: x}, {name: A, value: z}]}]
    Passes: containers: [{name: scorer, env: [{name: A, value: z}]}]
    """
    for place, container in image.containers():
        field = Field((*place, *container.path), container.node)
        yield from names_twice(field.each("env"), "variable")


@rule("KUS743", Severity.ERROR, "AppImage")
def variable_names_are_taken(image: AppImage) -> Iterator[Finding]:
    """The name of a variable is one that Kubernetes takes.

    It takes printable ASCII characters but `=`. The Kubernetes in Kuscia before 1.1.0b0 takes
    letters, digits, `_`, `-` and `.` only, not a digit first. It refuses the Deployment otherwise
    (CreateDeploymentFailed).

    Fails: containers: [{name: scorer, env: [{name: A=B, value: x}]}]
    Passes: containers: [{name: scorer, env: [{name: A_B, value: x}]}]
    """
    relaxed = image.settings.dialect.relaxed_variables
    for variable in _variables(image):
        name = variable.get("name")
        if name and name.text and not is_variable(name.text, relaxed=relaxed):
            message = f"Kubernetes does not take {visible(name.text)!r} as the name of a variable"
            yield name.wrong(message, "write letters, digits and _")


@rule("KUS744", Severity.WARNING, "AppImage")
def variable_names_are_plain(image: AppImage) -> Iterator[Finding]:
    """The name of a variable has letters, digits, `_`, `-` and `.` only, and no digit first.

    No config template and hardly any shell can read another one, and a host cluster before
    Kubernetes 1.32 refuses it.

    Fails: containers: [{name: scorer, env: [{name: A B, value: x}]}]
    Passes: containers: [{name: scorer, env: [{name: A_B, value: x}]}]
    """
    relaxed = image.settings.dialect.relaxed_variables
    for variable in _variables(image) if relaxed else ():
        name = variable.get("name")
        if name and is_variable(name.text, relaxed=True) and not is_plain_variable(name.text):
            message = f"hardly anything can read a variable that is called {name.text!r}"
            yield name.wrong(message, "write letters, digits and _")


def _variables(image: AppImage) -> Iterator[Field]:
    for pod in pods(image):
        yield from pod.container_items("env")


RULES = rules_with_source(
    (
        variables_once,
        variable_names_are_taken,
        variable_names_are_plain,
    ),
    KUBERNETES,
)
