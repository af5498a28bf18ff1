"""What a run wants on disk: the rendered files in its scope and their inventories."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from renderer.errors import RendererError
from renderer.publish import inventory
from renderer.publish.files import Place, Scope, is_safe, place_of
from renderer.values.output import OutputFile

_SHALLOWEST = 3


class Wanted(NamedTuple):
    """Files by path, inventories included, and how many objects each destination gets.

    Every file has its digest.
    """

    files: Mapping[str, OutputFile]
    objects: Mapping[Place, int]


def want(files: Sequence[OutputFile], scope: Scope) -> Wanted:
    """Files outside the scope are another run's; the order of files means nothing."""
    places: dict[Place, dict[str, OutputFile]] = {}
    for file in files:
        _refuse_odd_path(file)
        place = place_of(file.path)
        if scope.covers(place):
            _refuse_twin(places.setdefault(place, {}), file)
            places[place][file.path] = _with_digest(file)
    every = {path: file for group in places.values() for path, file in group.items()}
    every |= {place.inventory: _inventory(place, group) for place, group in places.items()}
    objects = {
        place: sum(1 for file in group.values() if file.identity) for place, group in places.items()
    }
    return Wanted(every, objects)


def _with_digest(file: OutputFile) -> OutputFile:
    return file if file.digest else file._replace(digest=inventory.digest_of(file.data))


def _inventory(place: Place, group: Mapping[str, OutputFile]) -> OutputFile:
    prefix = f"{place.folder}/"
    entries = {path.removeprefix(prefix): inventory.entry_of(file) for path, file in group.items()}
    return _with_digest(OutputFile(place.inventory, inventory.dump(entries)))


def _refuse_odd_path(file: OutputFile) -> None:
    parts = file.path.split("/")
    hidden = any(part.startswith(".") for part in parts[: _SHALLOWEST - 1])
    if len(parts) < _SHALLOWEST or hidden or not is_safe(file.path):
        origin = file.source or "an environment"
        message = f"{file.path!r} is no path below the output folder; rename what {origin} names so"
        raise RendererError(message)


def _refuse_twin(group: Mapping[str, OutputFile], file: OutputFile) -> None:
    twin = group.get(file.path)
    if twin:
        sources = f"{twin.source or 'one spec'} and {file.source or 'another'}"
        raise RendererError(f"{sources} both render {file.path}; rename one of the two objects")
