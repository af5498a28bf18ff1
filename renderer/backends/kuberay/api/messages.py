"""The messages of the KubeRay API server as they are sent: fields in its order, one spelling.

Specs may write numbers as text and enumerations as numbers; what is sent has them in one way.
"""

from renderer.backends.api_messages import message
from renderer.backends.fields import text
from renderer.backends.kuberay.messages.values import name_of
from renderer.backends.kuberay.vocabulary import MESSAGE, message_shape
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.tree import Node, Plain


def body_of(tree: Node, kind: str) -> dict[str, Plain]:
    """What is sent of a spec; an empty text is one that was not given."""
    return message(_with_field_paths(tree), message_shape(kind), has_empty_texts=False)


def _with_field_paths(tree: Node) -> Node:
    """With the paths of fields of pods in `key`, where alone the server reads them."""

    def group(given: Node) -> Node:
        return replace_at(given, ("environment",), _sources)

    tree = replace_at(tree, ("envs",), _sources)
    tree = replace_at(tree, (MESSAGE, "headGroupSpec"), group)
    tree = each(tree, (MESSAGE, "workerGroupSpec"), group)
    return replace_at(tree, (MESSAGE, "autoscalerOptions", "envs"), _sources)


def _sources(variables: Node) -> Node:
    return replace_at(
        variables,
        ("valuesFrom",),
        lambda given: given.with_members({name: _source(one) for name, one in given.items.items()}),
    )


def _source(given: Node) -> Node:
    source, name = given.get("source"), given.get("name")
    if source is None or name is None or text(given, "key") or name_of(source, "source") != "FIELD":
        return given
    return given.with_members({"source": source, "key": name})
