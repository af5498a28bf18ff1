"""What a rule can do: nothing but answer, in bounded time and memory."""

import os
import signal
import sys

import pytest

from renderer.policies import cel
from renderer.policies.worker import Question, ask, stop
from tests.support.rows import each

pytestmark = pytest.mark.process
VARIABLES = ("self",)


def answer_to(expression, data=None):
    (answer,) = ask([Question(expression, VARIABLES, {"self": data})])
    return answer


def test_what_takes_too_long_is_ended(monkeypatch):
    """The system ends the process by the processor's time, whatever the engine does."""

    def busy(*_):
        while True:
            pass

    monkeypatch.setattr(cel, "evaluate", busy)
    stop()
    assert "more than 100 ms" in answer_to("1 == 1").error
    monkeypatch.undo()
    assert answer_to("1 == 1").value is True


def test_the_engine_is_loaded_by_the_worker_alone():
    assert answer_to("1 == 1").value is True
    assert "cel_expr_python" not in sys.modules


def test_many_questions_that_end_the_worker_are_each_answered(monkeypatch):
    real = cel.evaluate

    def fragile(expression, *rest):
        if "0 ==" in expression:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(expression, *rest)

    monkeypatch.setattr(cel, "evaluate", fragile)
    stop()
    texts = ["0 == 0", "1 == 1", "0 == 0", "0 == 0", "2 == 2"]
    answers = ask([Question(text, VARIABLES, {"self": 1}) for text in texts])
    monkeypatch.undo()
    stop()
    assert [item.value for item in answers] == [None, True, None, None, True]
    assert all("ended the process" in item.error for item in answers if item.value is None)


def test_nested_comprehensions_are_ended():
    deep = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"
    assert "more than 10,000 items" in answer_to(deep, list(range(500))).error


def test_a_crash_of_the_engine_is_an_answer(monkeypatch):
    """The process that ends is not ours."""
    monkeypatch.setattr(cel, "evaluate", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    stop()
    assert "ended the process" in answer_to("1 == 1").error
    monkeypatch.undo()
    assert answer_to("1 == 1").value is True


@each(
    "text",
    [
        "__import__('os').system('id')", "open('/etc/passwd')", "now()", "timestamp.now()",
        "env('HOME')", "getenv('HOME')", "http.get('http://localhost')", "random()", "uuid()",
        "self.__class__.__mro__ == 1", "file('/etc/passwd')", "exec('true')",
    ],
    name=str,
)  # fmt: skip
def test_an_expression_reaches_nothing_outside(text):
    answer = answer_to(text, {})
    assert answer.error
    assert answer.value is None


def test_without_fork_nothing_is_evaluated(monkeypatch):
    from renderer.errors import RendererError

    monkeypatch.delattr(os, "fork")
    with pytest.raises(RendererError, match="cannot be evaluated on this system"):
        answer_to("1 == 1")


def test_without_the_engine_a_run_says_what_to_install(monkeypatch):
    from renderer.errors import RendererError
    from tests.support.policies import found_with

    monkeypatch.setattr(cel, "is_available", lambda: False)
    with pytest.raises(RendererError, match=r"servingctl\[cel\]"):
        found_with()
