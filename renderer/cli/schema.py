"""`servingctl schema`: the JSON Schema of a kind, for editors."""

import json
from pathlib import Path

import click

from renderer.backends.editor_schemas import KINDS_OF_FILES, kind_of_files, schema_for_editors
from renderer.backends.kinds import schema_file
from renderer.cli import completion
from renderer.errors import RendererError, UsageError
from renderer.text.wording import counted, listed


@click.command(name="schema", short_help="JSON Schemas of specs and rules, for editors.")
@click.argument("kind", required=False, shell_complete=completion.kinds_of_files)
@click.option(
    "--all",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the schemas of all kinds into a folder.",
)
def command(kind: str | None, folder: Path | None) -> None:
    """Print the JSON Schema of files of a KIND, or write those of all kinds.

    \b
    Examples:
      servingctl schema Environment > environment.schema.json
      servingctl schema --all .schemas

    An editor with the YAML language server then completes and checks a spec that begins with
    `# yaml-language-server: $schema=../../.schemas/environment.schema.json`.
    """
    if (kind is None) == (folder is None):
        raise UsageError(f"name one kind ({listed(KINDS_OF_FILES, 'or')}) or --all DIR")
    if kind is not None:
        click.echo(_schema_text(kind), nl=False)
    elif folder is not None:
        _write_all(folder)
        click.echo(f"{counted(len(KINDS_OF_FILES), 'schema')} written to {folder}", err=True)


def _schema_text(kind: str) -> str:
    schema = schema_for_editors(kind_of_files(kind))
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _write_all(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind in KINDS_OF_FILES:
            path = folder / schema_file(kind)
            path.write_text(_schema_text(kind), "utf-8")
    except OSError as error:
        raise RendererError(f"{error.filename}: {(error.strerror or 'failed').lower()}") from error
