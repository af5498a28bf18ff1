"""What there is on a server, and waiting until nothing changes there any more."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable

from conformance.kubernetes.client import Client, Object

_PATIENCE = 300
_OFTEN = 40
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
    rests: it is left out once it has changed often.
    """
    end = time.monotonic() + _PATIENCE
    seen, since, changes = versions(), time.monotonic(), Counter[str]()
    while time.monotonic() < end:
        now = versions()
        changed = {text.partition(" ")[0] for text in now ^ seen}
        changes.update(changed)
        if missing() or any(changes[name] <= _OFTEN for name in changed):
            since = time.monotonic()
        elif time.monotonic() - since > seconds:
            return
        seen = now
        time.sleep(0.5)
    raise TimeoutError(f"not looked at: {missing()}; changed most: {changes.most_common(5)}")


def wait_for(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} s")
        time.sleep(0.1)
