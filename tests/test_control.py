"""Severities, ignores, policy and secrets: what people decide about findings, or may not."""

import pytest
import yaml

from renderer import check, load, render
from renderer.backends.kuscia.rules import names
from renderer.text.secrets import HIDDEN, hidden, is_secret_name, masked, masked_text
from renderer.values.diagnostics import Severity
from tests.conftest import ENVIRONMENT, HEADER, PORTS, SCORER, SERVING, SMALL
from tests.test_cli import run

RISK = "environments/dev/servings/risk.yaml"
DESCRIPTION = "environments/dev/environment.yaml"
BROKEN = SERVING.replace("initiator: alice", "initiator: carol")
CANARY = "c4n4ry-s3cr3t"


def codes(root):
    return [(item.code, str(item.severity)) for item in check(load(root))]


class TestSeverities:
    @pytest.mark.parametrize(
        ("settings", "environment", "expected"),
        [
            ({}, {}, [("KUS101", "error")]),
            ({"KUS101": "warning"}, {}, [("KUS101", "warning")]),
            ({"KUS101": "ignore"}, {}, []),
            ({"KUS101": "warning"}, {"KUS101": "info"}, [("KUS101", "info")]),
            ({"KUS101": "ignore"}, {"KUS101": "error"}, [("KUS101", "error")]),
        ],
    )
    def test_the_environment_goes_before_the_repository(
        self, repository, settings, environment, expected
    ):
        root = repository({
            RISK: BROKEN,
            "servingctl.yaml": yaml.safe_dump({"rules": settings}),
            DESCRIPTION: ENVIRONMENT + yaml.safe_dump({"rules": environment}),
        })  # fmt: skip
        assert codes(root) == expected

    def test_what_is_only_a_warning_is_rendered(self, repository):
        root = repository({RISK: BROKEN, "servingctl.yaml": "rules: {KUS101: warning}"})
        rendering = render(load(root))
        assert rendering.is_sound
        assert len(rendering.manifests) == 2  # the images; no control plane owns carol

    @pytest.mark.parametrize("code", ["SPC010", "YML001", "MAN003", "kus101", "KUS1"])
    def test_shape_and_reading_cannot_be_changed(self, repository, code):
        root = repository({"servingctl.yaml": f"rules: {{{code}: ignore}}"})
        assert codes(root) == [("SPC015", "error")]


class TestPolicy:
    LATEST = SMALL["environments/dev/appimages/scorer.yaml"].replace("tag: v1", "tag: latest")

    @pytest.mark.parametrize(("production", "severity"), [("true", "error"), ("false", "warning")])
    def test_production(self, repository, production, severity):
        root = repository({
            "environments/dev/appimages/scorer.yaml": self.LATEST,
            DESCRIPTION: ENVIRONMENT + f"production: {production}\n",
        })  # fmt: skip
        assert codes(root) == [("POL001", severity)]

    def test_production_is_inherited(self, repository):
        prod = HEADER.format("Environment") + "extends: dev\n"
        root = repository({
            "environments/dev/appimages/scorer.yaml": self.LATEST,
            DESCRIPTION: ENVIRONMENT + "production: true\n",
            "environments/prod/environment.yaml": prod,
        })  # fmt: skip
        (item,) = [i for i in check(load(root)) if i.code == "POL001"]
        assert (item.severity, item.environments) == (Severity.ERROR, ("dev", "prod"))

    def test_processes_of_runp(self, repository):
        described = ENVIRONMENT.replace("kuscia: {", "kuscia: {runtime: runp, ")
        parties = "parties: [{domain_id: alice, app_image: scorer, replicas: 2}]\n"
        text = SERVING.partition("parties:")[0] + parties
        found = codes(repository({RISK: text, DESCRIPTION: described}))
        assert [code for code, _ in found].count("POL007") == 2


class TestIgnores:
    def found(self, repository, comment_line, line="initiator: carol"):
        text = SERVING.replace("initiator: alice", f"{comment_line}\n{line}".strip("\n"))
        return codes(repository({RISK: text}))

    def test_on_the_line(self, repository):
        line = "initiator: carol  # servingctl: ignore[KUS101] carol joins next week"
        assert self.found(repository, "", line) == []

    def test_above_the_line(self, repository):
        assert self.found(repository, "# servingctl: ignore[KUS101] she joins soon") == []

    def test_for_a_whole_block(self, repository):
        parties = (
            "# servingctl: ignore[KUS103] they are told apart elsewhere\n"
            "parties:\n"
            "  - {domain_id: alice, app_image: scorer}\n"
            "  - {domain_id: alice, app_image: scorer}\n"
            "  - {domain_id: bob, app_image: pair}\n"
        )
        text = SERVING.partition("parties:")[0] + parties
        assert codes(repository({RISK: text})) == []

    def test_not_beyond_the_block(self, repository):
        comment = "# servingctl: ignore[KUS103] only here\nlabels: {a: b}"
        found = self.found(repository, comment)
        assert ("KUS101", "error") in found
        assert ("SPC090", "error") in found

    @pytest.mark.parametrize(
        "comment",
        ["ignore[KUS101]", "ignore[]", "ignore[SPC010] x", "ignore KUS101 x", "ignroe[KUS101] x"],
    )
    def test_a_reason_and_a_code_are_compulsory(self, repository, comment):
        line = f"initiator: carol  # servingctl: {comment}"
        found = self.found(repository, "", line)
        assert ("SPC091", "error") in found
        assert ("KUS101", "error") in found

    def test_what_ignores_nothing_is_reported(self, repository):
        line = "initiator: alice  # servingctl: ignore[KUS101] in case"
        assert self.found(repository, "", line) == [("SPC090", "error")]

    def test_a_list_without_indentation_belongs_to_its_key(self, repository):
        parties = (
            "# servingctl: ignore[KUS103] they are told apart elsewhere\n"
            "parties:\n"
            "- {domain_id: alice, app_image: scorer}\n"
            "- {domain_id: alice, app_image: scorer}\n"
            "- {domain_id: bob, app_image: pair}\n"
        )
        text = SERVING.partition("parties:")[0] + parties
        assert codes(repository({RISK: text})) == []

    def test_every_code_has_to_be_needed(self, repository):
        line = "initiator: carol  # servingctl: ignore[KUS101,KUS103] she joins soon"
        assert self.found(repository, "", line) == [("SPC090", "error")]

    def test_text_is_no_comment(self, repository):
        image = SMALL["environments/dev/appimages/scorer.yaml"] + (
            "configTemplates:\n  a.conf: |\n    # servingctl: ignore[KUS101] not a comment\n"
        )
        found = codes(repository({"environments/dev/appimages/scorer.yaml": image}))
        assert not [code for code, _ in found if code.startswith("SPC09")]

    def test_an_ignored_error_does_not_keep_a_spec_from_being_rendered(self, repository):
        text = SERVING.replace(
            "  - {domain_id: bob, app_image: pair}\n",
            "  - {domain_id: bob, app_image: pair}\n"
            "  # servingctl: ignore[KUS103] accepted\n"
            "  - {domain_id: bob, app_image: pair}\n",
        )
        rendering = render(load(repository({RISK: text})))
        assert rendering.is_sound
        assert [m.path for m in rendering.manifests if "risk" in m.path]


class TestSecrets:
    SECRET = SERVING + f"serving_input_config: {{ossSourceMeta: {{secretKey: {CANARY}}}}}\n"

    def test_a_secret_is_found_and_never_shown(self, repository):
        root = repository({RISK: self.SECRET})
        done = run("validate", cwd=root)
        assert "[SEC001]" in done.stdout
        assert CANARY not in done.stdout + done.stderr
        assert HIDDEN in done.stdout

    @pytest.mark.parametrize("form", ["json", "github", "gitlab", "sarif", "junit", "text"])
    def test_no_format_shows_it_whichever_rule_reports(self, repository, form):
        text = SERVING + f"serving_input_config: {{secretKey: {CANARY}, mode: on}}\n"
        done = run("validate", "--format", form, cwd=repository({RISK: text}))
        assert "YML010" in done.stdout
        assert CANARY not in done.stdout + done.stderr

    @pytest.mark.parametrize(
        "change", ["# servingctl: ignore[SEC001] we know\n{}", "{}"], ids=["ignore", "rules"]
    )
    def test_in_production_nothing_silences_it(self, repository, change):
        line = f"serving_input_config: {{secretKey: {CANARY}}}\n"
        root = repository({
            RISK: SERVING + change.format(line),
            DESCRIPTION: ENVIRONMENT + "production: true\nrules: {SEC001: ignore}\n",
        })  # fmt: skip
        assert ("SEC001", "error") in codes(root)

    @pytest.mark.parametrize(
        "text",
        [
            '{"a": {"access_key": "%s"}}',
            '{"dbPassword":"%s"}',
            "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n",
        ],
    )
    def test_inside_json_texts_and_blocks(self, repository, text):
        value = yaml.safe_dump({"serving_input_config": text % CANARY})
        done = run("validate", cwd=repository({RISK: SERVING + value}))
        assert "[SEC00" in done.stdout
        assert CANARY not in done.stdout

    @pytest.mark.parametrize(
        "value", ["", "${vars.key}", "{{.OSS_KEY}}", "null", "<from the vault>"]
    )
    def test_references_are_no_secrets(self, repository, value):
        text = SERVING + f"serving_input_config: {{secretKey: {value!r}}}\n"
        described = ENVIRONMENT + 'vars: {key: "<from the vault>"}\n'
        found = codes(repository({RISK: text, DESCRIPTION: described}))
        assert not [code for code, _ in found if code.startswith("SEC")]

    @pytest.mark.parametrize(
        "text",
        [
            f"serving_input_config: {{secretKey: hunter2 and {CANARY}, mode: on}}\n",
            f"serving_input_config:\n  secretKey:\n    {CANARY}\n  mode: on\n",
            f"serving_input_config:\n  secretKey: >\n    a\n    {CANARY}\n  mode: on\n",
            rf'serving_input_config: "{{\"secretKey\":\"a\\\"{CANARY}\"}}"' + "\nlabels: {a: on}\n",
            f"labels: {{a: on}}  # password: a {CANARY}\n",
            f"serving_input_config: {{env: [{{name: DB_PASSWORD, value: {CANARY}}}], mode: on}}\n",
            f"serving_input_config: {{e: [\n  {{name: TOKEN,\n   value: {CANARY}}}], mode: on}}\n",
            f"annotations: {{x.io/password: {CANARY}, b: on}}\n",
            f'serving_input_config: \'[{{"secretKey": "{CANARY}"}}]\'\nlabels: {{a: on}}\n',
        ],
    )
    def test_however_it_is_written(self, repository, text):
        done = run("validate", cwd=repository({RISK: SERVING + text}))
        assert "[YML010]" in done.stdout
        assert CANARY not in done.stdout

    def test_in_an_environment(self, repository):
        described = ENVIRONMENT + f"vars: {{oss_secret_key: {CANARY}}}\n"
        done = run("validate", cwd=repository({DESCRIPTION: described}))
        assert "[SEC001]" in done.stdout
        assert CANARY not in done.stdout

    @pytest.mark.parametrize(
        "more", ["disabled: true\n", ""], ids=["disabled", "inherited by nobody"]
    )
    def test_in_files_that_nothing_is_rendered_from(self, repository, more):
        files = {
            "environments/idle/environment.yaml": HEADER.format("Environment"),
            "environments/idle/servings/risk.yaml": self.SECRET + more,
        }
        assert ("SEC001", "error") in codes(repository(files))

    def test_what_production_inherits_cannot_be_silenced_in_the_base(self, repository):
        comment = "# servingctl: ignore[SEC001] we know\n"
        line = f"serving_input_config: {{secretKey: {CANARY}}}\n"
        prod = HEADER.format("Environment") + "extends: dev\nproduction: true\n"
        files = {RISK: SERVING + comment + line, "environments/prod/environment.yaml": prod}
        assert ("SEC001", "error") in codes(repository(files))

    def test_in_config_templates_and_addresses(self, repository):
        image = SMALL["environments/dev/appimages/scorer.yaml"]
        text = image + f"configTemplates: {{a.yml: 'db_password: {CANARY}'}}\n"
        file = "environments/dev/appimages/scorer.yaml"
        assert ("SEC001", "error") in codes(repository({file: text}))
        text = image.replace("/work", f"http://user:{CANARY}@host", 1)
        assert ("SEC002", "error") in codes(repository({file: text}))

    def test_it_is_found_beside_other_faults(self, repository):
        text = SERVING + f"extra: 1\nannotations: {{note: ghp_{'a' * 36}}}\n"
        assert {code for code, _ in codes(repository({RISK: text}))} >= {"SPC010", "SEC002"}

    def test_names_of_features_are_data(self, repository):
        text = SERVING + "serving_input_config: {featureMapping: {token: x2, password: x3}}\n"
        assert codes(repository({RISK: text})) == []

    def test_a_trace_does_not_tell(self, repository):
        root = repository({RISK: self.SECRET})
        for path in ("serving_input_config", "serving_input_config.ossSourceMeta.secretKey"):
            for form in ("text", "json"):
                done = run("trace", "risk", path, "--env", "dev", "--format", form, cwd=root)
                assert done.returncode == 0
                assert CANARY not in done.stdout

    def test_names(self):
        secret = ["secretKey", "access_key", "dbPassword", "api-key", "token", "AccessKeyId"]
        assert all(map(is_secret_name, secret))
        assert not any(map(is_secret_name, ["tokenizer", "max_tokens", "privateKeyPath", "keys"]))

    def test_masking(self):
        assert masked("a: 1, password: x y") == f"a: 1, password: {HIDDEN}"
        assert masked("password: ${vars.p}, b: 1") == "password: ${vars.p}, b: 1"
        key = "-----BEGIN PRIVATE KEY-----\r\nabc\n-----END PRIVATE KEY-----\nb"
        assert masked_text(key) == f"{HIDDEN}\r\n{HIDDEN}\n{HIDDEN}\nb"


class TestBaseline:
    def accept(self, root):
        done = run("validate", "--format", "baseline", "--output", "accepted.json", cwd=root)
        assert done.returncode == 0
        return root / "accepted.json"

    def test_accepted_findings_do_not_fail_and_new_ones_do(self, repository):
        root = repository({RISK: BROKEN})
        accepted = self.accept(root)
        assert run("validate", "--baseline", accepted, cwd=root).returncode == 0
        (root / RISK).write_text(f"# moved\n\n{BROKEN}")
        assert run("validate", "--baseline", accepted, cwd=root).returncode == 0
        (root / RISK).write_text(BROKEN.replace("app_image: pair", "app_image: par"))
        done = run("validate", "--baseline", accepted, cwd=root)
        assert done.returncode == 1
        assert "[KUS104]" in done.stdout
        assert "[KUS101]" not in done.stdout

    def test_what_gets_worse_is_new(self, repository):
        latest = TestPolicy.LATEST
        root = repository({"environments/dev/appimages/scorer.yaml": latest})
        accepted = self.accept(root)
        assert run("validate", "--baseline", accepted, "--strict", cwd=root).returncode == 0
        (root / DESCRIPTION).write_text(ENVIRONMENT + "production: true\n")
        assert run("validate", "--baseline", accepted, cwd=root).returncode == 1

    def test_it_is_one_line_a_finding_and_shows_no_secret(self, repository):
        root = repository({RISK: TestSecrets.SECRET})
        text = self.accept(root).read_text()
        assert text.count("SEC001") == 1
        assert CANARY not in text

    def test_in_production_security_is_not_accepted(self, repository):
        described = ENVIRONMENT + "production: true\n"
        root = repository({RISK: TestSecrets.SECRET, DESCRIPTION: described})
        assert run("validate", "--baseline", self.accept(root), cwd=root).returncode == 1

    @pytest.mark.parametrize("content", [None, "", "[]", '{"format": 9, "accepted": []}'])
    def test_a_file_that_is_no_baseline(self, repository, content):
        root = repository({"accepted.json": content})
        done = run("validate", "--baseline", "accepted.json", cwd=root)
        assert done.returncode == 2
        assert "--format baseline" in done.stderr


def test_one_object_in_two_environments_of_one_cluster(repository):
    plane = {"name": "east", "platform": "kuscia", "domains": ["alice", "bob"], "cluster": "k3s"}
    described = HEADER.format("Environment") + yaml.safe_dump({"destinations": [plane]})
    prod = HEADER.format("Environment") + "extends: dev\n"
    root = repository({DESCRIPTION: described, "environments/prod/environment.yaml": prod})
    assert [code for code, _ in codes(root)] == ["MAN009", "MAN009", "MAN008"]


def test_derived_names_that_collide(repository):
    ports = "name: second, ports: [{name: c, scope: Domain}]"
    ported = SMALL["environments/dev/appimages/pair.yaml"].replace("name: second", ports)
    parties = [{"domain_id": "bob", "app_image": "pair"}]
    serving = {"serving_id": "a-b", "initiator": "bob", "parties": parties}
    one = HEADER.format("Serving") + yaml.safe_dump(serving)
    two = one.replace("a-b", "a").replace("app_image: pair", "app_image: pair\n  role: b")
    root = repository({
        "environments/dev/appimages/pair.yaml": ported,
        "environments/dev/servings/one.yaml": one,
        "environments/dev/servings/two.yaml": two,
    })  # fmt: skip
    found = [item for item in check(load(root)) if item.code == "KUS113"]
    assert [item.message.split("'")[1] for item in found] == ["a-b"]
    assert {item.file for item in found} == {"environments/dev/servings/two.yaml"}


def test_derived_names_whose_numbers_are_the_same_by_chance(repository, monkeypatch):
    root = repository({"environments/dev/servings/other.yaml": SERVING})
    expected = check(load(root))
    monkeypatch.setattr(names, "_number", lambda _claimant, _named: 0)
    assert check(load(root)) == expected
    assert "KUS113" not in {item.code for item in expected}


def test_derived_names_that_collide_across_environments_of_one_cluster(repository):
    plane = {"name": "east", "platform": "kuscia", "domains": ["alice"], "cluster": "k3s"}
    described = HEADER.format("Environment") + yaml.safe_dump({"destinations": [plane]})
    parties = [{"domain_id": "alice", "app_image": "scorer", "service_name_prefix": "score"}]
    files = {DESCRIPTION: described, "environments/prod/environment.yaml": described}
    for name in ("dev", "prod"):
        serving = {"serving_id": f"risk-{name}", "initiator": "alice", "parties": parties}
        text = HEADER.format("Serving") + yaml.safe_dump(serving)
        files[f"environments/{name}/servings/risk.yaml"] = text
    image = SMALL["environments/dev/appimages/scorer.yaml"]
    files["environments/prod/appimages/scorer.yaml"] = image
    found = [item for item in check(load(repository(files))) if item.code == "KUS113"]
    assert len(found) == 1
    assert found[0].environments == ("dev", "prod")
    assert "environments/dev/servings/risk.yaml" in found[0].related


@pytest.mark.parametrize(
    "comment",
    [
        "# Servingctl: ignore[KUS101] yes",
        "# servingctl ignore[KUS101] yes",
        "# servingctl: ignore KUS101 yes",
        "# servingctl: ignore[KUS999] no such rule",
    ],
)
def test_an_ignore_that_would_do_nothing_is_refused(repository, comment):
    text = SERVING.replace("initiator: alice", f"initiator: carol  {comment}")
    found = {item.code for item in check(load(repository({RISK: text})))}
    assert {"SPC091", "KUS101"} <= found


def test_a_severity_for_no_rule_is_refused(repository):
    root = repository({"servingctl.yaml": "rules: {KUS997: warning}\n"})
    assert [(i.file, i.line, i.column, i.code) for i in check(load(root)) if i.severity == 3] == [
        ("servingctl.yaml", 1, 9, "SPC092")
    ]


def test_what_is_found_in_a_text_file_is_ignored_where_it_is_named(repository):
    named = (
        "configTemplates:\n  # servingctl: ignore[KUS603] set by hand\n  a.conf: {file: a.conf}\n"
    )
    files = {
        "environments/dev/appimages/scorer.yaml": SCORER + named,
        "environments/dev/appimages/a.conf": "x={{.LOG_LEVEL}}\n",
    }
    found = {item.code for item in check(load(repository(files)))}
    assert not found & {"KUS603", "SPC090"}


@pytest.mark.parametrize("rules", ["{SPC015: ignore, SPC010: ignore}", "{SPC010: warning}"])
def test_a_severity_that_is_refused_has_no_effect(repository, rules):
    root = repository({DESCRIPTION: ENVIRONMENT + f"rules: {rules}\n", RISK: SERVING + "foo: 1\n"})
    found = {(i.file, i.code, str(i.severity)) for i in check(load(root))}
    assert {(DESCRIPTION, "SPC015", "error"), (RISK, "SPC010", "error")} <= found


@pytest.mark.parametrize(
    ("value", "code"),
    [('{secretKey: "${vars.k}"}', "SEC001"), ('"http://user:${vars.k}@host/x"', "SEC002")],
)
def test_a_secret_by_way_of_a_variable(repository, value, code):
    text = SERVING + f"app: other\nserving_input_config: {{a: {value}}}\n"
    root = repository({DESCRIPTION: ENVIRONMENT + "vars: {k: hunter2hunter2}\n", RISK: text})
    assert [i.code for i in check(load(root)) if i.severity is Severity.ERROR] == [code]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "image: {",
            'configTemplates:\n  a.json: |\n    {"m": "{\\"secret_key\\": \\"z\\"}"}\nimage: {',
        ),
        ("workingDir: /work,", f"workingDir: /work, command: [x, --password={CANARY}],"),
    ],
    ids=["JSON in JSON", "an option"],
)
def test_secrets_in_files_and_commands(repository, old, new):
    text = SCORER.replace(old, new, 1)
    found = check(load(repository({"environments/dev/appimages/scorer.yaml": text})))
    assert "SEC001" in {item.code for item in found}


@pytest.mark.parametrize("word", ["$(TOKEN)", "/run/secrets/token"])
def test_an_option_may_name_a_variable_or_a_file(repository, word):
    text = SCORER.replace("workingDir: /work,", f"workingDir: /work, args: ['--token={word}'],", 1)
    found = check(load(repository({"environments/dev/appimages/scorer.yaml": text})))
    assert "SEC001" not in {item.code for item in found}


@pytest.mark.parametrize("form", ["text", "json", "github", "gitlab", "sarif", "junit"])
def test_no_finding_quotes_a_value_whose_key_is_called_a_secret(repository, form):
    root = repository({RISK: SERVING + f'labels: {{db_password: "{CANARY} {CANARY}"}}\n'})
    done = run("validate", "--format", form, cwd=root)
    assert "SPC015" in done.stdout
    assert CANARY not in done.stdout + done.stderr


def test_an_ignore_that_cannot_work_says_so(repository):
    text = SERVING + "# servingctl: ignore[SEC001] why not\nannotations: {password: hunter2}\n"
    root = repository({DESCRIPTION: ENVIRONMENT + "production: true\n", RISK: text})
    told = [i.code for i in check(load(root)) if i.file == RISK and i.code[:3] != "POL"]
    assert told == ["SPC091", "SEC001"]


def test_the_baseline_leaves_out_what_it_cannot_accept(repository):
    text = SERVING.replace("alice", "carol", 1) + "annotations: {password: hunter2}\n"
    root = repository({DESCRIPTION: ENVIRONMENT + "production: true\n", RISK: text})
    done = run("validate", "--format", "baseline", cwd=root)
    assert "KUS101" in done.stdout
    assert "SEC001" not in done.stdout


def test_a_fault_of_the_environment_hides_nothing_of_its_specs(repository):
    broken = ENVIRONMENT.replace("kuscia: {", "kuscia: {runtime: runx, ") + "foo: 1\n"
    found = {(i.file, i.code) for i in check(load(repository({DESCRIPTION: broken, RISK: BROKEN})))}
    assert {(DESCRIPTION, "SPC014"), (DESCRIPTION, "SPC010"), (RISK, "KUS101")} <= found


def test_every_fault_of_the_settings_is_told(repository):
    root = repository({"servingctl.yaml": "rules: {KUS101: off}\noutptu: x\nignore: 7\n"})
    found = [(i.line, i.code) for i in check(load(root)) if i.file == "servingctl.yaml"]
    assert found == [(1, "YML010"), (2, "SPC010"), (3, "SPC012")]


@pytest.mark.parametrize(
    "command",
    [f"[run, --token, {CANARY}]", f"\n          - run\n          - --token\n          - {CANARY}"],
    ids=["flow", "block"],
)
def test_a_secret_that_follows_its_option(repository, command):
    container = f"- name: scorer\n          workingDir: x y\n          command: {command}\n"
    text = SCORER.replace("- {name: scorer, workingDir: /work, " + PORTS + "}\n", container, 1)
    assert text != SCORER
    root = repository({"environments/dev/appimages/scorer.yaml": text})
    assert "SEC001" in {item.code for item in check(load(root))}
    done = run("validate", cwd=root)
    assert CANARY not in done.stdout
    assert hidden(["run", "--token", CANARY]) == ["run", "--token", HIDDEN]
