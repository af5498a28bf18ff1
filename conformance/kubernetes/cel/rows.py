"""What is asked and recorded: expressions, rules of ours, and rules of other people's CRDs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from conformance.kubernetes.cel.asking import Answer, ask
from conformance.kubernetes.cel.schemas import CrdRule
from conformance.kubernetes.cel.values import candidates
from conformance.kubernetes.places import HERE

Row = dict[str, Any]
_TABLES = HERE / "cel"
_OF_EACH = 2
_ASKED = ("object", "old")


def expression_rows(program: Path) -> tuple[Any, list[Row]]:
    """The value that all are about, and each expression with what it comes to."""
    table = yaml.safe_load((_TABLES / "expressions.yaml").read_text("utf-8"))
    texts = [text for group in table["expressions"].values() for text in group]
    questions = [{"expression": text, "variables": {"self": table["self"]}} for text in texts]
    answers = ask(program, questions)
    return table["self"], [
        {"expression": text, **(answer or {"value": False})}
        for text, answer in zip(texts, answers, strict=True)
    ]


def own_rows(program: Path) -> list[Row]:
    """Rules of ours: what rules of others have not, such as expressions that give messages."""
    table = yaml.safe_load((_TABLES / "rules.yaml").read_text("utf-8"))
    return [_row("ours", item["schema"], item["asked"], program) for item in table]


def recorded_again(program: Path, rows: Iterable[Row]) -> list[Row]:
    """Recorded rows with what is answered now."""
    return [_row(row["from"], row["schema"], row["asked"], program) for row in rows]


def _row(platform: str, schema: Row, asked: Sequence[Row], program: Path) -> Row:
    kept: list[Row] = [{key: item[key] for key in _ASKED if key in item} for item in asked]
    answers = ask(program, [_question(schema, item) for item in kept])
    pairs = zip(kept, answers, strict=True)
    return {
        "from": platform,
        "schema": schema,
        "asked": [{**item, "answer": answer} for item, answer in pairs],
    }


def _question(schema: Row, item: Mapping[str, Any]) -> Row:
    return {"schema": schema, "object": item["object"], "oldObject": item.get("old")}


def crd_rows(program: Path, rules: Sequence[CrdRule]) -> Iterator[Row]:
    """Of each rule objects that pass, that fail, and each way in which it cannot be evaluated."""
    tried = [candidates(rule) for rule in rules]
    questions = [
        _question(rule.types, item)
        for rule, some in zip(rules, tried, strict=True)
        for item in some
    ]
    answers = iter(ask(program, questions))
    for rule, some in zip(rules, tried, strict=True):
        asked = [{**item, "answer": next(answers)} for item in some]
        yield {"from": rule.platform, "schema": rule.types, "asked": [*_chosen(asked)]}


def _chosen(asked: Iterable[Row]) -> Iterator[Row]:
    """The first two of each answer: they are sorted, so that these are the smallest."""
    seen: dict[str, int] = {}
    for item in asked:
        said = repr([(error["type"], error["text"]) for error in errors_of(item["answer"])])
        seen[said] = seen.get(said, 0) + 1
        if seen[said] <= _OF_EACH:
            yield item


def errors_of(answer: Answer) -> Sequence[Mapping[str, str]]:
    """What a rule says; a schema that is refused says nothing of objects."""
    assert "refused" not in answer, answer
    return list(answer.get("errors", ()))
