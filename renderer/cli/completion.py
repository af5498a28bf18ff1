"""What a shell offers for an argument: environments, specs, kinds, verbs, codes of rules.

A shell shows nothing rather than an error: while a line is being typed, anything may be missing.
"""

from collections.abc import Callable, Iterable
from pathlib import Path

import click

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def _completing(names: Callable[[click.Context], Iterable[str]]) -> Complete:
    def complete(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
        from renderer.errors import RendererError

        try:
            found = sorted(set(names(context)))
        except (RendererError, OSError):
            return []
        return [name for name in found if name.lower().startswith(begun.lower())]

    return complete


def _root(context: click.Context) -> str:
    from renderer.cli.options import start_of
    from renderer.io.repository import find_root

    return find_root(start_of(context))  # a shell that asks for names changes no file


def _environments(context: click.Context) -> Iterable[str]:
    folders = Path(_root(context), "environments").iterdir()
    return (folder.name for folder in folders if folder.is_dir())


def _specs(context: click.Context) -> Iterable[str]:
    from renderer.backends.kinds import ENVIRONMENT
    from renderer.io.repository import load

    project = load(Path(_root(context)))
    shared = (part.stem for part in project.shared.parts if part.kind is not ENVIRONMENT)
    return (*project.inputs.groups, *shared)


def _kinds(_context: click.Context) -> Iterable[str]:
    from renderer.backends.kinds import KINDS

    return KINDS


def _kinds_of_files(_context: click.Context) -> Iterable[str]:
    from renderer.backends.editor_schemas import KINDS_OF_FILES

    return KINDS_OF_FILES


def _codes(_context: click.Context) -> Iterable[str]:
    from renderer.evaluate.rulebook import every_rule

    return (word for rule in every_rule() for word in (rule.code, rule.name))


def _verbs(_context: click.Context) -> Iterable[str]:
    from renderer.backends.kinds import KINDS

    return (verb.name for kind in KINDS.values() for verb in kind.verbs)


environments, specs, kinds, kinds_of_files, codes, verbs = map(
    _completing, (_environments, _specs, _kinds, _kinds_of_files, _codes, _verbs)
)
