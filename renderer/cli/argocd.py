"""`servingctl argocd generate`: what Argo CD runs to render specs itself."""

import os

import click

from renderer.bootstrap.plugin import (
    ALLOW_EMPTY,
    DESTINATION,
    ENVIRONMENT,
    RenderParameters,
    render_parameters,
)
from renderer.cli.options import give_up, root_of
from renderer.cli.streams import put
from renderer.errors import RendererError, UsageError
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.question import Question
from renderer.evaluate.run import run
from renderer.io.worktree import Worktree
from renderer.text.wording import listed, suggest
from renderer.values.model import Environment

#: A sidecar has a core or two, whatever its node has.
_JOBS = 2


@click.group(name="argocd", short_help="What Argo CD's plugin runs.")
def command() -> None:
    """What Argo CD runs to render specs itself; 'bootstrap argocd --plugin' sets that up."""


@command.command(name="generate", short_help="Print the manifests of an application.")
@click.pass_context
def generate(context: click.Context) -> None:
    """Print the manifests of the environment and destination that an application names.

    Argo CD hands them over as ARGOCD_APP_PARAMETERS, a JSON list with `name` and `string`, or as
    ARGOCD_ENV_ENVIRONMENT and ARGOCD_ENV_DESTINATION. Findings go to standard error, and with an
    error among them nothing is printed. To have nothing to print is a failure too, unless the
    parameter allow-empty is true: Argo CD would delete all that the application has.

    \b
    Examples:
      ARGOCD_ENV_ENVIRONMENT=prod ARGOCD_ENV_DESTINATION=east servingctl argocd generate
    """
    project = open_project(Worktree(root_of(context)))
    wanted = _settled(project, render_parameters(os.environ))
    made = run(project, Question((wanted.environment,)), jobs=_JOBS)
    rendering = made.rendering()
    if not rendering.is_sound:
        give_up(context, made.diagnostics, project, to_stderr=True)
    texts = [i.text for i in rendering.apply_order if i.destination == wanted.destination]
    if not texts and not wanted.allow_empty:
        where = f"{wanted.environment}/{wanted.destination}"
        what = f"nothing goes to {where}, and Argo CD would delete all that the application has"
        raise RendererError(f"{what}; if that is meant, set its parameter {ALLOW_EMPTY} to true")
    put("".join(f"---\n{text}" for text in texts))


def _settled(project: Project, given: RenderParameters) -> RenderParameters:
    """With the environment and destination that are meant, if there is no choice."""
    placed = [item for item in project.shared.environments if item.destinations]
    project.refuse_unknown([given.environment] if given.environment else ())
    name = given.environment or _only(ENVIRONMENT, [item.name for item in placed])
    environment = next((i for i in project.shared.environments if i.name == name), None)
    if environment is None:  # broken, which the findings tell
        return given._replace(environment=name)
    if not environment.destinations:
        raise UsageError(f"{name} has no destinations; it is only inherited from")
    return given._replace(environment=name, destination=_destination(environment, given))


def _destination(environment: Environment, given: RenderParameters) -> str:
    known = [item.name for item in environment.destinations]
    if given.destination and given.destination not in known:
        what = f"there is no destination {given.destination!r} in {environment.name}"
        raise UsageError(f"{what}; {suggest(given.destination, known)}")
    return given.destination or _only(DESTINATION, known)


def _only(what: str, names: list[str]) -> str:
    """The one that is meant if none is named."""
    if not names:  # a destination is asked for only where there are some
        why = "'servingctl validate' says what is wrong"
        raise RendererError(f"no environment can be read that has destinations; {why}")
    if len(names) > 1:
        known = listed(names, "or")
        raise UsageError(f"the application names no {what}; set its parameter {what} to {known}")
    return names[0]
