"""A rendering from the question to the exit code; without the library that reads options."""

import os
import sys
from functools import partial
from pathlib import Path

from renderer.cli.cache import run_in
from renderer.cli.failures import EXIT_FINDINGS, EXIT_OK
from renderer.cli.findings import report_of, summary, tally
from renderer.cli.progress import progress
from renderer.cli.streams import put, say, shows_color
from renderer.compose.settings import read_settings
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, parse_shard
from renderer.evaluate.run import Run
from renderer.io.worktree import Worktree
from renderer.outputs.findings import FORMATS
from renderer.outputs.layout import Layout
from renderer.publish.filesystem import refuse_links
from renderer.publish.inventory import Scope
from renderer.publish.plan import TextsAreMissing
from renderer.publish.publisher import PublishedCounts, compare, publish
from renderer.text.wording import counted, visible
from renderer.values.diagnostics import Severity, has_errors
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import OutputFile

_FEW = 5  # of each sort, for a hook
_SOURCES = ("environments", "templates", "schemas")


class RenderRequest(NamedTuple):
    """What is to be rendered, where to, and what to tell."""

    environments: tuple[str, ...] = ()
    output: Path | None = None
    check: bool = False
    to_stdout: bool = False
    allow_empty: bool = False
    jobs: int | None = None
    shard: str = "1/1"
    min_severity: str = "error"
    no_cache: bool = False
    quiet: bool = False
    verbose: bool = False


def render(root: Path, wanted: RenderRequest, color: str = "auto") -> int:
    """Write the manifests, print or compare them; nothing of that if any finding is an error."""
    if wanted.check and wanted.to_stdout:
        raise UsageError("--check and --stdout do not go together")
    question = Question(wanted.environments, parse_shard(wanted.shard))
    jobs = wanted.jobs or os.cpu_count() or 1
    output = wanted.output or root / read_settings(Worktree(root))[0].output
    refuse_links(root, output)
    again = partial(run_in, root, question, no_cache=wanted.no_cache, jobs=jobs)
    with progress("specs rendered") as watch:
        project, made = again(texts=output if wanted.to_stdout else None, watch=watch)
    _report(project, made, wanted, color)
    rendering = made.rendering()
    if not rendering.is_sound:
        return EXIT_FINDINGS
    if wanted.to_stdout:
        put("".join(f"---\n# {item.path}\n{item.text}" for item in rendering.apply_order))
        return EXIT_OK
    folder = _folder(root, output)
    names = frozenset(wanted.environments) if wanted.environments else None
    scope = Scope(names, question.shard.owns)
    if wanted.check:
        return _check(folder, rendering.files(), scope, quiet=wanted.quiet)
    try:
        done = publish(folder, rendering.files(), scope, allow_empty=wanted.allow_empty)
    except TextsAreMissing:  # the output was changed since it was made
        project, once_more = again(texts=folder)
        if once_more.diagnostics != made.diagnostics:  # and the specs as well
            _report(project, once_more, wanted, color)
        rendering = once_more.rendering()
        if not rendering.is_sound:
            return EXIT_FINDINGS
        done = publish(folder, rendering.files(), scope, allow_empty=wanted.allow_empty)
    _tell(folder, done, quiet=wanted.quiet)
    return EXIT_OK


def _tell(folder: Path, done: PublishedCounts, *, quiet: bool) -> None:
    for path in (*done.restored, *done.discarded):
        say(f"{visible(str(folder / path))} was not as rendered: edited, or left by a merge")
    if not quiet:
        pruned = f", {done.pruned} deleted" if done.pruned else ""
        written = counted(done.written, "file")
        say(f"{written} written, {done.unchanged} unchanged{pruned}")


def _report(project: Project, made: Run, wanted: RenderRequest, color: str) -> None:
    """Show what keeps everything from being written, or more if asked for; count the rest.

    In a hook the first will do: `validate` has shown them all.
    """
    stream = sys.stderr if wanted.to_stdout else sys.stdout
    report = report_of(made.diagnostics, project)
    shown = report.limited_to(Severity[wanted.min_severity.upper()])
    if wanted.check and os.environ.get("PRE_COMMIT"):
        shown = shown.first_cause()
    stream.write(FORMATS["text"](shown, Layout(color=shows_color(color, stream))))
    if wanted.verbose:
        from renderer.inspect.listing import rendered_specs

        say("\n".join(rendered_specs(project, made.rendering())))
    listed = {item.severity for item in shown.diagnostics}
    is_all = len(shown.diagnostics) == len(made.diagnostics)
    more = "" if is_all else "; 'servingctl validate' shows all"
    if has_errors(made.diagnostics):
        say(f"{summary(made.diagnostics, made.counts)}; nothing was written{more}")
    elif more and not wanted.quiet:
        say(f"{tally(item for item in made.diagnostics if item.severity not in listed)}{more}")


def _folder(root: Path, folder: Path) -> Path:
    """The output folder, which must not lie among what it is made from."""
    real = folder.resolve()
    for name in _SOURCES:
        if real.is_relative_to((root / name).resolve()):
            raise UsageError(f"the output folder {folder} lies inside {name}/; choose another one")
    inside = real.relative_to(root.resolve()).parts if real.is_relative_to(root.resolve()) else ()
    if any(part.startswith(".") for part in inside):
        raise UsageError(f"the output folder {folder} is a hidden one; choose another one")
    if root.resolve().is_relative_to(real):
        raise UsageError(f"the output folder {folder} contains the repository; choose another one")
    return folder


def _check(folder: Path, files: list[OutputFile], scope: Scope, *, quiet: bool) -> int:
    """List what `render` would do, a few files for a hook, and fail if it would do anything."""
    found = compare(folder, files, scope)
    for word, paths in found._asdict().items():
        most = _FEW if os.environ.get("PRE_COMMIT") else len(paths)
        left = len(paths[most:])
        more = [counted(left, "more file")] if left else []
        for text in (*map(visible, paths[:most]), *more):
            sys.stdout.write(f"{word}: {text}\n")
    outdated = len(found.missing) + len(found.changed) + len(found.stale)
    if not quiet:
        hint = "; run 'servingctl render'" if outdated else ""
        say(f"{counted(outdated, 'file')} out of date{hint}")
    return EXIT_FINDINGS if outdated else EXIT_OK
