"""The interpreter's own digests are those of hashlib."""

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from renderer.text.digests import blake2b, sha256


@given(st.binary(max_size=5000))
def test_digests(data):
    assert sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    ours, theirs = blake2b(data, digest_size=20), hashlib.blake2b(data, digest_size=20)
    ours.update(b"more")
    theirs.update(b"more")
    assert ours.digest() == theirs.digest()
