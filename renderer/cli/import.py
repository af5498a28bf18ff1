"""`servingctl import`: what others wrote, to specs."""  # noqa: N999 - the name of the command

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Never

import click

from renderer.cli.failures import EXIT_FINDINGS
from renderer.cli.options import environment_option, give_up, root_of
from renderer.cli.streams import say
from renderer.errors import RendererError
from renderer.evaluate.project import Project
from renderer.evaluate.run import render
from renderer.io.edits import Replacement, write_together
from renderer.io.repository import load
from renderer.outputs import adoption as shown
from renderer.text.decoder import SPEC_LIMITS
from renderer.text.wording import counted, visible
from renderer.values.diagnostics import Diagnostic
from renderer.values.files import Files, Unreadable
from renderer.values.model import Environment

if TYPE_CHECKING:  # the help of all commands needs none of it
    from renderer.adopt.adoption import Adoption
    from renderer.adopt.provided import Provision


@click.command(name="import", short_help="Make specs of manifests and API requests.")
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@environment_option
@click.option(
    "--share",
    is_flag=True,
    help="Move what all environments have in common to the one that they extend.",
)
@click.option("--force", is_flag=True, help="Overwrite specs that are there and say other things.")
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Write specs even if they render to other objects than the imported ones, or have errors.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print only what keeps specs from being written.")
@click.pass_context
def command(
    context: click.Context,
    sources: tuple[str, ...],
    environment: str,
    share: bool,
    force: bool,
    accept_changes: bool,
    quiet: bool,
) -> None:
    """Make specs of manifests, lists of objects, API requests, answers and curl commands.

    FILE is a file, a folder, or - for standard input. Each object becomes a file in
    environments/ENV/<kind>s/; what platforms write themselves is left out, and so are defaults.
    What the specs render to is compared with what was imported. If that would change, if a spec
    has an error, or if one is there that says something else, nothing is written.

    A list of accounts, ConfigMaps, claims and Secrets as a cluster has them, and of nothing else,
    becomes no specs: those that specs refer to and nothing makes are added to references.provided
    of the environment, by their names and keys. Values of Secrets are neither kept nor shown.

    \b
    Examples:
      servingctl import live.yaml --env prod        what kubectl get -A -o yaml printed
      servingctl import - --env prod < live.json
      servingctl import manifests/ --env prod --share
      servingctl import request.json create.sh --env dev
      kubectl get sa,cm,pvc -A -o json | servingctl import - --env prod
      kubectl get secret -n models -o name | servingctl import - --env prod
    """
    from renderer.adopt.adoption import adopt
    from renderer.io.foreign_files import read_foreign

    project = load(root_of(context))
    chosen = _environment(context, project, environment)
    adoption = adopt(read_foreign(sources), project, chosen, shares=share)
    if adoption.provision:
        _write_provided(adoption.provision, project, quiet=quiet)
        return
    report = _report(adoption)
    _refuse_errors(context, adoption, project, accepted=accept_changes)
    _refuse_changes(report, force=force, accepted=accept_changes)
    write_together(Path(project.files.root), _replacements(report, project), "import")
    for line in () if quiet else shown.written_text(report):
        click.echo(line)
    if adoption.errors:
        number = counted(len(adoption.errors), "error")
        say(f"servingctl: {number} to mend; 'servingctl validate --env {environment}' shows all")


def _write_provided(found: "Provision", project: Project, *, quiet: bool) -> None:
    """What a cluster has and specs need goes into the description of the environment."""
    if found.text != found.before:
        held = _held(project.files, found.path)
        write_together(
            Path(project.files.root), {found.path: Replacement(held, found.text.encode())}, "import"
        )
    said = shown.provided_text(found.path, found.entries, found.others, found.missing)
    for line in () if quiet else said:
        click.echo(line)


def _replacements(report: shown.ImportReport, project: Project) -> dict[str, Replacement]:
    """What files are to hold; what they hold was read when it was decided."""
    return {
        file.path: Replacement(_held(project.files, file.path), _encoded(file.text))
        for file in report.files
        if not file.is_same
    }


def _held(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path, SPEC_LIMITS.size) if files.exists(path) else None
    except Unreadable as error:
        reason = f"{path} is not read: {error}; {error.fix}"
        raise RendererError(f"nothing is imported: {reason}") from error


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _environment(context: click.Context, project: Project, name: str) -> Environment:
    """The environment to import into, which must be there."""
    found = project.environment(name)
    if found is None:
        project.refuse_unknown([name])
        give_up(context, render(project, [name]).diagnostics, project)
    return found


def _report(adoption: "Adoption") -> shown.ImportReport:
    notes = {draft.file: draft.notes for draft in adoption.drafts}
    files = (shown.ImportedFile(*file, notes.get(file.path, ())) for file in adoption.files)
    return shown.ImportReport(
        tuple(files),
        adoption.skipped,
        tuple((str(item.draft), item.changes) for item in adoption.differences),
        tuple(map(str, adoption.unrendered)),
        adoption.unshared,
        tuple(str(draft) for draft in adoption.drafts if draft.is_there),
        adoption.missing,
        tuple(_outcomes(adoption)),
    )


def _outcomes(adoption: "Adoption") -> Iterator[tuple[str, str]]:
    """What each object or request is, and which kind of spec it became, if any."""
    for draft in adoption.drafts:
        for item in draft.converted:
            yield item.source.kind or shown.REQUEST, draft.kind.name
    for skipped in adoption.skipped:
        title = skipped.what.partition("/")[0]
        yield title if title.isalnum() else skipped.what, shown.SKIPPED


def _refuse_errors(
    context: click.Context, adoption: "Adoption", project: Project, *, accepted: bool
) -> None:
    """End if something cannot be read, has no place to go, or is wrong as a spec."""
    name = adoption.environment
    for line in shown.skipped_text(adoption.skipped) if not adoption.drafts else ():
        click.echo(line)
    if adoption.destinations:
        for line in shown.destinations_text(name, adoption.destinations):
            click.echo(line)
        _end(f"nothing is imported: the environment {name!r} has no destination for it")
    if len(adoption.conflicts) == 1:
        _end(f"nothing is imported: {adoption.conflicts[0]}")
    if adoption.conflicts:
        click.echo("\n".join(map(visible, adoption.conflicts)))
        _end(f"nothing is imported: {counted(len(adoption.conflicts), 'conflict')}")
    texts = adoption.texts
    if adoption.unreadable:
        give_up(context, adoption.unreadable, project, "nothing is imported", texts=texts)
    errors = [item for item in adoption.errors if not accepted or item.code.startswith("SEC")]
    if errors:
        reason = f"nothing is imported; {_advice(errors)}"
        give_up(context, errors, adoption.project or project, reason, texts=texts)
    if not adoption.drafts:
        _end("nothing is imported: there is no object and no request to make a spec of")


def _advice(errors: Sequence[Diagnostic]) -> str:
    """What to do about errors of specs that are not written yet."""
    if all(item.code.startswith("SEC") for item in errors):
        return "take the secrets out of what is imported"
    return "mend what is imported, or write the specs with --accept-changes and mend them"


def _refuse_changes(report: shown.ImportReport, *, force: bool, accepted: bool) -> None:
    """End if something would be overwritten, or would not be rendered as it was."""
    lines = list(shown.refusal_text(report, force=force, accepted=accepted))
    if lines:
        click.echo("\n".join(lines))
        _end("nothing is imported")


def _end(reason: str) -> Never:
    say(f"servingctl: {reason}")
    sys.exit(EXIT_FINDINGS)
