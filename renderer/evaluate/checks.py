"""What checking the shared inputs by themselves comes to; every group depends on it."""

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from renderer.check import secrets
from renderer.check.specs import (
    Description,
    Paths,
    ShapedSpec,
    check_description,
    check_files,
    check_spec_shape,
)
from renderer.compose.environment_rules import ADDED, BROADCAST_WITHOUT_ITEMS
from renderer.compose.spec_rules import UNUSED_TEMPLATE
from renderer.evaluate.ignores import Ignore, UsedIgnore, read_comments
from renderer.evaluate.judgement import Judgement
from renderer.evaluate.rulebook import codes
from renderer.evaluate.shared import Shared
from renderer.render.templates import names as template_names
from renderer.schema import rules as shapes
from renderer.text.wording import suggest
from renderer.values.diagnostics import Diagnostic, Origin, Severity
from renderer.values.model import Environment

SHAPES = frozenset(rule.code for rule in shapes.RULES)
_SECRETS = frozenset(rule.code for rule in secrets.RULES)
_OF_LISTS = frozenset((ADDED.code, BROADCAST_WITHOUT_ITEMS.code))
_NOT_UNDERSTOOD = ("YML", "SPC")


class CheckedEnvironment(NamedTuple):
    """An environment as the rules can read it, and the shape of each of its prerequisites."""

    environment: Environment
    description: Description
    prerequisites: Mapping[tuple[str, str], ShapedSpec]


class CheckedShared(NamedTuple):
    """The shared inputs, what was found in them, and what others have to know of that.

    `broken` files have errors, `illegible` ones could not be understood, and the `unreliable` paths
    of a file lead to values that are not what they should be. `used` are the ignores that took
    something away.
    """

    shared: Shared
    diagnostics: tuple[Diagnostic, ...]
    comments: Mapping[str, tuple[Ignore, ...]]
    unreliable: Mapping[str, Paths]
    broken: frozenset[str]
    illegible: frozenset[str]
    environments: Mapping[str, CheckedEnvironment]
    used: frozenset[UsedIgnore] = frozenset()

    @property
    def is_clean(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.diagnostics or self.used) and not any(
            item.description.diagnostics or any(spec.errors for spec in item.prerequisites.values())
            for item in self.environments.values()
        )


def check_shared(shared: Shared) -> CheckedShared:
    """Each shared file by itself, and each environment with output by its description."""
    comments = read_comments(shared.documents.values(), codes)
    found = [*shared.diagnostics, *comments.diagnostics, *_unused_templates(shared)]
    placed = [item for item in shared.environments if item.destinations]
    files = check_files(shared.parts, shared.documents)
    found += news(files.diagnostics, found)
    judgement = Judgement(shared, comments.by_file, {})
    environments = {item.name: _checked(item, files.unreliable, judgement) for item in placed}
    return CheckedShared(
        shared,
        tuple(found),
        comments.by_file,
        files.unreliable,
        broken_files(found),
        illegible_files(found),
        environments,
        frozenset(judgement.used),
    )


def known_to_be_clean(shared: Shared) -> CheckedShared:
    """The same if nothing can be found, as an earlier check of the same inputs says."""
    comments = read_comments(shared.documents.values(), codes)
    environments = {
        item.name: CheckedEnvironment(
            item,
            Description(item, [], is_sound=True, has_places=True),
            {spec.identity: ShapedSpec(spec, ()) for spec in item.specs},
        )
        for item in shared.environments
        if item.destinations
    }
    nothing: frozenset[str] = frozenset()
    return CheckedShared(shared, (), comments.by_file, {}, nothing, nothing, environments)


def _checked(
    environment: Environment, unreliable: Mapping[str, Paths], judgement: Judgement
) -> CheckedEnvironment:
    judge = partial(judgement.in_environment, name=environment.name)
    description = check_description(environment, judge)
    described = description.environment
    shaped = {
        spec.identity: check_spec_shape(spec, described, unreliable) for spec in described.specs
    }
    if any(item.spec.unreliable for item in shaped.values()):
        specs = {identity: item.spec for identity, item in shaped.items()}
        by_name = {name: specs.get(s.identity, s) for name, s in described.by_name.items()}
        described = described._replace(specs=tuple(specs.values()), by_name=by_name)
    return CheckedEnvironment(described, description, shaped)


def _unused_templates(shared: Shared) -> Iterable[Diagnostic]:
    known = template_names() if shared.templates else []
    for name in sorted(set(shared.templates) - set(known)):
        fix = suggest(name, known, shown=lambda hint: f"templates/{hint}")
        where = Origin(f"templates/{name}")
        yield UNUSED_TEMPLATE.at(where, "this template overrides nothing", fix)


def news(later: Iterable[Diagnostic], earlier: Collection[Diagnostic]) -> list[Diagnostic]:
    """Without what was said of the same place before: by the file's own check, or by a reader."""
    found = list(later)
    if not found or not earlier:
        return found
    said = {item.place_and_code for item in earlier}
    misread = {item.place for item in earlier if item.code not in SHAPES}
    return [
        item
        for item in found
        if item.place_and_code not in said and not (item.code in SHAPES and item.place in misread)
    ]


def broken_files(found: Iterable[Diagnostic]) -> frozenset[str]:
    """The files with errors; a secret does not keep a spec from being understood."""
    wrong = (item for item in found if item.severity is Severity.ERROR)
    return frozenset(item.file for item in wrong if item.code not in _SECRETS)


def illegible_files(found: Iterable[Diagnostic]) -> frozenset[str]:
    """The files that could not be understood."""
    return frozenset(item.file for item in found if item.code.startswith(_NOT_UNDERSTOOD))


def is_doubtful(finding: Diagnostic, illegible: Collection[str]) -> bool:
    """Whether what seems to be missing may stand in a file that could not be understood."""
    files = (finding.file, *finding.related)
    return finding.code in _OF_LISTS and any(file in illegible for file in files)
