"""`servingctl explain`: what a rule asks for, and why."""

import sys

import click

from renderer.backends.kinds import retired_codes
from renderer.cli import completion
from renderer.cli.options import own_rules, wants_color
from renderer.cli.streams import screen_width
from renderer.errors import UsageError
from renderer.evaluate.rulebook import every_rule
from renderer.outputs.layout import Layout
from renderer.outputs.rulebook import explain
from renderer.text.wording import suggest
from renderer.values.diagnostics import Rule


@click.command(name="explain", short_help="Say what a rule asks for, and why.")
@click.argument("code", shell_complete=completion.codes)
@click.pass_context
def command(context: click.Context, code: str) -> None:
    """Explain the rule with a CODE, as it stands at the end of a finding, or with a name.

    \b
    Examples:
      servingctl explain YML010
      servingctl explain spc013
      servingctl explain one-meaning

    `servingctl rules` lists all rules, those of the repository among them.
    """
    retired = retired_codes().get(code.upper())
    rule = _rule_named(retired.now if retired else code, [*every_rule(), *own_rules(context)])
    if retired:
        click.echo(f"{code.upper()} is {rule.code} today.\n")
    layout = Layout(screen_width(), wants_color(context, sys.stdout))
    click.echo(explain(rule, layout), nl=False, color=True)


def _rule_named(wanted: str, rules: list[Rule]) -> Rule:
    for rule in rules:
        if wanted.lower() in (rule.code.lower(), rule.name):
            return rule
    known = [rule.name if "-" in wanted else rule.code for rule in rules]
    meant = suggest(wanted, known, "'servingctl rules' lists them")
    raise UsageError(f"there is no rule {wanted!r}; {meant}")
