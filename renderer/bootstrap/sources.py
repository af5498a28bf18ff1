"""Where a controller finds what is rendered: an address, a revision, and the folder there."""

import posixpath
import re
from collections.abc import Sequence

from renderer.errors import RendererError, UsageError
from renderer.text.wording import listed
from renderer.values.named_tuple import NamedTuple

#: Instead of what only the operator knows.
REPOSITORY = "HOST/OWNER/REPOSITORY"
#: What everything is called that there is once for a repository of specs.
NAME = "servingctl"
#: Where a controller may take the rendered tree from: how addresses begin, and what is applied.
SOURCES = {"git": (("https", "http", "ssh"), "main"), "oci": (("oci",), "latest")}
#: As Git takes an address of ssh, and Flux does not.
_SHORT = re.compile(r"([\w.-]+@[\w.-]+):([\w./~-]+)")
_TAGGED = re.compile(r".*/[^/]*[:@][^/]*")
_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?")


class RepositorySource(NamedTuple):
    """Where a controller finds the repository of specs: an address, a revision, and the path there.

    `output` is the path of the rendered tree below that of the specs. Repositories that share a
    controller have a `name` each.
    """

    url: str
    revision: str
    name: str = NAME
    specs: str = ""
    output: str = "rendered"

    @property
    def rendered(self) -> str:
        return f"{self.specs}{self.output}"

    @property
    def prefix(self) -> str:
        """What names of applications begin with."""
        return "" if self.name == NAME else f"{self.name}-"

    def located(self, specs: str, output: str) -> "RepositorySource":
        """With the place of the specs in it, and that of the rendered tree."""
        path = posixpath.normpath(output)
        if path.startswith(("/", ".")) or "/." in path:
            what = f"the output folder {output!r} is hidden or outside of the repository"
            raise RendererError(f"{what}, where no controller finds it; set another one")
        return self._replace(specs=specs, output=path)


def source_of(
    kind: str, url: str | None = None, revision: str | None = None, name: str = NAME
) -> RepositorySource:
    """A source of one of the kinds; what is not given has a default, or is to be filled in."""
    schemes, usual = SOURCES[kind]
    address = (url or f"{schemes[0]}://{REPOSITORY}").rstrip("/")
    _refuse_odd_address(address, schemes)
    if not _LABEL.fullmatch(name):
        fix = "use lower-case letters, digits and '-', 40 at most"
        raise UsageError(f"{name!r} cannot begin names of objects; {fix}")
    return RepositorySource(address, revision or usual, name)


def _refuse_odd_address(url: str, schemes: Sequence[str]) -> None:
    """An address of a kind that the controller takes, with nothing secret in it."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in schemes or not rest or not url.isprintable() or " " in url:
        begins = listed([f"{scheme}://" for scheme in schemes], "or")
        short = _SHORT.fullmatch(url)
        fix = f"write ssh://{short[1]}/{short[2]}" if short else f"one begins with {begins}"
        raise UsageError(f"{url!r} is no address to use; {fix}")
    user = rest.partition("/")[0].rpartition("@")[0]
    if (user if scheme != "ssh" else ":" in user) or "?" in url or "#" in url:
        what = "the address holds more than a place, and what is written here is committed"
        raise UsageError(f"{what}; give it without, and the controller a Secret")
    if scheme == "oci" and _TAGGED.fullmatch(rest):
        raise UsageError(f"{url!r} names one artifact; leave its tag to --revision")
