"""From a template and its values to the tree of an object.

A template is rendered with an opaque token for every `{{ value }}`, so no value can change the
structure. The text is read as YAML before the values, with their origins, get their places.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from renderer.assets import TEMPLATES, read_template
from renderer.manifests import rules as man
from renderer.manifests.outline import Outline, outline_of
from renderer.manifests.plain_templates import plainly_rendered
from renderer.manifests.template_values import MEND, PlacedValues, TemplateFault
from renderer.text.expressions import expression
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Render
from renderer.values.tree import Node

_MARK = expression("\ue002([0-9]+)\ue003")
_LEADING_MARKS = expression("(?:\ue002[0-9]+\ue003)*")
#: Texts beyond this size are not kept: they are rare, and their trees are large.
_MOST_KEPT = 1 << 14


class TemplateSource(NamedTuple):
    """A template's text and the file it is known by."""

    file: str
    text: str


class Skeleton(NamedTuple):
    """Rendered text with tokens and with marks of the template's lines, and the tokens' values."""

    text: str
    placed: PlacedValues


class UnmarkedText(NamedTuple):
    """Rendered text without marks, and the template line of each of its lines."""

    text: str
    lines: list[int]

    def line(self, rendered: int) -> int:
        """The line of the template that wrote a line of the text."""
        return self.lines[min(rendered, len(self.lines)) - 1]


class _Form(NamedTuple):
    """What a rendered text is, whatever its values are; or what is wrong with it."""

    outline: Outline | None
    problems: tuple[Diagnostic, ...] = ()


def find(name: str, overrides: Mapping[str, str]) -> TemplateSource:
    """A template by its path: the repository's own if it has one, else the bundled one."""
    if name in overrides:
        return TemplateSource(f"templates/{name}", overrides[name])
    return bundled_template(name)


@cache
def bundled_template(name: str) -> TemplateSource:
    """The template that is used unless the repository has its own."""
    return TemplateSource(f"servingctl:templates/{name}", read_template(name).decode())


def names() -> list[str]:
    """The templates that can be overridden."""
    from pathlib import Path

    return sorted(path.relative_to(TEMPLATES).as_posix() for path in Path(TEMPLATES).rglob("*.j2"))


def content(plan: Render, source: TemplateSource) -> tuple[Node | None, list[Diagnostic]]:
    """What the template makes of its values, or why it makes nothing."""
    try:
        skeleton = render(source, plan.values)
        formed = _known_form if len(skeleton.text) <= _MOST_KEPT else _form
        form = formed(source, skeleton.text)
        tree = form.outline.filled(skeleton.placed) if form.outline else None
    except TemplateFault as fault:
        where = Origin(source.file, fault.line)
        return None, [man.TEMPLATE.at(where, fault.message, fault.fix)]
    return tree, list(form.problems)


def render(source: TemplateSource, values: Mapping[str, Node]) -> Skeleton:
    """The template's text with a token in the place of every value."""
    placed = PlacedValues()
    text = plainly_rendered(source.text, values, placed)
    if text is None:
        from renderer.manifests.jinja import rendered

        placed = PlacedValues()
        text = rendered(source.text, values, placed)
    return Skeleton(text, placed)


def unmark(text: str) -> UnmarkedText:
    """A skeleton's text as it is to be read."""
    lines: list[int] = []
    bare: list[str] = []
    for line in text.split("\n"):
        leading = _LEADING_MARKS.match(line)
        marks = _MARK.findall(leading[0] if leading and leading[0] else line)
        lines.append(int(marks[-1]) if marks else (lines[-1] if lines else 1))
        bare.append(_MARK.sub("", line))
    return UnmarkedText("\n".join(bare), lines)


def _form(source: TemplateSource, text: str) -> _Form:
    bare = unmark(text)
    reading = read(bare.text.encode(), source.file)
    tree = reading.document.tree
    if reading.problems:
        found = (_not_yaml(item, bare.line(item.line)) for item in reading.problems)
        return _Form(None, tuple(found))
    if tree is None or not isinstance(tree.value, dict):
        message = "the template does not make a mapping"
        return _Form(None, (man.NOT_YAML.at(Origin(source.file), message, MEND),))
    return _Form(outline_of(tree, source.file, bare.lines))


#: The objects of one kind differ in their values and seldom in anything else.
_known_form = lru_cache(maxsize=32)(_form)


def _not_yaml(problem: Diagnostic, line: int) -> Diagnostic:
    message = f"the template does not make YAML: {problem.message}"
    return man.NOT_YAML.at(Origin(problem.file, line), message, problem.fix or MEND)
