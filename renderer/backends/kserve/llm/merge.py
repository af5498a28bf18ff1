"""How KServe lays one spec over another: a strategic merge, in which nothing is taken away."""

from collections.abc import Sequence

from renderer.values.tree import Node, Step

#: The field that tells the items of a list apart; other lists are replaced as a whole.
KEYS = {
    "containers": "name",
    "initContainers": "name",
    "ephemeralContainers": "name",
    "env": "name",
    "volumes": "name",
    "imagePullSecrets": "name",
    "resourceClaims": "name",
    "ports": "containerPort",
    "volumeMounts": "mountPath",
    "volumeDevices": "devicePath",
    "hostAliases": "ip",
    "topologySpreadConstraints": "topologyKey",
}
#: Fields whose zero is left out when KServe writes the upper spec down, so that it changes nothing.
_PLAIN_NUMBERS = frozenset(
    (
        "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold",
        "failureThreshold", "hostPort",
    )
)  # fmt: skip
PLAIN_FLAGS = frozenset(
    ("expert", "hostNetwork", "hostPID", "hostIPC", "stdin", "stdinOnce", "tty", "readOnly")
)
_WHOLE = "containers"  # the only list that is written down although it is empty


def merge_all(layers: Sequence[Node]) -> Node:
    """All layers, the lowest first."""
    done, *upper = layers
    for layer in upper:
        done = merge(done, layer)
    return done


def merge(lower: Node, upper: Node) -> Node:
    """A mapping laid over another one."""
    merged = dict(lower.items)
    for key, node in upper.items.items():
        if says_nothing(key, node):
            continue
        below = merged.get(key)
        if below is None:
            merged[key] = node
        elif node.items and below.items:
            merged[key] = merge(below, node)
        elif key in KEYS and isinstance(node.value, tuple):
            merged[key] = _merge_lists(below, node, KEYS[key])
        elif not (isinstance(node.value, dict) and isinstance(below.value, dict)):
            merged[key] = node._replace(trail=(*_steps(below), *_steps(node)))
    return upper.with_members(merged)


def _steps(node: Node) -> tuple[Step, ...]:
    """All that was said about a value, layer by layer."""
    return node.trail or (Step(node.origin, node),)


def says_nothing(key: str, node: Node) -> bool:
    """Whether a value is left out when it is written down: it undoes nothing of what is below."""
    value = node.value
    if value is None or value == "":
        return True
    if isinstance(value, tuple):
        return not value and key != _WHOLE
    if isinstance(value, bool):
        return not value and key in PLAIN_FLAGS
    return value == 0 and key in _PLAIN_NUMBERS


def _merge_lists(lower: Node, upper: Node, key: str) -> Node:
    """Items of the same key are merged; those of the upper list keep their order.

    Items of the lower list alone stay before those that they stood before.
    """
    known = {_key(item, key): item for item in lower.elements}
    order = {name: place for place, name in enumerate(known)}
    given = [_key(item, key) for item in upper.elements]
    items = {
        name: merge(known[name], item) if name in known else item
        for name, item in zip(given, upper.elements, strict=True)
    }
    others = [name for name in known if name not in items]
    done: list[Node] = []
    rest = list(items)
    while others or rest:
        takes_other = not rest or (
            bool(others) and rest[0] in order and order[others[0]] < order[rest[0]]
        )
        done.append(known[others.pop(0)] if takes_other else items[rest.pop(0)])
    return upper.with_members(tuple(done))


def _key(item: Node, key: str) -> object:
    found = item.get(key)
    return found.value if found else None
