"""`servingctl bootstrap`: what Argo CD or Flux is given once to apply the rendered tree."""

import os
import posixpath
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from renderer.backends.kinds import backends_of
from renderer.bootstrap import argocd, flux, plugin
from renderer.bootstrap.places import AppliedFolder, places_of
from renderer.bootstrap.sources import NAME, SOURCES, RepositorySource, source_of
from renderer.cli.options import give_up, root_of
from renderer.cli.streams import put, say
from renderer.compose.settings import MARKER
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.run import check
from renderer.io.edits import replace_files
from renderer.io.repository import load
from renderer.io.revisions import place_in_git
from renderer.text.wording import counted, listed
from renderer.values.diagnostics import has_errors

F = TypeVar("F", bound=Callable[..., Any])


@click.group(name="bootstrap", short_help="What Argo CD or Flux needs to apply the rendered tree.")
def command() -> None:
    """Write the objects by which Argo CD or Flux applies the rendered tree.

    They follow from the destinations of all environments, so write them again when a destination
    comes, goes or moves. Nothing secret is in them.

    \b
    Examples:
      servingctl bootstrap argocd --repo https://git.example/models/specs --output gitops/argocd
      servingctl bootstrap flux --repo https://git.example/models/specs --output gitops/flux
    """


_COMMON_OPTIONS = (
    click.option(
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Write files to a folder instead of printing them.",
    ),
    click.option(
        "--repo",
        metavar="URL",
        help="Where the controller finds this repository; default: words to fill in.",
    ),
    click.option(
        "--revision",
        metavar="REV",
        help="The branch to apply, or the tag of an artifact; default: main, or latest.",
    ),
    click.option(
        "--name",
        default=NAME,
        show_default=True,
        help="What all names begin with, where several repositories share a controller.",
    ),
    click.option("--force", is_flag=True, help="Replace files that are there and differ."),
)


def _common_options(function: F) -> F:
    """The options of both controllers."""
    for option in reversed(_COMMON_OPTIONS):
        function = option(function)
    return function


@command.command(name="argocd", short_help="A project, applications and health checks.")
@_common_options
@click.option(
    "--style",
    type=click.Choice((argocd.SET, argocd.EACH, argocd.LISTED)),
    default=argocd.SET,
    show_default=True,
    help="A set over the rendered tree, Applications one by one, or a set over a file for each.",
)
@click.option("--plugin", "uses_plugin", is_flag=True, help="Argo CD renders the specs itself.")
@click.option("--image", metavar="IMAGE", help="With --plugin: the image that has servingctl.")
@click.option(
    "--teams",
    is_flag=True,
    help="Write an AppProject for each `project` that destinations name, for its namespaces alone.",
)
@click.pass_context
def write_argocd(
    context: click.Context,
    output: Path | None,
    repo: str | None,
    revision: str | None,
    name: str,
    force: bool,
    style: str,
    uses_plugin: bool,
    image: str | None,
    teams: bool,
) -> None:
    """Write an AppProject, an ApplicationSet or Applications, and health checks for argocd-cm.

    With --plugin, also what makes Argo CD's repo server render specs, for repositories without
    committed output. `kustomization.yaml` joins all of it to the installation of Argo CD.

    \b
    Examples:
      servingctl bootstrap argocd --repo https://git.example/models/specs --output gitops/argocd
      servingctl bootstrap argocd --style applications
      servingctl bootstrap argocd --plugin --image registry.example/servingctl:0.2.0
    """
    if image and not uses_plugin:
        raise UsageError("--image is the plugin's; add --plugin")
    project, places = _opened(context)
    source = _located(source_of("git", repo, revision, name), context, project)
    chosen = (image or plugin.IMAGE) if uses_plugin else ""
    folder = _folder_in_git(context, output, source) if style == argocd.LISTED else ""
    files = argocd.argocd_files(places, source, style, chosen, has_teams=teams, folder=folder)
    open_ends = [*(["--repo"] if not repo else []), *(["--image"] if chosen and not image else [])]
    _give(context, files, output, open_ends, force=force)
    _tell_leftovers(output, files)
    _tell_order(places)
    _tell_order_between_clusters(project)


@command.command(name="flux", short_help="A source, and Kustomizations for each destination.")
@_common_options
@click.option(
    "--source",
    "kind",
    type=click.Choice(list(SOURCES)),
    default="git",
    show_default=True,
    help="A Git repository, or what 'servingctl bundle' made, pushed to a registry.",
)
@click.option(
    "--timeout",
    default="5m",
    show_default=True,
    metavar="DURATION",
    help="How long Flux waits for what it applied; for large models 30m or more.",
)
@click.option(
    "--wait",
    type=click.Choice((flux.EVERYTHING, flux.PREREQUISITES)),
    default=flux.EVERYTHING,
    show_default=True,
    help="What must be healthy before the next commit is applied.",
)
@click.option(
    "--jobs",
    type=click.Choice(("wait", "apply")),
    default="wait",
    show_default=True,
    help="Whether a job counts when it has ended well, or as soon as it is applied.",
)
@click.option(
    "--teams",
    is_flag=True,
    help="Apply by an account for each `project` that destinations name, and write the accounts.",
)
@click.pass_context
def write_flux(
    context: click.Context,
    output: Path | None,
    repo: str | None,
    revision: str | None,
    name: str,
    force: bool,
    kind: str,
    timeout: str,
    wait: str,
    jobs: str,
    teams: bool,
) -> None:
    """Write a source and, for each destination, two or three Kustomizations, one after the other.

    The first applies what others need, the second the rest when the first is ready. Where the
    environment has settings of `companions`, a third one applies what goes with others, after them.
    With --source
    oci, each environment has an artifact of its own: the URL, and the environment behind it.

    \b
    Examples:
      servingctl bootstrap flux --repo https://git.example/models/specs --output gitops/flux
      servingctl bootstrap flux --source oci --repo oci://registry.example/models --revision latest
      servingctl bootstrap flux --timeout 30m --jobs apply --output gitops/flux
    """
    project, places = _opened(context)
    source = _located(source_of(kind, repo, revision, name), context, project)
    wishes = flux.FluxWishes(timeout, wait, jobs == "wait", teams)
    files = flux.flux_files(places, source, kind, wishes)
    _give(context, files, output, [] if repo else ["--repo"], force=force)
    near = [place.folder for place in places if not place.setting("kubeconfig_secret")]
    if near:
        has = "has" if len(near) == 1 else "have"
        what = f"{listed(near)} {has} no kubeconfig_secret"
        say(f"{what}: Flux applies to the cluster that it runs in; if that is another, set it")
    _tell_order_between_clusters(project)


def _opened(context: click.Context) -> tuple[Project, list[AppliedFolder]]:
    """The repository and its destinations, if nothing is wrong with their descriptions."""
    project = load(root_of(context))
    described = {MARKER, *(file for item in project.shared.environments for file in item.files)}
    found = [i for i in check(project) if i.file in described or "/environment." in i.file]
    if has_errors(found):
        give_up(context, found, project, "nothing was written", to_stderr=True)
    return project, places_of(project.shared.environments, project.shared.crds)


def _located(
    source: RepositorySource, context: click.Context, project: Project
) -> RepositorySource:
    return source.located(place_in_git(root_of(context)) or "", project.settings.output)


def _folder_in_git(context: click.Context, output: Path | None, source: RepositorySource) -> str:
    """The path in the repository of what is written, for what Argo CD reads there itself."""
    if output is None:
        raise UsageError("--style files is read from the repository; add --output")
    root = os.path.realpath(root_of(context))
    below = os.path.relpath(os.path.realpath(output), root)
    path = posixpath.normpath(posixpath.join(source.specs, below.replace(os.sep, "/")))
    if path.startswith(".."):
        raise UsageError(f"{output} is outside of the repository, where Argo CD finds no files")
    return path


def _give(
    context: click.Context,
    files: Mapping[str, str],
    output: Path | None,
    open_ends: list[str],
    *,
    force: bool,
) -> None:
    """Print the files or write them, and say what is left to fill in."""
    if output is None:
        put("".join(f"---\n# {path}\n{text}" for path, text in files.items()))
    else:
        written = replace_files(output, files, "bootstrap", root=root_of(context), force=force)
        unchanged = len(files) - written
        say(f"{counted(written, 'file')} written to {output}, {unchanged} unchanged")
    if open_ends:
        say(f"fill in the words in capitals, or give {listed(open_ends)}")


def _tell_leftovers(output: Path | None, files: Mapping[str, str]) -> None:
    """Files of another style, which may be applied beside these."""
    known = (output / argocd.DESTINATIONS).glob("*.yaml") if output else ()
    others = [*argocd.FILES, *(f"{argocd.DESTINATIONS}/{path.name}" for path in sorted(known))]
    others = [name for name in others if name not in files]
    left = [str(output / name) for name in others if output and (output / name).exists()]
    if left:
        verb = "is" if len(left) == 1 else "are"
        say(f"{listed(left)} {verb} of an earlier run with other options; delete what is not used")


def _tell_order(places: list[AppliedFolder]) -> None:
    """Where Argo CD cannot keep what is needed before what needs it."""
    for number, place in enumerate(places):
        if any(other.serves(place) for other in places[:number]):
            what = f"what {place.folder} needs may be in another destination of its cluster"
            say(f"{what}: Argo CD keeps no order between two applications")


def _tell_order_between_clusters(project: Project) -> None:
    """What must be at one cluster before something is applied at another."""
    for environment in project.shared.environments:
        for backend in backends_of(environment):
            for line in backend.load().order(environment):
                say(f"{environment.name}: {line}")
