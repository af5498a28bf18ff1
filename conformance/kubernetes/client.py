"""Requests to an API server: apply, dry-run, read, delete."""

import json
import ssl
import time
from http.client import HTTPException, HTTPResponse, HTTPSConnection, RemoteDisconnected
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

Object = dict[str, Any]
#: Kuscia's controller fills typed structures: what they do not know never reaches the server.
_AS_CONTROLLERS = {"dryRun": "All"}
#: How long a kind that was just installed may take to be served.
_PATIENCE = 30
_AS_USERS = {"fieldManager": "servingctl", "force": "true", "fieldValidation": "Strict"}


class Reply(NamedTuple):
    """What came back; a refusal is an object of the kind Status."""

    status: int
    body: Any
    #: What the server says beside it.
    warnings: tuple[str, ...] = ()

    @property
    def is_refusal(self) -> bool:
        return self.status >= 400  # noqa: PLR2004 - as HTTP has it


class Client:
    """One connection that is kept open, and what the server said about its kinds."""

    def __init__(self, server: str, authority: Path, token: str) -> None:
        #: As JSON, for programs that talk to the same server.
        self.where = {"server": server, "ca": str(authority), "token": token}
        self._host = urlsplit(server).netloc
        self._authority = authority
        self._headers = {"Authorization": f"Bearer {token}"}
        self._connection: HTTPSConnection | None = None
        self._kinds: dict[tuple[str, str], tuple[str, bool]] = {}

    def wait_until(self, path: str, seconds: float) -> None:
        """Until the server answers well; it takes a while to start."""
        end = time.monotonic() + seconds
        while True:
            try:
                if not (reply := self.request("GET", path)).is_refusal:
                    return
            except (OSError, HTTPException) as error:
                reply = Reply(0, str(error))
                self.close()
            if time.monotonic() > end:
                raise TimeoutError(f"{path} after {seconds} s: {reply}")
            time.sleep(0.2)

    def request(
        self,
        method: str,
        path: str,
        body: Object | list[Object] | None = None,
        content: str = "json",
    ) -> Reply:
        headers = {**self._headers, "Content-Type": f"application/{content}"}
        data = None if body is None else json.dumps(body).encode()
        with self._response(method, path, data, headers) as response:
            text = response.read().decode()
            is_json = "json" in (response.getheader("Content-Type") or "")
            said = response.headers.get_all("Warning") or ()
            return Reply(response.status, json.loads(text) if is_json else text, tuple(said))

    def _response(
        self, method: str, path: str, data: bytes | None, headers: dict[str, str]
    ) -> HTTPResponse:
        """On the kept connection; on a new one if the server has closed that, as it does when idle.

        Only a connection that was kept is tried again: what the server closed before it answered
        anything, it has not done.
        """
        kept, self._connection = self._connection, self._connection or self._connect()
        try:
            self._connection.request(method, path, data, headers)
            return self._connection.getresponse()
        except (ConnectionError, RemoteDisconnected, ssl.SSLEOFError):
            self.close()
            if kept is None:
                raise
            return self._response(method, path, data, headers)

    def _connect(self) -> HTTPSConnection:
        trust = ssl.create_default_context(cafile=str(self._authority))
        return HTTPSConnection(self._host, context=trust, timeout=60)

    def close(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None

    def path_of(self, thing: Object, *, named: bool = True) -> str:
        """Where an object is, or the list that it belongs to."""
        version = thing["apiVersion"]
        base = f"/apis/{version}" if "/" in version else f"/api/{version}"
        plural, in_namespace = self._kind(base, thing["kind"])
        metadata = thing["metadata"]
        place = f"/namespaces/{metadata['namespace']}" if in_namespace else ""
        return f"{base}{place}/{plural}" + (f"/{metadata['name']}" if named else "")

    def _kind(self, base: str, kind: str) -> tuple[str, bool]:
        end = time.monotonic() + _PATIENCE
        while (base, kind) not in self._kinds:
            reply = self.request("GET", base)
            for item in () if reply.is_refusal else reply.body["resources"]:
                if "/" not in item["name"]:
                    self._kinds[base, item["kind"]] = item["name"], item["namespaced"]
            if time.monotonic() > end:
                raise LookupError(f"the server has no kind {kind} at {base}")
            time.sleep(0 if (base, kind) in self._kinds else 0.2)
        return self._kinds[base, kind]

    def apply(self, thing: Object, *, dry: bool = False) -> Reply:
        """Server-side, and strict about fields: as a GitOps controller does it."""
        query = urlencode({**_AS_USERS, **({"dryRun": "All"} if dry else {})})
        return self.request("PATCH", f"{self.path_of(thing)}?{query}", thing, "apply-patch+yaml")

    def try_to_create(self, thing: Object) -> Reply:
        """As a controller creates it, but nothing stays."""
        query = urlencode(_AS_CONTROLLERS)
        return self.request("POST", f"{self.path_of(thing, named=False)}?{query}", thing)

    def delete(self, thing: Object) -> Reply:
        return self.request("DELETE", self.path_of(thing))
