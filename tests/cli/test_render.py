"""`servingctl render` with an inventory: checking, pruning, guards, shards and jobs."""

import re

import pytest
import yaml

from renderer.cli import render_request
from tests.support.places import ROOT
from tests.support.processes import run, snapshot
from tests.support.repositories import BROKEN, DESCRIPTION, ENVIRONMENT, HEADER, SERVING, SMALL

pytestmark = pytest.mark.process

RISK = "environments/dev/servings/risk.yaml"
OUT = "rendered/dev/east/kusciadeployments/risk.yaml"


@pytest.fixture
def rendered(repository):
    root = repository()
    assert run("render", cwd=root).returncode == 0
    return root


def check(root, *arguments):
    done = run("render", "--check", *arguments, cwd=root)
    return done.returncode, done.stdout.splitlines()


def test_up_to_date(rendered):
    assert check(rendered) == (0, [])


def test_missing_changed_stale_and_foreign(rendered):
    before = snapshot(rendered)
    (rendered / "rendered/dev/east/appimages/pair.yaml").unlink()
    (rendered / OUT).write_text("edited: true\n")
    (rendered / "rendered/dev/east/notes.txt").write_text("mine")
    code, lines = check(rendered)
    assert code == 1
    assert lines == [
        "missing: dev/east/appimages/pair.yaml",
        "changed: dev/east/kusciadeployments/risk.yaml",
        "foreign: dev/east/notes.txt",
    ]
    done = run("render", cwd=rendered)
    assert done.returncode == 0
    assert f"{OUT} was not as rendered: edited, or left by a merge" in done.stderr
    after = snapshot(rendered)
    assert after.pop("rendered/dev/east/notes.txt")
    assert {path: data for path, (data, _) in after.items()} == {
        path: data for path, (data, _) in before.items()
    }


def test_a_deleted_spec_disappears_and_nothing_else_changes(rendered):
    other = SERVING + "serving_id: other\n"
    (rendered / "environments/dev/servings/other.yaml").write_text(other)
    assert run("render", cwd=rendered).returncode == 0
    before = snapshot(rendered / "rendered")
    (rendered / RISK).unlink()
    code, lines = check(rendered)
    assert code == 1
    assert "stale: dev/east/kusciadeployments/risk.yaml" in lines
    done = run("render", cwd=rendered)
    assert "1 deleted" in done.stderr
    after = snapshot(rendered / "rendered")
    assert set(before) - set(after) == {"dev/east/kusciadeployments/risk.yaml"}
    changed = {path for path in after if after[path] != before[path]}
    lists = {f"dev/east/{name}kustomization.yaml" for name in ("", "flux/workloads/")}
    assert changed == {"dev/.inventory/east", *lists}


def test_a_destination_that_never_had_anything_goes_without_a_word(rendered):
    described = rendered / DESCRIPTION
    text = described.read_text()
    idle = "  - {name: idle, platform: kuscia, domains: [carol]}\n"
    described.write_text(text.replace("kuscia: ", f"{idle}kuscia: "))
    assert run("render", cwd=rendered).returncode == 0
    assert (rendered / "rendered/dev/idle/kustomization.yaml").exists()
    described.write_text(text)
    assert "3 deleted" in run("render", cwd=rendered).stderr
    assert not (rendered / "rendered/dev/idle").exists()


def test_an_emptied_destination_needs_a_word(rendered):
    before = snapshot(rendered / "rendered")
    (rendered / RISK).unlink()
    refused = run("render", cwd=rendered)
    assert refused.returncode == 3
    assert "--allow-empty" in refused.stderr
    assert snapshot(rendered / "rendered") == before
    assert run("render", "--allow-empty", cwd=rendered).returncode == 0
    assert not (rendered / OUT).exists()
    left = [path for path in snapshot(rendered / "rendered") if "kustomization" in path]
    assert len(left) == 3  # what is empty says so: a controller deletes only what it is told of


def test_a_vanished_environment_needs_a_word(rendered):
    left = rendered / "environments/left/environment.yaml"
    left.parent.mkdir()
    left.write_text(HEADER.format("Environment"))
    for path in SMALL:
        if path.startswith("environments/"):
            (rendered / path).unlink()
    assert run("render", cwd=rendered).returncode == 3
    assert (rendered / OUT).exists()


def test_a_file_that_is_not_ours_is_not_overwritten(repository):
    root = repository({OUT: "somebody: else\n"})
    done = run("render", cwd=root)
    assert done.returncode == 3
    assert "risk.yaml" in done.stderr
    assert (root / OUT).read_text() == "somebody: else\n"


def test_whatever_other_tools_take_for_a_manifest_is_one():
    files = [path for path in (ROOT / "rendered").rglob("*.*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        assert path.suffix == ".yaml"
        assert {"apiVersion", "kind"} <= yaml.safe_load(path.read_text("utf-8")).keys()


@pytest.mark.parametrize("folder", ["environments/out", "templates", "schemas/x", "."])
def test_the_output_may_not_lie_among_its_sources(repository, folder):
    root = repository()
    done = run("render", "--output", folder, cwd=root)
    assert done.returncode == 2
    assert "choose another one" in done.stderr


def test_folders_above_the_output_are_made_if_anything_is(repository, tmp_path_factory):
    root, outside = repository({RISK: BROKEN}), tmp_path_factory.mktemp("outside")
    wanted = render_request.RenderRequest(output=outside / "a/b/c", no_cache=True)
    assert render_request.render(root, wanted) == 1
    assert list(outside.iterdir()) == []
    (root / RISK).write_text(SERVING)
    assert render_request.render(root, wanted) == 0
    assert (outside / "a/b/c/dev/east/kustomization.yaml").is_file()


def many(repository, count=60):
    planes = [{"name": f"p{n}", "platform": "kuscia", "domains": [f"d{n}"]} for n in range(6)]
    environment = HEADER.format("Environment") + yaml.safe_dump({"destinations": planes})
    changes = {"environments/dev/environment.yaml": environment, RISK: None}
    changes["environments/dev/appimages/pair.yaml"] = None
    for number in range(count):
        parties = [{"domain_id": f"d{number % 6}", "app_image": "scorer"}]
        serving = {"initiator": f"d{number % 6}", "parties": parties}
        text = HEADER.format("Serving") + yaml.safe_dump(serving)
        changes[f"environments/dev/servings/s{number}.yaml"] = text
    return repository({**SMALL, **changes})


def test_the_number_of_jobs_changes_nothing(repository):
    root = many(repository)
    one = run("render", "--stdout", "--jobs", "1", cwd=root)
    assert one.returncode == 0
    assert one.stdout.count("kind: KusciaDeployment") == 60
    for jobs in ("2", "5"):
        assert run("render", "--stdout", "--jobs", jobs, cwd=root).stdout == one.stdout


def test_findings_are_the_same_with_any_number_of_jobs(repository):
    root = many(repository)
    template = root / "templates/kuscia/kusciadeployment.yaml.j2"
    template.parent.mkdir(parents=True)
    template.write_text("a: {{ nope }}\n")
    one, four = (run("render", "--jobs", jobs, cwd=root) for jobs in ("1", "4"))
    assert one.returncode == four.returncode == 1
    assert one.stdout == four.stdout


def test_shards_are_disjoint_and_complete(repository, tmp_path_factory):
    root = many(repository)
    whole = tmp_path_factory.mktemp("whole")
    parts = tmp_path_factory.mktemp("parts")
    assert run("render", "--output", str(whole), cwd=root).returncode == 0
    seen = 0
    for number in (1, 2, 3):
        shard = f"{number}/3"
        assert run("render", "--output", str(parts), "--shard", shard, cwd=root).returncode == 0
        assert len(snapshot(parts)) > seen
        seen = len(snapshot(parts))
        assert check(root, "--output", str(parts), "--shard", shard)[0] == 0
    data = [{path: content for path, (content, _) in snapshot(x).items()} for x in (whole, parts)]
    assert data[0] == data[1]


@pytest.mark.parametrize("shard", ["0/3", "4/3", "x", "1", "1/0", "-1/3"])
def test_wrong_shards(repository, shard):
    done = run("render", f"--shard={shard}", cwd=repository())
    assert done.returncode == 2
    assert "is not a shard" in done.stderr


def test_a_second_look_is_as_strict_as_the_first(rendered, monkeypatch, capsys):
    """Texts are missing because the output was changed, and meanwhile a spec breaks."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(rendered / "cache"))
    monkeypatch.delenv("CI", raising=False)
    assert render_request.render(rendered, render_request.RenderRequest()) == 0
    (rendered / OUT).unlink()
    run_in = render_request.run_in

    def late(*given, texts=None, **more):
        if texts:
            spec = rendered / RISK
            spec.write_text(spec.read_text("utf-8").replace("initiator: alice", "initiator: x y"))
        return run_in(*given, texts=texts, **more)

    monkeypatch.setattr(render_request, "run_in", late)
    assert render_request.render(rendered, render_request.RenderRequest()) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert not (rendered / OUT).exists()


class TestWhatIsTold:
    """`validate` tells everything; `render` what keeps it from writing."""

    @pytest.fixture
    def root(self, repository):
        two = BROKEN.replace("domain_id: bob", "domain_id: eve")
        return repository({RISK: two, DESCRIPTION: f"{ENVIRONMENT}vars: {{idle: '1'}}\n"})

    def test_errors_only_and_a_count_of_the_rest(self, root):
        done = run("render", cwd=root)
        assert "error: " in done.stdout
        assert "warning: " not in done.stdout
        assert re.search(r"[1-9] warnings?; nothing was written; '.* validate' shows", done.stderr)

    def test_more_if_asked_for(self, root):
        done = run("render", "--min-severity", "info", cwd=root)
        assert "warning: " in done.stdout
        assert done.stderr.endswith("; nothing was written\n")

    def test_in_a_hook_a_check_tells_the_first(self, root):
        done = run("render", "--check", cwd=root)
        hook = run("render", "--check", cwd=root, PRE_COMMIT="1")
        assert (done.stdout.count("error: "), hook.stdout.count("error: ")) == (2, 1)
        assert done.stdout.startswith(hook.stdout)
        assert "2 errors" in hook.stderr

    def test_in_a_hook_a_check_names_a_few_files(self, repository):
        root = repository({f"environments/dev/servings/s-{n}.yaml": SERVING for n in range(9)})
        done = run("render", "--check", cwd=root)
        hook = run("render", "--check", cwd=root, PRE_COMMIT="1")
        every, some = done.stdout.splitlines(), hook.stdout.splitlines()
        assert some == [*every[:5], f"missing: {len(every) - 5} more files"]
        assert hook.stderr == done.stderr

    def test_warnings_of_a_rendering_are_counted(self, repository):
        root = repository({DESCRIPTION: f"{ENVIRONMENT}vars: {{idle: '1'}}\n"})
        done = run("render", cwd=root)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.startswith("1 warning; 'servingctl validate' shows all\n")
        assert "warning" not in run("render", "-q", cwd=root).stderr
