"""What there is on a server, and waiting until nothing changes there any more."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from conformance.kubernetes.client import Client, Object

_PATIENCE = 300
_OFTEN = 40
#: So much longer than for the rest it is waited for what an operator has said nothing of, in case
#: that it is slow: some manifests it passes over without a word.
_SILENT = 3
Key = tuple[str, str]


def items_of(client: Client, path: str) -> list[Object]:
    reply = client.request("GET", path)
    assert not reply.is_refusal, reply
    found: list[Object] = reply.body["items"] or []
    return found


def key_of(thing: Object) -> Key:
    return thing["metadata"].get("namespace", ""), thing["metadata"]["name"]


def versions_in(client: Client, paths: Iterable[str]) -> set[str]:
    """All that there is in some lists, as it is now."""
    return {
        f"{path}/{item['metadata']['name']} {item['metadata']['resourceVersion']}"
        for path in paths
        for item in items_of(client, path)
    }


def wait_until_quiet(
    seconds: float, versions: Callable[[], set[str]], missing: Callable[[], Collection[Key]]
) -> None:
    """Until the operator has looked at everything, and nothing has changed for a while.

    What an operator writes again and again, as KServe does with some pods that are refused, never
    rests: it is left out once it has changed often. Many objects are asked about at once, so that
    one that takes too long is reported, and the others are looked at.
    """
    end = time.monotonic() + _PATIENCE
    seen, since, changes = versions(), time.monotonic(), Counter[str]()
    while time.monotonic() < end:
        now = versions()
        changed = {text.partition(" ")[0] for text in now ^ seen}
        changes.update(changed)
        if any(changes[name] <= _OFTEN for name in changed):
            since = time.monotonic()
        rested = time.monotonic() - since
        if rested > seconds and (rested > _SILENT * seconds or not missing()):
            return
        seen = now
        time.sleep(0.5)
    sys.stderr.write(f"not at rest: {changes.most_common(5)}; not looked at: {missing()}\n")


def wait_for(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} s")
        time.sleep(0.1)
