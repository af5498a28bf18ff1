"""Syncs by Argo CD's own engine on a real API server, look by look as its controller does it."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from conformance.argocd.program import Judge
from conformance.kubernetes.client import Client, Object

_RUNNING = "Running"
#: More than the waves of any sync here; one that is not at its end by then is said to wait.
_LOOKS = 8
_NEW: Object = {"phase": "", "message": "", "results": []}
Row = dict[str, Any]


class Application(NamedTuple):
    """What is bootstrapped for one destination, and the server that it leads to."""

    judge: Judge
    client: Client
    settings: dict[str, str]
    project: Object
    application: Object
    #: All that was ever in Git, by what it is called: what Argo CD would know by its labels.
    known: dict[str, Object]

    def live(self) -> list[Object]:
        """What there is of it."""
        replies = (
            self.client.request("GET", self.client.path_of(it)) for it in self.known.values()
        )
        return [reply.body for reply in replies if not reply.is_refusal]

    def names(self) -> set[str]:
        return {named(thing) for thing in self.live()}

    def sync(
        self, targets: list[Object], between: Callable[[], None], state: Object = _NEW
    ) -> "Sync":
        """Until it is at its end, or waits for something that does not come.

        Between two looks controllers report what they have done.
        """
        self.known.update((named(thing), thing) for thing in targets)
        looks: list[Row] = []
        for _ in range(_LOOKS):
            before = self.names()
            state = self._look(targets, state)
            looks.append(_row(state, before, self.names()))
            if state["phase"] != _RUNNING:
                break
            between()
        return Sync(_without_repetition(looks), state)

    def _look(self, targets: list[Object], state: Object) -> Object:
        request = {
            "settings": self.settings,
            "project": self.project,
            "application": self.application,
            "targets": targets,
            "live": self.live(),
            "state": state,
        }
        (answer,) = self.judge.ask("sync", [request])
        assert "error" not in answer, answer
        found: Object = answer
        return found

    def order_of_deletion(self) -> Row:
        """What is left and what goes, wave by wave, when the Application is deleted."""
        live, waves = self.live(), []
        (answer,) = self.judge.ask("deletion", [{"live": live}])
        kept = sorted(answer["kept"])
        while answer["next"]:
            waves.append(sorted(answer["next"]))
            live = [thing for thing in live if named(thing) not in waves[-1]]
            (answer,) = self.judge.ask("deletion", [{"live": live}])
        return {"kept": kept, "waves": waves}


class Sync(NamedTuple):
    """What happened, look by look, and the state at the end."""

    looks: list[Row]
    state: Object

    def messages(self, status: str) -> dict[str, str]:
        """What is said of objects with a result, as that they are not pruned."""
        return {
            f"{item['ResourceKey']['Kind']}/{item['ResourceKey']['Name']}": item["Message"]
            for item in self.state["results"] or ()
            if item["Status"] == status
        }


def named(thing: Object) -> str:
    return f"{thing['kind']}/{thing['metadata']['name']}"


def _row(state: Object, before: set[str], after: set[str]) -> Row:
    changes = {"created": sorted(after - before), "deleted": sorted(before - after)}
    said = {"phase": state["phase"], "message": state["message"]}
    return {**said, **{word: names for word, names in changes.items() if names}}


def _without_repetition(looks: Iterable[Row]) -> list[Row]:
    """Looks that say and do the same as the one before are left out."""
    found: list[Row] = []
    for look in looks:
        if not found or look != found[-1]:
            found.append(look)
    return found
