"""Registries: codes are unique and of the right form, every backend has what it refers to."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from renderer.assets import SCHEMAS, TEMPLATES
from renderer.backends import BACKENDS
from renderer.backends.kind_schemas import destination_schema
from renderer.backends.kinds import kind_of_object
from renderer.evaluate.rulebook import every_rule, rules_of
from renderer.manifests.templates import names
from renderer.values.diagnostics import Rule
from tests.support.places import ROOT

#: What destinations have that is read outside of backends.
OF_THE_CORE = {
    "decryption",
    "name",
    "platform",
    "cluster",
    "namespace",
    "image_registry",
    "kubernetes",
}
FAMILIES = {"YML", "SPC", "ENG", "ENV", "IMP", "KSV", "KUS", "MAN", "POL", "RAY", "REF", "SEC"}


def test_codes_are_unique_and_well_formed():
    codes = [rule.code for rule in every_rule()]
    assert codes == sorted(set(codes))
    for code in codes:
        assert re.fullmatch(r"[A-Z]{3}[0-9]{3}", code)
        assert code[:3] in FAMILIES


def test_rule_names_are_unique():
    known = [rule.name for rule in every_rule()]
    assert len(known) == len(set(known))


def test_every_backend_has_templates_and_schemas():
    for backend in BACKENDS:
        assert [name for name in names() if name.startswith(f"{backend.name}/")]
        assert list((Path(SCHEMAS) / "manifests" / backend.name).glob("*.json"))
        assert (Path(SCHEMAS) / backend.destination_schema).is_file()
        assert (Path(SCHEMAS) / backend.settings_schema).is_file()
        assert backend.load().kinds.keys() == {kind.name for kind in backend.kinds}
        for stored in backend.stored:
            assert (Path(SCHEMAS) / stored.schema).is_file()
            assert stored.spec in {kind.name for kind in backend.kinds}
        for kind in backend.kinds:
            assert (Path(SCHEMAS) / kind.schema).is_file()
            for texts in kind.text_files:
                assert (Path(TEMPLATES) / texts.folder).is_dir()


def test_codes_of_a_backend_are_those_of_its_rules():
    for backend in BACKENDS:
        shared = {"ENG", "ENV", "IMP", "MAN", "REF", "SEC"}
        families = {rule.code[:3] for rule in rules_of(backend)} - shared
        assert {code[:3] for code in backend.codes} == families
        assert set(backend.codes) <= {rule.code for rule in rules_of(backend)}


def test_names_are_those_of_one_backend():
    for known in (
        [backend.name for backend in BACKENDS],
        [kind.name for backend in BACKENDS for kind in backend.kinds],
        [option.name for backend in BACKENDS for option in backend.preview_options],
        [(item.group, item.kind) for backend in BACKENDS for item in backend.stored],
    ):
        assert len(known) == len(set(known))


def test_a_kind_has_verbs_if_it_can_be_exported():
    for backend in BACKENDS:
        functions = backend.load().kinds
        for kind in backend.kinds:
            assert bool(kind.verbs) is (functions[kind.name].export is not None)
            assert len({verb.name for verb in kind.verbs}) == len(kind.verbs)


def test_what_backends_say_of_destinations_joins():
    assert destination_schema(BACKENDS, {})


def modules():
    for path in sorted((ROOT / "renderer").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if not name.endswith("__main__"):
            yield import_module(name.removesuffix(".__init__"))


def test_every_rule_is_registered():
    """A rule that stands in no table would never run."""
    defined = {
        value.code for module in modules() for value in vars(module).values() if type(value) is Rule
    }
    assert defined == {rule.code for rule in every_rule()}


def test_a_code_is_that_of_one_rule():
    names = {}
    for module in modules():
        for value in vars(module).values():
            if type(value) is Rule:
                assert names.setdefault(value.code, value.name) == value.name


@pytest.mark.parametrize(
    ("schema", "reader"),
    [
        ("settings.json", "compose/settings.py"),
        ("environment/kuscia.json", "backends/kuscia/settings.py"),
        ("destination/kuscia.json", "backends/kuscia/settings.py"),
        ("environment/kserve.json", "backends/kserve/settings.py"),
        ("destination/kubernetes.json", "backends/kserve/settings.py"),
        ("environment/kuberay.json", "backends/kuberay/settings.py"),
    ],
)
def test_every_setting_is_read(schema, reader):
    """What a schema accepts and nobody reads would do nothing, in silence."""
    properties = json.loads((Path(SCHEMAS) / schema).read_text("utf-8"))["properties"]
    text = (ROOT / "renderer" / reader).read_text("utf-8")
    core = OF_THE_CORE if schema.startswith("destination") else set()
    assert [key for key in properties if f'"{key}"' not in text and key not in core] == []


def test_a_stored_kind_has_the_version_that_is_rendered():
    texts = map(yaml.safe_load, rendered_texts())
    made = {
        (item["apiVersion"], item["kind"])
        for item in texts
        if not kind_of_object(item["apiVersion"], item["kind"])
    }
    known = {(f"{kind.group}/{kind.version}".lstrip("/"), kind.kind)
             for backend in BACKENDS for kind in backend.stored}  # fmt: skip
    assert made <= known


def rendered_texts():
    """Of every golden case."""
    for path in sorted((ROOT / "tests/golden").glob("*/*/expected/*/*/*/*.yaml")):
        if path.name != "kustomization.yaml":
            yield path.read_text("utf-8")


def test_every_kind_that_runs_something_has_health_checks():
    """Both of them, and no file is left over."""
    kinds = [kind for backend in BACKENDS for kind in backend.stored if kind.health]
    wanted = {f"{kind.health}{end}" for kind in kinds for end in (".lua", ".cel.yaml")}
    found = {path.relative_to(TEMPLATES).as_posix() for path in Path(TEMPLATES).glob("*/health/*")}
    assert found == wanted
    assert len(kinds) == 9
