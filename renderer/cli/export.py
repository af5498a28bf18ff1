"""`servingctl export`: a spec as a request to its platform's own API."""

import sys
from pathlib import Path

import click

from renderer.backends import BACKENDS
from renderer.cli import completion
from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.options import environment_option, give_up, root_of
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.inspect.export import Exported, SpecState, read_state, request_of, verb_of
from renderer.inspect.preview import has_specs
from renderer.io.repository import load
from renderer.outputs.requests import body_text, curl_command
from renderer.text.wording import counted, listed, path_text, visible
from renderer.values.requests import ApiRequest, Remark

_HEAD = "HEAD"


def _describe_verbs() -> str:
    """The verbs of every kind that has some; kinds with the same ones share an entry."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for kind in (kind for backend in BACKENDS for kind in backend.kinds if kind.verbs):
        kinds.setdefault(tuple(verb.name for verb in kind.verbs), []).append(kind.name)
    said = (f"{', '.join(verbs)} for {listed(names)}" for verbs, names in kinds.items())
    return f"The request: {'; '.join(said) or 'nothing yet'}."


@click.command(name="export", short_help="Write a spec as a request to its platform's API.")
@click.argument(
    "specs", nargs=-1, required=True, metavar="SPEC...", shell_complete=completion.specs
)
@environment_option
@click.option(
    "--as",
    "verb",
    required=True,
    metavar="VERB",
    shell_complete=completion.verbs,
    help=_describe_verbs(),
)
@click.option("--curl", is_flag=True, help="The whole command, with <placeholders> to fill in.")
@click.option(
    "--from",
    "since",
    metavar="REV|DIR",
    help="The state that the API has, for a request with only what differs; default: HEAD.",
)
@click.option(
    "--destination",
    default="",
    metavar="NAME",
    help="For which destination; needed where destinations get different requests.",
)
@click.pass_context
def command(
    context: click.Context,
    specs: tuple[str, ...],
    environment: str,
    verb: str,
    curl: bool,
    since: str | None,
    destination: str,
) -> None:
    """Write a SPEC as a request to its platform's own API: the body that is to be sent.

    If specs have errors, these are shown instead. What the API cannot express is refused with its
    line, and where it differs from the rendered object is noted on standard error. Nothing is sent.

    \b
    Examples:
      servingctl export credit-risk --env prod --as create
      servingctl export credit-risk --env prod --as create --curl
      servingctl export credit-risk --env prod --as update --from v1.4.0
      servingctl export credit-risk --env prod --as create | jq .
    """
    root = root_of(context)
    wanted = Exported(environment, specs, verb, destination)
    request = _request(context, root, wanted, since)
    _tell(request)
    click.echo((curl_command if curl else body_text)(request), nl=False)


def _request(context: click.Context, root: Path, wanted: Exported, since: str | None) -> ApiRequest:
    state = _state(context, load(root), wanted)
    meant = verb_of(state.specs, wanted)
    if since is not None and not meant.compares:
        raise UsageError(f"--as {meant.name} compares nothing; leave out --from")
    former = _former(context, root, since or _HEAD, wanted, state) if meant.compares else None
    return request_of(state, wanted, former)


def _state(context: click.Context, project: Project, wanted: Exported) -> SpecState:
    """The specs, or else what keeps them from being sent."""
    found = read_state(project, wanted)
    if not isinstance(found, SpecState):
        reason = f"there is no request for {listed(wanted.specs)} until this is mended"
        give_up(context, found, project, reason, to_stderr=True)
    return found


def _former(
    context: click.Context, root: Path, name: str, wanted: Exported, now: SpecState
) -> SpecState:
    """The same spec in the state that the API is taken to have."""
    from renderer.io.states import named_state

    state = named_state(root, name)
    if not isinstance(state.state, Project):
        raise UsageError(f"{name} is rendered output, and a request is made of specs")
    same = wanted._replace(specs=tuple(map(str, now.specs)))
    if not has_specs(state.state, same.environment, same.specs):
        what = f"{listed(same.specs)} is not in {state.title}"
        raise UsageError(f"{what}; name another state with --from, or create it: --as create")
    return _state(context, state.state, same)


def _tell(request: ApiRequest) -> None:
    """What cannot be said ends the run; what comes out otherwise is only noted."""
    for word, remarks in (("error", request.obstacles), ("note", request.notes)):
        for remark in remarks:
            click.echo(visible(_line(word, remark)), err=True)
    if request.obstacles:
        fields = counted(len(request.obstacles), "field")
        click.echo(f"servingctl: the API has no request for this: {fields} above", err=True)
        sys.exit(EXIT_FINDINGS)


def _line(word: str, remark: Remark) -> str:
    place = remark.origin
    if not place.file:
        return f"servingctl: {remark.message}"
    where = f"{place.file}:{place.line}:{place.column}"
    return f"{where}: {word}: {path_text(remark.path)}: {remark.message}"
