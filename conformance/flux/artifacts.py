"""What the source-controller would do: serve archives of a tree, and say so in a source."""

import gzip
import hashlib
import io
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from conformance.kubernetes.client import Client, Object


class Shelf(NamedTuple):
    """Archives by their names, and the address where they are served."""

    archives: dict[str, bytes]
    address: str


@contextmanager
def served() -> Iterator[Shelf]:
    """An HTTP server for as long as somebody asks."""
    archives: dict[str, bytes] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = archives.get(self.path.lstrip("/"))
            self.send_response(200 if found else 404)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as its base has it
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield Shelf(archives, f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            thread.join()


def packed(folder: Path) -> bytes:
    """The files of a folder as the source-controller packs them, with the folder's own name."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.add(path, path.relative_to(folder.parent), recursive=False)
    return gzip.compress(buffer.getvalue(), mtime=0)


def revision_of(number: int) -> str:
    return f"main@sha1:{number:040x}"


def publish(client: Client, shelf: Shelf, source: Object, data: bytes, number: int) -> None:
    """Make an archive the artifact of a source, as if it were the commit of that number."""
    name = f"{number}/{source['metadata']['name']}.tar.gz"
    shelf.archives[name] = data
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    artifact = {
        "url": f"{shelf.address}/{name}",
        "path": name,
        "digest": f"sha256:{hashlib.sha256(data).hexdigest()}",
        "revision": revision_of(number),
        "lastUpdateTime": now,
    }
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "Succeeded",
        "message": "stored",
        "lastTransitionTime": now,
    }
    status = {"artifact": artifact, "conditions": [ready], "observedGeneration": 1}
    path = f"{client.path_of(source)}/status"
    reply = client.request("PATCH", path, {"status": status}, "merge-patch+json")
    assert not reply.is_refusal, reply
