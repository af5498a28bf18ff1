"""What shells offer, and the options that may stand on either side of a command."""

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from renderer.cli.app import cli
from tests.support.places import ROOT


def offered(*words, at=ROOT):
    *before, begun = words
    shell = ShellComplete(cli, {}, "servingctl", "_SERVINGCTL_COMPLETE")
    return [item.value for item in shell.get_completions(["--root", str(at), *before], begun)]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("validate", "--env", ""), ["base", "dev", "prod"]),
        (("trace", "credit-risk", "initiator", "--env", "p"), ["prod"]),
        (("preview", "cre"), ["credit-risk"]),
        (("graph", "secretflow"), ["secretflow-serving"]),
        (("diff", "cre"), ["credit-risk"]),
        (("export", "credit-risk", "--as", "de"), ["delete"]),
        (("promote", "cre"), ["credit-risk"]),
        (("promote", "--from", "p"), ["prod"]),
        (("diff", "credit-risk", "data"), ["dataproxy"]),
        (
            ("trace", ""),
            [
                "assistant",
                "credit-risk",
                "dataproxy",
                "flowers",
                "one-gpu",
                "ray-head",
                "ray-worker",
                "reviews",
                "secretflow-serving",
            ],
        ),
        (("schema", "s"), ["Serving", "ServingRuntime"]),
        (("add", "app"), ["AppImage"]),
        (("add", "serving", "x", "--env", "d"), ["dev"]),
        (("list", "--env", "b"), ["base"]),
        (("explain", "yml00"), [f"YML00{number}" for number in range(1, 10)]),
        (("explain", "no-merge"), ["no-merge-conflict", "no-merge-keys"]),
    ],
)
def test_names_are_offered(words, names):
    assert offered(*words) == names


def test_nothing_is_offered_outside_a_repository(tmp_path, monkeypatch):
    assert offered("validate", "--env", "", at=tmp_path) == []


def test_the_root_may_stand_on_either_side(repository, monkeypatch):
    root = str(repository({}))
    monkeypatch.chdir("/")
    before = CliRunner().invoke(cli, ["--root", root, "--color", "never", "validate"])
    behind = CliRunner().invoke(cli, ["validate", "--root", root, "--color", "never"])
    assert before.exit_code == behind.exit_code == 0
    assert before.output == behind.output


def test_what_is_said_last_counts(repository, tmp_path):
    root = str(repository({}))
    found = CliRunner().invoke(cli, ["--root", str(tmp_path), "validate", "--root", root])
    assert found.exit_code == 0
