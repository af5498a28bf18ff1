"""`python -m conformance.engines vllm 0.34.0`: read a version, and write it into its table.

Without a version, all that the table names are read again. A version that the index has is looked
up there; of another, `--address` and `--sha256` say where it is and what it must come to.
"""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from conformance.engines import ray_table, vllm_table
from conformance.engines.archives import Archive, is_release, listed, numbers
from conformance.engines.tables import read, write

_ENDINGS: dict[str, tuple[str, ...]] = {
    "ray": ("-cp311-cp311-manylinux2014_x86_64.whl",),
    "vllm": (".tar.gz", "-cp38-abi3-manylinux_2_31_x86_64.whl", "-manylinux1_x86_64.whl"),
}
Facts = Callable[[Archive], dict[str, Any]]
Joined = Callable[[dict[str, dict[str, Any]], list[str]], dict[str, Any]]
ENGINES: dict[str, tuple[Facts, Joined]] = {
    "ray": (ray_table.facts, ray_table.joined),
    "vllm": (vllm_table.facts, vllm_table.joined),
}


def main() -> None:
    options = _options()
    known = {
        name: item["sha256"] for name, item in read(options.engine).get("archives", {}).items()
    }
    archives = _archives(options, known)
    make, join = ENGINES[options.engine]
    versions = sorted(archives, key=numbers)
    facts: dict[str, dict[str, Any]] = {}
    for version in versions:
        sys.stdout.write(f"{options.engine} {version}\n")
        sys.stdout.flush()
        facts[version] = make(archives[version])
    head = {
        "engine": options.engine,
        "versions": versions,
        "archives": {v: {"file": archives[v].name, "sha256": archives[v].sha256} for v in versions},
    }
    path = write(options.engine, head | join(facts, versions))
    sys.stdout.write(f"{path.name}: {len(versions)} versions, {path.stat().st_size} bytes\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.engines")
    parser.add_argument("engine", choices=sorted(ENGINES))
    parser.add_argument("versions", nargs="*", help="versions to add")
    parser.add_argument("--address", help="where the archive of the one version is")
    parser.add_argument("--sha256", help="what its bytes must come to")
    return parser.parse_args()


def _archives(options: argparse.Namespace, known: dict[str, str]) -> dict[str, Archive]:
    if options.address:
        (version,) = options.versions
        given = {version: Archive(options.address, options.sha256)}
    else:
        given = {}
    found = published(options.engine)
    wanted = [*known, *(v for v in options.versions if v not in given)]
    missing = [version for version in wanted if version not in found]
    if missing:
        raise LookupError(f"the index has no archive of {', '.join(missing)}")
    chosen = {version: found[version] for version in wanted} | given
    for version, digest in known.items():
        if chosen[version].sha256 != digest:
            raise ValueError(f"{version} has another SHA-256 than the one it was read from")
    return chosen


def published(engine: str) -> dict[str, Archive]:
    """The archive of each version that is read: the source distribution if there is one."""
    found: dict[str, Archive] = {}
    files = listed(engine)
    for ending in reversed(_ENDINGS[engine]):
        for archive in files:
            if archive.name.endswith(ending):
                version = archive.name.removesuffix(ending).split("-")[1]
                if is_release(version):
                    found[version] = archive
    return found


if __name__ == "__main__":
    main()
