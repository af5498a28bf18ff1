"""What the API server answered, as data that can be written down and compared."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import yaml

from conformance.kubernetes.client import Client, Object, Reply
from conformance.kubernetes.derivation import APPLIED
from conformance.kubernetes.mutations import Mutation
from conformance.kubernetes.places import OBSERVED

#: Enough of a message to know which rule spoke; the rest is the server's prose.
_LONGEST = 80
#: Values that are structures are printed with addresses, which differ from run to run.
_STRUCTURE = re.compile(r"[\w.]+\{.*\}")
_FORM: Any = {"sort_keys": False, "allow_unicode": True, "width": 100, "default_flow_style": None}
Row = dict[str, Any]
Rows = dict[str, Row]


class Answer(NamedTuple):
    """Accepted, or the kind of the first object that was refused, and why."""

    refused: str = ""
    causes: tuple[Row, ...] = ()


def ask(client: Client, objects: Iterable[Object]) -> Answer:
    """Each object in turn; after a refusal the later ones would not come to be."""
    for thing in objects:
        applied = thing["kind"] in APPLIED
        reply = client.apply(thing, dry=True) if applied else client.try_to_create(thing)
        if reply.is_refusal:
            return Answer(thing["kind"], tuple(_causes(reply)))
    return Answer()


def _causes(reply: Reply) -> list[Row]:
    found = (reply.body.get("details") or {}).get("causes") or [reply.body]
    causes = {
        (
            cause.get("field") or "",
            cause.get("reason") or reply.body.get("reason") or "",
            _short(cause.get("message") or ""),
        )
        for cause in found
    }
    return [
        {"field": field, "reason": reason, "message": message}
        for field, reason, message in sorted(causes)
    ]


def _short(message: str) -> str:
    message = _STRUCTURE.sub("{}", message)
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def row_of(mutation: Mutation, answer: Answer) -> Row:
    row: Row = {
        "name": mutation.name,
        "spec": mutation.spec,
        "path": list(mutation.path),
        "value": mutation.value,
    }
    row |= {"times": mutation.times} if mutation.times > 1 else {}
    row["accepted"] = not answer.refused
    if answer.refused:
        row |= {"refused": answer.refused, "causes": list(answer.causes)}
    return row


def read_rows() -> Rows:
    """All recorded rows by file and name."""
    return {
        f"{path.stem}/{row['name']}": row
        for path in sorted(OBSERVED.glob("*.yaml"))
        for row in yaml.safe_load(path.read_text("utf-8"))
    }


def write_rows(rows: Iterable[tuple[str, Row]]) -> None:
    """One file for each of the table, in the table's order."""
    for path in OBSERVED.glob("*.yaml"):
        path.unlink()
    for name, found in groupby(rows, key=itemgetter(0)):
        text = yaml.safe_dump([row for _, row in found], **_FORM)
        (OBSERVED / f"{name}.yaml").write_text(text, "utf-8")


def count(rows: Iterable[Row]) -> str:
    """The figures that the documentation has."""
    by_kind = Counter(row.get("refused", "") for row in rows)
    refused = ", ".join(f"{kind} {number}" for kind, number in sorted(by_kind.items()) if kind)
    total, good = by_kind.total(), by_kind[""]
    return f"{total} mutations: {good} accepted, {total - good} refused ({refused})"
