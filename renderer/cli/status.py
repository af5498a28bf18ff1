"""`servingctl status`: whether what was applied works, and whether it is what Git says."""

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Never

import click

from renderer.cli import completion
from renderer.cli.failures import EXIT_FINDINGS, EXIT_OK
from renderer.cli.options import format_option, give_up, root_of, wants_color
from renderer.cli.streams import say, terminal_width
from renderer.errors import RendererError, UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.question import find_spec
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.run import render
from renderer.inspect.preview import hindrances
from renderer.io.live_objects import STDIN
from renderer.io.repository import load
from renderer.live.expectation import (
    applied_elsewhere,
    expectations,
    queries,
    rendered_objects,
    says_something_of_clusters,
)
from renderer.live.status import judge
from renderer.outputs.layout import Layout
from renderer.outputs.status import FORMATS
from renderer.text.wording import visible
from renderer.values.diagnostics import has_errors
from renderer.values.live import LiveObjects, Query
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import EnvironmentStatus

if TYPE_CHECKING:  # most environments say nothing of their clusters
    from renderer.live.declared import Reader

_SECONDS_BETWEEN = 3.0
_CLEAR = "\x1b[H\x1b[J"


class _Request(NamedTuple):
    """What is asked for, and the files to read instead of clusters."""

    environments: tuple[str, ...]
    specs: tuple[str, ...]
    files: tuple[str, ...]


@click.command(name="status", short_help="Say whether what was applied works.")
@click.argument("specs", nargs=-1, metavar="[SPEC]...", shell_complete=completion.specs)
@click.option(
    "--env",
    "environments",
    required=True,
    multiple=True,
    metavar="ENV",
    shell_complete=completion.environments,
    help="The environment; may be given several times.",
)
@click.option(
    "--from",
    "files",
    multiple=True,
    metavar="FILE",
    help="Objects that kubectl printed as JSON or YAML, instead of asking clusters; - is standard "
    "input, DESTINATION=FILE is for one destination. May be given several times.",
)
@format_option(FORMATS)
@click.option("--failing", is_flag=True, help="Only what failed or is not what Git says.")
@click.option("--watch", is_flag=True, help="Look again every few seconds, until interrupted.")
@click.pass_context
def command(
    context: click.Context,
    specs: tuple[str, ...],
    environments: tuple[str, ...],
    files: tuple[str, ...],
    form: str,
    failing: bool,
    watch: bool,
) -> None:
    """Say whether the objects of environments work, and whether they are what Git says.

    The worst comes first. What is ready and as in Git is counted for each destination; name a spec
    to see its units and addresses.

    Live objects are compared with what the work tree renders, and with what the platform should
    have made of it: a platform may say that all is well after an update that failed.

    Without --from, kubectl lists objects, by the context that is named as the cluster of a
    destination, or as the destination itself if it names no cluster. Nothing is ever changed.

    Exit code 1: something failed, is not applied, or is not what Git says.

    \b
    Examples:
      servingctl status --env prod
      servingctl status --env dev --env prod --failing
      servingctl status credit-risk --env prod --watch
      servingctl status --env prod --from alice=alice.json --from bob=bob.json
      servingctl status --env dev --from - < objects.json
    """
    wanted = _Request(environments, specs, files)
    if watch and any(name.rpartition("=")[2] == STDIN for name in files):
        raise UsageError("standard input can be read once only; --watch needs files or clusters")
    colored = wants_color(context, sys.stdout)
    layout = Layout(terminal_width(), colored, all_names=bool(specs))

    def show(found: list[EnvironmentStatus]) -> str:
        return FORMATS[form]([i.only_failing() for i in found] if failing else found, layout)

    if watch:
        _redraw(lambda: show(_statuses(context, wanted)))
    found = _statuses(context, wanted)
    click.echo(show(found), nl=False, color=True)
    sys.exit(EXIT_OK if all(item.is_well for item in found) else EXIT_FINDINGS)


def _statuses(context: click.Context, wanted: _Request) -> list[EnvironmentStatus]:
    """Each environment by itself: they may have clusters in common, but not objects."""
    project = load(root_of(context))
    return [_status(context, project, name, wanted) for name in dict.fromkeys(wanted.environments)]


def _status(
    context: click.Context, project: Project, name: str, wanted: _Request
) -> EnvironmentStatus:
    """Render an environment, read what is live, and compare them."""
    rendering = render(project, [name])
    environment = project.environment(name)
    if environment is None:
        give_up(context, rendering.diagnostics, project, to_stderr=True)
    specs = _sound_specs(context, project, rendering, environment, wanted.specs)
    expected = expectations(rendering, environment, specs)
    rendered = () if specs else rendered_objects(rendering, environment)
    elsewhere = applied_elsewhere(environment, expected, specs)
    if specs or not says_something_of_clusters(environment):
        live = _read_live(queries(expected), environment, wanted.files)
        found = judge(environment.name, expected, live, rendered)
    else:
        from renderer.live.declared import judge_declared

        found = judge_declared(environment, expected, rendered, _reader(environment, wanted.files))
    return found.add_notes(elsewhere)


def _reader(environment: Environment, files: Sequence[str]) -> "Reader":
    """How live objects are read, and what else clusters say."""
    from renderer.live.declared import Reader

    read = partial(_read_live, environment=environment, files=files)
    if files:
        return Reader(read)
    from renderer.io.kubectl import server_versions

    return Reader(read, server_versions)


def _read_live(
    queries: Sequence[Query], environment: Environment, files: Sequence[str]
) -> dict[str, LiveObjects]:
    """What is live at each destination that is asked about: in files, or else in clusters."""
    asked = {query.destination for query in queries}
    places = [item for item in environment.destinations if item.name in asked]
    if not files:
        from renderer.io.kubectl import read_cluster

        return read_cluster(queries, places)
    from renderer.io.live_objects import live_file, read_files

    names = [item.name for item in environment.destinations]
    return read_files([live_file(name, names) for name in files], queries, [p.name for p in places])


def _sound_specs(
    context: click.Context,
    project: Project,
    rendering: Rendering,
    environment: Environment,
    names: Sequence[str],
) -> list[Spec]:
    """The specs that are named; what has errors cannot be compared with anything."""
    if not environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    found = rendering.diagnostics
    if not names and has_errors(found):
        give_up(context, found, project, "nothing can be compared with these specs", to_stderr=True)
    specs = [find_spec(environment, name) for name in names]
    for spec in specs:
        if errors := hindrances(rendering, environment, spec):
            give_up(context, errors, project, f"{spec} cannot be compared", to_stderr=True)
    return specs


def _redraw(draw: Callable[[], str]) -> Never:
    """Show a text until it is interrupted; what fails after the first time may heal."""
    shown = draw()
    _print(shown)
    while True:
        time.sleep(_SECONDS_BETWEEN)
        try:
            text = draw()
        except RendererError as error:
            say(f"servingctl: {visible(str(error))}")
            continue
        if text != shown:
            shown = text
            _print(shown)


def _print(text: str) -> None:
    before = _CLEAR if sys.stdout.isatty() else ""
    click.echo(before + text, nl=False, color=True)
    sys.stdout.flush()
