"""Environments that others extend: that somebody does, and that none lends its destinations."""

from collections.abc import Collection, Iterator, Mapping

from renderer.compose.chains import parents
from renderer.compose.environment_rules import LENT, NO_OUTPUT
from renderer.compose.parts import Folder
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Destination, Environment
from renderer.values.tree import walk


def check_bases(
    environments: Collection[Environment], folders: Mapping[str, Folder]
) -> Iterator[Diagnostic]:
    """What leads nowhere, and what leads to the place of another environment."""
    owners = {environment.file: environment.name for environment in environments}
    extended = parents(folders)
    for environment in environments:
        given = environment.tree.get("destinations")
        if environment.name not in extended and not (given and given.value):
            yield _no_output(environment)
        for destination in environment.destinations:
            owner = owners.get(destination.tree.origin.file)
            if owner and not _is_own(destination, environment):
                where = folders[environment.name].description.tree.locate(("extends",))
                message = f"the destination {destination.name!r} is that of {owner!r}, as it stands"
                found = LENT.at(where, message, _cluster_of(destination))
                yield found.about(environment.name, owner, related=environment.files)


def _no_output(environment: Environment) -> Diagnostic:
    message = f"nothing is rendered of {environment.name!r}, and no environment extends it"
    where = environment.tree.locate(("destinations",))
    return NO_OUTPUT.at(where, message, "add destinations, or extend it").about(environment.name)


def _is_own(destination: Destination, environment: Environment) -> bool:
    """Whether the environment itself says something of it, or it is said which place it is."""
    files = {node.origin.file for _, node in walk(destination.tree)}
    return environment.file in files or destination.tree.get("cluster") is not None


def _cluster_of(destination: Destination) -> str:
    return f"say which cluster it is: destinations: [{{name: {destination.name}, cluster: …}}]"
