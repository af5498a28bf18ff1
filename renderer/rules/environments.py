"""Environments: that they exist, where their output goes, and what they define."""

import re
from collections.abc import Iterator

from renderer.diagnostics import Finding, Severity, documented, rule
from renderer.model import Environment, Spec, walk

_VARIABLE = re.compile(r"(?<!\$)\$\{vars\.([^}]*)\}")

NO_ENVIRONMENT = documented(
    "ENV001",
    "environment-is-described",
    """Every folder of `environments/` has one spec of kind Environment.

    It says where the output of the folder goes.
    """,
)
FOLDER_NAME = documented(
    "ENV002",
    "environment-name",
    """The folder of an environment is a lower-case name of letters, digits and `-`.

    It becomes a folder of the output and part of what GitOps controllers call the application.
    """,
)
OUTSIDE = documented(
    "ENV003",
    "spec-in-an-environment",
    """Spec files lie in the folder of an environment.

    A file directly in `environments/` belongs to none and would be ignored.
    """,
)
UNUSED = documented(
    "ENV004",
    "prerequisite-is-used",
    """A spec that only others need is used by one of them.

    It is not rendered: it would go nowhere.
    """,
    Severity.WARNING,
)


@rule("ENV010", Severity.ERROR, "Environment")
def destination_once(environment: Environment) -> Iterator[Finding]:
    """A destination's name stands once in its environment.

    The name is the folder of its output; two would overwrite each other.

    Fails:

        destinations:
          - {name: east}
          - {name: east}

    Passes:

        destinations:
          - {name: east}
          - {name: west}
    """
    seen: set[str] = set()
    for index, destination in enumerate(environment.destinations):
        if destination.name in seen:
            message = f"a second destination is called {destination.name!r}"
            yield Finding(("destinations", index, "name"), message, "rename one of the two")
        seen.add(destination.name)


@rule("ENV011", Severity.ERROR, "*")
def variable_is_defined(spec: Spec) -> Iterator[Finding]:
    """Every `${vars.NAME}` is defined in the environment.

    What is not replaced would reach the platform as it stands. `$${vars.` writes the text itself.

    Fails:

        initiator: ${vars.initiator}

    Passes:

        initiator: alice
    """
    for path, node in walk(spec.tree):
        if not isinstance(node.value, str) or node.origin.file != spec.file:
            continue
        for name in _VARIABLE.findall(node.value):
            message = f"the variable {name!r} is not defined"
            yield Finding(path, message, "write the value here")


RULES = (NO_ENVIRONMENT, FOLDER_NAME, OUTSIDE, UNUSED, destination_once, variable_is_defined)
