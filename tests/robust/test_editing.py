"""Any sequence of edits, renders, kills and faults ends in the bytes of a fresh render."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from functools import cache

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.publish.failing import KILLED
from tests.publish.trees import look, put
from tests.robust.editing import BROKEN, Repository, environment, image, serving
from tests.robust.form import IS_WHOLE
from tests.robust.stage import Stage
from tests.support.counting import count

pytestmark = [pytest.mark.process, pytest.mark.long]

ENVIRONMENTS = st.sampled_from(["dev", "prod"])
STEMS = st.sampled_from(["s0", "s1", "s2"])
IMAGES = st.sampled_from(["i0", "i1"])
SERVINGS = st.builds(
    serving, st.tuples(IMAGES, IMAGES), st.integers(1, 3), st.sampled_from(["a", '"x: y"', "é"])
)
APPIMAGES = st.builds(image, st.sampled_from(["v1", "v2"]), st.integers(1, 2))
SETTINGS = st.builds(
    environment,
    naming=st.sampled_from(["plain", "hashed"]),
    layout=st.sampled_from(["one", "two"]),
    extends=st.just(""),
)
STRANGERS = st.sampled_from(
    ["README.md", "dev/notes.txt", "dev/east/notes.yaml", "prod/east/appimages/extra.txt", ".x/y"]
)
METHODS = st.sampled_from(["exchange", "journal"])
FAULTS = st.sampled_from(["kill", "once", "full"])


@cache
def stage() -> Stage:
    return Stage()


class Editing(RuleBasedStateMachine):
    """People edit, programs render, and some of them die."""

    @initialize(first=SETTINGS)
    def begin(self, first):
        self.repository = Repository(stage())
        self.died = False
        for env in ("dev", "prod"):
            self.repository.write(f"environments/{env}/environment.yaml", first)
            for name in ("i0", "i1"):
                self.repository.write(f"environments/{env}/{name}.yaml", image("v1", 1))
        self.repository.write("environments/dev/s0.yaml", serving(("i0", "i1"), 1, "a"))

    def teardown(self):
        if hasattr(self, "repository"):
            try:
                self.render()
            finally:
                self.repository.remove()

    # What people do.

    @rule(env=ENVIRONMENTS, stem=STEMS, text=SERVINGS)
    def write_a_serving(self, env, stem, text):
        self.repository.write(f"environments/{env}/{stem}.yaml", text)

    @rule(env=ENVIRONMENTS, stem=IMAGES, text=APPIMAGES)
    def write_an_image(self, env, stem, text):
        self.repository.write(f"environments/{env}/{stem}.yaml", text)

    @rule(env=ENVIRONMENTS, text=SETTINGS)
    def write_an_environment(self, env, text):
        self.repository.write(f"environments/{env}/environment.yaml", text)

    @rule(text=SETTINGS)
    def let_prod_inherit(self, text):
        self.repository.write("environments/prod/environment.yaml", text + "extends: dev\n")

    @rule(data=st.data(), text=st.sampled_from(BROKEN))
    def break_a_file_and_mend_it(self, data, text):
        """While it is broken, a render changes nothing."""
        path = self.some_file(data)
        whole = self.repository.files[path]
        self.repository.write(path, text)
        self.render()
        self.repository.write(path, whole)

    @rule(data=st.data(), stem=STEMS)
    @precondition(lambda self: self.files("/s"))
    def rename_a_serving(self, data, stem):
        path = self.some_file(data, "/s")
        target = f"{path.rsplit('/', 1)[0]}/{stem}.yaml"
        text = self.repository.files[path]
        self.repository.delete(path)
        self.repository.write(target, text)

    @rule(data=st.data())
    @precondition(lambda self: self.files("/s"))
    def delete_a_serving(self, data):
        self.repository.delete(self.some_file(data, "/s"))

    @rule(data=st.data())
    def delete_a_file_and_bring_it_back(self, data):
        """Without an image or its environment, most repositories have errors."""
        path = self.some_file(data)
        text = self.repository.files[path]
        self.repository.delete(path)
        self.render()
        self.repository.write(path, text)

    @rule(path=STRANGERS)
    def leave_a_foreign_file(self, path):
        self.repository.leave(path, "foreign")

    @rule(data=st.data(), delete=st.booleans())
    @precondition(lambda self: not self.died)
    def meddle_with_the_output(self, data, delete):
        """Somebody edits or deletes a rendered file; not the inventory, which says what is ours."""
        held = self.repository.ours(tidy=False)
        ours = sorted(path for path in held if ".inventory" not in path)
        if not ours:
            return
        path = data.draw(st.sampled_from(ours))
        if delete:
            (self.repository.output / path).unlink()
        else:
            put(self.repository.output, path, "edited by hand")

    # What programs do.

    @rule()
    def render(self):
        before = look(self.repository.output, times=True)
        wanted = self.repository.wanted()
        ended = self.repository.run("render", "--allow-empty")
        count("renders")
        if wanted is None:
            assert ended.code == 1, ended
            assert look(self.repository.output, times=True) == before, "errors change nothing"
            count("renders of broken specs that changed nothing")
        else:
            assert ended.code == 0, ended
            self.died = False
            assert self.repository.ours() == wanted
            count("renders that made a fresh render's bytes")

    @rule()
    def render_with_care(self):
        """Without permission to empty a destination: as asked, or refused and nothing changed."""
        before = look(self.repository.output, times=True)
        ended = self.repository.run("render")
        if ended.code == 0:
            self.died = False
            assert self.repository.ours() == self.repository.wanted()
        elif ended.code == 3:
            assert "--allow-empty" in ended.err, ended
            if not self.died:  # else the refusal came after what the dead one left was undone
                assert look(self.repository.output, times=True) == before

    @rule(failure=FAULTS, at=st.integers(1, 60), method=METHODS)
    def render_with_a_fault(self, failure, at, method):
        """The n-th call to the file system kills the process, or finds the disk full."""
        before = look(self.repository.output)
        wanted = self.repository.wanted()
        ended = self.repository.run(
            "render", "--allow-empty", failure=failure, at=at, method=method
        )
        count("faults injected into renders")
        if ended.code == KILLED:
            self.died = True
            count("renders killed at a chosen call")
        elif ended.code == 3:
            assert ended.err.count("servingctl: ") == 1, ended
            if not self.died:
                assert look(self.repository.output) == before, "a failed render changes nothing"
        elif ended.code == 0:
            # What could not be cleared away is left to the next run.
            self.died = True
            self.assert_new(wanted)

    @rule(text=SERVINGS, failure=FAULTS, at=st.integers(1, 60), method=METHODS)
    def change_something_and_render_with_a_fault(self, text, failure, at, method):
        self.repository.write("environments/dev/s0.yaml", text)
        self.render_with_a_fault(failure, at, method)

    def assert_new(self, wanted):
        found = look(self.repository.output)
        assert {path: found.get(path) for path in wanted} == wanted

    @rule(seed=st.integers(0, 1 << 16))
    def kill_a_render_at_some_moment(self, seed):
        self.repository.wanted()
        process = _started(self.repository.root)
        time.sleep(random.Random(seed).uniform(0.1, 0.5))
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.communicate()
        self.died = True
        count("renders killed at some moment")

    @rule()
    @precondition(lambda self: not self.died)
    def render_twice_at_once(self):
        """One of them, or both after each other; the tree is whole."""
        wanted = self.repository.wanted()
        runs = [_started(self.repository.root) for _ in range(2)]
        errors = [process.communicate()[1] for process in runs]
        codes = {process.returncode for process in runs}
        count("renders at once", len(runs))
        if wanted is None:
            assert codes == {1}, errors
            return
        assert 0 in codes, errors
        assert codes <= {0, 3}, errors
        assert self.repository.ours() == wanted

    @rule()
    def check(self):
        """As a render would say, except that what a dead one left may be undone."""
        wanted = self.repository.wanted()
        ended = self.repository.run("render", "--check")
        self.died = False if ended.code in (0, 1) and wanted is not None else self.died
        same = wanted is not None and self.repository.ours(tidy=False) == wanted
        assert ended.code == (0 if same else 1), ended

    @rule()
    def validate(self):
        ended = self.repository.run("validate")
        assert (ended.code == 0) == (self.repository.wanted() is not None), ended

    @rule(form=st.sampled_from(["text", "json", "markdown", "html"]))
    def compare_with_the_output(self, form):
        ended = self.repository.run("diff", "--from", "rendered", "--format", form)
        assert ended.code in (0, 1, 2, 3), ended

    @invariant()
    def foreign_files_survive(self):
        count("steps of the state machine")
        if hasattr(self, "repository") and not self.died:
            self.repository.assert_foreign_survive()

    def files(self, part="/"):
        """The files below environments, or those of them whose path holds something."""
        below = (path for path in self.repository.files if path.startswith("environments/"))
        return sorted(path for path in below if part in path.removeprefix("environments"))

    def some_file(self, data, part="/"):
        return data.draw(st.sampled_from(self.files(part)))


def _started(root):
    command = [sys.executable, "-B", "-m", "renderer", "render", "--allow-empty"]
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, **path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


TestEditing = Editing.TestCase
TestEditing.settings = settings(
    max_examples=settings.default.max_examples // (25 if IS_WHOLE else 15),
    stateful_step_count=40 if IS_WHOLE else 12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
