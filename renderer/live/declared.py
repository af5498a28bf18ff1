"""The status of an environment that says what its clusters have: objects, and versions."""

from collections.abc import Callable, Collection, Mapping, Sequence

from renderer.live.expectation import queries
from renderer.live.provided import missing_objects, provided_places, provided_queries
from renderer.live.status import judge
from renderer.live.versions import (
    controller_notes,
    controller_queries,
    node_queries,
    version_notes,
    without_unasked,
)
from renderer.values.live import Live, Query
from renderer.values.model import Destination, Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import EnvironmentStatus, Expectation


class Reader(NamedTuple):
    """How live objects are read: from files, or from clusters, whose API servers say versions."""

    read: Callable[[Sequence[Query]], Live]
    server_versions: Callable[[Sequence[Destination]], Mapping[str, str]] | None = None


def judge_declared(
    environment: Environment,
    expected: Collection[Expectation],
    rendered: Collection[str],
    reader: Reader,
) -> EnvironmentStatus:
    """The status, and where clusters are not what the environment says of them."""
    places = provided_places(environment)
    nodes, controllers = node_queries(environment), controller_queries(environment)
    asked = [*queries(expected), *provided_queries(places)]
    servers: Mapping[str, str] = {}
    if reader.server_versions:
        live = reader.read(asked)
        known = reader.read(controllers) if controllers else {}
        servers = reader.server_versions(_places(environment, nodes)) if nodes else {}
    else:  # files are read once
        known = reader.read([*asked, *nodes, *controllers])
        live = without_unasked(known, asked)
    found = judge(environment.name, expected, live, rendered)
    is_complete = reader.server_versions is not None
    notes = (
        *version_notes(environment, known, servers),
        *controller_notes(environment, known, is_complete=is_complete),
    )
    missing = tuple(missing_objects(places, live))
    return found._replace(notes=(*found.notes, *notes), missing=missing)


def _places(environment: Environment, asked: Collection[Query]) -> list[Destination]:
    names = {query.destination for query in asked}
    return [item for item in environment.destinations if item.name in names]
