"""The examples that rules have in their documentation."""

import re
import textwrap

from renderer.values.diagnostics import Rule


def example(rule: Rule, outcome: str) -> str:
    """The indented block after `Fails:` or `Passes:`, with `<U+0007>` as the character."""
    found = re.search(rf"^{outcome.capitalize()}:\n\n((?:    .*\n|\n)+)", rule.doc + "\n", re.M)
    assert found, f"{rule.code} has no example that {outcome}"
    return re.sub(r"<U\+(\w+)>", lambda m: chr(int(m[1], 16)), textwrap.dedent(found[1]))
