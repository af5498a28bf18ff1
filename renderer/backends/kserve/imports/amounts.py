"""What objects of KServe come to: with all that its webhook writes, and the runtime it chooses."""

from renderer.backends.brief_specs import Attempt
from renderer.backends.fields import members
from renderer.backends.kserve.imports.conversion import LOCAL_MODEL
from renderer.backends.kserve.imports.objects import (
    GROUP,
    SERVICE,
    VERSIONS,
    runtime_fields,
    service_fields,
)
from renderer.backends.kserve.settings import PLATFORM
from renderer.backends.object_places import without_usual_namespace
from renderer.values.imports import Source
from renderer.values.model import Environment
from renderer.values.objects import Scene
from renderer.values.tree import Node, drop_paths

_COMPONENTS = ("predictor", "transformer", "explainer", "canary")


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object of KServe in one form for all that mean the same."""
    source = Source(tree)
    attempt = Attempt(source.kind, source.name, Scene(environment, None, {}, {}))
    if source.kind == SERVICE:
        done = _service(source, attempt, environment)
    else:
        (values,) = attempt.values(runtime_fields(source, is_placed=True))
        done = tree.with_members({**tree.items, "spec": values["spec"]})
    version = tree.items["apiVersion"].with_value(f"{GROUP}/{VERSIONS[source.kind]}")
    done = done.with_members({**done.items, "apiVersion": version})
    return without_usual_namespace(done, environment, PLATFORM)


def _service(source: Source, attempt: Attempt, environment: Environment) -> Node:
    """A service with the components that are rendered of it, all other fields as they are."""
    tree = source.tree
    (values,) = attempt.values(service_fields(source, environment))
    made = {key: node for key in _COMPONENTS if (node := values[key]).value is not None}
    spec = tree.items["spec"].with_members({**members(tree, "spec"), **made})
    metadata = tree.items["metadata"]
    whole = metadata.with_members({**metadata.items, "annotations": values["annotations"]})
    done = tree.with_members({**tree.items, "metadata": whole, "spec": spec})
    return drop_paths(done, frozenset(_local_model(done)))


def _local_model(tree: Node) -> list[tuple[str, ...]]:
    return [
        ("metadata", place, key)
        for place in ("labels", "annotations")
        for key in members(tree, "metadata", place)
        if key.startswith(LOCAL_MODEL)
    ]
