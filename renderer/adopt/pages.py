"""The texts of files that hold specs, with the comments of all that their values came from."""

import json
from collections.abc import Mapping

from renderer.text.commented_yaml import Comment, comments_in, write_commented
from renderer.text.decoder import SPEC_LIMITS
from renderer.text.secrets.masks import mask_line
from renderer.values.files import Files, Unreadable
from renderer.values.tree import Node

_JSON = ".json"


class Pages:
    """Writes trees; `texts` are those of foreign files by their names."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._comments = {
            place: comment
            for name, text in texts.items()
            if not name.endswith(_JSON)
            for place, comment in comments_in(text, name).items()
            if not _tells_secrets(comment)
        }

    def text(self, tree: Node, path: str) -> str:
        """What a file of that name says to be this tree."""
        if path.endswith(_JSON):
            return json.dumps(tree.plain(), indent=2, ensure_ascii=False) + "\n"
        return write_commented(tree, self._comments)


def _tells_secrets(comment: Comment) -> bool:
    return any(mask_line(line) != line for line in (*comment.above, comment.beside))


def text_at(files: Files, path: str) -> str | None:
    """What a file says now; nothing if there is none."""
    if not files.exists(path):
        return None
    try:
        return files.read(path, SPEC_LIMITS.size).decode("utf-8", "replace")
    except Unreadable:
        return ""
