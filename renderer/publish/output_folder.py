"""The folder that output goes to, which no link in the repository may lead elsewhere."""

import os
import stat
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import filesystem


def refuse_links(root: Path, folder: Path) -> None:
    """A link may have come with a pull request; it is refused wherever it leads.

    As links of environments and destinations are. Outside the repository, links are the user's.
    """
    full = Path(os.path.abspath(folder))  # noqa: PTH100 - resolving would follow the links
    for place in reversed((full, *full.parents)):
        found = filesystem.status(place) if place.is_relative_to(root) and place != root else None
        if found and stat.S_ISLNK(found.st_mode):
            raise RendererError(
                f"{place}: a link, which could lead files anywhere, is in the way of the output; "
                "remove it, or name the folder that it leads to"
            )
