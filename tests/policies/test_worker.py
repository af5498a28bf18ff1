"""What a rule can do: nothing but answer, in bounded time and memory."""

import os
import resource
import select
import signal
import sys
import time
from functools import cache

import pytest

from renderer.policies import cel, worker
from renderer.policies.answers import ask, forget
from renderer.policies.worker import Question, stop
from tests.support.policies import FILE, SERVING_FILE, changed, found_with
from tests.support.rows import each

pytestmark = pytest.mark.process
VARIABLES = ("self",)


def answer_to(expression, data=None):
    (answer,) = ask([Question(expression, VARIABLES, {"self": data})])
    return answer


def test_the_worker_keeps_no_pipe_of_others_open():
    """Who waits until the last one closes it would wait for ever."""
    stop()
    forget()
    receiving, sending = os.pipe()
    assert answer_to("1 == 1").value is True
    os.close(sending)
    assert select.select([receiving], [], [], 5)[0]
    assert os.read(receiving, 1) == b""
    os.close(receiving)


def test_what_takes_too_long_is_ended(monkeypatch):
    """The system ends the process by the processor's time, whatever the engine does."""

    def busy(*_):
        while True:
            pass

    monkeypatch.setattr(cel, "evaluate", busy)
    stop()
    forget()
    assert "more than 100 ms" in answer_to("1 == 1").error
    monkeypatch.undo()
    forget()
    assert answer_to("1 == 1").value is True


@pytest.mark.parametrize(("seconds", "value", "error"), [(0.2, True, ""), (9, None, "to compile")])
def test_compiling_has_a_limit_of_its_own(monkeypatch, seconds, value, error):
    real = cel._compiled

    def slow(*given):
        end = time.process_time() + seconds * ("self" in given[0])
        while time.process_time() < end:
            pass
        return real(*given)

    monkeypatch.setattr(cel, "_compiled", cache(slow))
    stop()
    forget()
    found = answer_to("self == 1", 1)
    monkeypatch.undo()
    stop()
    forget()
    assert (found.value, error in found.error) == (value, True)


def busy_if(word, real):
    """An evaluation that never ends if an expression has a word."""

    def evaluate(expression, *rest):
        while word in expression:
            pass
        return real(expression, *rest)

    return evaluate


def test_what_ends_the_worker_often_is_not_asked_again(monkeypatch):
    """A hostile rule takes a third of a second in all, however many specs there are."""
    monkeypatch.setattr(cel, "evaluate", busy_if("hostile", cel.evaluate))
    stop()
    forget()
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    questions = [
        Question(text, VARIABLES, {"self": number})
        for number in range(200)
        for text in ("self == 'hostile'", "self >= 0")
    ]
    answers = ask(questions)
    later = ask([Question("self == 'hostile'", VARIABLES, {"self": 1000})])
    monkeypatch.undo()
    stop()
    forget()
    assert [item.value for item in answers] == [None, True] * 200
    assert all(item.is_costly and "100 ms" in item.error for item in answers[::2] + later)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began < 1


def test_what_takes_long_time_after_time_is_not_evaluated_again(monkeypatch):
    """Each time is below the limit, and all together are not."""
    real = cel.evaluate

    def slow(*given):
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        return real(*given)

    monkeypatch.setattr(cel, "evaluate", slow)
    monkeypatch.setattr(worker, "SECONDS_IN_ALL", 0.2)
    stop()
    forget()
    answers = ask([Question("self >= 0", VARIABLES, {"self": n}) for n in range(40)])
    monkeypatch.undo()
    stop()
    forget()
    asked = [item for item in answers if not item.is_costly]
    assert 3 <= len(asked) <= 8
    assert all(item.value is True for item in asked)
    assert "time after time" in answers[-1].error


def test_a_rule_that_is_too_expensive_is_reported_once(monkeypatch):
    monkeypatch.setattr(cel, "evaluate", busy_if("self != 1", cel.evaluate))
    stop()
    forget()
    hostile = changed(
        {
            "has(spec.labels) && 'owner' in spec.labels": "self != 1",
            "why:": "each: parties.domain_id\nwhy:",
            "{spec: {labels: {owner: me}}}": "{spec: {parties: []}}",
        }
    )
    found = [item for item in found_with(hostile) if item.code == "ACME012"]
    monkeypatch.undo()
    stop()
    forget()
    assert [(item.file, item.line, item.column) for item in found] == [(FILE, 7, 13)]
    assert "too expensive and not evaluated: it took more than 100 ms" in found[0].message
    assert SERVING_FILE in found[0].related


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
    forget()
    texts = ["0 == 0", "1 == 1", "0 == 0", "0 == 0", "2 == 2"]
    answers = ask([Question(text, VARIABLES, {"self": 1}) for text in texts])
    monkeypatch.undo()
    stop()
    forget()
    assert [item.value for item in answers] == [None, True, None, None, True]
    assert all("ended the process" in item.error for item in answers if item.value is None)


def test_nested_comprehensions_are_ended():
    deep = "self.all(a, self.all(b, self.all(c, a + b + c >= 0)))"
    assert "more than 10,000 items" in answer_to(deep, list(range(500))).error


def test_a_crash_of_the_engine_is_an_answer(monkeypatch):
    """The process that ends is not ours."""
    monkeypatch.setattr(cel, "evaluate", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    stop()
    forget()
    assert "ended the process" in answer_to("1 == 1").error
    monkeypatch.undo()
    forget()
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

    forget()
    monkeypatch.delattr(os, "fork")
    with pytest.raises(RendererError, match="cannot be evaluated on this system"):
        answer_to("1 == 1")


def test_without_the_engine_a_run_says_what_to_install(monkeypatch):
    from renderer.errors import RendererError

    monkeypatch.setattr(cel, "is_available", lambda: False)
    with pytest.raises(RendererError, match=r"servingctl\[cel\]"):
        found_with()
