"""Versions that an environment declares, beside those that its clusters have."""

from collections.abc import Collection, Iterator, Mapping

from renderer.backends import BACKENDS
from renderer.backends.base import Controller
from renderer.engines.command_lines import image_tag
from renderer.kubernetes.status import READS
from renderer.kubernetes.versions import (
    CLUSTERS,
    NODE,
    NODE_VERSION,
    declared_version,
    shown,
    version_of,
)
from renderer.text.expressions import expression
from renderer.values.live import NOTHING_LIVE, Live, LiveObject, LiveObjects, Query
from renderer.values.model import Destination, Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_DEPLOYMENT, _GROUP = "Deployment", "apps"
_CONTAINERS = ("spec", "template", "spec", "containers")
#: Files hold all Deployments, of which the status looks at other fields.
_READS = ((*READS[0], "template"), *READS[1:])
_NUMBERS = expression(r"v?([0-9]+\.[0-9]+\.[0-9]+(?:-[-.0-9A-Za-z]+)?)(?:\+.*)?")


class Declaration(NamedTuple):
    """The version of a platform that is declared for a destination."""

    place: Destination
    name: str
    maker: str
    controller: Controller
    version: str


def declarations(environment: Environment) -> Iterator[Declaration]:
    """Of platforms whose version can be seen in a cluster."""
    for backend in BACKENDS:
        for place in environment.platform_destinations(backend.platform):
            node = _version(backend.name, place.tree) or _version(backend.name, environment.tree)
            if backend.controller and node:
                wanted = str(node.value)
                yield Declaration(place, backend.name, backend.maker, backend.controller, wanted)


def _version(name: str, tree: Node) -> Node | None:
    return tree.get(name, "version")


def controller_queries(environment: Environment) -> list[Query]:
    """The Deployments that run platforms, in whichever namespace they are."""
    found = (
        Query(
            item.place.name,
            f"{_GROUP}/v1",
            _DEPLOYMENT,
            "",
            required=False,
            reads=_READS,
            name=item.controller.deployment,
        )
        for item in declarations(environment)
    )
    return list(dict.fromkeys(found))


def node_queries(environment: Environment) -> list[Query]:
    """The nodes, if files have them, of clusters whose version is declared."""
    return [
        Query(place.name, "v1", NODE, "", required=False, reads=(NODE_VERSION[:2],))
        for place in environment.platform_destinations(CLUSTERS)
        if declared_version(environment, place)
    ]


def without_unasked(live: Live, asked: Collection[Query]) -> Live:
    """What was read, without a word on kinds of which the status asks nothing.

    That nodes or controllers are not in files is nothing to note.
    """
    kinds = {(query.destination, query.kind) for query in asked}
    return {
        name: LiveObjects(
            here.objects, {kind: why for kind, why in here.unread.items() if (name, kind) in kinds}
        )
        for name, here in live.items()
    }


def version_notes(
    environment: Environment, live: Live, servers: Mapping[str, str]
) -> Iterator[str]:
    """Where a cluster has another version of Kubernetes than the environment says.

    API servers say it themselves; in files, nodes do, whose version may be an older one.
    """
    for place in environment.platform_destinations(CLUSTERS):
        wanted = declared_version(environment, place)
        here = live.get(place.name, NOTHING_LIVE)
        nodes = [item for item in here.objects if (item.group, item.kind) == ("", NODE)]
        server = servers.get(place.name, "")
        found = version_of(server) or max(filter(None, map(_node_version, nodes)), default=None)
        if wanted is None or found is None or found == wanted:
            continue
        whose = "its API server has" if version_of(server) else "its newest node has"
        if version_of(server) or found > wanted:  # nodes may be older than the API server
            yield (
                f"{place.name} is said to have Kubernetes {shown(wanted)}, and {whose} "
                f"{shown(found)}: rules assume the former; change kubernetes.version"
            )


def _node_version(node: LiveObject) -> tuple[int, int] | None:
    found = node.tree.get(*NODE_VERSION)
    return version_of(str(found.value)) if found else None


def controller_notes(environment: Environment, live: Live, *, is_complete: bool) -> Iterator[str]:
    """Where a platform has another version than the environment says, or which is not known.

    Unless what was read `is_complete`, nothing is said of controllers that are not in it.
    """
    for item in declarations(environment):
        here = live.get(item.place.name, NOTHING_LIVE)
        is_said = f"{item.place.name} is said to have {item.maker} {item.version}"
        images = [*_images(item.controller, here)]
        if not images:
            if is_complete:
                why = here.unread.get(_DEPLOYMENT, "")
                why = f"could not be read: {why}" if why else "is not there under that name"
                name = f"Deployment {item.controller.deployment}"
                yield f"{is_said}; which it has is not known, as its {name} {why}"
            continue
        for image in dict.fromkeys(images):
            tag = _NUMBERS.fullmatch(image_tag(image))
            if tag is None:
                yield f"{is_said}; which it has is not known: {image} has no version in its tag"
            elif tag[1] != item.version:
                yield (
                    f"{is_said}, and its controller is {image}: rules assume the former; change "
                    f"{item.name}.version"
                )


def _images(controller: Controller, here: LiveObjects) -> Iterator[str]:
    """The images of a controller, which may run several times."""
    for item in here.objects:
        is_it = (item.group, item.kind, item.name) == (_GROUP, _DEPLOYMENT, controller.deployment)
        containers = item.tree.get(*_CONTAINERS) if is_it else None
        for node in containers.elements if containers else ():
            name, image = node.get("name"), node.get("image")
            if name and image and name.value == controller.container:
                yield str(image.value)
