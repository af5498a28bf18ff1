"""Piece by piece or as a whole, with or without a memory: the same findings, the same bytes."""

import os
import random
import shutil

import pytest
from renderer.evaluate.looking import look
from renderer.evaluate.memory import Forgetful
from renderer.evaluate.pieces import Asked
from renderer.evaluate.shard import Shard
from renderer.io.texts import texts_in

from benchmarks.repositories import write
from renderer.evaluate import looking
from renderer.evaluate.run import conclude, render
from renderer.io.encoding import digest
from renderer.io.loading import load, load_files
from renderer.io.program import program
from renderer.io.store import Store
from renderer.io.worktree import Worktree
from tests.support.processes import run

pytestmark = pytest.mark.slow

SERVINGS = "environments/{}/servings/{}"


def plainly(rendering):
    """Findings and bytes, without the trees that a memory does not keep."""
    return rendering.diagnostics, rendering.files()


EVERYTHING = Asked()


def reference(root, asked=EVERYTHING):
    project = load(root)
    return plainly(render(project, asked.environments, owns=asked.shard.owns))


def store(root, folder, *, texts=True):
    return Store(folder, root, program(), texts_in(root / "rendered") if texts else None)


class Counting:
    """A memory that counts what it could not say."""

    remembers = True

    def __init__(self, memory):
        self.memory = memory
        self.missed = None

    def recall(self, keys, *, trees=True):
        known = self.memory.recall(keys, trees=trees)
        if self.missed is None:
            self.missed = sorted(keys.keys() - known.keys())
        return known

    def keep(self, keys, found):
        self.memory.keep(keys, found)


def write_out(root, rendering):
    for file in rendering.files():
        target = root / "rendered" / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


@pytest.fixture
def fleet(tmp_path):
    root = tmp_path / "fleet"
    write(root, 20)
    return root


def append(text):
    return lambda path: path.write_text(path.read_text("utf-8") + text, "utf-8")


def replaced(old, new):
    return lambda path: path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")


EDITS = {
    "a label": append("labels: {team: risk}\n"),
    "another label": append("annotations: {note: b}\n"),
    "a secret": append("annotations: {password: hunter22}\n"),
    "a broken line": append("  - [\n"),
    "an unknown key": append("labelz: {}\n"),
    "an unknown variable": append("annotations: {x: '${vars.nothing}'}\n"),
    "the only use of a variable": append("annotations: {x: '${vars.bucket}'}\n"),
    "a role": replaced("domain_id: alice", "domain_id: alice\n    role: host"),
    "an unknown image": replaced("app_image: image-", "app_image: nothing-"),
    "one name for all": append("serving_id: same\n"),
    "an external initiator": replaced("initiator: alice", "initiator: nobody"),
    "an unused ignore": append("# servingctl: ignore[KUS103] nothing to see\nlabels: {a: b}\n"),
    "a used ignore": append(
        "# servingctl: ignore[SEC001] an example\nannotations: {password: hunter22}\n"
    ),
    "disabled": append("disabled: true\n"),
    "another kind": replaced("kind: Serving", "kind: AppImage"),
    "a long prefix": replaced(
        "domain_id: bob", f"domain_id: bob\n    service_name_prefix: {'a' * 60}"
    ),
    "the same prefix": replaced(
        "domain_id: bob", "domain_id: bob\n    service_name_prefix: shared"
    ),
    "gone": lambda path: path.unlink(),
}


def edited(root, chance):
    """Change one file, or put it back as it was."""
    files = sorted(root.glob("environments/*/servings/*.yaml"))
    path = chance.choice(files)
    original = path.read_bytes()
    name = chance.choice(sorted(EDITS))
    EDITS[name](path)
    return path, original, name


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(fleet, tmp_path, seed):
    chance = random.Random(seed)
    for _turn in range(8):
        path, original, name = edited(fleet, chance)
        project, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
        assert plainly(rendering) == reference(fleet), name
        assert len(project.environments) == 3
        write_out(fleet, rendering)
        if chance.random() < 0.7:
            path.write_bytes(original)


@pytest.mark.parametrize("name", sorted(EDITS))
def test_each_edit(fleet, tmp_path, name):
    write_out(fleet, look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1])
    EDITS[name](fleet / SERVINGS.format("prod", "own-00001.yaml"))
    memory = Counting(store(fleet, tmp_path / "cache"))
    _, rendering = look(Worktree(fleet), Asked(), memory)
    assert plainly(rendering) == reference(fleet)
    assert len(memory.missed) <= 1 or name == "another kind"


@pytest.mark.parametrize("name", ["a secret", "a used ignore", "an unused ignore", "a role"])
def test_an_inherited_file(fleet, tmp_path, name):
    write_out(fleet, look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1])
    EDITS[name](next(fleet.glob("environments/base/servings/*.yaml")))
    for _again in range(2):
        _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
        assert plainly(rendering) == reference(fleet)


@pytest.mark.process
@pytest.mark.parametrize(
    "asked",
    [
        Asked(("dev",)),
        Asked(("prod",)),
        Asked((), Shard(1, 2)),
        Asked((), Shard(2, 2)),
        Asked(jobs=2),
    ],
    ids=str,
)
def test_parts_of_a_repository(fleet, tmp_path, asked, monkeypatch):
    monkeypatch.setattr(looking, "_WORTH_A_FORK", 2)
    monkeypatch.setattr(looking, "_AT_ONCE", 3)
    monkeypatch.setattr("renderer.evaluate.parallel._WORTH_A_FORK", 2)
    for memory in (Forgetful(), store(fleet, tmp_path), store(fleet, tmp_path)):
        assert plainly(look(Worktree(fleet), asked, memory)[1]) == reference(fleet, asked)


@pytest.mark.process
def test_entangled_pieces_in_a_child(fleet, monkeypatch):
    monkeypatch.setattr(looking, "_WORTH_A_FORK", 2)
    monkeypatch.setattr("renderer.evaluate.parallel._WORTH_A_FORK", 2)
    for path in list(fleet.glob("environments/dev/servings/own-*.yaml"))[:2]:
        EDITS["one name for all"](path)
    _, rendering = look(Worktree(fleet), Asked(jobs=2), Forgetful())
    assert plainly(rendering) == reference(fleet)
    assert not rendering.is_sound


AROUND = {
    "a secret in an image": (
        "base/appimages/image-1",
        append("annotations: {password: hunter2}\n"),
    ),
    "an unknown key in an image": ("base/appimages/image-1", append("labelz: {}\n")),
    "a probe of an unknown port": (
        "base/appimages/image-1",
        replaced("port: brpc-builtin", "port: nowhere"),
    ),
    "an accepted finding": (
        "base/appimages/image-1",
        append("# servingctl: ignore[SEC001] an example\nannotations: {password: hunter2}\n"),
    ),
    "a secret in a variable": ("base/environment", replaced("bucket: models", "token: abcdefgh")),
    "an unknown key in an environment": ("dev/environment", append("destinationz: []\n")),
    "an unknown rule": ("dev/environment", replaced("POL004", "POL999")),
    "images named by content": (
        "dev/environment",
        append("kuscia: {appimage_naming: hashed}\n"),
    ),
    "plain names": ("prod/environment", replaced("hashed", "plain")),
}


@pytest.mark.parametrize("edit", ["a label", "a secret"])
@pytest.mark.parametrize("name", sorted(AROUND))
def test_what_is_around_is_remembered(fleet, tmp_path, name, edit):
    file, change = AROUND[name]
    path = fleet / f"environments/{file}.yaml"
    before = path.read_bytes()
    change(path)
    assert path.read_bytes() != before
    for turn in range(2):
        _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
        assert plainly(rendering) == reference(fleet), turn
        write_out(fleet, rendering)
        EDITS[edit](fleet / SERVINGS.format("prod", "own-00001.yaml"))
    _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
    assert plainly(rendering) == reference(fleet)


ALIKE = {"a label": True, "a role": False, "a secret": False, "an unused ignore": False}


@pytest.mark.parametrize("name", ALIKE)
def test_everything_is_looked_at_only_if_a_piece_shows_something_else(
    fleet, tmp_path, name, monkeypatch
):
    write_out(fleet, look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1])
    path = fleet / SERVINGS.format("prod", "own-00001.yaml")
    path.write_text(f"# one line more\n{path.read_text('utf-8')}", "utf-8")
    EDITS[name](path)
    looks = []
    monkeypatch.setattr(looking, "conclude", lambda *of: looks.append(of) or conclude(*of))
    project, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
    assert plainly(rendering) == reference(fleet)
    assert (not looks) is ALIKE[name]
    assert sum(len(item.specs) for item in project.environments) == sum(
        len(item.specs) for item in load(fleet).environments
    )


def agree(root, cache, jobs=1):
    """A look that remembers is the same as one that does not."""
    _, rendering = look(Worktree(root), Asked(jobs=jobs), store(root, cache, texts=False))
    wanted = render(load(root))
    assert rendering.diagnostics == wanted.diagnostics
    if wanted.is_sound:  # else nothing is written
        digests = {m.path: m.digest or digest(m.text) for m in rendering.manifests}
        assert digests == {m.path: digest(m.text) for m in wanted.manifests}
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


class TestWhatPiecesBorrow:
    """What a piece comes to may depend on more than its files; each case was once wrong."""

    @pytest.fixture
    def cache(self, tmp_path):
        return tmp_path / "cache"

    @pytest.mark.process
    def test_ignores_of_other_files(self, fleet, cache, monkeypatch):
        monkeypatch.setattr(looking, "_WORTH_A_FORK", 2)
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
        seen = look(Worktree(fleet), Asked(trees=True), store(fleet, cache, texts=False))[1]
        assert seen.is_sound
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

        def late(files):
            EDITS["a label"](path)
            return load_files(files)

        with monkeypatch.context() as patched:
            patched.setattr("renderer.evaluate.pieces.load_files", late)
            look(Worktree(fleet), Asked(), store(fleet, cache, texts=False))
        path.write_bytes(original)
        agree(fleet, cache)


def test_no_piece_is_left(fleet, tmp_path):
    write_out(fleet, look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1])
    for path in fleet.glob("environments/*/servings/*.yaml"):
        path.unlink()
    _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
    assert plainly(rendering) == reference(fleet)


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
    write_out(fleet, look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1])
    for path, data in hidden.items():
        path.write_bytes(data)
    _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
    assert plainly(rendering) == reference(fleet)
    assert any("prod/carol/appimages" in item.path for item in rendering.manifests)


class TestWhatIsLookedAtAgain:
    def missed(self, fleet, tmp_path):
        memory = Counting(store(fleet, tmp_path / "cache", texts=False))
        look(Worktree(fleet), Asked(), memory)
        return memory.missed

    @pytest.fixture(autouse=True)
    def _first(self, fleet, tmp_path):
        assert len(self.missed(fleet, tmp_path)) == 20

    def test_nothing_changed(self, fleet, tmp_path):
        assert self.missed(fleet, tmp_path) == []

    def test_one_file(self, fleet, tmp_path):
        EDITS["a label"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
        assert self.missed(fleet, tmp_path) == ["own-00000"]

    @pytest.mark.parametrize(
        "path",
        [
            "environments/base/environment.yaml",
            "environments/dev/environment.yaml",
            "environments/base/appimages/image-1.yaml",
        ],
    )
    def test_what_all_depend_on(self, fleet, tmp_path, path):
        append("# a comment\n")(fleet / path)
        assert len(self.missed(fleet, tmp_path)) == 20

    @pytest.mark.parametrize(
        "path", ["servingctl.yaml", "templates/kuscia/x.yaml.j2", "schemas/crds/x.yaml"]
    )
    def test_what_lies_around(self, fleet, tmp_path, path):
        (fleet / path).parent.mkdir(parents=True, exist_ok=True)
        (fleet / path).write_text("ignore: [environments/none/*]\n")
        assert len(self.missed(fleet, tmp_path)) == 20

    def test_the_program(self, fleet, tmp_path):
        memory = Counting(Store(tmp_path / "cache", fleet, "another version"))
        look(Worktree(fleet), Asked(), memory)
        assert len(memory.missed) == 20

    def test_output_that_was_changed(self, fleet, tmp_path):
        rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))[1]
        write_out(fleet, rendering)
        path = fleet / "rendered/dev/master/kusciadeployments/own-00000.yaml"
        path.write_text("something else")
        memory = Counting(store(fleet, tmp_path / "cache"))
        assert plainly(look(Worktree(fleet), Asked(), memory)[1]) == reference(fleet)
        assert memory.missed == ["own-00000"]


def with_entries(data, *fields):
    head, *lines = data.decode().split("\n")
    keys = (line.split("\t")[0] for line in lines)
    return "\n".join((head, *("\t".join((key, *fields)) for key in keys))).encode()


class TestTheFile:
    @pytest.fixture
    def file(self, fleet, tmp_path):
        look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache", texts=False))
        (file,) = (tmp_path / "cache").glob("*.cache")
        return file

    def test_is_the_users_own(self, file):
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.parent.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize(
        "damage",
        [
            lambda data: b"",
            lambda data: data[: len(data) // 2],
            lambda data: b"[1,2]",
            lambda data: b"\xff" + data,
            with_entries,
            lambda data: with_entries(data, "said", "[1]", "[]"),
            lambda data: with_entries(data, "said", "[" * 100_000, "[]"),
            lambda data: with_entries(data, "said", '[[["one"]], [], [], {}, []]', "[]"),
            lambda data: with_entries(data, "said", "[[], [], [], {}, []]", "[1]"),
        ],
    )
    def test_damage_is_ignored(self, fleet, tmp_path, file, damage):
        file.write_bytes(damage(file.read_bytes()))
        _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "cache"))
        assert plainly(rendering) == reference(fleet)

    @pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
    def test_one_that_others_may_write_is_not_believed(self, fleet, tmp_path, file):
        file.chmod(0o666)
        memory = Counting(store(fleet, tmp_path / "cache"))
        look(Worktree(fleet), Asked(), memory)
        assert len(memory.missed) == 20

    def test_a_link_is_not_followed(self, fleet, tmp_path, file):
        shutil.move(file, tmp_path / "elsewhere.json")
        file.symlink_to(tmp_path / "elsewhere.json")
        memory = Counting(store(fleet, tmp_path / "cache", texts=False))
        look(Worktree(fleet), Asked(), memory)
        assert len(memory.missed) == 20

    def test_a_folder_that_cannot_be_made(self, fleet, tmp_path):
        (tmp_path / "file").write_text("")
        _, rendering = look(Worktree(fleet), Asked(), store(fleet, tmp_path / "file/cache"))
        assert plainly(rendering) == reference(fleet)

    def test_holds_no_texts(self, file):
        assert "featureMapping" not in file.read_text("utf-8")

    def test_many_repositories(self, fleet, file):
        for number in range(60):
            (file.parent / f"{number}.cache").write_text("")
        EDITS["a label"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
        look(Worktree(fleet), Asked(), store(fleet, file.parent, texts=False))
        assert len(list(file.parent.glob("*.cache"))) == 50


@pytest.mark.process
def test_the_commands_agree_with_and_without(fleet):
    EDITS["a secret"](fleet / SERVINGS.format("dev", "own-00000.yaml"))
    first, second = (run("validate", cwd=fleet) for _ in range(2))
    plain = run("validate", "--no-cache", cwd=fleet)
    assert first.stdout == second.stdout == plain.stdout
    assert first.stderr == second.stderr == plain.stderr
    assert first.returncode == plain.returncode == 1
