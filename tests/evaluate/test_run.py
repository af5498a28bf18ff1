"""With or without a memo, in one process or several: the same findings, the same bytes."""

import os
import random
import shutil

import pytest

from benchmarks.repositories import write
from renderer import load, render
from renderer.backends.kinds import functions_of
from renderer.backends.kuscia import KUSCIA
from renderer.cli.cache import run_in
from renderer.errors import RendererError
from renderer.evaluate import run as running
from renderer.evaluate.checks import assume_clean, check_shared
from renderer.evaluate.conclusion import conclude
from renderer.evaluate.evaluation import evaluate
from renderer.evaluate.group import summarise
from renderer.evaluate.ignores import Ignore, UsedIgnore
from renderer.evaluate.inputs import InputFile, kind_of
from renderer.evaluate.memo import NoMemo
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.question import Question, Shard
from renderer.evaluate.result import KnownResults, Result, SpecResult, conclusion_digest
from renderer.io.encoding import (
    decode_manifests,
    decode_result,
    encode_result,
    line_of,
    text_digest,
)
from renderer.io.store import Store, program, texts_in
from renderer.io.worktree import Worktree
from renderer.rules import specs
from renderer.values.diagnostics import Origin, Rule, Severity
from renderer.values.model import Summary
from renderer.values.tree import Node
from tests.support.edits import OF_SHARED, OF_SPECS, append, replaced
from tests.support.processes import run
from tests.support.samples import sample

pytestmark = pytest.mark.slow

SERVINGS = "environments/{}/servings/{}"
GROUPS = 8


EVERYTHING = Question()
NO_MEMO = NoMemo()


def look(root, memo=NO_MEMO, question=EVERYTHING, jobs=1):
    """What a command does: a run that may remember the one before."""
    return running.run(open_project(Worktree(root)), question, memo, jobs)


def plainly(made):
    """Findings and bytes, without the trees that a memo does not keep."""
    rendering = made.rendering() if isinstance(made, running.Run) else made
    return rendering.diagnostics, rendering.files()


def reference(root, question=EVERYTHING):
    return plainly(render(load(root), question.environments, shard=question.shard))


def store(root, folder, *, texts=True):
    return Store(folder, root, program(), texts_in(root / "rendered") if texts else None)


class Counting:
    """A memo that counts what it did not know."""

    remembers = True

    def __init__(self, memo):
        self.memo = memo
        self.missed = None

    def recall(self, keys, digest_of):
        known = self.memo.recall(keys, digest_of)
        self.missed = sorted(keys.keys() - known.keys())
        return known

    def conclusion(self, key):
        return self.memo.conclusion(key)

    def is_clean(self, digest):
        return self.memo.is_clean(digest)

    def keep(self, fresh, digest_of):
        self.memo.keep(fresh, digest_of)


def write_out(root, made):
    for file in made.rendering().files():
        target = root / "rendered" / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


@pytest.fixture
def fleet(tmp_path):
    """One spec that two environments inherit, and some of their own."""
    root = tmp_path / "fleet"
    for path in write(root, 20)[GROUPS - 1 :]:
        path.unlink()
    return root


def test_a_few_texts_are_read_back_always_the_same_ones(tmp_path, monkeypatch):
    """Which of them a writer with a bug would be found by; all of them in CI."""
    write(tmp_path, 60)
    monkeypatch.setattr("renderer.manifests.objects.dispute", lambda text, tree: "a bug")

    def found(reads_all):
        made = look(tmp_path, question=Question(reads_all=reads_all))
        return {item.message for item in made.diagnostics if item.code == "MAN007"}

    every, few = found(reads_all=True), found(reads_all=False)
    assert len(every) > 60
    assert few < every
    assert 1 <= len(few) < len(every) / 8
    assert found(reads_all=False) == few


@pytest.mark.parametrize(("variable", "reads_all"), [("1", True), ("", False)])
def test_all_texts_are_read_back_in_ci(tmp_path, monkeypatch, variable, reads_all):
    monkeypatch.setenv("CI", variable)
    asked = []
    monkeypatch.setattr(
        "renderer.cli.cache.run", lambda project, question, *_: asked.append(question)
    )
    run_in(tmp_path, EVERYTHING, no_cache=True)
    assert [item.reads_all for item in asked] == [reads_all]


def edited(root, chance):
    """Change one file, or put it back as it was."""
    files = sorted(root.glob("environments/*/servings/*.yaml"))
    path = chance.choice(files)
    original = path.read_bytes()
    name = chance.choice(sorted(OF_SPECS))
    OF_SPECS[name](path)
    return path, original, name


@pytest.mark.parametrize("seed", sample(range(4), 0))
def test_random_edits(fleet, tmp_path, seed):
    chance = random.Random(seed)
    for _turn in range(8):
        path, original, name = edited(fleet, chance)
        made = look(fleet, store(fleet, tmp_path / "cache"))
        assert plainly(made) == reference(fleet), name
        write_out(fleet, made)
        if chance.random() < 0.7:
            path.write_bytes(original)


@pytest.mark.parametrize("name", sample(sorted(OF_SPECS), "a used ignore", "one name for all"))
def test_each_edit(fleet, tmp_path, name):
    write_out(fleet, look(fleet, store(fleet, tmp_path / "cache")))
    OF_SPECS[name](fleet / SERVINGS.format("prod", "own-00001.yaml"))
    memory = Counting(store(fleet, tmp_path / "cache"))
    made = look(fleet, memory)
    assert plainly(made) == reference(fleet)
    assert len(memory.missed) <= 1 or name == "another kind"


@pytest.mark.parametrize(
    "name", sample(["a secret", "a used ignore", "an unused ignore", "a role"], "an unused ignore")
)
def test_an_inherited_file(fleet, tmp_path, name):
    write_out(fleet, look(fleet, store(fleet, tmp_path / "cache")))
    OF_SPECS[name](next(fleet.glob("environments/base/servings/*.yaml")))
    for _again in range(2):
        made = look(fleet, store(fleet, tmp_path / "cache"))
        assert plainly(made) == reference(fleet)


QUESTIONS = [
    Question(),
    Question(("dev",)),
    Question(("prod",)),
    Question((), Shard(1, 2)),
    Question((), Shard(2, 2)),
]


@pytest.mark.process
@pytest.mark.parametrize("jobs", sample([1, 2], 2))
@pytest.mark.parametrize("question", sample(QUESTIONS, QUESTIONS[-1]), ids=str)
def test_parts_of_a_repository(fleet, tmp_path, question, jobs, monkeypatch):
    monkeypatch.setattr(running, "_CHUNK_SIZE", 3)
    monkeypatch.setattr("renderer.evaluate.parallel._WORTH_A_FORK", 2)
    for memo in (NO_MEMO, store(fleet, tmp_path), store(fleet, tmp_path)):
        assert plainly(look(fleet, memo, question, jobs)) == reference(fleet, question)


@pytest.mark.process
def test_one_name_in_two_processes(fleet, monkeypatch):
    monkeypatch.setattr("renderer.evaluate.parallel._WORTH_A_FORK", 2)
    for path in list(fleet.glob("environments/dev/servings/own-*.yaml"))[:2]:
        OF_SPECS["one name for all"](path)
    made = look(fleet, jobs=2)
    assert plainly(made) == reference(fleet)
    assert not made.rendering().is_sound


@pytest.mark.parametrize("edit", sample(["a label", "a secret"], "a label"))
@pytest.mark.parametrize("name", sample(sorted(OF_SHARED), "a secret in an image"))
def test_shared_inputs_with_findings(fleet, tmp_path, name, edit):
    file, change = OF_SHARED[name]
    path = fleet / f"environments/{file}.yaml"
    before = path.read_bytes()
    change(path)
    assert path.read_bytes() != before
    for turn in range(2):
        made = look(fleet, store(fleet, tmp_path / "cache"))
        assert plainly(made) == reference(fleet), turn
        write_out(fleet, made)
        OF_SPECS[edit](fleet / SERVINGS.format("prod", "own-00001.yaml"))
    made = look(fleet, store(fleet, tmp_path / "cache"))
    assert plainly(made) == reference(fleet)


ALIKE = {"a label": True, "a role": False, "a secret": True, "an unused ignore": False}


@pytest.mark.parametrize("name", ALIKE)
def test_a_conclusion_is_drawn_anew_only_if_a_group_shows_something_else(
    fleet, tmp_path, name, monkeypatch
):
    write_out(fleet, look(fleet, store(fleet, tmp_path / "cache")))
    path = fleet / SERVINGS.format("prod", "own-00001.yaml")
    path.write_text(f"# one line more\n{path.read_text('utf-8')}", "utf-8")
    OF_SPECS[name](path)
    wanted = reference(fleet)
    drawn = []
    monkeypatch.setattr(
        "renderer.evaluate.conclusion.conclude", lambda *of: drawn.append(of) or conclude(*of)
    )
    made = look(fleet, store(fleet, tmp_path / "cache"))
    assert plainly(made) == wanted
    assert (not drawn) is ALIKE[name]
    assert made.counts == {item.name: len(item.specs) for item in load(fleet).environments}


def agree(root, cache, jobs=1):
    """A look that remembers is the same as one that does not."""
    rendering = look(root, store(root, cache, texts=False), jobs=jobs).rendering()
    wanted = render(load(root))
    assert rendering.diagnostics == wanted.diagnostics
    if wanted.is_sound:  # else nothing is written
        digests = {item.path: text_digest(item) for item in rendering.manifests}
        assert digests == {item.path: text_digest(item) for item in wanted.manifests}
    return rendering


PORTS = (
    "[{name: service, protocol: HTTP, scope: Domain}, "
    "{name: communication, protocol: HTTP, scope: Cluster}]"
)
CONTAINER = f"name: secretflow, workingDir: /root, command: [sh], ports: {PORTS}"
IMAGE_OF_TWO_ROLES = f"""apiVersion: serving.gitops/v1
kind: AppImage
image: {{name: example/scorer, tag: v1}}
configTemplates:
  job.conf: "id={{{{.TASK_ID}}}}"
deployTemplates:
  - name: main
    role: main
    replicas: 1
    spec: {{containers: [{{{CONTAINER}}}]}}
  - name: job
    role: job
    replicas: 1
    spec:
      containers:
        - {{{CONTAINER}, configVolumeMounts: [{{mountPath: /etc/job.conf, subPath: job.conf}}]}}
"""


class TestWhatGroupsBorrow:
    """What a group comes to may depend on more than its files; each case was once wrong."""

    @pytest.fixture
    def cache(self, tmp_path):
        return tmp_path / "cache"

    @pytest.mark.process
    def test_ignores_of_other_files(self, fleet, cache, monkeypatch):
        monkeypatch.setattr("renderer.evaluate.parallel._WORTH_A_FORK", 2)
        environment = fleet / "environments/dev/environment.yaml"
        append("vars:\n  amount: 0  # servingctl: ignore[KUS308] it sleeps\n")(environment)
        one, other = (fleet / SERVINGS.format("dev", f"own-{number:05}.yaml") for number in (0, 2))
        asleep = 'domain_id: alice\n    replicas: "${vars.amount}"'
        replaced("domain_id: alice", asleep)(one)
        append('labels: {x: "a${vars.amount}"}\n')(one)
        assert agree(fleet, cache, jobs=2).is_sound
        replaced("initiator: alice", "initiator: bob")(other)
        assert agree(fleet, cache).is_sound
        replaced(asleep, "domain_id: alice")(one)
        assert not agree(fleet, cache).is_sound

    @pytest.mark.parametrize("name", ["conf.yaml", "conf/x.conf"])
    def test_texts(self, fleet, cache, name):
        """One that looks like a piece, and one behind a link that is not followed elsewhere."""
        (fleet / "shared").mkdir()
        home = fleet / "environments/base/appimages"
        if "/" in name:
            (home / "conf").symlink_to("../../../shared")
            (fleet / "servingctl.yaml").write_text("ignore: [environments/base/appimages/conf]\n")
        text = home / name
        text.write_text("kind: Serving\nx: 1\n")
        for image in home.glob("image-*.yaml"):
            replaced("configTemplates:", f"configTemplates:\n  extra.conf: {{file: {name}}}")(image)
        for _turn in range(2):
            assert any("appimages" in item.path for item in agree(fleet, cache).manifests)
            text.write_text("kind: Serving\nx: 2\n")
        agree(fleet, cache)

    def test_variables_of_others(self, fleet, cache):
        one, other = (fleet / SERVINGS.format("dev", f"own-{number:05}.yaml") for number in (0, 2))
        for path in (one, other):
            append('labels: {x: "a${vars.bucket}"}\n')(path)
        agree(fleet, cache)
        append("# more\n")(other)
        assert look(fleet, store(fleet, cache, texts=False)).rendering().is_sound
        replaced('labels: {x: "a${vars.bucket}"}\n', "")(one)
        agree(fleet, cache)

    def test_names_of_others(self, fleet, cache):
        base = fleet / "environments/base/servings"
        complete = next(base.glob("*.yaml"))
        risk = base / "credit-risk.yaml"
        risk.write_bytes(complete.read_bytes())
        (fleet / SERVINGS.format("dev", "credit-rsk.yaml")).write_text(
            "apiVersion: serving.gitops/v1\nkind: Serving\nlabels: {a: b}\n"
        )
        agree(fleet, cache)
        risk.rename(base / "zzzzz.yaml")
        agree(fleet, cache)

    def test_an_image_that_another_one_spoils(self, fleet, cache):
        """As long as it has an error it is not made, and what uses it lacks its digest."""
        image = fleet / "environments/base/appimages/image-0.yaml"
        image.write_text(IMAGE_OF_TWO_ROLES)
        servings = fleet.glob("environments/*/servings/*.yaml")
        users = [path for path in servings if "app_image: image-0" in path.read_text("utf-8")]
        for path in users:
            replaced("domain_id: alice", "domain_id: alice\n    role: main")(path)
            replaced("domain_id: bob", "domain_id: bob\n    role: main")(path)
            replaced("domain_id: carol", "domain_id: carol\n    role: main")(path)
        before = users[0].read_bytes()
        replaced("role: main", "role: job")(users[0])
        assert not agree(fleet, cache).is_sound
        users[0].write_bytes(before)
        for _turn in range(2):
            assert agree(fleet, cache).is_sound

    def test_a_file_that_changes_meanwhile(self, fleet, cache, monkeypatch):
        path = fleet / SERVINGS.format("dev", "own-00000.yaml")
        original = path.read_bytes()

        def late(project, stem):
            if stem == "own-00000":
                OF_SPECS["a label"](path)
            return group(project, stem)

        group = Project.group
        with monkeypatch.context() as patched:
            patched.setattr(Project, "group", late)
            look(fleet, store(fleet, cache, texts=False))
        path.write_bytes(original)
        agree(fleet, cache)


def test_no_group_is_left(fleet, tmp_path):
    write_out(fleet, look(fleet, store(fleet, tmp_path / "cache")))
    for path in fleet.glob("environments/*/servings/*.yaml"):
        path.unlink()
    made = look(fleet, store(fleet, tmp_path / "cache"))
    assert plainly(made) == reference(fleet)


@pytest.mark.process
def test_output_that_was_changed_is_made_again(fleet, tmp_path):
    """A digest stands for what was rendered before, until the text is needed."""
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CI": ""}
    for _turn in range(2):
        assert run("render", cwd=fleet, **environment).returncode == 0
    wanted = {path: path.read_bytes() for path in fleet.glob("rendered/**/*.yaml")}
    paths = sorted(wanted)
    paths[3].write_text("something else")
    paths[8].unlink()
    assert run("render", "--check", cwd=fleet, **environment).returncode == 1
    assert run("render", cwd=fleet, **environment).returncode == 0
    assert {path: path.read_bytes() for path in fleet.glob("rendered/**/*.yaml")} == wanted
    shown = run("render", "--stdout", cwd=fleet, **environment).stdout
    assert all(data.decode() in shown for path, data in wanted.items() if "Deployment" in path.stem)


@pytest.mark.process
def test_without_a_home_nothing_is_remembered(fleet):
    environment = {"XDG_CACHE_HOME": "", "LOCALAPPDATA": "", "HOME": "nowhere", "CI": ""}
    before = sorted(fleet.iterdir())
    assert run("validate", cwd=fleet, **environment).returncode == 0
    assert sorted(fleet.iterdir()) == before


def test_an_image_that_goes_to_more_places(fleet, tmp_path):
    """Its objects elsewhere were made before; this one was not."""
    servings = sorted(fleet.glob("environments/prod/servings/*.yaml"))
    hidden = {
        path: path.read_bytes() for path in servings if b"domain_id: carol" in path.read_bytes()
    }
    for path in hidden:
        path.unlink()
    write_out(fleet, look(fleet, store(fleet, tmp_path / "cache")))
    for path, data in hidden.items():
        path.write_bytes(data)
    made = look(fleet, store(fleet, tmp_path / "cache"))
    assert plainly(made) == reference(fleet)
    assert any("prod/carol/appimages" in item.path for item in made.rendering().manifests)


class TestWhatIsLookedAtAgain:
    def missed(self, fleet, tmp_path):
        memory = Counting(store(fleet, tmp_path / "cache", texts=False))
        look(fleet, memory)
        return memory.missed

    @pytest.fixture(autouse=True)
    def _first(self, fleet, tmp_path):
        assert len(self.missed(fleet, tmp_path)) == GROUPS

    def test_nothing_changed(self, fleet, tmp_path):
        assert self.missed(fleet, tmp_path) == []

    def test_one_file(self, fleet, tmp_path):
        OF_SPECS["a label"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
        assert self.missed(fleet, tmp_path) == ["own-00000"]

    @pytest.mark.parametrize(
        "path",
        [
            "environments/base/environment.yaml",
            "environments/dev/environment.yaml",
        ],
    )
    def test_what_all_depend_on(self, fleet, tmp_path, path):
        append("# a comment\n")(fleet / path)
        assert len(self.missed(fleet, tmp_path)) == GROUPS

    def test_an_image_and_its_users(self, fleet, tmp_path):
        append("# a comment\n")(fleet / "environments/base/appimages/image-1.yaml")
        files = fleet.glob("environments/*/servings/*.yaml")
        users = {path.stem for path in files if "app_image: image-1" in path.read_text("utf-8")}
        assert 0 < len(users) < GROUPS
        assert self.missed(fleet, tmp_path) == sorted(users)

    @pytest.mark.parametrize(
        "path", ["servingctl.yaml", "templates/kuscia/x.yaml.j2", "schemas/crds/x.yaml"]
    )
    def test_what_lies_around(self, fleet, tmp_path, path):
        (fleet / path).parent.mkdir(parents=True, exist_ok=True)
        (fleet / path).write_text("ignore: [environments/none/*]\n")
        assert len(self.missed(fleet, tmp_path)) == GROUPS

    def test_the_program(self, fleet, tmp_path):
        memory = Counting(Store(tmp_path / "cache", fleet, "another version"))
        look(fleet, memory)
        assert len(memory.missed) == GROUPS

    def test_output_that_was_changed(self, fleet, tmp_path):
        made = look(fleet, store(fleet, tmp_path / "cache"))
        write_out(fleet, made)
        path = fleet / "rendered/dev/master/kusciadeployments/own-00000.yaml"
        path.write_text("something else")
        memory = Counting(store(fleet, tmp_path / "cache"))
        assert plainly(look(fleet, memory)) == reference(fleet)
        assert memory.missed == ["own-00000"]


def with_entries(data, *fields):
    head, *lines = data.decode().split("\n")
    keys = (line.split("\t")[0] for line in lines)
    return "\n".join((head, *("\t".join((key, *fields)) for key in keys))).encode()


def with_fields(data, **fields):
    """Every kept result with some fields damaged."""
    head, *lines = data.decode().split("\n")
    damaged = []
    for line in lines:
        key, _, rest = line.partition("\t")
        kept = line_of(rest)._replace(**fields) if rest.count("\t") else [rest]
        damaged.append("\t".join((key, *kept)))
    return "\n".join((head, *damaged)).encode()


DAMAGES = {
    "empty": lambda data: b"",
    "half": lambda data: data[: len(data) // 2],
    "JSON": lambda data: b"[1,2]",
    "no text": lambda data: b"\xff" + data,
    "no fields": with_entries,
    "other manifests": lambda data: with_fields(data, manifests="[1]"),
    "deep manifests": lambda data: with_fields(data, manifests="[" * 100_000),
    "deep rest": lambda data: with_fields(data, digest="another", rest="[" * 100_000),
    "other rest": lambda data: with_fields(data, digest="another", rest="[1, 2]"),
    "other findings": lambda data: with_fields(data, spec_findings="[1]"),
    "deep findings": lambda data: with_fields(data, spec_findings="[[null, [[]]]]"),
}


class TestTheFile:
    @pytest.fixture
    def file(self, fleet, tmp_path):
        look(fleet, store(fleet, tmp_path / "cache", texts=False))
        (file,) = (tmp_path / "cache").glob("*.cache")
        return file

    def test_is_the_users_own(self, file):
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize("name", sample(DAMAGES, "half", "other manifests", "other findings"))
    def test_damage_is_ignored(self, fleet, tmp_path, file, name):
        file.write_bytes(DAMAGES[name](file.read_bytes()))
        made = look(fleet, store(fleet, tmp_path / "cache"))
        assert plainly(made) == reference(fleet)

    @pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
    def test_one_that_others_may_write_is_not_believed(self, fleet, tmp_path, file):
        file.chmod(0o666)
        memory = Counting(store(fleet, tmp_path / "cache"))
        look(fleet, memory)
        assert len(memory.missed) == GROUPS

    def test_a_link_is_not_followed(self, fleet, tmp_path, file):
        shutil.move(file, tmp_path / "elsewhere.json")
        file.symlink_to(tmp_path / "elsewhere.json")
        memory = Counting(store(fleet, tmp_path / "cache", texts=False))
        look(fleet, memory)
        assert len(memory.missed) == GROUPS

    def test_a_folder_that_cannot_be_made(self, fleet, tmp_path):
        (tmp_path / "file").write_text("")
        made = look(fleet, store(fleet, tmp_path / "file/cache"))
        assert plainly(made) == reference(fleet)

    def test_holds_no_texts(self, file):
        assert "featureMapping" not in file.read_text("utf-8")

    def test_many_repositories(self, fleet, file):
        for number in range(60):
            (file.parent / f"{number}.cache").write_text("")
        OF_SPECS["a label"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
        look(fleet, store(fleet, file.parent, texts=False))
        assert len(list(file.parent.glob("*.cache"))) == 50


@pytest.mark.process
def test_the_commands_agree_with_and_without(fleet):
    OF_SPECS["a secret"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
    first, second = (run("validate", cwd=fleet) for _ in range(2))
    plain = run("validate", "--no-cache", cwd=fleet)
    assert first.stdout == second.stdout == plain.stdout
    assert first.stderr == second.stderr == plain.stderr
    assert first.returncode == plain.returncode == 1


class TestWhatRulesOverSeveralSpecsSee:
    """A rule that reads more than its kind declares finds nothing, in its first run already."""

    @pytest.fixture
    def teams(self, fleet, monkeypatch):
        """The teams that a rule over all specs can see; every spec has one."""
        for path in fleet.glob("environments/*/servings/own-*.yaml"):
            append("labels: {team: risk}\n")(path)
        seen = []

        def look_for_teams(fleet):
            for environment in fleet.environments:
                for summary in fleet.summaries_of(environment):
                    seen.append(summary.fields.get("labels", "team"))
                    yield from ()

        spy = Rule("KUS999", "spy", Severity.ERROR, "Sees.", "Fleet", look_for_teams)
        functions = KUSCIA.load()
        rules = (*functions.environment_rules(), spy)
        changed = functions._replace(environment_rules=lambda: rules)
        monkeypatch.setattr("renderer.backends.kuscia.backend.FUNCTIONS", changed)
        return seen

    def test_only_what_is_declared(self, fleet, tmp_path, teams):
        for _turn in range(2):
            look(fleet, store(fleet, tmp_path / "cache", texts=False))
            append("# more\n")(fleet / "environments/dev/environment.yaml")
        assert len(teams) > 2 * GROUPS
        assert set(teams) == {None}

    def test_the_declared_fields_are_there(self, fleet):
        project = open_project(Worktree(fleet))
        (summary, *_) = summarise(project.group("own-00000"), project.shared)
        assert summary.fields.items.keys() <= {path[0] for path in KUSCIA.kinds[0].summary}
        assert summary.fields.get("parties", 0, "domain_id")
        assert {use.kind for use in summary.references} == {"AppImage"}
        assert summary.own
        assert set(summary.own) <= set(summary.needs)

    def test_prerequisites_that_are_not_referred_to(self, fleet, monkeypatch):
        """Neither cold nor warm: a result depends on what its spec refers to."""
        seen = set()

        def look_around(serving):
            seen.update((serving.name, spec.stem) for spec in serving.environment.specs)
            yield from ()

        spy = Rule("KUS999", "spy", Severity.ERROR, "Sees.", "Serving", look_around)
        functions = KUSCIA.load()
        servings = functions.kinds["Serving"]
        rules = (*servings.rules(), spy)
        kinds = {**functions.kinds, "Serving": servings._replace(rules=lambda: rules)}
        monkeypatch.setattr(
            "renderer.backends.kuscia.backend.FUNCTIONS", functions._replace(kinds=kinds)
        )
        functions_of.cache_clear()
        specs._rules_for.cache_clear()
        try:
            project = open_project(Worktree(fleet))
            group = project.group("own-00000")
            (result, *_) = evaluate(group, project.checked, EVERYTHING).results
        finally:
            functions_of.cache_clear()
            specs._rules_for.cache_clear()
        used = {use.name for use in result.summary.references}
        assert {stem for _, stem in seen} == used
        assert len(project.shared.environments[1].specs) > len(used)


#: What a conclusion does not depend on: the key, what is told beside it, and what is checked.
IRRELEVANT = {"Result": {"stem", "diagnostics", "reads", "specs"}, "SpecResult": {"diagnostics"}}
OTHERS = {bool: lambda old: not old, str: lambda old: old + "x", tuple: lambda old: (*old, "x")}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    root = tmp_path_factory.mktemp("kept") / "fleet"
    write(root, 8)
    path = root / SERVINGS.format("dev", "own-00000.yaml")
    OF_SPECS["a used ignore"](path)
    OF_SPECS["an unknown key"](root / SERVINGS.format("prod", "own-00001.yaml"))
    project = open_project(Worktree(root))
    groups = map(project.group, project.stems)
    return [evaluate(group, project.checked, EVERYTHING) for group in groups]


class TestValuesThatAreKept:
    """A field that is added is either kept and compared, or named here with a reason."""

    def test_a_result_comes_back_as_it_was(self, results):
        for result in results:
            line = line_of(encode_result(result, "digest"))
            back = decode_result(line, decode_manifests(line))
            kept = result.portable()
            for mine, other in zip(kept.results, back.results, strict=True):
                assert mine._replace(manifests=()) == other._replace(manifests=())
                assert [m.path for m in mine.manifests] == [m.path for m in other.manifests]
            assert kept._replace(results=()) == back._replace(results=())
            assert conclusion_digest(result) == conclusion_digest(back) == line.digest

    def test_every_field_is_part_of_the_digest(self, results):
        result = next(item for item in results if item.results)
        first = result.results[0]
        whole = conclusion_digest(result)

        def with_spec(**fields):
            return result._replace(results=(first._replace(**fields), *result.results[1:]))

        for name in Summary._fields:
            value = getattr(first.summary, name)
            if isinstance(value, Node):
                other = Node("another", value.origin)
            elif name == "references":
                other = value[1:]
            else:
                other = OTHERS[type(value)](value)
            changed = with_spec(summary=first.summary._replace(**{name: other}))
            assert conclusion_digest(changed) != whole, name
        for name in {*SpecResult._fields} - {"summary", *IRRELEVANT["SpecResult"]}:
            value = getattr(first, name)
            other = value[1:] if name == "manifests" else OTHERS[type(value)](value)
            assert conclusion_digest(with_spec(**{name: other})) != whole, name
        others = {
            "results": (),
            "comments": {"x": (Ignore(Origin("x"), ("KUS103",), 1, 1),)},
            "used": (UsedIgnore(Ignore(Origin("x"), ("KUS103",), 1, 1), "KUS103"),),
            "broken": frozenset("x"),
            "illegible": frozenset("x"),
            "unread": frozenset("x"),
            "counts": {"dev": 99},
            "variables": {"dev": ("x",)},
        }
        assert {*Result._fields} == {*others, *IRRELEVANT["Result"]}
        for name, other in others.items():
            assert conclusion_digest(result._replace(**{name: other})) != whole, name

    def test_what_is_known_to_be_clean(self, fleet):
        project = open_project(Worktree(fleet))
        assert project.checked.is_clean
        known, made = assume_clean(project.shared), check_shared(project.shared)
        assert known._replace(unreliable={}) == made._replace(unreliable={})
        assert not any(made.unreliable.values())

    def test_the_mark_of_clean_inputs_stays(self, fleet, tmp_path):
        for _turn in range(3):
            look(fleet, store(fleet, tmp_path / "cache", texts=False))
        digest = open_project(Worktree(fleet)).shared.digest.hex()
        assert store(fleet, tmp_path / "cache").is_clean(digest)


def test_what_is_left_out_without_a_word_is_a_bug(fleet, monkeypatch):
    """A spec that is not rendered and of which nothing is said would be deleted in silence."""
    append("nonsense: 1\n")(fleet / SERVINGS.format("prod", "own-00001.yaml"))
    monkeypatch.setattr(running, "merge_findings", lambda found: [])
    with pytest.raises(RendererError, match="no finding says why"):
        look(fleet)


def test_the_order_of_results_does_not_matter(fleet):
    for path in list(fleet.glob("environments/*/servings/own-*.yaml"))[:6]:
        OF_SPECS["one name for all"](path)
    project = open_project(Worktree(fleet))
    results = [evaluate(project.group(s), project.checked, EVERYTHING) for s in project.stems]
    wanted = conclude(project.checked, EVERYTHING, KnownResults(tuple(results)))
    for seed in range(3):
        random.Random(seed).shuffle(results)
        assert conclude(project.checked, EVERYTHING, KnownResults(tuple(results))) == wanted


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("apiVersion: a/v1\nkind: Serving\n", "Serving"),
        ("# a comment\n---\nkind: Serving # b\r\n", "Serving"),
        ("kind: Serving#x\n", ""),
        ('# x\rkind: AppImage\rlabels: {a: "\nkind: Serving\n"}\n', ""),
        ('apiVersion: "\nkind: Serving\n"\nkind: AppImage\n', ""),
        ('"kind": Serving\n', ""),
        ("{kind: Serving}\n", ""),
        ("labels: {}\nkind: Serving\n", ""),
        ("\ufeffkind: Serving\n", ""),
    ],
)
def test_the_kind_is_told_from_the_first_lines_or_not_at_all(text, kind):
    assert kind_of(InputFile("environments/dev/x.yaml", text.encode())) == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"apiVersion": "a/v1", "kind": "Serving", "x": 1}', "Serving"),
        ('{"kind": "Serving"}', "Serving"),
        ('{"labels": {"kind": "Serving"}, "kind": "AppImage"}', ""),
        ('{"apiVersion": "\\"", "kind": "Serving"}', ""),
    ],
)
def test_the_kind_of_a_json_file(text, kind):
    assert kind_of(InputFile("environments/dev/x.json", text.encode())) == kind
