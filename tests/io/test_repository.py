"""Whatever lies in a repository becomes a value or a finding, and the rest is still read."""

import os

import pytest

from renderer import check, load
from renderer.values.diagnostics import Severity
from tests.support.repositories import ENVIRONMENT, HEADER, SCORER, SERVING

RISK = "environments/dev/servings/risk.yaml"
IMAGE = "environments/dev/appimages/scorer.yaml"


def found(root):
    return [(item.code, item.file, item.line) for item in check(load(root))]


def test_a_file_that_is_too_large(repository):
    root = repository({"environments/dev/huge.yaml": "a" * (1 << 21)})
    assert ("YML009", "environments/dev/huge.yaml", 1) in found(root)


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


def test_hidden_files_are_not_read(repository):
    assert found(repository({"environments/dev/.draft.yaml": "a: [1"})) == []


class TestTextFiles:
    def image(self, reference):
        mount = "workingDir: /work, configVolumeMounts: [{mountPath: /a, subPath: app.conf}]"
        mounted = SCORER.replace("workingDir: /work", mount)
        return mounted + f"configTemplates: {{app.conf: {{file: {reference}}}}}\n"

    def test_link_out_of_the_repository(self, repository):
        root = repository({IMAGE: self.image("x.conf")})
        (root / "environments/dev/appimages/x.conf").symlink_to("/etc/hostname")
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


def test_texts_in_defaults(repository):
    below = "defaults: {AppImage: {configTemplates: {a.conf: {file: a.conf}}}}\n"
    files = {
        "environments/dev/environment.yaml": ENVIRONMENT + below,
        "environments/dev/a.conf": "text",
    }
    project = load(repository(files))
    images = [s for s in project.environments[0].specs if s.kind.name == "AppImage"]
    assert [s.tree.get("configTemplates", "a.conf").value for s in images] == ["text", "text"]


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
