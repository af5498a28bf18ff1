"""Config files as the containers of a party will read them."""

import pytest

from renderer.backends.kuscia.derive.files import expand_references
from renderer.errors import UsageError
from tests.support.previews import PORTS, files, image, previewed, serving

MOUNT = "configVolumeMounts: [{mountPath: /etc/app.conf, subPath: app.conf}]\n"


@pytest.fixture
def file(repository):
    """The file that a template becomes for alice."""

    def fill(template, container="", config=(), settings="", serving_text=None, mount=MOUNT):
        text = f"configTemplates:\n  app.conf: |\n    {template}"
        scorer = image(mount + container + "\n" + PORTS, more=text)
        rules = "rules: {KUS601: ignore, KUS602: ignore, KUS603: ignore, KUS604: ignore}\n"
        made = files(scorer, serving_text or serving(), settings=settings or rules)
        unit = previewed(repository(**made), config)["east", "alice"]
        return unit, next(item for item in unit.files if item.source == "app.conf")

    return fill


def shown(pair):
    unit, found = pair
    assert found.problem == ""
    return unit.marked(found.text).removesuffix("\n")


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{.SERVING_ID}} {{.KUSCIA_DOMAIN_ID}}", "risk alice"),
        ("{{.KUSCIA_PORT_SERVICE_NUMBER}}", "<port:service>"),
        ("{{{.ALLOCATED_PORTS.ports[name=peer].port}}}", "<port:peer>"),
        ("{{{.CLUSTER_DEFINE.parties[1].services[portName=service].endpoints[0]}}}",
         "risk-service.bob.svc:<port:bob/service>"),
        ("{{.CONTAINER_CPU_LIMIT}}", "<node:CONTAINER_CPU_LIMIT>"),
        ("{{.MINE}}", "<config:MINE>"),
        ("{{{.MINE.a[b.c].d}}}", "<config:MINE.a[b.c].d>"),
        ("<{{ .MINE }}>", "<>"),
        ("{{.TASK_ID}}", "<config:TASK_ID>"),
    ],
    ids=[
        "names", "a port", "a port of all", "a partner's port", "of the node", "of the manager",
        "a path of the manager", "not fetched", "of jobs",
    ],
)  # fmt: skip
def test_values(file, template, expected):
    assert shown(file(template)) == expected


def test_what_the_configuration_manager_must_have_is_noted(file):
    unit, _ = file("{{.B}} {{.A}}")
    assert "the configuration manager of alice must have A and B" in unit.notes
    assert "kuscia.config_keys does not declare A and B" in unit.notes


class TestConfigKeys:
    def test_they_fill_files_in(self, file):
        assert shown(file("{{.MINE}}", config=['MINE={"a": 1}'])) == '{\\"a\\": 1}'
        assert shown(file("{{{.MINE.a}}}", config=['MINE={"a": 1}'])) == "1"

    def test_one_that_nothing_asks_for_is_refused(self, file):
        with pytest.raises(UsageError, match="'MINNE'; did you mean 'MINE'"):
            file("{{.MINE}}", config=["MINNE=x"])

    @pytest.mark.parametrize("given", ["MINE", "=x", ""])
    def test_they_have_a_name_and_a_value(self, file, given):
        with pytest.raises(UsageError, match="NAME=VALUE"):
            file("{{.MINE}}", config=[given])

    def test_secrets_are_hidden(self, file):
        made = shown(file("a: {{.MY_PASSWORD}}", config=["MY_PASSWORD=hunter2"]))
        assert made == "a: ••••••"

    def test_a_value_that_breaks_json_is_told(self, file):
        _, found = file('{"a": "{{{.MINE}}}"}', config=['MINE=say "x"'])
        assert "not JSON" in found.problem


ENV = (
    "env: [{name: first, value: a}, {name: SECOND, value: $(first)$$(first)$(LATER)}, "
    "{name: LATER, value: b}]"
)


def test_variables_are_expanded_by_those_before_them(file):
    assert shown(file("{{.FIRST}} {{.SECOND}}", ENV)) == "a a$(first)$(LATER)"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("$(A)", "1"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$1"),
        ("$(B)", "$(B)"),
        ("$A $ $(", "$A $ $("),
        ("$(A", "$(A"),
    ],
)
def test_expansion(value, expected):
    assert expand_references(value, {"A": "1"}) == expected


def test_an_input_config_is_changed_on_its_way(file):
    text = serving("serving_input_config: 'cost: $$5 $(KUSCIA_DOMAIN_ID)'")
    assert shown(file("{{.INPUT_CONFIG}}", serving_text=text)) == "cost: $5 alice"


FROM = "env: [{name: DB, valueFrom: {secretKeyRef: {name: s, key: k}}}]"


def test_values_from_elsewhere_are_markers(file):
    assert shown(file("{{.DB}}", FROM)) == "<env:DB>"
    assert shown(file("{{.ANY}}", "envFrom: [{configMapRef: {name: all}}]")) == "<env:ANY>"


class TestHostCluster:
    """RunK: all keys, the first value of a name, nothing expanded, nothing from elsewhere."""

    SETTINGS = "kuscia: {runtime: runk}\nrules: {KUS603: ignore}\n"

    def test_nothing_is_expanded(self, file):
        made = file("{{.FIRST}} {{.SECOND}}", ENV, settings=self.SETTINGS)
        assert shown(made) == "a $(first)$$(first)$(LATER)"

    def test_the_first_container_that_says_a_name_counts(self, repository):
        more = "env: [{name: A, value: one}]\n" + PORTS + "\n"
        second = "- {name: second, workingDir: /, env: [{name: A, value: two}]}"
        scorer = image(MOUNT + more, more="configTemplates: {app.conf: '{{.A}}'}")
        made = files(f"{scorer}        {second}\n", serving(), settings=self.SETTINGS)
        unit = previewed(repository(**made))["east", "alice"]
        assert [item.text for item in unit.files] == ["one"]

    def test_values_from_elsewhere_are_empty(self, file):
        assert shown(file("<{{.DB}}>", FROM, settings=self.SETTINGS)) == "<>"

    def test_files_that_nobody_mounts_are_filled_too(self, file):
        _, found = file("{{.SERVING_ID}}", settings=self.SETTINGS, mount="")
        assert (found.path, found.container) == ("", "")
        assert found.text == "risk\n"


def test_other_actions_are_never_guessed(file):
    _, found = file("a {{if .X}}{{.Y}}{{end}} b")
    assert found.text == "a {{if .X}}{{.Y}}{{end}} b\n"
    assert found.not_previewed == ("{{if .X}}{{.Y}}{{end}}",)


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{{.INPUT_CONFIG.a}}", "line 1: INPUT_CONFIG is text and has no field 'a'"),
        ("{{nonsense}}", "line 1: "),
    ],
)
def test_what_keeps_a_container_from_starting(file, template, problem):
    _, found = file(template)
    assert found.problem.startswith(problem)
    assert found.problem.endswith("the container does not start")
    assert found.text == ""


@pytest.mark.parametrize(
    ("runtime", "path"), [("runc", "/app/conf/a.conf"), ("runk", "/conf/a.conf")]
)
def test_relative_paths(file, runtime, path):
    mount = "configVolumeMounts: [{mountPath: ./conf/a.conf, subPath: app.conf}]\n"
    settings = f"kuscia: {{runtime: {runtime}}}\n"
    assert file("x", mount=mount, settings=settings)[1].path == path


def test_a_mount_without_a_template_is_an_empty_folder(repository):
    mount = MOUNT.replace("subPath: app.conf", "subPath: none")
    scorer = image(mount + PORTS, more="configTemplates: {app.conf: x}")
    silenced = "rules: {KUS705: ignore}\n"
    found = previewed(repository(**files(scorer, serving(), settings=silenced)))
    problems = [item.problem for unit in found.values() for item in unit.files]
    assert len(problems) == 2
    assert all("empty folder" in problem for problem in problems)
