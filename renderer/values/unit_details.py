"""What only previews look at in a unit: files, addresses, and ports that are drawn at run time."""

from renderer.values.named_tuple import NamedTuple


class RuntimePort(NamedTuple):
    """A number that is drawn at run time: what stands for it in data, and how it is shown."""

    stand_in: int
    marker: str


class File(NamedTuple):
    """A file as a container will read it; with a problem, the container does not get it.

    `not_previewed` are the parts that stand in the text as they were written.
    """

    container: str
    path: str
    source: str
    text: str = ""
    not_previewed: tuple[str, ...] = ()
    problem: str = ""


class Address(NamedTuple):
    """Where something is called and by whom; through a gateway, with which headers.

    With a `method` it can be tried right away; `body` is an example of what to send.
    """

    name: str
    url: str
    callers: str
    through: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    method: str = ""
    body: str = ""
