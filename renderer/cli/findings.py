"""Findings on their way to the screen: which of them, with which texts and rules."""

import os
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.outputs.findings import WITH_RULES
from renderer.outputs.findings.causes import group_by_cause
from renderer.outputs.findings.report import Report
from renderer.text.secrets.files import shown_files
from renderer.text.wording import counted
from renderer.values.diagnostics import Diagnostic, Rule, Severity, is_newer, worst_first

if TYPE_CHECKING:
    from pathlib import Path

_NO_TEXTS: Mapping[str, str] = MappingProxyType({})


def report_of(
    found: Sequence[Diagnostic], project: Project, others: Mapping[str, str] = _NO_TEXTS
) -> Report:
    """Findings with the texts that they point into, secrets hidden in both.

    `others` are the texts of files that are not in the repository.
    """
    files = {item.file for item in found}
    texts = {file: others.get(file) or project.text_of(file) for file in files}
    shown = shown_files({file: text for file, text in texts.items() if text is not None})
    as_of = project.settings.rules_as_of
    found = shown.findings(found)
    return Report(found, shown.texts, specs=spec_names(project), rules_as_of=as_of)


def spec_names(project: Project) -> dict[str, str]:
    """What specs are called, by their files."""
    return {path: stem for stem, paths in project.inputs.groups.items() for path in paths}


def rules_for(form: str, project: Project) -> Sequence[Rule]:
    """The rules, for a format that names them; to gather them takes a while."""
    if form not in WITH_RULES:
        return ()
    from renderer.evaluate.rulebook import every_rule

    own = (rule.documented for rule in project.shared.policies.rules)
    return sorted((*every_rule(), *own), key=lambda rule: rule.code)


def summary(found: Sequence[Diagnostic], counts: Mapping[str, int]) -> str:
    """One line for the end of a run; `counts` are numbers of specs by environment."""
    checked = f"{counted(len(counts), 'environment')}, {counted(sum(counts.values()), 'spec')}"
    if not found:
        return f"{checked}: no findings"
    errors, warnings, infos = _counts(found)
    parts = [counted(errors, "error"), counted(warnings, "warning")]
    return f"{checked}: {', '.join([*parts, *([counted(infos, 'info')] if infos else [])])}"


def newer_findings(found: Iterable[Diagnostic], rules_as_of: str) -> str:
    """A line that counts what only rules see that are newer than those of the repository."""
    those = [item for item in found if is_newer(item.since, rules_as_of)]
    newer = sum(cause.places for cause in group_by_cause(those))
    if not newer:
        return ""
    return (
        f"{counted(newer, 'finding')} of rules newer than {rules_as_of}, which fail nothing yet; "
        "raise rules_as_of in servingctl.yaml once they are mended"
    )


def tally(found: Iterable[Diagnostic]) -> str:
    """How many there are of each severity that there is."""
    numbers = zip(_counts(list(found)), ("error", "warning", "info"), strict=True)
    return ", ".join(counted(number, word) for number, word in numbers if number)


def _counts(found: Sequence[Diagnostic]) -> list[int]:
    """Errors, warnings and infos as the text shows them, those that were left out among them."""
    causes = group_by_cause(worst_first(found))
    return [
        sum(cause.places for cause in causes if cause.findings[0].severity is level)
        for level in (Severity.ERROR, Severity.WARNING, Severity.INFO)
    ]


def relevant(
    found: Sequence[Diagnostic], paths: Sequence["str | Path"], root: "str | Path"
) -> list[Diagnostic]:
    """The findings that depend on one of the files, or on a file in one of the folders."""
    if not paths:
        return list(found)
    names = [_inside(path, root) for path in paths]
    return [item for item in found if any(_covers(names, f) for f in (item.file, *item.related))]


def _inside(path: "str | Path", root: "str | Path") -> str:
    full = os.path.abspath(path)  # links are not to be resolved
    for base in (os.fspath(root), os.path.realpath(root)):
        if full == base:
            return "."
        if full.startswith(os.path.join(base, "")):
            return full[len(os.path.join(base, "")) :].replace(os.sep, "/")
    raise UsageError(f"{_plain(path)} is not in the repository {root}")


def _plain(path: "str | Path") -> "Path":
    from pathlib import Path

    return Path(path)


def _covers(names: list[str], file: str) -> bool:
    return any(name in (".", file) or file.startswith(f"{name}/") for name in names)
