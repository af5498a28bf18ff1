"""Whatever lies in a repository becomes a value or a finding, and the rest is still read."""

import os

import pytest

from renderer import check, load
from renderer.values.diagnostics import Severity
from tests.conftest import ENVIRONMENT, HEADER, SCORER, SERVING

RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"


def found(root):
    return [(item.code, item.file, item.line) for item in check(load(root))]


def test_a_sound_repository_has_no_findings(repository):
    assert found(repository()) == []


@pytest.mark.parametrize(
    ("file", "content", "code", "place"),
    [
        ("environments/dev/extra.yaml", "a: [1", "YML001", ""),
        ("environments/stray.yaml", SERVING, "ENV003", ""),
        ("environments/new/servings/x.yaml", SERVING, "ENV001", "environments/new"),
        ("environments/dev/second.yaml", ENVIRONMENT, "ENV001", ""),
        ("environments/Dev/environment.yaml", ENVIRONMENT, "ENV002", ""),
        ("environments/dev/copy/risk.yaml", SERVING, "SPC003", RISK),
        ("environments/dev/empty.yaml", "", "SPC001", ""),
        ("environments/dev/huge.yaml", "a" * (1 << 21), "YML009", ""),
        ("servingctl.yaml", "outptu: x", "SPC010", ""),
        ("servingctl.yaml", "output: ../x", "SPC015", ""),
        ("servingctl.yaml", "a: [1", "YML001", ""),
        ("schemas/crds/x.yaml", "kind: Other", "MAN005", ""),
        ("templates/kuscia/appimage.yaml.j2", b"\xff", "YML002", ""),
    ],
)
def test_finding(repository, file, content, code, place):
    assert (code, place or file, 1) in found(repository({file: content}))


def test_other_files_are_still_checked(repository):
    root = repository({"environments/dev/broken.yaml": "a: [1", RISK: SERVING + "extra: 1\n"})
    assert {code for code, _, _ in found(root)} == {"YML001", "SPC010"}


def test_a_folder_named_like_a_file(repository):
    root = repository()
    (root / "environments/dev/servings/folder.yaml").mkdir()
    assert ("YML015", "environments/dev/servings/folder.yaml", 1) in found(root)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file(repository):
    root = repository()
    (root / RISK).chmod(0)
    assert ("YML015", RISK, 1) in found(root)


def test_a_pipe_is_not_waited_for(repository):
    root = repository({RISK: None})
    (root / RISK).parent.mkdir(exist_ok=True)
    os.mkfifo(root / RISK)
    assert ("YML015", RISK, 1) in found(root)


def test_links_may_not_leave_the_repository(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "risk.yaml"
    outside.write_text(SERVING)
    root = repository({RISK: None})
    (root / RISK).parent.mkdir(exist_ok=True)
    (root / RISK).symlink_to(outside)
    assert ("YML015", RISK, 1) in found(root)


def test_links_inside_the_repository_are_read(repository):
    root = repository({RISK: None, "common/risk.yaml": SERVING})
    (root / RISK).parent.mkdir(exist_ok=True)
    (root / RISK).symlink_to("../../../common/risk.yaml")
    assert found(root) == []


def test_a_dangling_link(repository):
    root = repository({RISK: None})
    (root / RISK).parent.mkdir(exist_ok=True)
    (root / RISK).symlink_to("nowhere.yaml")
    assert ("YML015", RISK, 1) in found(root)


def test_control_characters_in_a_file_name(repository):
    root = repository({"environments/dev/a\x1b[31m.yaml": SERVING})
    codes = [item for item in check(load(root)) if item.code == "YML011"]
    assert codes
    assert "\x1b" not in codes[0].file
    assert "JSON" not in codes[0].why


def test_ignored_files_are_not_read(repository):
    files = {"servingctl.yaml": "ignore: ['environments/*/drafts/*']"}
    assert found(repository({**files, "environments/dev/drafts/x.yaml": "a: [1"})) == []


def test_hidden_files_are_not_read(repository):
    assert found(repository({"environments/dev/.draft.yaml": "a: [1"})) == []


class TestTextFiles:
    def image(self, reference):
        mount = "workingDir: /work, configVolumeMounts: [{mountPath: /a, subPath: app.conf}]"
        mounted = SCORER.replace("workingDir: /work", mount)
        return mounted + f"configTemplates: {{app.conf: {{file: {reference}}}}}\n"

    @pytest.mark.parametrize(
        "reference",
        ["../scorer.yaml", "/etc/passwd", "a/../../b", "./x", "missing.conf", "a\\b", '""', "sub"],
    )
    def test_refused(self, repository, reference):
        root = repository({IMAGE: self.image(reference), "environments/dev/appimages/sub/x": "1"})
        assert found(root) == [("SPC004", IMAGE, 17)]

    def test_link_out_of_the_repository(self, repository):
        root = repository({IMAGE: self.image("x.conf")})
        (root / "environments/dev/appimages/x.conf").symlink_to("/etc/hostname")
        assert ("SPC004", IMAGE, 17) in found(root)

    def test_not_text(self, repository):
        place = "environments/dev/appimages/x.conf"
        root = repository({IMAGE: self.image("x.conf"), place: b"\xff"})
        assert ("SPC004", IMAGE, 17) in found(root)

    @pytest.mark.parametrize(
        "place", ["environments/dev/appimages/x.json", "templates/kuscia/config/x.json"]
    )
    def test_byte_for_byte(self, repository, place):
        text = '{"id": "{{.SERVING_ID}}",\r\n\t"b": "{{{.CLUSTER_DEFINE.a[0]}}}"}  \n'
        root = repository({IMAGE: self.image("x.json"), place: text.encode()})
        project = load(root)
        assert check(project) == []
        (spec,) = [s for s in project.environments[0].specs if s.stem == "scorer"]
        assert spec.tree.get("configTemplates", "app.conf").value == text
        assert spec.files == (IMAGE, place)


def test_ties_between_files_are_known(repository):
    """A finding on a serving depends on the images it uses and on its environment."""
    root = repository({RISK: SERVING.replace("initiator: alice", "initiator: carol")})
    (item,) = check(load(root))
    assert item.severity is Severity.ERROR
    assert item.environments == ("dev",)
    assert item.related == (
        "environments/dev/appimages/pair.yaml",
        "environments/dev/appimages/scorer.yaml",
        "environments/dev/environment.yaml",
    )


def test_a_link_to_a_folder_is_a_finding(repository, tmp_path_factory):
    root = repository()
    outside = tmp_path_factory.mktemp("outside")
    (root / "environments/prod").symlink_to(outside)
    (root / "environments/dev/more").symlink_to("servings")
    assert [item for item in found(root) if item[0] == "YML015"] == [
        ("YML015", "environments/dev/more", 1),
        ("YML015", "environments/prod", 1),
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_an_unreadable_folder_is_a_finding(repository):
    root = repository()
    (root / "environments/dev/servings").chmod(0)
    assert ("YML015", "environments/dev/servings", 1) in found(root)


def test_endings_are_in_lower_case(repository):
    root = repository({"environments/dev/servings/x.YAML": SERVING})
    assert found(root) == [("YML015", "environments/dev/servings/x.YAML", 1)]


def test_a_repository_with_nothing_in_it(repository):
    root = repository(**{"servingctl.yaml": ""})
    assert found(root) == [("ENV001", "environments", 1)]


@pytest.mark.parametrize("stem", ["Credit_Risk", "信用", "a b"])
def test_the_name_of_a_file_has_to_do_as_a_name(repository, stem):
    file = f"environments/dev/servings/{stem}.yaml"
    (item,) = [
        i for i in check(load(repository({file: SERVING, RISK: None}))) if i.code == "SPC015"
    ]
    assert item.fix == "rename the file, or add serving_id"


def test_texts_in_defaults(repository):
    below = "defaults: {AppImage: {configTemplates: {a.conf: {file: a.conf}}}}\n"
    files = {
        "environments/dev/environment.yaml": ENVIRONMENT + below,
        "environments/dev/a.conf": "text",
    }
    project = load(repository(files))
    images = [s for s in project.environments[0].specs if s.kind.name == "AppImage"]
    assert [s.tree.get("configTemplates", "a.conf").value for s in images] == ["text", "text"]


@pytest.mark.parametrize("kind", ["[Serving]", "{a: b}"])
def test_messages_show_data_not_internals(repository, kind):
    text = f"apiVersion: serving.gitops/v1\nkind: {kind}\n"
    (item,) = check(load(repository({"environments/dev/x.yaml": text})))
    assert "Node(" not in item.message


def test_a_fault_of_a_base_concerns_its_heirs(repository):
    base = HEADER.format("Environment")
    root = repository({
        "environments/base/environment.yaml": base,
        "environments/base/servings/risk.yaml": SERVING + "foo: 1\n",
        "environments/dev/environment.yaml": ENVIRONMENT + "extends: base\n",
        "environments/dev/servings/risk.yaml": HEADER.format("Serving"),
        "environments/other/environment.yaml": base,
    })  # fmt: skip
    assert "SPC010" in {item.code for item in check(load(root), ["dev"])}
    assert "SPC010" not in {item.code for item in check(load(root), ["other"])}
