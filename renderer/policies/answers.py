"""Answers to questions, each asked once, and of no more of its data than it reads.

Specs often say the same where a rule looks: most questions of a fleet have been asked before. What
is sent to the worker is only what an expression names, so that the same question looks the same.
"""

import marshal
import pickle
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from renderer.policies import worker
from renderer.policies.cel import Answer
from renderer.policies.expressions import Definitions
from renderer.policies.reads import Reads, fields_read, narrowed, texts_read
from renderer.policies.worker import Question
from renderer.values.tree import Plain

_MARSHAL_VERSION = 2  # without references, so that equal values are equal bytes
_SHORT = 1 << 10
_MOST = 20_000
_Key = tuple[object, ...]
_known: dict[_Key, Answer] = {}


def ask(questions: Sequence[Question]) -> list[Answer]:
    """An answer to each question, in their order."""
    asked: dict[_Key, Question] = {}
    keys: list[_Key] = []
    for item in questions:
        data = _data_read(item)
        key = item.expression, item.variables, item.types, item.definitions, _bytes_of(data)
        keys.append(key)
        if key not in _known and key not in asked:
            asked[key] = item._replace(data=data)
    fresh = dict(zip(asked, worker.ask([*asked.values()]), strict=True))
    answers = [fresh[key] if key in fresh else _known[key] for key in keys]
    _remember(fresh)
    return answers


def forget() -> None:
    """Everything that was asked, as if this were a new run."""
    _known.clear()


def _remember(fresh: Mapping[_Key, Answer]) -> None:
    """Those that may well be asked again; not without end."""
    if len(_known) + len(fresh) > _MOST:
        _known.clear()
    _known.update((key, item) for key, item in fresh.items() if _size(key) <= _SHORT)


def _size(key: _Key) -> int:
    data = key[-1]
    return len(data) if isinstance(data, bytes) else 0


def _data_read(item: Question) -> Mapping[str, Plain] | None:
    data = item.data
    if data is None:
        return None
    reads = _reads(item.expression, item.definitions)
    return {name: narrowed(data[name], below) for name, below in reads.items() if name in data}


@cache
def _reads(expression: str, definitions: Definitions) -> Mapping[str, Reads | None]:
    texts = texts_read(expression, definitions)
    return fields_read(texts)


def _bytes_of(data: Any) -> bytes:
    """Something that is equal where the data are, types included."""
    try:
        return marshal.dumps(data, _MARSHAL_VERSION)
    except ValueError:  # a text or number that knows its place
        return pickle.dumps(data)
