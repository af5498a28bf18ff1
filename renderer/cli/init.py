"""`servingctl init`: a new repository with a working example."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from renderer.backends import BACKENDS
from renderer.cli.recovery import tidy
from renderer.compose.settings import MARKER
from renderer.errors import UsageError
from renderer.io.edits import add_files
from renderer.io.revisions import place_in_git
from renderer.scaffold.starter import PLACEHOLDER, SCHEMAS, Choice, starter_files
from renderer.text.wording import counted, listed

_BACKENDS = {backend.name: backend for backend in BACKENDS if backend.starter}
_ARGOCD = "Add what Argo CD needs, in gitops/argocd; not with --flux."
_FLUX = "Add what Flux needs, in gitops/flux; not with --argocd."
_GITHUB = "Add a workflow for GitHub Actions; not with --gitlab."
_POLICIES = "Add thirteen rules of your own to begin with; they take servingctl[cel]."
_GITLAB = "Add jobs for GitLab CI; not with --github."


@click.command(name="init", short_help="Begin a repository with a working example.")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--backend",
    "names",
    multiple=True,
    type=click.Choice(list(_BACKENDS), case_sensitive=False),
    help="What to write an example for; may be given several times. Default: all.",
)
@click.option(
    "--argocd", is_flag=True, help="Add what Argo CD needs, in gitops/argocd; not with --flux."
)
@click.option(
    "--flux", is_flag=True, help="Add what Flux needs, in gitops/flux; not with --argocd."
)
@click.option(
    "--github", is_flag=True, help="Add a workflow for GitHub Actions; not with --gitlab."
)
@click.option("--gitlab", is_flag=True, help=_GITLAB)
@click.option("--policies", is_flag=True, help=_POLICIES)
def command(
    folder: Path,
    names: tuple[str, ...],
    argocd: bool,
    flux: bool,
    github: bool,
    gitlab: bool,
    policies: bool,
) -> None:
    """Write a new repository to DIR: environments base, dev and prod, and a working example.

    With it come hooks for pre-commit and settings for editors. DIR may hold other files, as a clone
    of an empty Git repository does: none is overwritten, and all files are written or none.

    \b
    Examples:
      servingctl init specs
      servingctl init . --github --argocd       in the clone of an empty repository
    """
    forge = _only({"github": github, "gitlab": gitlab})
    controller = _only({"argocd": argocd, "flux": flux})
    tidy(folder)
    if (folder / MARKER).exists():
        raise UsageError(
            f"{folder} is a repository of specs already; 'servingctl add' adds a spec to it"
        )
    backends = tuple(_BACKENDS[name] for name in _BACKENDS if name in (names or _BACKENDS))
    files = starter_files(Choice(backends, forge, controller, _place(folder), policies))
    add_files(folder, files, "init")
    click.echo("\n".join(_next_steps(folder, files)), err=True)


def _place(folder: Path) -> str:
    """Where a folder that may not be there yet will be in a Git repository that is there."""
    place = folder.resolve()
    there = next(above for above in (place, *place.parents) if above.exists())
    below = place.relative_to(there).as_posix()
    above = place_in_git(there)
    return "" if above is None else above + ("" if below == "." else f"{below}/")


def _only(given: dict[str, bool]) -> str:
    """The one flag that is set, if any."""
    names = [name for name, is_set in given.items() if is_set]
    if len(names) > 1:
        given_names = listed(f"--{name}" for name in names)
        raise UsageError(f"{given_names} exclude each other; leave one of them out")
    return "".join(names)


def _next_steps(folder: Path, files: dict[str, str]) -> Iterator[str]:
    """What was done and what to do now."""
    yield f"{counted(len(files), 'file')} written to {folder}; next:"
    place = folder.resolve()
    if place != Path.cwd():
        yield f"  cd {shlex.quote(str(folder))}"
    yield "  servingctl validate && servingctl render"
    begin = (
        ""
        if any((above / ".git").exists() for above in (place, *place.parents))
        else "git init && "
    )
    yield f"  {begin}pre-commit install && git add ."
    yield f"  servingctl schema --all {SCHEMAS}     (editors complete specs by it)"
    open_ends = [path for path, text in files.items() if PLACEHOLDER in text]
    if open_ends:
        yield f"Fill in the words in capitals in {listed(open_ends)}."
