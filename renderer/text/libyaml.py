"""PyYAML, as which libyaml comes, without the regular expressions of its reader in Python.

It compiles them when it is imported, which takes more than half of that time; libyaml needs none of
them. Here they are compiled when somebody uses them.
"""

import re

from renderer.text.expressions import expression

_compile = re.compile
re.compile = expression  # type: ignore[assignment]
try:
    import yaml
finally:
    re.compile = _compile

__all__ = ["yaml"]
