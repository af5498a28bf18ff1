"""What there is on a server, and waiting until nothing changes there any more."""

import time
from collections.abc import Callable, Collection, Iterable

from conformance.kubernetes.client import Client, Object

_PATIENCE = 300
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
    """Until the operator has looked at everything, and nothing has changed for a while."""
    end = time.monotonic() + _PATIENCE
    seen, changed, since = versions(), set[str](), time.monotonic()
    while time.monotonic() < end:
        now = versions()
        if now != seen or missing():
            seen, changed, since = now, now ^ seen, time.monotonic()
        elif time.monotonic() - since > seconds:
            return
        time.sleep(0.5)
    raise TimeoutError(f"not looked at: {missing()}; changed in the end: {sorted(changed)}")


def wait_for(is_so: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {seconds} s")
        time.sleep(0.1)
