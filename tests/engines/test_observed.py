"""What engines' own parsers and models answered is what the tables say."""

import re
from functools import cache
from typing import NamedTuple

import pytest

from conformance.engines.command_lines import SERVER
from conformance.engines.observations import KSERVE, RAY, VLLM
from conformance.engines.records import read_rows
from renderer.engines.arguments import parse
from renderer.engines.llm_config import BUILDERS, config_problems, ray_facts
from renderer.engines.server_tables import server_table
from renderer.engines.tables import table
from tests.support.places import ROOT
from tests.support.replay import one_in_ten, shares

#: At least so many of a hundred answers are ours too; the others have a reason below.
AGREEMENT = 98
MODELS = {model: builder for builder, model in reversed(BUILDERS.items())}
EXCEPTIONS = {
    # What the code of a configuration makes of a value, before or after pydantic looks at it.
    r"vllm .* (JSON of|dotted) .*": "the configuration's own code decides",
    r"vllm .* a level as -O[9x]": "the configuration's own code decides",
    # Of two lists of choices the parser takes the one that a set gives first.
    r"vllm 0\.8\..* (right|twice|some together).*": "choices differ from run to run",
    r"vllm 0\.[68]\..* nothing: prompt_adapters": "the action fails on nothing",
    r"vllm 0\.33\..* (right|equals|some together).*": "needs a variable of the environment",
    # Early pydantic cuts a fraction off.
    r"ray 2\.(4|5[0-5]).* is a fraction": "early pydantic takes a fraction for an integer",
    r"ray .* prefill and decode of other models": "refused by the builder, which is not run",
    r"ray .* accelerator_config: \{\}": "a union that is told apart by a field",
}


class Word(NamedTuple):
    text: str
    unknown: str = ""


@cache
def rows(engine, version):
    return read_rows(engine)[version]


def parsed(engine, version, row):
    if engine == "huggingfaceserver":
        words = [Word(text) for text in row["words"]]
        is_without_engine = "--backend=huggingface" in row["words"]
        return parse(server_table(version, is_without_engine=is_without_engine), words)
    is_server = row["words"][0] == SERVER
    words = [Word(text) for text in row["words"][1:]]
    files = row.get("files", {}).get
    return parse(table("vllm", version), words, is_serve=not is_server, files=files)


def is_refused(engine, version, row):
    if engine != "ray":
        found = parsed(engine, version, row).problems
        return any(problem.kind != "ignored" for problem in found)
    return bool(config_problems(ray_facts(version), row["given"], MODELS[row["model"]]))


def disagreements(engine, version, share):
    some = [row for row in rows(engine, version) if share(row["name"])]
    wrong = [
        f"{engine} {version} {row['name']}"
        for row in some
        if is_refused(engine, version, row) != bool(row.get("refused"))
    ]
    return len(some), wrong


def reason(name):
    return next((why for text, why in EXCEPTIONS.items() if re.fullmatch(text, name)), "")


LINES = [("vllm", version) for version in VLLM]
LINES += [("huggingfaceserver", version) for version in KSERVE]
ASKED = [*LINES, *(("ray", version) for version in RAY)]


@shares
@pytest.mark.parametrize(("engine", "version"), ASKED)
def test_what_is_refused_is_refused_by_the_real_one(engine, version, share):
    number, wrong = disagreements(engine, version, share)
    assert [name for name in wrong if not reason(name)] == []
    if share is not one_in_ten:
        assert 100 * len(wrong) <= (100 - AGREEMENT) * number, wrong


@pytest.mark.long
def test_every_exception_is_one():
    wrong = [name for item in ASKED for name in disagreements(*item, lambda _: True)[1]]
    unused = [text for text in EXCEPTIONS if not any(re.fullmatch(text, name) for name in wrong)]
    assert unused == []


@shares
@pytest.mark.parametrize(("engine", "version"), LINES)
def test_values_are_those_of_the_real_one(engine, version, share):
    """Those that differ from the default, where they are plain."""
    wrong = []
    for row in rows(engine, version):
        found = parsed(engine, version, row)
        if share(row["name"]) and "values" in row and not found.problems:
            for dest, value in row["values"].items():
                item = found.get(dest)
                if engine == "huggingfaceserver" and is_worked_out(dest, value):
                    continue
                if is_plain(value) and (item is None or not is_same(item.value, value)):
                    wrong.append(f"{row['name']}: {dest} {value!r}, found {item and item.value!r}")
    assert wrong == []


@shares
@pytest.mark.parametrize("version", KSERVE)
def test_what_a_server_ignores_is_found(version, share):
    """Words behind an unknown option are its values here, and a model's name to the real one."""
    wrong = []
    for row in rows("huggingfaceserver", version):
        if share(row["name"]) and "values" in row:
            found = [item.token.text for item in parsed("huggingfaceserver", version, row).problems]
            if bool(found) != bool(row.get("ignored")) or not {*found} <= {*row.get("ignored", [])}:
                wrong.append(f"{row['name']}: ignored {row.get('ignored')}, found {found}")
    assert wrong == []


def is_plain(value):
    """Numbers, texts and switches; what is made an object of is compared by being taken."""
    return isinstance(value, (str, int, float)) and not str(value).startswith("<")


#: The server works the first out of torch; the second is what stands behind an unknown option.
WORKED_OUT = {"dtype": "float32", "model_tag": None}


def is_worked_out(dest, value):
    return dest in WORKED_OUT and WORKED_OUT[dest] in (value, None)


def is_same(found, value):
    return value in (found, [found])


def test_the_documentation_counts_them():
    text = (ROOT / "docs/engines.md").read_text("utf-8")
    lines = sum(len(rows("vllm", version)) for version in VLLM)
    of_server = sum(len(rows("huggingfaceserver", version)) for version in KSERVE)
    configurations = sum(len(rows("ray", version)) for version in RAY)
    assert f"{lines} command lines" in text
    assert f"{of_server} command lines" in text
    assert f"{configurations} configurations" in text


def test_enough_is_recorded():
    assert all(len(rows("vllm", version)) >= 300 for version in VLLM)
    assert all(len(rows("huggingfaceserver", version)) >= 200 for version in KSERVE)
    assert all(len(rows("ray", version)) >= 200 for version in RAY)
    names = [
        (engine, version, row["name"]) for engine, version in ASKED for row in rows(engine, version)
    ]
    assert len({*names}) == len(names)
