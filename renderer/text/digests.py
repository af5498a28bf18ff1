"""Digests of bytes and of data, and names that end in one.

They come from the interpreter's own modules. `hashlib` offers the same functions, but loads OpenSSL
first, which takes 3 to 4 % of the time in which one file is validated. An interpreter without such
modules has `hashlib` all the same.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from renderer.values.tree import Plain

if TYPE_CHECKING:
    from hashlib import blake2b, sha1, sha256
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    try:
        from _sha2 import sha256
    except ImportError:
        try:
            from _sha256 import sha256  # before Python 3.12
        except ImportError:
            from hashlib import sha256
    try:
        from _sha1 import sha1
    except ImportError:
        from hashlib import sha1

__all__ = ["blake2b", "sha1", "sha256"]

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
_HASH_LENGTH = 10
_LONGEST_NAME = 63


def canonical(data: Plain) -> str:
    """The data as JSON with sorted keys and without blanks."""
    return _CANONICAL.encode(data)


def digest(data: Plain) -> str:
    """SHA-256 of the data in its canonical form."""
    return sha256(canonical(data).encode()).hexdigest()


def digest_of_members(members: Mapping[str, str]) -> str:
    """The digest of a mapping whose members are in their canonical form already."""
    pairs = (f"{canonical(name)}:{members[name]}" for name in sorted(members))
    return sha256(f"{{{','.join(pairs)}}}".encode()).hexdigest()


def name_by_content(name: str, data: Plain) -> str:
    """The name with the beginning of the digest behind it, within the limit for names."""
    room = _LONGEST_NAME - _HASH_LENGTH - 1
    return f"{name[:room].rstrip('-.')}-{digest(data)[:_HASH_LENGTH]}"
