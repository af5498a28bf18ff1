"""No network: found by every Python that the tests start, and loaded by the tests themselves.

Whoever asks for a socket that could leave this machine is refused, and noted in the file that
`OFFLINE_LOG` names, so that even an attempt whose failure is swallowed fails its test.
`OFFLINE_EXEMPT` (the marker `network`) lets through.
"""

import os
import sys
import traceback

LOG, EXEMPT = "OFFLINE_LOG", "OFFLINE_EXEMPT"
_ASKING = {
    f"socket.{name}"
    for name in ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo", "getservbyname")
}
_SENDING = {f"socket.{name}" for name in ("__new__", "bind", "connect", "sendto", "sendmsg")}
_UNIX = 1  # AF_UNIX; the module socket stays unloaded where nobody needs it


class NetworkAttempted(OSError):
    """The network was asked for."""


def _refuse(event, arguments):
    if event not in _ASKING and event not in _SENDING:
        return
    if os.environ.get(EXEMPT) or (event in _SENDING and _is_local(event, arguments)):
        return
    where = "".join(traceback.format_stack(limit=6))
    if log := os.environ.get(LOG):
        with open(log, "a", encoding="utf-8") as stream:
            stream.write(f"{event} {arguments[1:]!r}\n{where}\n")
    raise NetworkAttempted(f"{event} {arguments[1:]!r}: the tests may not use the network")


def _is_local(event, arguments):
    """Whether a socket is of the family that stays on this machine.

    `socket(fileno=…)` tells no family: it wraps one that was made, and let through, before.
    """
    family = arguments[1] if event == "socket.__new__" else arguments[0].family
    return family in (-1, _UNIX)


sys.addaudithook(_refuse)
