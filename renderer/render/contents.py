"""What a template makes of its values."""

from functools import lru_cache
from typing import NamedTuple

from renderer.render import rules as man
from renderer.render.outline import Outline, outlined
from renderer.render.template_faults import TemplateFault
from renderer.render.templates import Source, render, unmarked
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Render
from renderer.values.tree import Node

_MEND = "mend the template, or delete it to use the bundled one"
#: Texts beyond this size are not kept: they are rare, and their trees are large.
_MOST_KEPT = 1 << 14


class _Form(NamedTuple):
    """What a rendered text is, whatever its values are; or what is wrong with it."""

    outline: Outline | None
    problems: tuple[Diagnostic, ...] = ()


def content(plan: Render, source: Source) -> tuple[Node | None, list[Diagnostic]]:
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


def _form(source: Source, text: str) -> _Form:
    bare = unmarked(text)
    reading = read(bare.text.encode(), source.file)
    tree = reading.document.tree
    if reading.problems:
        found = (_not_yaml(item, bare.line(item.line)) for item in reading.problems)
        return _Form(None, tuple(found))
    if tree is None or not isinstance(tree.value, dict):
        message = "the template does not make a mapping"
        return _Form(None, (man.NOT_YAML.at(Origin(source.file), message, _MEND),))
    return _Form(outlined(tree, source.file, bare.lines))


#: The objects of one kind differ in their values and seldom in anything else.
_known_form = lru_cache(maxsize=32)(_form)


def _not_yaml(problem: Diagnostic, line: int) -> Diagnostic:
    message = f"the template does not make YAML: {problem.message}"
    return man.NOT_YAML.at(Origin(problem.file, line), message, problem.fix or _MEND)
