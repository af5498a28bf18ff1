"""What vLLM does to the words of a command line before argparse reads them.

Underscores in names become dashes, `--x.y=1` is gathered to JSON, `-O3` is an option and a value,
the model may be given in other ways, and `--config FILE` stands for what is in the file. Which of
this a version does is in its table as habits (`reading`).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from renderer.engines.conversions import human_integer, parsed_json
from renderer.text.expressions import expression
from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple

_MODEL = expression(r"--model(?:=.+)?")
_SERVED_NAME = expression(r"--served[-_]model[-_]name(?:=.+)?")
_CONFIG = expression(r"--config(?:=.+)?")
_NAME = expression(r"--[^.]*")
_LEVELS = frozenset("0123")
_DEEPEST = 50


class Given(Protocol):
    """A word as the caller has it; `unknown` is what of it only a running container can tell."""

    @property
    def text(self) -> str: ...
    @property
    def unknown(self) -> str: ...


class Token(NamedTuple):
    """A word as argparse gets it, the words it was made of, and which of them set what in it."""

    text: str
    words: tuple[Given, ...]
    inside: Mapping[Path, Given] = {}

    @property
    def unknown(self) -> bool:
        return any(word.unknown for word in self.words)


class Prepared(NamedTuple):
    """The words that argparse gets, and what is wrong before it does."""

    tokens: list[Token]
    problems: list[tuple[str, Token]]
    unread: Token | None = None


#: Gives the mapping in a file of `--config`; nothing if the file cannot be read here.
Files = Callable[[str], Mapping[str, Any] | None]


def prepare(
    words: Sequence[Given], habits: frozenset[str], files: Files, *, is_serve: bool
) -> Prepared:
    """Do all that this version does, in its order."""
    tokens = [Token(word.text, (word,)) for word in words]
    problems: list[tuple[str, Token]] = []
    if is_serve:
        tokens = _move_model_first(tokens, habits, problems)
    tokens, unread = _insert_config(tokens, habits, files, problems, is_serve=is_serve)
    tokens = [_renamed(token, habits) for token in tokens]
    tokens = _without_levels(tokens, habits)
    if "dotted" in habits:
        tokens = _gathered(tokens, habits, problems)
    return Prepared(tokens, problems, unread)


def _move_model_first(
    tokens: list[Token], habits: frozenset[str], problems: list[tuple[str, Token]]
) -> list[Token]:
    """`--model` of `vllm serve`: once not taken, now moved to the front."""
    given = [number for number, item in enumerate(tokens) if _MODEL.fullmatch(item.text)]
    if "model-refused" in habits:
        plain = [number for number in given if tokens[number].text == "--model"]
        problems += [("model-option", tokens[number]) for number in plain[:1]]
    elif "model-moved" in habits and given:
        number = given[0]
        head, _, value = tokens[number].text.partition("=")
        rest = tokens[number + 1 :]
        if value:
            model: list[Token] = [tokens[number]._replace(text=value)]
        else:
            model, rest = rest[:1], rest[1:]
        if not model:
            problems.append(("value", tokens[number]._replace(text=head)))
        tokens = [*model, *tokens[:number], *rest]
    names = [item for item in tokens if _SERVED_NAME.fullmatch(item.text)]
    if (
        "name-needs-model" in habits
        and names
        and tokens[0].text.startswith("-")
        and not any(_CONFIG.fullmatch(item.text) for item in tokens)
    ):
        problems.append(("model-missing", names[0]))
    return tokens


def _insert_config(
    tokens: list[Token],
    habits: frozenset[str],
    files: Files,
    problems: list[tuple[str, Token]],
    *,
    is_serve: bool,
) -> tuple[list[Token], Token | None]:
    """What a file says stands before all other options, so that those count."""
    places = [number for number, item in enumerate(tokens) if item.text == "--config"]
    if not places:
        return tokens, None
    if len(places) > 1 or places[0] == len(tokens) - 1:
        problems.append(("repeated" if len(places) > 1 else "value", tokens[places[-1]]))
        return tokens, None
    place = places[0]
    named = tokens[place + 1]
    rest = [*tokens[:place], *tokens[place + 2 :]]
    if named.unknown:
        return rest, named
    if named.text.rpartition(".")[2] not in ("yaml", "yml"):
        problems.append(("file", named))
    found = files(named.text)
    if is_serve and "config-has-model" not in habits and not place:
        problems.append(("model-missing", tokens[place]))
    if found is None:
        return rest, named
    made = [Token(text, named.words) for text in _config_words(found, habits)]
    is_named = not tokens[0].text.startswith("-") or any(item.text == "--model" for item in made)
    if is_serve and "config-has-model" in habits and not is_named:
        problems.append(("model-missing", tokens[place]))
    first = 1 if rest and not rest[0].text.startswith("-") else 0
    return [*rest[:first], *made, *rest[first:]], None


def _config_words(found: Mapping[str, Any], habits: frozenset[str]) -> Iterable[str]:
    for key, value in found.items():
        if isinstance(value, bool):
            if value:
                yield f"--{key}"
            elif "config-negates" in habits:
                yield f"--no-{key}"
        elif isinstance(value, list) and "config-lists" in habits:
            yield from (f"--{key}", *map(str, value)) if value else ()
        elif isinstance(value, Mapping) and "config-mappings" in habits:
            yield from (f"--{key}", json.dumps(value))
        else:
            yield from (f"--{key}", str(value))


def _renamed(token: Token, habits: frozenset[str]) -> Token:
    """Underscores of names as dashes; in newer versions not behind a dot."""
    text = token.text
    if not text.startswith("--"):
        return token
    name, sign, value = text.partition("=")
    if "dotted" in habits:
        name = _NAME.sub(lambda found: found.group().replace("_", "-"), name, count=1)
    else:
        name = name.replace("_", "-")
    return token._replace(text=name + sign + value)


def _without_levels(tokens: list[Token], habits: frozenset[str]) -> list[Token]:
    """`-O3` as an option and its value."""
    found: list[Token] = []
    for number, token in enumerate(tokens):
        text = token.text
        following = tokens[number + 1].text if number + 1 < len(tokens) else ""
        if text.startswith("-O") and text != "-O":
            found += [token._replace(text=part) for part in _level_parts(text, habits)]
        elif text == "-O" and following in _LEVELS:
            found.append(token._replace(text=_level_option(habits)))
        else:
            found.append(token)
    return found


def _level_parts(text: str, habits: frozenset[str]) -> list[str]:
    level = text[3:] if text[2] == "=" else text[2:]
    if "level-option" in habits:
        return ["--optimization-level", level]
    if text[2] == ".":
        return [text]
    if "level-dotted" in habits or "mode-dotted" in habits:
        return [f"{_level_option(habits)}={level}"]
    return ["-O", text[2:]] if "level-apart" in habits and len(text[2:]) == 1 else [text]


def _level_option(habits: frozenset[str]) -> str:
    if "level-option" in habits:
        return "--optimization-level"
    if "mode-dotted" in habits:
        return "-O.mode"
    return "-O.level" if "level-dotted" in habits else "-O"


def _gathered(
    tokens: list[Token], habits: frozenset[str], problems: list[tuple[str, Token]]
) -> list[Token]:
    """Options with a dot as JSON behind all others, one for each configuration."""
    kept: list[Token] = []
    made: dict[str, tuple[dict[str, Any], list[Given], dict[Path, Given]]] = {}
    start = "-" if "dotted-json" in habits else "--"
    skipped = False
    for number, token in enumerate(tokens):
        name, sign, text = token.text.partition("=")
        if skipped:
            skipped = False
        elif not _is_dotted(name, start) or _is_number(token.text):
            kept.append(token)
        else:
            value_token = token
            if not sign:
                if number + 1 == len(tokens):
                    problems.append(("value", token))
                    continue
                value_token, skipped = tokens[number + 1], True
                text = value_token.text
            key, *keys = (
                name.removesuffix("+").split(".") if _adds(name, habits) else name.split(".")
            )
            tree, words, inside = made.setdefault(key, ({}, [], {}))
            words += [*token.words, *(value_token.words if not sign else ())]
            inside[tuple(keys)] = value_token.words[0]
            _merge(tree, keys, _value(text, habits, is_list=_adds(name, habits)))
    for key, (tree, words, inside) in made.items():
        kept += [Token(key, tuple(words)), Token(json.dumps(tree), tuple(words), inside)]
    return kept


def _is_dotted(name: str, start: str) -> bool:
    return name.startswith(start) and 0 < name.count(".") <= _DEEPEST


def _is_number(text: str) -> bool:
    return text[:1] == "-" and text[1:].replace(".", "", 1).isdigit()


def _adds(name: str, habits: frozenset[str]) -> bool:
    return name.endswith("+") and "dotted-list" in habits


def _value(text: str, habits: frozenset[str], *, is_list: bool) -> Any:
    if is_list:
        return text.split(",")
    if "dotted-json" not in habits:
        return text
    try:
        return parsed_json(text)
    except (ValueError, RecursionError):
        if "dotted-human" in habits:
            try:
                return human_integer(text)
            except (ValueError, OverflowError):
                return text
        return text


def _merge(tree: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    for key in keys[:-1]:
        inner = tree.get(key)
        if not isinstance(inner, dict):
            inner = tree[key] = {}
        tree = inner
    last = tree.get(keys[-1])
    if isinstance(value, list) and isinstance(last, list):
        last += value
    else:
        tree[keys[-1]] = value
