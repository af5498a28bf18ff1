"""Writes docs/rules.md from the documentation of the rules."""

import re
from pathlib import Path

from renderer.catalogue import every_rule
from renderer.diagnostics import Rule

PAGE = Path(__file__).with_name("rules.md")
FAMILIES = {
    "ENV": "Environments",
    "KUS": "Kuscia",
    "MAN": "Rendered manifests",
    "SPC": "Shape of specs",
    "YML": "Reading",
}


def page() -> str:
    """The page: a table of all rules, then each rule."""
    rules = every_rule()
    lines = ["# Rules", "", "Made by `make docs` from the rules' own documentation.", ""]
    lines += ["| code | severity | what it asks for |", "| --- | --- | --- |"]
    lines += [f"| [{r.code}](#{r.code.lower()}) | {r.severity} | {r.summary} |" for r in rules]
    family = ""
    for rule in rules:
        if rule.code[:3] != family:
            family = rule.code[:3]
            lines += ["", f"## {FAMILIES[family]}"]
        lines += ["", f"### {rule.code}", "", f"**{rule.name}**, {rule.severity}.", "", _body(rule)]
    return "\n".join(lines) + "\n"


def _body(rule: Rule) -> str:
    """The documentation with its examples fenced."""
    fenced = re.sub(
        r"((?:^    .*\n?|^\n(?=    ))+)",
        lambda match: f"```yaml\n{re.sub('(?m)^    ', '', match[1]).strip()}\n```\n",
        rule.doc + "\n",
        flags=re.MULTILINE,
    )
    return fenced.strip()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
