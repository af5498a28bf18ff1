"""Content as a name: digests of trees, and names that end in one."""

import hashlib
import json

from renderer.tree import Plain

_HASH_LENGTH = 10
_LONGEST_NAME = 63


def digest(data: Plain) -> str:
    """SHA-256 of the data as canonical JSON: sorted keys, no blanks."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def name_by_content(name: str, data: Plain) -> str:
    """The name with the beginning of the digest behind it, within the limit for names."""
    room = _LONGEST_NAME - _HASH_LENGTH - 1
    return f"{name[:room].rstrip('-.')}-{digest(data)[:_HASH_LENGTH]}"
