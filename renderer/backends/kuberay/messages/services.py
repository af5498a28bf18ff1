"""The message of a service, as the spec of a RayService."""

from renderer.backends.fields import made
from renderer.backends.kuberay.messages.clusters import cluster_fields
from renderer.backends.kuberay.vocabulary import SERVICE, shared_words
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node

_GRAPH = "serveDeploymentGraphSpec"


def service_fields(spec: Spec, environment: Environment) -> Node:
    """All that a message says of a service; the serve config is looked at where it is read."""
    tree, words = spec.tree, (*shared_words(SERVICE), _GRAPH)
    return made(
        tree,
        {
            **{key: node for key in words if (node := tree.get(key)) and node.value},
            "rayClusterConfig": cluster_fields(spec, environment, serves=True),
        },
    )
