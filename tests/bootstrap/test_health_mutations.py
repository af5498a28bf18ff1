"""Whatever is changed in a health check, a made-up case notices."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.support.health import (
    FAULT,
    IN_FLUX,
    by_argo_cd,
    by_flux,
    expressions,
    is_behind,
    scripts,
)
from tests.support.samples import sample
from tests.support.statuses import made_up

KINDS = sample(sorted(scripts()), "raycluster", "localmodelcache")
#: What is put in the place of what, one at a time.
IN_LUA = (
    (" == ", " ~= "),
    (" ~= ", " == "),
    (" and ", " or "),
    (" or ", " and "),
    (" > ", " >= "),
    (" < ", " <= "),
    (r"\bnot ", ""),
    (r'"[A-Z][A-Za-z_]+"', '"Nothing"'),
    (r'answer\("Degraded"', 'answer("Progressing"'),
    (r'answer\("Progressing"', 'answer("Healthy"'),
    (r'answer\("Suspended"', 'answer("Healthy"'),
    (r" = true,", " = false,"),
)
IN_CEL = (
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (r" \|\| ", " && "),
    (" > ", " >= "),
    (" >= ", " > "),
    (r"!(?=has|status|\()", ""),
    (r'"[A-Z][A-Za-z_]+"', '"Nothing"'),
    (r"(?<!])\.all\(", ".exists("),
    (r"(?<!])\.exists\(", ".all("),
)
#: What means the same: two applications never have one name.
SAME = ("found == nil or name <= found",)
#: What all scripts begin with and one has no use for.
_LIST, _TEXT = (
    f'return type(value) == "{kind}" and value or {empty}'
    for kind, empty in (("table", "{}"), ("string", '""'))
)
UNUSED = {"localmodelcache": (_LIST, _TEXT), "rayjob": (_LIST,)}


class Mutant(NamedTuple):
    """A text with one thing changed, and where."""

    text: str
    where: str


def mutants(text, changes) -> Iterator[Mutant]:
    for old, new in changes:
        for match in re.finditer(old, text):
            start = text.rfind("\n", 0, match.start()) + 1
            made = text[: match.start()] + new + text[match.end() :]
            where = made[start : made.find("\n", match.start())]
            if not where.startswith("--") and not any(same in where for same in SAME):
                yield Mutant(made, f"{match[0]!r} as {new!r}: {where.strip()}")


def cases(kind):
    return [case for case in made_up() if case["kind"] == kind]


def is_noticed_by_argo_cd(case, script):
    try:
        health, message = by_argo_cd(case["kind"], case["object"], script)
    except Exception:
        return True
    return health != case["health"] or case.get("says", "") not in message


def is_noticed_by_flux(case, checks):
    said = by_flux(case["kind"], case["object"], checks)
    meant = "InProgress" if is_behind(case["object"]) else IN_FLUX[case["health"]]
    return ("InProgress" if said == FAULT else said) != meant


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_of_a_script_is_noticed(kind):
    script = scripts()[kind]
    for line in UNUSED.get(kind, ()):
        script = script.replace(line, "return nil")
    made = list(mutants(script, IN_LUA))
    assert len(made) > 20
    for mutant in made:
        noticed = any(is_noticed_by_argo_cd(case, mutant.text) for case in cases(kind))
        assert noticed, mutant.where


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("key", ["inProgress", "failed", "current"])
def test_a_change_of_an_expression_is_noticed(kind, key):
    checks = expressions()[kind]
    for mutant in mutants(checks[key], IN_CEL):
        changed = {**checks, key: mutant.text}
        assert any(is_noticed_by_flux(case, changed) for case in cases(kind)), mutant.where
