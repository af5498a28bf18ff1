"""Rules about config templates, where they point, and the keys that domains must provide."""

import textwrap

import pytest

from renderer import check, load
from renderer.backends.kinds import KINDS
from renderer.backends.kuscia.app_image import view
from renderer.backends.kuscia.config_templates.config_files import ConfigKey, config_keys
from renderer.backends.kuscia.config_templates.template import Template, parse
from renderer.backends.kuscia.config_templates.tokens import TemplateFault
from renderer.backends.kuscia.rules.registry import app_image_rules, serving_rules
from renderer.evaluate.group import summary_of
from renderer.text.yaml_reader import read
from renderer.values.model import Environment, Spec
from tests.support.places import ROOT
from tests.support.repositories import ENVIRONMENT, HEADER, SERVING, SMALL

RULES = [
    rule
    for rule in (*app_image_rules(), *serving_rules())
    if rule.kind == "AppImage" and rule.code.startswith(("KUS6", "SEC003"))
]
IMAGE = """\
apiVersion: serving.gitops/v1
kind: AppImage
image: {name: example/scorer, tag: v1}
deployTemplates:
  - name: web
    spec:
      containers:
        - name: scorer
          workingDir: /work
          env:
            - {name: log_level, value: info}
            - {name: QUOTED, value: 'ends with "'}
            - {name: ESCAPE, value: "\\e[0m"}
            - {name: RAW, value: '{"a": 1}'}
            - {name: ELSEWHERE, valueFrom: {secretKeyRef: {name: s, key: k}}}
          ports: [{name: web-port, scope: Domain}]
"""
ENV = ENVIRONMENT.replace("kuscia: {", "kuscia: {config_keys: [META, small, TASK_KEY], ")


def spec(kind, text, stem, env="dev"):
    tree = read(text.encode(), f"{stem}.yaml").document.tree
    return Spec(KINDS[kind], stem, env, (f"{stem}.yaml",), tree)


def environment(text=ENV, specs=()):
    tree = read(text.encode(), "environment.yaml").document.tree
    by_name = {(item.kind.name, item.name): item for item in specs}
    return Environment("dev", ("environment.yaml",), tree, (), tuple(specs), by_name)


def found(template, name="app.conf", image=IMAGE, served=True):
    """The codes of a template's findings, each with the text it points at."""
    body = textwrap.indent(template, "    ")
    item = spec("AppImage", f"{image}configTemplates:\n  {name}: |-\n{body}\n", "scorer")
    serving = spec("Serving", SERVING, "risk")
    users = (summary_of(serving, environment(), is_placed=False),)
    image = view(item, environment(specs=(item,)), users if served else ())
    findings = [(rule.code, finding) for rule in RULES for finding in rule.check(image)]
    assert all(finding.path == ("configTemplates", name) for _, finding in findings)
    assert all(finding.message and finding.fix for _, finding in findings)
    return [(code, template[finding.inside or 0 :].partition("}")[0]) for code, finding in findings]


def test_ten_faults_are_ten_findings():
    template = "\n".join(f"{{{{.NOPE{number}}}}}" for number in range(10))
    assert [text for _, text in found(template)] == [f".NOPE{number}" for number in range(10)]


@pytest.mark.parametrize(
    ("template", "expected_in"),
    [
        ('{"a": 1,}', (".conf", ".json")),
        ('{"a": "{{{.RAW}}}"}', (".conf", ".json")),
        ('{"a": "{{.RAW}}"}', ()),
        ("a = 1", (".json",)),
    ],
    ids=["not JSON", "a value breaks it", "a value does not", "begins otherwise"],
)
def test_json_is_expected_of_some_files_only(template, expected_in):
    endings = (".conf", ".json", ".yaml", ".json.tmpl")
    codes = {end: [code for code, _ in found(template, f"app{end}")] for end in endings}
    assert codes == {end: ["KUS608"] * (end in expected_in) for end in endings}


def test_job_variables_are_fine_where_no_serving_uses_the_image():
    assert found("{{.TASK_ID}}", served=False) == []


def test_variables_may_come_from_config_maps():
    image = IMAGE.replace(
        "          ports", "          envFrom: [{secretRef: {name: s}}]\n          ports"
    )
    assert found("{{.NOPE}}{{ .OTHER }}", image=image) == []


def test_only_containers_that_mount_a_file_count():
    other = IMAGE + "  - {name: other, spec: {containers: [{name: c, workingDir: /w}]}}\n"
    port = "{{.KUSCIA_PORT_WEB_PORT_NUMBER}}"
    assert found(port, image=other) == [("KUS606", port[2:-2])]
    mount = "          configVolumeMounts: [{mountPath: /a, subPath: app.conf}]\n          ports"
    assert found(port, image=other.replace("          ports", mount)) == []


SERVED = IMAGE.replace("example/scorer", "secretflow/serving-anolis8")
CONFIG = (ROOT / "templates/kuscia/config/secretflow-serving/serving-config.conf").read_text()
FLAG = "          command: [x, --serving_config_file=/etc/a.conf]\n"
FLAG += "          configVolumeMounts: [{mountPath: /etc/a.conf, subPath: a.conf}]\n          ports"


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        ('"{{.INPUT_CONFIG}}"', '""', ["KUS609"]),
        ('"{{.INPUT_CONFIG}}"', "{{{.INPUT_CONFIG}}}", ["KUS609"]),
        ('"cluster_def"', '"clusterDef"', ["KUS609"]),
        ("{{.ALLOCATED_PORTS}}", '{\\"ports\\":[]}', ["KUS610"]),
        ('META}}"\n}', 'META}}",\n}', ["KUS609"]),
        ("{{.SERVING_ID}}", "{{if .SERVING_ID}}x{{end}}", []),
    ],
    ids=["empty", "not text", "misspelt", "by hand", "not JSON", "not previewed"],
)
def test_the_config_of_secretflow_serving(before, after, codes):
    assert before in CONFIG
    text = CONFIG.replace(before, after).strip()
    assert [
        code for code, _ in found(text, "serving-config.conf", SERVED) if code != "KUS603"
    ] == codes
    assert not {code for code, _ in found(text, "serving-config.conf")} & {"KUS609", "KUS610"}


def test_the_file_that_the_command_names_is_the_config():
    flagged = SERVED.replace("          ports", FLAG)
    assert ("KUS609", "{") in found("{}", "a.conf", flagged)
    assert found("{}", "a.conf", SERVED) == []


def test_keys_that_domains_must_provide():
    image = (
        IMAGE
        + "configTemplates:\n  a.conf: '{{.META}} {{.NOPE}} {{ .UNFETCHED }} {{.LOG_LEVEL}}'\n"
    )
    image += "  b.conf: '{{{.NOPE.x}}} {{.SERVING_ID}}'\n"
    unused = HEADER.format("AppImage") + "image: {}\nconfigTemplates: {a.conf: '{{.UNUSED}}'}\n"
    specs = (
        spec("AppImage", image, "scorer"),
        spec("AppImage", unused, "unused"),
        spec("Serving", SERVING, "risk"),
    )
    assert config_keys(environment(specs=specs)) == (
        ConfigKey("META", True, ("alice",), ("scorer: a.conf",)),
        ConfigKey("NOPE", False, ("alice",), ("scorer: a.conf", "scorer: b.conf")),
    )


def test_keys_of_the_example():
    (prod,) = (item for item in load(ROOT).environments if item.name == "prod")
    keys = config_keys(prod)
    assert [key.name for key in keys if not key.declared] == []
    assert {key.domains for key in keys} == {("alice", "bob")}
    assert [key.name for key in keys] == [
        "SERVING_HTTP_SOURCE_META",
        "SERVING_LOGGING_CONFIG",
        "SERVING_OSS_META",
        "SERVING_SPI_TLS_CONFIG",
        "SERVING_TRACE_CONFIG",
    ]


def test_findings_have_the_physical_place(repository):
    image = SMALL["environments/dev/appimages/scorer.yaml"]
    image += "configTemplates:\n  app.conf: |\n    a\n    b {{.NOPE}}\n  b.conf: {file: b.conf}\n"
    changes = {
        "environments/dev/appimages/scorer.yaml": image,
        "environments/dev/appimages/b.conf": "a\nb\n c {{{.NOPE.x}}}\n",
    }
    diagnostics = check(load(repository({**SMALL, **changes})))
    places = [item[:3] for item in diagnostics if item.code == "KUS603"]
    line = image.count("\n") - 1
    assert places == [
        ("environments/dev/appimages/b.conf", 3, 7),
        ("environments/dev/appimages/scorer.yaml", line, 9),
    ]


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("{{.A}} {{{.B.c}}} {{ .C }}", {"A", "B"}),
        ('{{.A | printf "%s"}}', {'A | printf "%s"'}),
        ("{{.A}}}{{{.B}}", {"A", "B"}),
        ("{.A} {{A}} {{{ .B }}}", None),
    ],
)
def test_needed_keys(text, needed):
    template = parse(text)
    assert (template.needed if isinstance(template, Template) else None) == needed


def test_a_fault_has_its_place_after_rewritten_placeholders():
    text = "{{{.A[x.y].b}}} {{{.C}}} {{oops}}"
    fault = parse(text)
    assert isinstance(fault, TemplateFault)
    assert text[fault.offset :] == "oops}}"
