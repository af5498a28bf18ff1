"""How a tree differs from what is wanted, from values to values."""

from renderer.publish.files import Comparison, Scope, is_inventory, place_of
from renderer.publish.tree import Survey
from renderer.publish.wanted import Wanted


def differences(found: Survey, wanted: Wanted, scope: Scope) -> Comparison:
    """Missing, changed, stale and foreign files; only a file we once wrote can be stale."""
    missing = sorted(path for path in wanted.files if path not in found.nodes)
    changed = sorted(
        path
        for path, file in wanted.files.items()
        if path in found.nodes and found.digests.get(path) != file.digest
    )
    known = set(found.ours()) | {place.inventory for place in found.inventories}
    stale = {
        path
        for path in known.difference(wanted.files)
        if path in found.nodes and found.nodes[path].is_file
    }
    foreign = sorted(
        path
        for path, node in found.nodes.items()
        if "/" in path  # beside the environments lies what belongs to the repository
        and not node.is_folder
        and path not in stale
        and path not in wanted.files
        and scope.covers(place_of(path))
    )
    return Comparison(tuple(missing), tuple(changed), tuple(sorted(stale)), tuple(foreign))


def edited(found: Survey, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of our files that are no longer what we wrote."""
    ours = found.ours()
    return tuple(
        path
        for path in paths
        if path in ours and path in found.digests and found.digests[path] != ours[path].digest
    )


def rendered_only(paths: tuple[str, ...]) -> int:
    """How many of the paths people rendered; inventories are our own bookkeeping."""
    return sum(1 for path in paths if not is_inventory(path))
