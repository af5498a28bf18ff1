"""An operator of ours by its parts: built by Go, installed on a server, and run on loopback."""

import json
import os
import socket
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.server import stop
from conformance.operators.quiet import wait_for

#: What the program says of itself when it starts.
Announced = dict[str, Any]


def build(
    go: str, source: Path, program: Path, modules: str = "go.mod", package: str = "."
) -> Path:
    """The program; minutes the first time, and a moment when nothing has changed."""
    command = [go, "build", "-modfile", modules, "-o", str(program), package]
    subprocess.run(command, cwd=source, check=True)
    return program


def module(go: str, source: Path, name: str, modules: str = "go.mod") -> Path:
    """Where Go keeps a module that ours is made of; manifests are read there, and not copied.

    It is fetched if nothing was built of it yet: what is not there has no manifests.
    """
    command = [go, "mod", "download", "-modfile", modules, "-json", name]
    text = subprocess.run(command, cwd=source, check=True, capture_output=True, text=True).stdout
    return Path(json.loads(text)["Dir"])


def read(path: Path) -> list[Object]:
    text = path.read_text("utf-8")
    return [item for item in yaml.load_all(text, Loader=yaml.CSafeLoader) if item]


def of_kind(things: Iterable[Object], *kinds: str) -> list[Object]:
    return [thing for thing in things if thing["kind"] in kinds]


def apply(client: Client, thing: Object) -> None:
    thing.get("metadata", {}).pop("creationTimestamp", None)
    reply = client.apply(thing)
    assert not reply.is_refusal, reply


def add_namespace(client: Client, name: str) -> None:
    apply(client, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def install_kinds(client: Client, things: Iterable[Object]) -> None:
    kinds = of_kind(things, "CustomResourceDefinition")
    for kind in kinds:
        apply(client, kind)
    for kind in kinds:
        wait_for(partial(_is_known, client, kind["spec"]))


def _is_known(client: Client, spec: Object) -> bool:
    """Whether programs that ask for all kinds of a group are told of it."""
    version = next(item["name"] for item in spec["versions"] if item["served"])
    reply = client.request("GET", f"/apis/{spec['group']}/{version}")
    known = () if reply.is_refusal else reply.body["resources"]
    return spec["names"]["plural"] in {item["name"] for item in known}


def reached(announced: Announced, path: str) -> Object:
    """How the server finds a webhook of the program."""
    return {"url": announced["hooks"] + path, "caBundle": announced["certificate"]}


@contextmanager
def running(
    client: Client,
    program: Path,
    log: Path,
    options: Iterable[str] = (),
    variables: Mapping[str, str] | None = None,
) -> Iterator[Announced]:
    """The program, for as long as somebody asks; its first line of output says where it is."""
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [program, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **(variables or {}), "KUBECONFIG": str(_kubeconfig(client, log))},
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        try:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"{program.name} did not start; see {log}")
            announced: Announced = json.loads(line)
            wait_for(partial(_listens, announced["hooks"]))
            yield announced
        finally:
            stop(process)


def _kubeconfig(client: Client, log: Path) -> Path:
    """Parts of operators look for this file themselves."""
    cluster = {"server": client.where["server"], "certificate-authority": client.where["ca"]}
    content = {
        "clusters": [{"name": "own", "cluster": cluster}],
        "users": [{"name": "own", "user": {"token": client.where["token"]}}],
        "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
        "current-context": "own",
    }
    path = log.with_name("kubeconfig")
    path.write_text(json.dumps(content), "utf-8")
    return path


def _listens(address: str) -> bool:
    where = urlsplit(address)
    try:
        socket.create_connection((where.hostname, where.port or 0), 1).close()
    except OSError:
        return False
    return True
