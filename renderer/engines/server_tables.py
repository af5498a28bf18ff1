"""The arguments of the Hugging Face server, with those of the vLLM in it."""

from functools import cache

from renderer.engines.marks import HUGGINGFACE, VLLM
from renderer.engines.tables import (
    Argument,
    Facts,
    ServerArguments,
    Table,
    argument,
    engine_arguments,
)

#: Arguments that only a model has that vLLM does not serve.
_OWN_BACKEND = "transformers"


def server_table(
    version: str = "", engine_version: str = "", *, is_without_engine: bool = False
) -> Table:
    """The arguments of the Hugging Face server; of one that serves a model itself, without vLLM's.

    `engine_version` is another vLLM than the one that the image of this version has.
    """
    server = Facts.of(HUGGINGFACE, version)
    engine = engine_version or str(server.at("vllm") or "")
    return _server_table(server.version, engine, is_without_engine)


@cache
def _server_table(version: str, engine_version: str, is_without_engine: bool) -> Table:
    server, facts = Facts(HUGGINGFACE, version), Facts.of(VLLM, engine_version)
    habits = frozenset(name for name, _ in server.part("reading"))
    own = [(fact, argument(dest, fact, frozenset())) for dest, fact in server.part("arguments")]
    always = [item for fact, item in own if fact.get("only") is None]
    first = [item for fact, item in own if fact.get("first")]
    of_backend = [item for fact, item in own if fact.get("only") == _OWN_BACKEND]
    reads_twice = "reads-twice" in habits
    others = of_backend if is_without_engine and reads_twice else _taken(facts, habits)
    given = ServerArguments(
        server,
        [*others, *always],
        [first, always] if reads_twice else [first],
        [(*key.split(" "),) for key, _ in server.part("exclusive")],
        frozenset(name for item in of_backend for name in item.names if reads_twice),
        is_without_engine and reads_twice,
    )
    return Table(facts, given)


def _taken(facts: Facts, habits: frozenset[str]) -> list[Argument]:
    """The arguments of the engine that the server takes as well."""
    reading = frozenset(name for name, _ in facts.part("reading"))
    found = [item for item in engine_arguments(facts, reading) if not item.is_of_command]
    if "server-arguments" in habits:
        return found
    fields = {name for name, _ in facts.part("engine")}
    return [item for item in found if item.dest in fields]
