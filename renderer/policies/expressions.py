"""Expressions as texts: their words, and the forms of Kubernetes that the engine does not know.

The engine has neither comprehensions of two variables nor functions that give an optional value.
Both are written here in words that it has: `m.all(k, v, …)` looks at the pairs of `m`, and
`f.validate(t)` is the first of none or one list of reasons.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from renderer.values.named_tuple import NamedTuple

PAIRS, MAPPING, JOINED = "kubernetesPairs", "kubernetesMapping", "kubernetesJoined"
VIOLATIONS, NAMED = "kubernetesViolations", "kubernetesNamed"
#: Of a duration all of them, where the engine gives those beside its seconds.
MILLISECONDS = "kubernetesMilliseconds"
_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*)"
    r"|(?P<text>[bB]?[rR][bB]?(?:\"\"\"(?:.|\n)*?\"\"\"|'''(?:.|\n)*?'''|\"[^\"\n]*\"|'[^'\n]*')"
    r"|[bB]?(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'))"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>[0-9][0-9A-Za-z.]*)"
    r"|(?P<mark>[=!<>]=|&&|\|\||(?:.|\n))"
)
_OPEN, _CLOSED = "([{", ")]}"
_TWO = 2
#: Comprehensions of two variables: with how many arguments, and what is written for each.
_TESTS = {"all": "all", "exists": "exists", "existsOne": "exists_one", "exists_one": "exists_one"}
_LISTS = {"transformList": "", "transformMap": MAPPING, "transformMapEntry": JOINED}


class Token(NamedTuple):
    """A word of an expression; one that was added has no place."""

    text: str
    kind: str
    start: int = -1


class Call(NamedTuple):
    """A call of a member: its arguments, and where the next token behind it is."""

    name: str
    arguments: tuple[Sequence[Token], ...]
    end: int


def tokens(expression: str) -> list[Token]:
    """The words of an expression, without blanks and comments."""
    return [
        Token(match[0], str(match.lastgroup), match.start())
        for match in _TOKEN.finditer(expression)
        if match.lastgroup != "blank"
    ]


def names_in(expression: str) -> frozenset[str]:
    """The names that occur in an expression."""
    return frozenset(token.text for token in tokens(expression) if token.kind == "name")


def is_root(words: Sequence[Token], at: int) -> bool:
    """Whether a name is that of a variable or a function, and not a member of a value.

    A dot at the beginning is allowed before it: `.self.name` is `self.name`.
    """
    dot = at - 1
    if dot > 0 and (words[dot - 1].text, words[dot].text) == (".", "?"):
        dot -= 1
    if dot < 0 or words[dot].text != ".":
        return True
    return dot == 0 or not _ends_value(words[dot - 1])


def _ends_value(word: Token) -> bool:
    is_value = word.kind in ("name", "text", "number") and word.text != "in"
    return is_value or word.text in _CLOSED


_FOREIGN = (*_TESTS, *_LISTS, "validate", "named", "getMilliseconds")
_BINDING = ("cel", ".", "bind")


def uses_binding(expression: str) -> bool:
    """Whether it has `cel.bind`, which Kubernetes does not know."""
    texts = [token.text for token in tokens(expression)] if _BINDING[-1] in expression else []
    return any(tuple(texts[at : at + 3]) == _BINDING for at in range(len(texts)))


class Written(NamedTuple):
    """An expression as the engine reads it; `places` are columns there and in the original."""

    text: str
    places: tuple[tuple[int, int], ...] = ()

    def original(self, column: int) -> int:
        """The place in the original expression of one in this text, both counted from 0."""
        known = [(there, here) for there, here in self.places if there <= column]
        later = [here for there, here in self.places if there > column]
        found = known[-1][1] + column - known[-1][0] if known else column
        return min([found, *later[:1]])


Definitions = tuple[tuple[str, str], ...]


def written(expression: str, definitions: Definitions = ()) -> Written:
    """An expression in words that the engine has; its own text if it has them already.

    `variables.NAME` is what the expression of that name gives. Such a variable may use those before
    it; it is evaluated once, and only if its value is needed.
    """
    bodies = _bodies(expression, definitions)
    if not bodies and not any(word in expression for word in _FOREIGN):
        return Written(expression)
    given = tokens(expression)
    made = [*_rewritten([*_renamed(given, dict(definitions))])]
    if made == given:
        return Written(expression)
    bound = [
        item._replace(start=-1)
        for name, body in bodies.items()
        for item in (*_words(f"cel.bind({_variable(name)}, "), *body, *_words(", "))
    ]
    return _joined([*bound, *made, *_words(")" * len(bodies))])


def _bodies(expression: str, definitions: Definitions) -> dict[str, list[Token]]:
    """The variables that an expression needs, in their order, each as the engine reads it."""
    order = [name for name, _ in definitions]
    return {
        name: [*_rewritten([*_renamed(tokens(text), order[: order.index(name)])])]
        for name, text in used_variables(expression, definitions).items()
    }


def used_variables(expression: str, definitions: Definitions) -> dict[str, str]:
    """The variables that an expression uses, by itself or by others, in their order.

    One may use those before it.
    """
    if not definitions or "variables" not in expression:
        return {}
    known = dict(definitions)
    order = list(known)
    used: set[str] = set()
    waiting = [*_variables_in(tokens(expression))]
    while waiting:
        name = waiting.pop()
        if name in known and name not in used:
            used.add(name)
            before = order[: order.index(name)]
            waiting += [other for other in _variables_in(tokens(known[name])) if other in before]
    return {name: text for name, text in known.items() if name in used}


def _joined(made: Sequence[Token]) -> Written:
    text, places = "", []
    for item in made:
        if item.start >= 0:
            places.append((len(text), item.start))
        text += f"{item.text} "
    return Written(text.rstrip(), tuple(places))


def _rewritten(given: Sequence[Token]) -> Iterator[Token]:
    position = 0
    while position < len(given):
        call = _call_at(given, position)
        made = _rewritten_call(call, given[position]) if call else None
        if call is None or made is None:
            yield given[position]
            position += 1
        else:
            yield from made
            position = call.end


def _call_at(given: Sequence[Token], position: int) -> Call | None:
    """The call of a member that begins with a dot here."""
    if given[position].text != "." or position + 3 >= len(given):
        return None
    name, bracket = given[position + 1], given[position + 2]
    if name.kind != "name" or bracket.text != "(":
        return None
    depth, start, arguments = 0, position + 3, []
    for index in range(position + 2, len(given)):
        text = given[index].text
        depth += (text in _OPEN) - (text in _CLOSED)
        if depth == 1 and text == ",":
            arguments.append(given[start:index])
            start = index + 1
        if depth == 0:
            return Call(name.text, (*arguments, given[start:index]), index + 1)
    return None


def _rewritten_call(call: Call, dot: Token) -> list[Token] | None:
    name, arguments = call.name, call.arguments
    if name == "validate" and len(arguments) == 1:
        return [dot, *_words(VIOLATIONS, "("), *_rewritten(arguments[0]), *_words(")", "[?0]")]
    if name == "named" and len(arguments) == 1:
        return [dot, *_words(NAMED, "("), *_rewritten(arguments[0]), *_words(")", "[?0]")]
    if name == "getMilliseconds" and arguments == ([],):
        return [dot, *_words(MILLISECONDS, "(", ")")]
    names = [some[0].text for some in arguments[:_TWO] if len(some) == 1 and some[0].kind == "name"]
    if len(set(names)) < _TWO:
        return None
    if name in _TESTS and len(arguments) == _TWO + 1:
        return _over_pairs(dot, _TESTS[name], arguments, "")
    if name in _LISTS and len(arguments) in (_TWO + 1, _TWO + 2):
        return _over_pairs(dot, "map", arguments, _LISTS[name])
    return None


def _over_pairs(
    dot: Token, name: str, arguments: Sequence[Sequence[Token]], ending: str
) -> list[Token]:
    """A comprehension of two variables as one over pairs."""
    (first,), (second,), *parts = arguments
    pair = f"pair_{first.start}_"
    bodies = [_bound(pair, first, second, part) for part in parts]
    if ending == MAPPING:  # the key goes with the value
        bodies[-1] = [*_words(f"[{pair}.k,"), *bodies[-1], *_words("]")]
    inside = [token for body in bodies for token in (*_words(","), *body)]
    end = _words(".", ending, "(", ")") if ending else []
    return [dot, *_words(PAIRS, "(", ")", ".", name, "(", pair), *inside, *_words(")"), *end]


def _bound(pair: str, first: Token, second: Token, body: Sequence[Token]) -> list[Token]:
    return [
        *_words("cel.bind("), first, *_words(f", {pair}.k, cel.bind("), second,
        *_words(f", {pair}.v,"), *_rewritten(body), *_words("))"),
    ]  # fmt: skip


def _words(*texts: str) -> list[Token]:
    return [Token(text, "mark") for text in texts]


def _variables_in(given: Sequence[Token]) -> Iterator[str]:
    """The names that stand behind `variables.`"""
    for index, item in enumerate(given[:-2]):
        if _is_variable(given, index, item):
            yield given[index + 2].text


def _is_variable(given: Sequence[Token], index: int, item: Token) -> bool:
    is_selected = index + _TWO < len(given) and given[index + 1].text == "."
    return item.text == "variables" and is_selected and is_root(given, index)


def _leads_variable(given: Sequence[Token], index: int) -> bool:
    """Whether it is the dot that may stand before a variable."""
    after = index + 1
    return (
        given[index].text == "." and after < len(given) and _is_variable(given, after, given[after])
    )


def _renamed(given: Sequence[Token], known: Collection[str]) -> Iterator[Token]:
    """`variables.NAME` as one name, where there is such a variable; it is always set."""
    skip = 0
    given = [item for index, item in enumerate(given) if not _leads_variable(given, index)]
    for index, item in enumerate(given):
        if skip:
            skip -= 1
        elif [token.text for token in given[index : index + 4]] == ["has", "(", "variables", "."]:
            skip = 5
            yield item._replace(text="true")
        elif _is_variable(given, index, item) and given[index + 2].text in known:
            skip = 2
            yield item._replace(text=_variable(given[index + 2].text))
        else:
            yield item


def _variable(name: str) -> str:
    return f"variables_{name}_"
