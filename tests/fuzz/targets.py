"""What is fuzzed: functions that take any bytes and must neither fail nor break a promise.

A target raises only if the program is wrong. Bad input is a finding, a `TemplateFault` or a
`RendererError`; these are no failures.
"""

# ruff: noqa: PT017 - what an error says is a promise too
import json
import re
import xml.etree.ElementTree as ET
from contextlib import suppress
from pathlib import Path

import yaml

from renderer.backends.kuscia.config_templates import insertion, template
from renderer.backends.kuscia.config_templates.go_text import NotPreviewed
from renderer.backends.kuscia.config_templates.json_files import json_file, template_fault
from renderer.backends.kuscia.config_templates.tokens import TemplateFault as ConfigFault
from renderer.cli.findings import report_of, rules_for
from renderer.errors import RendererError
from renderer.evaluate.run import render
from renderer.inspect.trace import trace_manifests, trace_spec
from renderer.kubernetes.patterns import matches, problem, takes_too_long
from renderer.kubernetes.quantities import canonical, value
from renderer.manifests import templates as placing
from renderer.manifests.outline import outline_of
from renderer.manifests.template_values import TemplateFault
from renderer.outputs.findings import FORMATS
from renderer.outputs.picture import FORMATS as PICTURES
from renderer.publish import inventory
from renderer.publish.inventory import is_safe
from renderer.schema import crds
from renderer.schema.validation import check
from renderer.text import json_reader as jsonreader
from renderer.text import yaml_reader as yamlreader
from renderer.text.secrets.masks import masked_text
from renderer.text.wording import LINE_END
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.memory import project
from tests.support.pictures import draw_environment
from tests.support.repositories import SERVING, SMALL

HERE = Origin("spec.yaml", 7, 3)
RISK = "environments/dev/servings/risk.yaml"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
VALUES = {"x": {"name": "n", "items": [1, "two", {"k": None}], "text": "a: b\n"}, "name": "n"}


def text_of(data):
    return data.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()


def assert_told(found, sources):
    """Findings have a place in their file and say what to do."""
    for item in found:
        assert item.fix or item.why, item
        assert "Node(" not in item.message, item
        assert item.column >= 1, item
        if item.file in sources:
            assert 1 <= item.line <= len(LINE_END.split(sources[item.file])), item


def fuzz_yaml(data):
    """The reader gives findings or a tree, and the tree survives being written and read."""
    reading = yamlreader.read(data, "x.yaml")
    assert_told(reading.problems, {"x.yaml": reading.document.source})
    tree = reading.document.tree
    if tree is None or reading.problems:
        return
    again = yamlreader.read(write(tree).encode(), "y.yaml")
    assert not again.problems, again.problems
    assert again.document.tree.plain() == tree.plain()
    assert yaml.load(write(tree), yaml.CSafeLoader) == tree.plain()


def fuzz_json(data):
    """What is accepted is JSON with the meaning that any reader of JSON gives it."""
    reading = jsonreader.read(data, "x.json")
    assert_told(reading.problems, {"x.json": reading.document.source})
    if reading.document.tree is not None and not reading.problems:
        assert reading.document.tree.plain() == json.loads(data)


def _repository(**changes):
    """Render a repository with changes; whatever comes of it, it can be shown in every form."""
    given = project({**SMALL, **changes})
    try:
        done = render(given)
    except RendererError as error:
        assert "\n" not in str(error)
        return None
    report = report_of(done.diagnostics, given)
    assert_told(report.diagnostics, report.sources)
    for form in FORMATS:
        _assert_readable(form, FORMATS[form](report._replace(rules=rules_for(form, given))))
    if done.is_sound:
        _assert_meant(done)
    return given, done


def _assert_readable(form, text):
    if form in ("text", "github"):
        assert not STEERING.search(text), (form, text)
    elif form == "junit":
        ET.fromstring(text)
    else:
        json.loads(text)


def _assert_meant(done):
    """Every file lies where it belongs, and both readers of YAML read the object in it."""
    for item in done.manifests:
        assert is_safe(item.path), item.path
        again = yamlreader.read(item.text.encode(), item.path)
        assert again.document.tree.plain() == item.tree.plain()
        assert yaml.load(item.text, yaml.CSafeLoader) == item.tree.plain()
    done.files()


def fuzz_spec(data):
    """A serving of any content: findings, or objects that mean what it says, and a picture."""
    made = _repository(**{RISK: data})
    if made and made[1].is_sound:
        for environment in made[0].environments:
            for form in PICTURES:
                assert not STEERING.search(PICTURES[form](draw_environment(made[0], environment)))


def fuzz_appimage(data):
    """An AppImage of any content."""
    _repository(**{"environments/dev/appimages/scorer.yaml": data})


def fuzz_environment(data):
    """An environment of any content."""
    _repository(**{"environments/dev/environment.yaml": data})


def fuzz_settings(data):
    """Settings of any content; they may ask for a version that this one is not."""
    with suppress(RendererError):
        _repository(**{"servingctl.yaml": data})


def fuzz_jsonspec(data):
    """A serving written in JSON."""
    _repository(**{RISK: None, "environments/dev/servings/risk.json": data})


def fuzz_input_config(data):
    """The JSON string that a serving hands to its application."""
    text = json.dumps(text_of(data))
    _repository(**{RISK: SERVING + f"serving_input_config: {text}\n"})


def fuzz_template(data):
    """A user's template: a fault with a line, or text whose values are in their places."""
    source = placing.TemplateSource("t.yaml.j2", text_of(data))
    try:
        skeleton = placing.render(source, {k: uniform_tree(v, HERE) for k, v in VALUES.items()})
        bare = placing.unmark(skeleton.text)
        reading = yamlreader.read(bare.text.encode("utf-8", "replace"), source.file)
        if not reading.problems and reading.document.tree is not None:
            outline_of(reading.document.tree, source.file, bare.lines).filled(skeleton.placed)
    except TemplateFault as fault:
        assert fault.line >= 1
        assert fault.message


def fuzz_override(data):
    """A user's template in the place of a bundled one."""
    _repository(**{"templates/kuscia/kusciadeployment.yaml.j2": data})


def fuzz_config_template(data):
    """A config template: a fault, or a file, or a part that is said not to be previewed."""
    text = text_of(data)
    template.scan(text)
    parsed = template.parse(text)
    if isinstance(parsed, ConfigFault):
        return
    json_file(parsed)
    template_fault(parsed)
    with suppress(ConfigFault, NotPreviewed):
        insertion.render(parsed, {"SERVING_ID": "x", "V": '{"a":[1,{"b":"c"}]}'}, {"K": "v"})


def fuzz_crd(data):
    """A CRD: it is refused, or it can be used to check an object."""
    reading = yamlreader.read(data, "schemas/crds/x.yaml", several=True)
    if reading.problems:
        return
    found, problems = crds.collect([reading.document])
    assert_told(problems, {"schemas/crds/x.yaml": reading.document.source})
    tree = uniform_tree({"apiVersion": "a/v1", "kind": "K", "metadata": {}, "spec": VALUES}, HERE)
    for crd in found.values():
        for schema in crd.versions.values():
            assert all(item.message for item in check(tree, schema))


def fuzz_pattern(data):
    """A pattern of a CRD, and in the next line a text: an answer, or why there is none."""
    pattern, _, text = text_of(data).partition("\n")
    wrong = problem(pattern)
    if wrong:
        assert wrong.message
        assert wrong.fix
    elif takes_too_long(pattern, text):
        assert len(text) > 200
    else:
        matches(pattern, text)


def fuzz_inventory(data):
    """An inventory: it is refused in a line, or it says again what it said."""
    try:
        entries = inventory.parse(data, Path("x"))
    except RendererError as error:
        assert "\n" not in str(error)
        return
    assert all(is_safe(path) for path in entries)
    assert inventory.parse(inventory.dump(entries).encode(), Path("x")) == entries


_KNOWN = project(SMALL)
_MADE = render(_KNOWN)


def fuzz_path(data):
    """A path to trace: an answer, or a line that says what is wrong with it."""
    spec = next(item for item in _KNOWN.environments[0].specs if item.stem == "risk")
    for trace in (lambda path: trace_spec(spec, path), lambda path: trace_manifests(
        [item for item in _MADE.manifests if item.spec.identity == spec.identity], path
    )):  # fmt: skip
        try:
            trace(text_of(data))
        except RendererError as error:
            assert "\n" not in str(error)


def fuzz_quantity(data):
    """A quantity: its canonical form is the same amount, and is its own canonical form."""
    text = text_of(data)
    amount = value(text)
    if amount is not None:
        assert canonical(canonical(text)) == canonical(text)


def fuzz_masking(data):
    """Hiding secrets changes neither the number of lines nor text that is hidden already."""
    text = text_of(data)
    hidden = masked_text(text)
    assert len(LINE_END.split(hidden)) == len(LINE_END.split(text))


TARGETS = {
    name.removeprefix("fuzz_"): function
    for name, function in sorted(globals().items())
    if name.startswith("fuzz_")
}
