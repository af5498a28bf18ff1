"""Objects that are named by their content: the former generation stays beside the present one.

What runs may still name it. It stays until the content changes again; a new tree does not have it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from renderer.manifests.gitops import ListedFile, kustomizations
from renderer.publish.inventory import DestinationFolder, InventoryEntry
from renderer.publish.plan import TargetTree, add_digest, inventory_file
from renderer.publish.snapshot import Snapshot
from renderer.text.yaml_writer import write
from renderer.values.kinds import Stage
from renderer.values.objects import OutputFile

#: The digest at the end of a name, before the namespace if the name of the file has one.
_DIGEST = re.compile(r"-[0-9a-f]{10}(?=(?:\.[a-z0-9-]+)?\.yaml$)")


def keep_former(found: Snapshot, target: TargetTree) -> TargetTree:
    """The tree wanted, with the former generations of its objects as they are on disk."""
    files = dict(target.files)
    for destination in target.objects:
        prefix = f"{destination.path}/"
        group = {path: file for path, file in target.files.items() if path.startswith(prefix)}
        kept = list(_former_files(group, found, destination))
        if kept:
            every = sorted((*group.values(), *kept))
            files |= {file.path: file for file in (*every, *_lists(every, destination))}
            ours = {p: file for p, file in files.items() if p.startswith(prefix)}
            files[destination.inventory] = inventory_file(destination, ours)
    return target._replace(files=files)


def _former_files(
    wanted: Mapping[str, OutputFile], found: Snapshot, destination: DestinationFolder
) -> Iterator[OutputFile]:
    """Those that stay: of content that is the same, all; of another one, the latest."""
    present = {_plain(path): file for path, file in wanted.items() if file.has_generations}
    known = found.inventories.get(destination, {}) if present else {}
    for path, entry in known.items():
        file = present.get(_plain(path))
        if file is None or path in wanted or found.digests.get(path) != entry.digest:
            continue
        is_same = file.path in known and not known[file.path].is_former
        if is_same or not entry.is_former:
            yield _former_file(path, entry, file.stage)


def _former_file(path: str, entry: InventoryEntry, stage: Stage) -> OutputFile:
    digest, identity, source, _ = entry
    return OutputFile(path, None, identity, source, digest, stage, is_former=True)


def _plain(path: str) -> str:
    """The path that a file would have without the digest in its name."""
    return _DIGEST.sub("", path)


def _lists(files: Iterable[OutputFile], destination: DestinationFolder) -> Iterator[OutputFile]:
    """The lists of a destination's files, those that it has, with all of them."""
    prefix, paths = f"{destination.path}/", {file.path for file in files}
    listed = [ListedFile(f.path.removeprefix(prefix), f.stage) for f in files if f.identity]
    for path, tree in kustomizations(listed, Stage):
        if f"{prefix}{path}" in paths:
            yield add_digest(OutputFile(f"{prefix}{path}", write(tree)))
