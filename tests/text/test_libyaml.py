"""PyYAML is imported without compiling its regular expressions, and works as it does otherwise."""

import re
import subprocess
import sys

import pytest

from renderer.text.libyaml import yaml

LATE = """
import re
compiled = []
known = re._compiler.compile
re._compiler.compile = lambda source, flags: compiled.append(str(source)) or known(source, flags)
import pytest

from renderer.text.libyaml import yaml
assert not [source for source in compiled if chr(0x10FFFF) in source], compiled
assert re.compile("a") is re.compile("a")
assert yaml.safe_load("{a: 1.5, b: yes, c: 2024-01-01}")["c"].year == 2024
assert yaml.reader.Reader.NON_PRINTABLE.search("a\\0b").start() == 1
assert [source for source in compiled if chr(0x10FFFF) in source]
"""


@pytest.mark.process
def test_expressions_are_compiled_when_somebody_uses_them():
    done = subprocess.run([sys.executable, "-c", LATE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_others_compile_as_ever():
    assert type(re.compile("x")) is re.Pattern
    assert yaml.safe_load("a: 12") == {"a": 12}
