"""Fuzz a target: `python -m tests.fuzz.run --target yaml --seconds 60`.

Guided by coverage where atheris is installed, by chance elsewhere (or with --by-chance). An input
that fails is written to the current folder as `crash-…`; reduce it, mend the fault, and put it
into tests/fuzz/corpus/<target>/.
"""

import argparse
import hashlib
import importlib.util
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.fuzz.mutating import CORPUS, DICTIONARY, mutated, seeds


def main() -> None:
    options = _options()
    guided = importlib.util.find_spec("atheris") is not None and not options.by_chance
    if guided:
        _run_guided(options.target, options.seconds, options.keep)
    else:
        print("atheris is not installed: inputs are made by chance, not guided by coverage")  # noqa: T201
        _run_by_chance(options.target, options.seconds, options.seed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="of chance")
    parser.add_argument("--by-chance", action="store_true", help="even if atheris is installed")
    parser.add_argument("--keep", help="a folder for the inputs that reached something new")
    return parser.parse_args()


def _run_guided(target: str, seconds: int, keep: str | None) -> None:
    import atheris

    with atheris.instrument_imports(include=["renderer", "tests.fuzz.targets"]):
        from tests.fuzz.targets import TARGETS
    with tempfile.TemporaryDirectory() as scratch:
        found = keep or str(Path(scratch, "found"))
        Path(found).mkdir(exist_ok=True)
        limits = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048"]
        arguments = [*limits, "-max_len=4096", f"-dict={DICTIONARY}", found, str(CORPUS / target)]
        atheris.Setup([sys.argv[0], *arguments], TARGETS[target])
        atheris.Fuzz()


def _run_by_chance(target: str, seconds: int, seed: int) -> None:
    from tests.fuzz.targets import TARGETS

    end, tried = time.monotonic() + seconds, 0
    for data in mutated(seeds(target), random.Random(seed)):
        if time.monotonic() > end:
            break
        tried += 1
        try:
            TARGETS[target](data)
        except Exception:
            name = f"crash-{hashlib.sha256(data).hexdigest()[:16]}"
            Path(name).write_bytes(data)
            traceback.print_exc()
            sys.exit(f"{target}: input {tried} fails; it is in {name}")
    print(f"{target}: {tried} inputs in {seconds} s, none fails")  # noqa: T201


if __name__ == "__main__":
    main()
