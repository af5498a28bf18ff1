"""A repository with rules of its own, and what is found in it."""

from renderer import check
from tests.support.memory import project
from tests.support.repositories import SMALL

RULE = """\
apiVersion: serving.gitops/v1
kind: Rule
code: ACME012
title: specs have an owner
severity: error
match: {kinds: [Serving]}
expression: has(spec.labels) && 'owner' in spec.labels
why: Somebody is called at night.
fix: add a label owner
examples:
  passes: [{spec: {labels: {owner: me}}}]
  fails: [{spec: {}}]
"""
FILE = "policies/owner.yaml"
SERVING_FILE = "environments/dev/servings/risk.yaml"


def found_with(rule=RULE, changes=None):
    """All that is found in the small repository with a rule."""
    return check(project({**SMALL, FILE: rule, **(changes or {})}))


def changed(pairs, rule=RULE):
    """The rule with some texts changed by others."""
    for old, new in pairs.items():
        assert old in rule, old
        rule = rule.replace(old, new, 1)
    return rule


def places(found):
    return [(item.file, item.line, item.column, item.code) for item in found]
