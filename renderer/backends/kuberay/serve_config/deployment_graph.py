"""The deployment graph of old API servers as a serve config with one application."""

import base64
from collections.abc import Iterator
from contextlib import suppress

from renderer.backends.fields import elements
from renderer.backends.kuberay.messages.values import nonempty
from renderer.backends.kuberay.serve_config.document import ServeConfig, Version, serve_schema
from renderer.backends.kuberay.yaml_config import drop_misfits
from renderer.text.wording import listed
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Finding, Path
from renderer.values.tree import Node, constant, uniform_tree

#: Options of actors in a serve config, and their names in graphs: the API server's first.
_NUMBERS = {
    "num_cpus": ("cpusPerActor", "cpus"),
    "num_gpus": ("gpusPerActor", "gpu"),
    "memory": ("memoryPerActor", "memory"),
    "object_store_memory": ("objectStoreMemoryPerActor", "objectStoreMemory"),
}
_RESOURCES = ("customResource", "resource")
_ACCELERATORS = ("accceleratorType", "acceleratorType")
#: The Ray that renamed max_concurrent_queries and target_num_ongoing_requests_per_replica.
_RENAMED = (2, 10, 0)
_OLD_TARGET, _TARGET = "target_num_ongoing_requests_per_replica", "target_ongoing_requests"
_MAPPING = "write a YAML mapping in the text, or leave it out"
_ONE_ROUTE = "keep one route, or write serveConfigV2 with an application for each"
_DIGITS = 20


def convert_graph(graph: Node, path: Path, version: Version | None) -> ServeConfig:
    """The config that a graph at a path of a spec amounts to, for a version of Ray or the newest.

    `problems` are what cannot be converted.
    """
    conversion = _Conversion(path, is_renamed=version is None or version >= _RENAMED)
    tree = Node(
        {"applications": Node((conversion.application(graph),), graph.origin)}, graph.origin
    )
    return drop_misfits(
        ServeConfig(tree, path, graph, True, tuple(conversion.found)), serve_schema()
    )


class _Conversion:
    """One graph; collects what cannot be converted. Values keep their places."""

    def __init__(self, path: Path, *, is_renamed: bool) -> None:
        self.path = path
        self.is_renamed = is_renamed
        self.found: list[Finding] = []

    def application(self, graph: Node) -> Node:
        members = {
            "name": constant("default", "the name of the only application"),
            "route_prefix": self._route(graph),
            "import_path": nonempty(graph, "importPath"),
            "runtime_env": self._mapping(graph, self.path, "runtimeEnv"),
            "deployments": self._deployments(graph),
        }
        return graph.with_value({key: node for key, node in members.items() if node})

    def _route(self, graph: Node) -> Node:
        routes: dict[object, Node] = {}
        for index, item in enumerate(elements(graph, "serveConfigs")):
            if (node := nonempty(item, "routePrefix")) and node.value not in routes:
                routes[node.value] = node
                if len(routes) > 1:
                    names = listed(map(str, routes))
                    message = f"an application has one route, and its deployments have {names}"
                    place = (*self.path, "serveConfigs", index, "routePrefix")
                    self.found.append(Finding(place, message, _ONE_ROUTE))
        return next(iter(routes.values()), constant("/", "no deployment has a route"))

    def _deployments(self, graph: Node) -> Node | None:
        path = (*self.path, "serveConfigs")
        items = enumerate(elements(graph, "serveConfigs"))
        found = tuple(self._deployment(item, (*path, index)) for index, item in items)
        return Node(found, graph.items["serveConfigs"].origin) if found else None

    def _deployment(self, item: Node, path: Path) -> Node:
        requests = "max_ongoing_requests" if self.is_renamed else "max_concurrent_queries"
        scaling = self._mapping(item, path, "autoscalingConfig")
        members = {
            "name": nonempty(item, "deploymentName"),
            "num_replicas": None if scaling else _positive(item, "replicas"),
            requests: _positive(item, "maxConcurrentQueries"),
            "user_config": self._mapping(item, path, "userConfig"),
            "autoscaling_config": self._renamed(scaling) if scaling else None,
            "ray_actor_options": self._options(item, path),
        }
        return item.with_value({key: node for key, node in members.items() if node})

    def _renamed(self, scaling: Node) -> Node:
        if not self.is_renamed:
            return scaling
        names = {_OLD_TARGET: _TARGET}
        return scaling.with_members({names.get(k, k): v for k, v in scaling.items.items()})

    def _options(self, item: Node, path: Path) -> Node | None:
        options = item.items.get("actorOptions")
        if not options:
            return None
        path = (*path, "actorOptions")
        numbers = {
            key: _positive(options, self._spelling(options, path, names))
            for key, names in _NUMBERS.items()
        }
        members = {
            "runtime_env": self._mapping(options, path, "runtimeEnv"),
            **numbers,
            "resources": self._mapping(options, path, self._spelling(options, path, _RESOURCES)),
            "accelerator_type": nonempty(options, self._spelling(options, path, _ACCELERATORS)),
        }
        kept = {key: node for key, node in members.items() if node}
        return options.with_value(kept) if kept else None

    def _spelling(self, options: Node, path: Path, names: tuple[str, str]) -> str:
        """The one of two names of an option that is set; both must agree."""
        one, other = (nonempty(options, name) for name in names)
        if one and other and one.value != other.value:
            message = f"{names[1]} and {names[0]} are the same option, and differ"
            fix = "delete one of the two"
            self.found.append(Finding((*path, names[1]), message, fix, at_key=True))
        return names[0] if one else names[1]

    def _mapping(self, owner: Node, path: Path, key: str) -> Node | None:
        """A mapping, or a text that holds one; its values are all from the text's place."""
        node = nonempty(owner, key)
        if node is None or isinstance(node.value, dict):
            return node
        readings = _readings(node.value) if isinstance(node.value, str) else ()
        tree = next((tree for tree in readings if isinstance(tree.value, dict)), None)
        if tree is None:
            self.found.append(Finding((*path, key), f"{key} is no YAML mapping", _MAPPING))
            return None
        return uniform_tree(tree.plain(), node.origin)._replace(key=node.key)


def _readings(text: str) -> Iterator[Node]:
    """A text read as YAML, and read as base64, which old API servers stored."""
    texts = [text.encode("utf-8", "replace")]
    with suppress(ValueError):  # it is not encoded
        texts.append(base64.b64decode(text, validate=True))
    for data in texts:
        reading = read(data, "")
        if reading.document.tree and not reading.problems:
            yield reading.document.tree


def _positive(owner: Node, key: str) -> Node | None:
    """A number above zero; large ones are texts in the API server's JSON."""
    node = nonempty(owner, key)
    value = node.value if node else None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _DIGITS:
        value = int(value)
        node = node.with_value(value) if node else None
    return None if isinstance(value, int | float) and value <= 0 else node
