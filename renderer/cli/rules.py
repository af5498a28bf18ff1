"""`servingctl rules`: everything that is asked of specs."""

import sys
from collections.abc import Sequence

import click

from renderer.backends import BACKENDS
from renderer.backends.kinds import retired_codes
from renderer.cli.options import format_option, own_rules, wants_color
from renderer.cli.streams import screen_width
from renderer.evaluate.rulebook import every_rule, rules_of
from renderer.outputs.layout import Layout
from renderer.outputs.rulebook import FORMATS, Rulebook, family_of
from renderer.values.diagnostics import Rule


@click.command(name="rules", short_help="List all rules.")
@format_option(FORMATS, "table", "Markdown and JSON hold the whole documentation.")
@click.pass_context
def command(context: click.Context, form: str) -> None:
    """List all rules with their severity, those of the repository among them.

    \b
    Examples:
      servingctl rules
      servingctl rules --format json | jq -r '.rules[] | select(.severity == "warning").code'
      servingctl rules --format markdown > rules.md
    """
    layout = Layout(screen_width(), wants_color(context, sys.stdout))
    click.echo(FORMATS[form](rulebook(own_rules(context)), layout), nl=False, color=True)


def rulebook(own: Sequence[Rule] = ()) -> Rulebook:
    """Every rule; a platform's own family of codes is called as the platform is."""
    families = {
        family_of(rule): backend.maker for backend in BACKENDS for rule in rules_of(backend)
    }
    retired = {code: item.now for code, item in sorted(retired_codes().items())}
    return Rulebook([*every_rule(), *own], families, retired)
