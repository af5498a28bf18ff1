"""The kubectl program: it only ever lists objects, with the user's own contexts and rights."""

import json
import re
import subprocess
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from threading import Event, Thread
from typing import IO, Self

from renderer.errors import RendererError
from renderer.io.live_objects import Bounds, MoreThanAllowedError, Selection, read_objects
from renderer.text.secrets.masks import mask_line
from renderer.text.wording import visible
from renderer.values.diagnostics import Origin
from renderer.values.live import LiveObject, LiveObjects, Query
from renderer.values.model import Destination
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain, uniform_tree

_BATCH_SIZE = 8
_CHUNK = 256 << 10
_REQUEST = 30
_PATIENCE = 60
_FILES = "or save the objects with 'kubectl get … -o json' and name the file with --from"
_FORBIDDEN = re.compile(r"\(Forbidden\)|forbidden:|Unauthorized|must be logged in")
_UNKNOWN_KIND = re.compile(r"doesn't have a resource type|no matches for kind")
_NO_CONTEXT = re.compile(r"context .*(?:does not exist|was not found)|no context exists")
_UNREACHABLE = re.compile(
    r"Unable to connect|connection refused|connection to the server|no such host|i/o timeout"
    r"|context deadline exceeded|Client\.Timeout"
)
_LONGEST = 300


class _Answer(NamedTuple):
    """What came of a query: objects, or why there are none."""

    query: Query
    objects: tuple[LiveObject, ...] = ()
    problem: str = ""


def read_cluster(
    queries: Sequence[Query], destinations: Sequence[Destination]
) -> dict[str, LiveObjects]:
    """The objects that queries ask for; what is required and cannot be read ends the run."""
    contexts = {item.name: item.cluster_name for item in destinations}
    answers = list(_answers(queries, contexts))
    return {
        item.name: _join([one for one in answers if one.query.destination == item.name])
        for item in destinations
    }


def _join(answers: Sequence[_Answer]) -> LiveObjects:
    """All objects of a destination, each once."""
    reduced_first = sorted(answers, key=lambda answer: bool(answer.query.reads), reverse=True)
    found = {str(item) + item.group: item for answer in reduced_first for item in answer.objects}
    unread = {item.query.kind: item.problem for item in answers if item.problem}
    return LiveObjects(tuple(found.values()), unread)


def _answers(queries: Sequence[Query], contexts: Mapping[str, str]) -> Iterator[_Answer]:
    """Some queries at a time; whatever happens, none of their processes is left running."""
    bounds = Bounds()
    for start in range(0, len(queries), _BATCH_SIZE):
        batch = queries[start : start + _BATCH_SIZE]
        running: list[_KubectlProcess] = []
        try:
            running += (_start(query, contexts[query.destination]) for query in batch)
            for query, one in zip(batch, running, strict=True):
                yield _answer(query, one, contexts[query.destination], bounds)
        finally:
            for one in running:
                one.stop()


class _KubectlProcess(NamedTuple):
    """A kubectl that writes objects to a pipe and complaints to a file."""

    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]

    def chunks(self) -> Iterator[bytes]:
        return iter(lambda: self.output.read1(_CHUNK), b"")  # type: ignore[attr-defined]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.output.close()
        self.errors.close()


class _Patience:
    """Ends a process that says nothing for too long; how long it may speak is another matter."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process, self._heard, self._done = process, Event(), Event()
        self.is_over = False

    def __enter__(self) -> Self:
        Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()

    def watched(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._heard.set()
            yield chunk

    def _watch(self) -> None:
        while not self._done.wait(_PATIENCE):
            if not self._heard.is_set():
                self.is_over = True
                self._process.kill()
                return
            self._heard.clear()


def _start(query: Query, context: str) -> _KubectlProcess:
    form = "name" if query.are_names_enough else "json"
    command = ["kubectl", "--context", context, "get", query.resource, "--output", form]
    command += ["--namespace", query.namespace] if query.namespace else []
    command += ["--selector", query.selector] if query.selector else []
    if query.name:
        command += ["--all-namespaces"] if not query.namespace else []
        command += ["--field-selector", f"metadata.name={query.name}"]
    errors = TemporaryFile()  # noqa: SIM115 - it is closed with the process
    try:
        process = subprocess.Popen(  # noqa: S603 - the words are ours
            [*command, "--request-timeout", f"{_REQUEST}s"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    except OSError as error:
        errors.close()
        if isinstance(error, FileNotFoundError):
            raise RendererError(f"kubectl is not found; install it, {_FILES}") from error
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"kubectl does not start: {reason}") from error
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    return _KubectlProcess(process, process.stdout, errors)


def _answer(query: Query, running: _KubectlProcess, context: str, bounds: Bounds) -> _Answer:
    """The objects as they come in; one that fails says why, and what it wrote does not count."""
    shown = f"what kubectl printed of {query.kind} at the context {context!r}"
    objects: tuple[LiveObject, ...] = ()
    problem: RendererError | None = None
    with _Patience(running.process) as patience:
        try:
            chunks = patience.watched(running.chunks())
            if query.are_names_enough:
                objects = tuple(_named_objects(query, bounds.limited(chunks, shown)))
            else:
                objects = tuple(read_objects(chunks, shown, Selection([query]), bounds))
        except MoreThanAllowedError:
            raise
        except RendererError as error:
            problem = error
            # To the end: a program whose output is not read fails for that reason alone.
            deque(bounds.limited(patience.watched(running.chunks()), shown), maxlen=0)
        running.process.wait()
    if patience.is_over:
        message = f"kubectl did not answer within {_PATIENCE} seconds at the context {context!r}"
        raise RendererError(f"{message}; try again, {_FILES}")
    if running.process.returncode == 0:
        if problem:
            raise problem
        return _Answer(query, objects)
    running.errors.seek(0)
    said = _first_line(running.errors.read(_CHUNK))
    if not query.required and (_FORBIDDEN.search(said) or _UNKNOWN_KIND.search(said)):
        return _Answer(query, problem=said)
    raise RendererError(_complaint(query, context, said))


def _named_objects(query: Query, chunks: Iterator[bytes]) -> Iterator[LiveObject]:
    """Objects of which only the names are known, a line `kind.group/name` each."""
    origin = Origin("kubectl")
    for line in b"".join(chunks).decode("utf-8", "replace").split():
        names = {"name": line.rpartition("/")[2]}
        names |= {"namespace": query.namespace} if query.namespace else {}
        head: dict[str, Plain] = {"apiVersion": query.api_version, "kind": query.kind}
        yield LiveObject(uniform_tree({**head, "metadata": {**names}}, origin))


def server_versions(destinations: Sequence[Destination]) -> dict[str, str]:
    """The versions that API servers say they have, as far as they answer."""
    return {item.name: _server_version(item.cluster_name) for item in destinations}


def _server_version(context: str) -> str:
    command = ["kubectl", "--context", context, "get", "--raw", "/version"]
    try:
        said = subprocess.run(  # noqa: S603 - the words are ours
            [*command, "--request-timeout", f"{_REQUEST}s"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=True,
        ).stdout
        found = json.loads(said[:_CHUNK])
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return str(found.get("gitVersion", "")) if isinstance(found, dict) else ""


def _first_line(errors: bytes) -> str:
    """What kubectl complains of, without the lines of its own log."""
    lines = [line.strip() for line in errors.decode("utf-8", "replace").splitlines()]
    said = [line for line in lines if line and not re.match(r"[EWI]\d{4} ", line)]
    first = (said or [line for line in lines if line] or ["it failed without a word"])[0]
    return mask_line(visible(first.removeprefix("error: ")))[:_LONGEST]


def _complaint(query: Query, context: str, said: str) -> str:
    """What is wrong, in a line with what to do about it."""
    where = f"the destination {query.destination!r}"
    if _NO_CONTEXT.search(said):
        missing = f"kubectl has no context {context!r}, by which {where} is read"
        rename = f"rename one with 'kubectl config rename-context OLD {context}'"
        return f"{missing}; {rename}, {_FILES}"
    if _FORBIDDEN.search(said):
        needs = f"{query.kind} in {query.namespace or 'the whole cluster'}"
        return f"you may not list {needs} at the context {context!r}; {said}"
    if _UNKNOWN_KIND.search(said):
        missing = f"the cluster of {where} does not know the kind {query.kind}"
        return f"{missing}: its platform is not installed, or {context!r} is another cluster"
    if _UNREACHABLE.search(said):
        return f"the cluster of {where} does not answer at the context {context!r}; {said}"
    return f"kubectl cannot list {query.kind} at the context {context!r}; {said}"
