"""Live objects: from the files that are named, else from the clusters of an environment."""

from collections.abc import Sequence

from renderer.values.live import LiveObjects, Query
from renderer.values.model import Environment


def read_live(
    queries: Sequence[Query], environment: Environment, files: Sequence[str]
) -> dict[str, LiveObjects]:
    """What is live at each destination that is asked about."""
    asked = {query.destination for query in queries}
    places = [item for item in environment.destinations if item.name in asked]
    if not files:
        from renderer.io.kubectl import read_cluster

        return read_cluster(queries, places)
    from renderer.io.live_files import live_file, read_files

    names = [item.name for item in environment.destinations]
    return read_files([live_file(name, names) for name in files], queries, [p.name for p in places])
