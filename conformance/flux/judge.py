"""How Flux judges objects by the expressions of a Kustomization, without applying them."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.kubernetes.client import Object

Expressions = dict[str, Object]
CURRENT, FAILED, IN_PROGRESS = "Current", "Failed", "InProgress"


class Verdict(NamedTuple):
    """As Flux says it: Current, InProgress, Failed; or that an expression has an error."""

    status: str
    message: str


def kind_of(thing: Object) -> str:
    """What expressions are chosen by: Flux looks at the group, and not at the version."""
    group, slash, _ = thing["apiVersion"].rpartition("/")
    return f"{group}{slash}{thing['kind']}"


def expressions_of(kustomizations: Iterable[Object]) -> Expressions:
    """By group and kind, as all of them have it."""
    return {
        kind_of(item): {key: item[key] for key in item if key not in ("apiVersion", "kind")}
        for kustomization in kustomizations
        for item in kustomization["spec"].get("healthCheckExprs", ())
    }


def judged(judge: Path, expressions: Expressions, things: Sequence[Object]) -> list[Verdict]:
    """All at once, in their order."""
    asked = [{"object": thing, "expressions": expressions.get(kind_of(thing))} for thing in things]
    done = subprocess.run(
        [judge], input=json.dumps(asked).encode(), check=True, capture_output=True
    )
    answers = json.loads(done.stdout)
    return [Verdict(item["status"], _reason(item["message"])) for item in answers]


def _reason(message: str) -> str:
    """Without the expression that had an error, which the kind tells."""
    return message.rpartition("': ")[2]
