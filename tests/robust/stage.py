"""Commands in processes of their own, many a second, with faults on demand.

`python -m tests.robust.stage` is a server that forks for each of them (`tests.support.forking`).
"""

from tests.publish.failing import KILLED, Failing, choose
from tests.support import forking
from tests.support.forking import Ended


class Stage(forking.Server):
    """The process that forks; it lives as long as the tests that use it."""

    def __init__(self) -> None:
        super().__init__("tests.robust.stage")

    def run(self, folder, *arguments, failure="", at=0, method="exchange") -> Ended:
        words = [str(word) for word in arguments]
        ended = self.ask(str(folder), words, failure, at, method)
        assert ended.code in (0, 1, 2, 3, KILLED), ended
        assert "Traceback" not in ended.err, ended
        assert "unexpected" not in ended.err, ended
        return ended


def _play(folder, arguments, failure, at, method) -> None:
    choose(method, "")
    if failure:
        Failing(failure, at).install()
    forking.command(folder, arguments)


if __name__ == "__main__":
    forking.render_once()
    forking.serve(_play)
