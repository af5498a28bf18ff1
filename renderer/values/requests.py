"""Requests to the APIs of platforms: what is asked for, and what is sent."""

from renderer.values.diagnostics import Origin, Path
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Scene
from renderer.values.tree import Plain


class SentSpec(NamedTuple):
    """A sound spec, and what it is sent for: its environment, a destination, rendered names."""

    spec: Spec
    scene: Scene


class ExportRequest(NamedTuple):
    """What is to be sent: a verb of the kind, for one spec or several of that kind.

    `former` is the spec as it was, for a verb that compares.
    """

    verb: str
    sent: tuple[SentSpec, ...]
    former: SentSpec | None = None


class ApiServer(NamedTuple):
    """Where requests go, with placeholders such as <host> for what only the user knows.

    `options` are those of curl that it takes to be let in, ready for a shell.
    """

    address: str
    options: tuple[str, ...] = ()


class Remark(NamedTuple):
    """What a request cannot say of a field, and where the field was set."""

    path: Path
    origin: Origin
    message: str


class ApiRequest(NamedTuple):
    """One request; without a body it is all in the path.

    What the API does otherwise than we render is among the `notes`. One with `obstacles` must not
    be sent: it would not bring about what the specs say.
    """

    server: ApiServer
    method: str
    path: str
    body: Plain = None
    notes: tuple[Remark, ...] = ()
    obstacles: tuple[Remark, ...] = ()

    def sends_the_same_as(self, other: "ApiRequest") -> bool:
        """Whether it is the same request, whatever there is to say about it."""
        return self[:4] == other[:4]
