"""Digests from the interpreter's own modules.

`hashlib` offers the same functions, and loads OpenSSL first: at every start that takes longer than
all that a run hashes. An interpreter without such modules has `hashlib` all the same.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b, sha256
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

__all__ = ["blake2b", "sha256"]
