"""The bundled schemas: valid in both drafts, documented, closed, and true to the platforms' own."""

import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator

from renderer.assets import SCHEMAS
from renderer.backends.kind_schemas import environment_schema, strict_schema
from renderer.backends.kinds import KINDS
from renderer.schema.bundle import Schema, bundled_schema
from renderer.schema.crds import collect
from renderer.schema.file_schemas import authoring
from renderer.schema.validation import check
from renderer.text.decoder import Limits
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree
from tests.support.places import ROOT, SHARED
from tests.support.rows import each

CRDS = SHARED / "crds"
RENDERED = [
    path
    for path in sorted((ROOT / "rendered").rglob("*.yaml"))
    if path.name != "kustomization.yaml"  # it lists objects and is none
]
DRAFTS = {"draft-07": Draft7Validator, "2020-12": Draft202012Validator}
SEVERAL = ("allOf", "anyOf", "oneOf")
NAMED = ("properties", "patternProperties", "definitions")
SINGLE = ("items", "additionalProperties", "propertyNames", "not")

FILES = {
    str(path.relative_to(SCHEMAS)): bundled_schema(str(path.relative_to(SCHEMAS)))
    for path in sorted(Path(SCHEMAS).rglob("*.json"))
    if not {"crds", "observed"} & {*path.relative_to(SCHEMAS).parts}
}
#: An environment with defaults for one kind: those for the others are looked at as kinds.
DESCRIPTION = environment_schema(frozenset(("Serving",)))
STRICT = {kind: strict_schema(kind) for kind in KINDS} | {"Environment": DESCRIPTION}
AUTHORING = {f"{kind} (authoring)": authoring(schema) for kind, schema in STRICT.items()}
WRITTEN_BY_PEOPLE = {**STRICT, "settings": FILES["settings.json"]}
#: Of objects of any kind: their fields are those of their kinds.
OF_ANY_KIND = {"spec/companion.json", "manifests/companions/object.json"}
OPEN = ("properties/metadata/properties/labels",)  # of manifests: users add labels of their own


def parts(schema: Any, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Every schema inside a schema, with its pointer."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in NAMED:
        for name, part in schema.get(key, {}).items():
            yield from parts(part, f"{path}/{key}/{name}".lstrip("/"))
    for key in SINGLE:
        yield from parts(schema.get(key), f"{path}/{key}".lstrip("/"))
    for key in SEVERAL:
        for index, part in enumerate(schema.get(key, ())):
            yield from parts(part, f"{path}/{key}/{index}".lstrip("/"))


def reached(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The parts of a schema and of the definitions it uses, each once."""
    waiting = [{key: value for key, value in schema.items() if key != "definitions"}]
    for start in waiting:
        for path, part in parts(start):
            yield path, part
            target = schema.get("definitions", {}).get(part.get("$ref", "").rpartition("/")[2])
            if target is not None and target not in waiting:
                waiting.append(target)


def by_name(schemas: dict[str, Schema]) -> Any:
    return each("schema", schemas)


@pytest.mark.long
@pytest.mark.parametrize("draft", DRAFTS)
@by_name({**FILES, **STRICT, **AUTHORING})
def test_is_a_schema_of_both_drafts(schema: Schema, draft: str):
    DRAFTS[draft].check_schema(schema)


@by_name({**FILES, **STRICT, **AUTHORING})
def test_is_self_contained(schema: Schema):
    targets = {part["$ref"] for _, part in parts(schema) if "$ref" in part}
    known = {"#", *(f"#/definitions/{name}" for name in schema.get("definitions", {}))}
    assert targets <= known


@by_name(WRITTEN_BY_PEOPLE)
def test_every_property_is_described(schema: Schema):
    properties = {
        f"{path}.{name}": part
        for path, owner in parts(schema)
        for name, part in owner.get("properties", {}).items()
    }
    assert properties
    assert [name for name, part in properties.items() if not part.get("description")] == []
    assert [n for n, p in properties.items() if not p["description"].endswith((".", ")"))] == []


@by_name({**{name: one for name, one in FILES.items() if name not in OF_ANY_KIND},
          **STRICT, **AUTHORING})  # fmt: skip
def test_objects_with_properties_take_no_other_keys(schema: Schema):
    opened = [
        path
        for path, part in parts(schema)
        if "properties" in part and part.get("additionalProperties") is not False
    ]
    assert [path for path in opened if path not in OPEN] == []


@by_name({**FILES, **STRICT, **AUTHORING})
def test_patterns_and_enums_say_what_they_expect(schema: Schema):
    """So that no message has to show a regular expression."""
    by_path = dict(parts(schema))
    silent = []
    for path, part in by_path.items():
        owner = by_path.get(path.removesuffix("/not"), {})  # `not: {enum}` is worded one level up
        if {"pattern", "enum"} & part.keys() and not part.get("x-alternative"):
            silent += [path] * ("x-expects" not in {**owner, **part})
    assert silent == []


#: Of pods, wherever they are.
OF_CONTAINERS = {
    "env": ["name"],
    "ports": ["containerPort", "protocol"],
    "volumeMounts": ["mountPath"],
    "volumeDevices": ["devicePath"],
    "resizePolicy": ["resourceName"],
    "claims": ["name"],
}
OF_PODS = {
    **OF_CONTAINERS,
    "containers": ["name"],
    "volumes": ["name"],
    "imagePullSecrets": ["name"],
    "resourceClaims": ["name"],
    "items": ["key"],
}
OF_RUNTIMES = {**OF_PODS, "supportedModelFormats": ["name", "version"]}
OF_WHOLE_PODS = {
    **OF_PODS,
    "initContainers": ["name"],
    "topologySpreadConstraints": ["topologyKey", "whenUnsatisfiable"],
    "hostAliases": ["ip"],
    "options": ["name"],
    "schedulingGates": ["name"],
    "sysctls": ["name"],
}
OF_CLUSTERS = {
    **OF_WHOLE_PODS,
    "workerGroupSpecs": ["groupName"],
    "workerGroupSpec": ["groupName"],
    "workerGroups": ["groupName"],
}
OF_LLMS = {
    **OF_WHOLE_PODS,
    "adapters": ["name"],
    "headers": ["name"],
    "queryParams": ["name"],
    "set": ["name"],
    "add": ["name"],
}
LIST_KEYS = {
    "InferenceGraph": {"claims": ["name"]},
    "TrainedModel": {},
    "ClusterStorageContainer": OF_CONTAINERS,
    "LocalModelCache": {},
    "LocalModelNodeGroup": {},
    "LLMInferenceService": OF_LLMS,
    "LLMInferenceServiceConfig": OF_LLMS,
    "ComputeTemplate": {},
    "RayCluster": OF_CLUSTERS,
    "RayJob": OF_CLUSTERS,
    "RayService": {
        **OF_CLUSTERS,
        "serveConfigs": ["deploymentName"],
        "applications": ["name"],
        "deployments": ["name"],
    },
    "InferenceService": OF_WHOLE_PODS,
    "ServingRuntime": OF_RUNTIMES,
    "ClusterServingRuntime": OF_RUNTIMES,
    "Serving": {"parties": ["domain_id", "role"], "resources": ["container_name"]},
    "AppImage": {
        "deployTemplates": ["name"],
        "containers": ["name"],
        "ports": ["name"],
        "env": ["name"],
        "configVolumeMounts": ["mountPath"],
    },
    "Environment": {
        "accelerators": ["product"],
        "engines": ["image"],
        "models": ["name"],
        "destinations": ["name"],
        "provided": ["kind", "name", "namespace", "destination"],
    },
}


@pytest.mark.parametrize("kind", KINDS)
def test_lists_that_merge_by_key_name_their_key(kind: str):
    """Compared both ways; what `defaults` repeats of other kinds is looked at there."""
    schema = strict_schema(kind)
    own = {k: part for k, part in schema["properties"].items() if k != "defaults"}
    found = {
        path.rpartition("/")[2]: part["x-list-key"]
        for path, part in reached({**schema, "properties": own})
        if "x-list-key" in part
    }
    assert found == LIST_KEYS[kind]


@by_name({**FILES, **STRICT, **AUTHORING})
def test_examples_and_defaults_are_valid(schema: Schema):
    for path, part in parts(schema):
        given = [*part.get("examples", []), *([part["default"]] if "default" in part else [])]
        for example in given:
            whole = {**part, "definitions": schema.get("definitions", {})}
            assert list(check(uniform_tree(example, Origin("example")), whole)) == [], path


# The real thing, where it is at hand.


@pytest.fixture(scope="module")
def crds() -> dict[str, Path]:
    if not CRDS.is_dir():
        pytest.skip(f"the platforms' own CRDs are not in {CRDS}")
    paths = (
        path for name in ("kuscia", "kserve", "kuberay") for path in (CRDS / name).glob("*.yaml")
    )
    return {re.search(r"^ {4}kind: (.*)$", path.read_text(), re.M)[1]: path for path in paths}


@cache
def strict_crd(path: Path, version: str) -> Schema:
    reading = read(path.read_bytes(), path.name, Limits(16 << 20, 200), several=True)
    crds, found = collect([reading.document])
    assert found == []
    return next(iter(crds.values())).versions[version]


def loaded(path: Path) -> Any:
    return yaml.load(path.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def rendered_objects() -> Any:
    return each("path", RENDERED, name=lambda path: str(path.relative_to(ROOT)))


def test_there_are_rendered_objects_of_each_platform():
    kinds = {yaml.safe_load(path.read_text())["kind"] for path in RENDERED}
    assert {"AppImage", "KusciaDeployment", "InferenceService", "RayService"} <= kinds


@rendered_objects()
def test_rendered_objects_fit_crds_strictly(path: Path, crds: dict[str, Path]):
    tree = read(path.read_bytes(), path.name).document.tree
    assert tree is not None
    data: Any = tree.plain()
    schema = strict_crd(crds[data["kind"]], data["apiVersion"].rpartition("/")[2])
    assert list(check(tree, schema)) == []
    data["spec"]["unheardOf"] = 1
    assert [item.code for item in check(uniform_tree(data, Origin("x")), schema)] == ["SPC010"]


@pytest.mark.long
@rendered_objects()
def test_rendered_objects_fit_crds_by_plain_jsonschema(path: Path, crds: dict[str, Path]):
    data = yaml.safe_load(path.read_text())
    crd = loaded(crds[data["kind"]])
    validator = Draft7Validator(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
    assert list(validator.iter_errors(data)) == []
    broken = copy.deepcopy(data)
    broken["spec"] = "nothing"
    assert not validator.is_valid(broken)


@pytest.mark.parametrize("path", ["manifests/kuscia/appimage.json", "spec/appimage.json"])
def test_our_appimage_allows_no_field_that_kuscia_drops(path: str, crds: dict[str, Path]):
    """Every property below a container exists in Kuscia's schema as well."""
    theirs = loaded(crds["AppImage"])["spec"]["versions"][0]["schema"]
    template = theirs["openAPIV3Schema"]["properties"]["spec"]["properties"]["deployTemplates"]
    container = template["items"]["properties"]["spec"]["properties"]["containers"]["items"]
    definitions = bundled_schema(path)["definitions"]
    ours = definitions.get("StoredContainer", definitions["Container"])
    assert set(ours["properties"]) <= set(container["properties"])
    assert set(container["required"]) == set(ours["required"])
