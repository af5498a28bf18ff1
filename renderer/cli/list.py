"""`servingctl list`: what is there and where it goes."""

import click

from renderer.cli.options import environments_option, format_option, root_of
from renderer.cli.streams import screen_width
from renderer.inspect.listing import list_specs
from renderer.io.repository import load
from renderer.outputs.layout import Layout
from renderer.outputs.listing import FORMATS
from renderer.text.wording import counted, listed


@click.command(name="list", short_help="List specs and where they go.")
@environments_option
@format_option(FORMATS)
@click.pass_context
def command(context: click.Context, environments: tuple[str, ...], form: str) -> None:
    """List every spec of every environment: where it goes, its units, and its files.

    Files are named from environments/ on, the one that has the last word first. A terminal that is
    too narrow shows fewer columns; --format wide shows all, with all files.

    Nothing is checked or rendered: a spec that is broken has a mark instead of destinations, and
    `servingctl validate` says what is wrong with it.

    \b
    Examples:
      servingctl list
      servingctl list --env prod
      servingctl list --format json | jq -r '.specs[] | select(.broken).files[]'
    """
    listing = list_specs(load(root_of(context)), environments)
    click.echo(FORMATS[form](listing, Layout(screen_width())), nl=False)
    if listing.only_inherited:
        names = listed(listing.only_inherited)
        click.echo(f"only inherited from, and not listed without --env: {names}", err=True)
    if broken := sum(row.is_broken for row in listing.rows):
        what = counted(broken, "broken spec")
        click.echo(f"{what}; 'servingctl validate' says what is wrong", err=True)
