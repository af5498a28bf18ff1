"""Whatever was there and whatever is wanted: the result is what is wanted and what is foreign."""

import random
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import strategies as st

from renderer.publish import filesystem
from renderer.publish.inventory import Scope
from renderer.publish.publisher import compare, publish
from tests.publish.trees import look, outputs, put, texts
from tests.support.samples import tried

names = st.sampled_from("abc")
paths = st.builds("{}/{}/{}s/{}.yaml".format, names, names, names, names)
trees = st.dictionaries(paths, st.sampled_from(["", "1", "2"]), max_size=8)
strangers = st.builds("{}/{}/{}s/{}.txt".format, names, names, names, names) | st.builds(
    "{}/{}.md".format, names, names
)
foreign_files = st.dictionaries(strangers, st.just("foreign"), max_size=4)


@pytest.mark.parametrize("method", ["exchange", "journal"])
@tried(
    old=trees,
    new=trees,
    foreign=foreign_files,
    edits=st.randoms(use_true_random=False),
    few=10,
    many=60,
)
def test_wanted_and_foreign_is_all_there_is(method, old, new, foreign, edits):
    available = method == "exchange"
    with (
        tempfile.TemporaryDirectory() as base,
        mock.patch.object(filesystem, "can_exchange", return_value=available),
    ):
        folder = Path(base, "rendered")
        publish(folder, outputs(**old), Scope())
        for path, text in foreign.items():
            put(folder, path, text)
        edited = sorted(edits.sample(sorted(old), len(old) // 2))
        for path in edited:
            put(folder, path, "edited")
        done = publish(folder, outputs(**new), Scope(), allow_empty=True)
        assert texts(folder) == {**foreign, **new}
        assert done.restored == tuple(path for path in edited if path in new)
        assert done.discarded == tuple(path for path in edited if path not in new)
        assert_settled(folder, new, foreign)


def assert_settled(folder, new, foreign):
    """In any order of files there is nothing left to do, and nothing is touched."""
    if not folder.exists():
        return
    files = outputs(**new)
    random.Random(1).shuffle(files)
    before = look(folder, times=True)
    listed = tuple(sorted(foreign))
    assert compare(folder, files, Scope()) == ((), (), (), listed)
    assert publish(folder, files, Scope()) == (0, len(new), 0, (), ())
    assert look(folder, times=True) == before
    folders = {path for path, entry in before.items() if entry[2] is None}
    full = {str(above) for path in before for above in Path(path).parents}
    assert folders <= full, "no empty folder is left"
