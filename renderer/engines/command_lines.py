"""The command line of an engine, from a container: its words, each with the place that set it."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from renderer.engines.marks import HUGGINGFACE, VLLM, names_engine
from renderer.engines.shell import LONGEST_WORD, TOO_LONG, Word, commands
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: What a command line without a program of its own is read by: the program that an image starts.
IMAGE_PROGRAMS = ((expression(r"vllm-openai(?:-[a-z0-9]+)*"), VLLM),
                  (expression(HUGGINGFACE), HUGGINGFACE))  # fmt: skip
_MODULES = {"vllm.entrypoints.openai.api_server": VLLM, HUGGINGFACE: HUGGINGFACE}
_SHELLS = frozenset(("sh", "bash", "ash", "dash", "zsh"))
_PYTHON = expression(r"python[0-9.]*|pypy[0-9.]*")
_SHELL_TEXT = expression(r"-[a-z]*c[a-z]*")
_PREFIXES = frozenset(
    ("exec", "nohup", "time", "tini", "dumb-init", "command", "sudo", "nice", "env")
)
_REFERENCE = expression(r"\$(\$|\(([-._A-Za-z0-9]+)\))")
_DEEPEST = 4


class CommandLine(NamedTuple):
    """The words that an engine is started with, behind its program.

    If it `takes_model`, a word before all options names the model. `program` is how it is started;
    which one an image starts by itself is not known in full. `unchecked` are the words of which
    only a running container can tell what they are.
    """

    engine: str
    program: str
    words: tuple[Word, ...]
    takes_model: bool = False
    is_of_image: bool = False
    unchecked: tuple[Word, ...] = ()


def command_line(container: Node, image_program: str = "") -> CommandLine | None:
    """The command line of the engine that a container runs; nothing if none can be seen.

    `image_program` is the engine that the image starts, if that is not said by its name.
    """
    if not image_program and not names_engine(container):
        return None
    variables = container_variables(container)
    words = [_expand_references(word, variables) for word in _listed(container, "command")]
    args = [_expand_references(word, variables) for word in _listed(container, "args")]
    if words:
        return _find([*words, *args], variables)
    engine = image_program or program_of_image(container)
    found = _find(args, variables)
    if found or not engine:
        return found
    line = _made(engine, "the program of the image", args, takes_model=engine == VLLM)
    return line._replace(is_of_image=True)


def program_of_image(container: Node) -> str:
    """The engine that an image starts by itself, as its name says; empty if it says none."""
    image = container.get("image")
    name = image_name(str(image.value)).rpartition("/")[2] if image else ""
    return next((engine for known, engine in IMAGE_PROGRAMS if known.fullmatch(name)), "")


def image_name(image: str) -> str:
    """An image without its tag and its digest."""
    bare = image.partition("@")[0]
    head, slash, last = bare.rpartition("/")
    return f"{head}{slash}{last.partition(':')[0]}"


def image_tag(image: str) -> str:
    """The tag of an image; empty if it has none."""
    return image.partition("@")[0].rpartition("/")[2].partition(":")[2]


def container_variables(container: Node) -> dict[str, Sequence[Word] | None]:
    """The variables of a container; those that come from elsewhere are known by name only."""
    found: dict[str, Sequence[Word] | None] = {}
    listed = container.get("env")
    for item in listed.elements if listed else ():
        name, value = item.get("name"), item.get("value")
        if name is None:
            continue
        word = _whole(value) if value else Word("", item)
        is_known = value is not None or item.get("valueFrom") is None
        found[str(name.value)] = [_expand_references(word, found)] if is_known else None
    return found


def _listed(container: Node, key: str) -> Iterator[Word]:
    listed = container.get(key)
    return (_whole(item) for item in (listed.elements if listed else ()))


def _whole(node: Node) -> Word:
    return Word(node.value if isinstance(node.value, str) else str(node.value), node, 0)


def _expand_references(word: Word, variables: Mapping[str, Sequence[Word] | None]) -> Word:
    """A word as Kubernetes hands it on: `$(NAME)` is the value of a variable, `$$` is `$`."""
    if "$" not in word.text:
        return word
    unknown = ""
    parts: list[str] = []
    end = length = 0
    for found in _REFERENCE.finditer(word.text):
        known = variables.get(found[2], ()) if found[2] else ()
        if found[1] == "$":
            value = "$"
        elif known is None:
            value, unknown = found[0], found[0]
        else:
            value = known[0].text if known else found[0]
            unknown = unknown or (known[0].unknown if known else "")
        parts += (word.text[end : found.start()], value)
        end, length = found.end(), length + len(value)
        if length > LONGEST_WORD:
            return word._replace(text="", inside=None, unknown=TOO_LONG)
    whole = "".join((*parts, word.text[end:]))
    is_same = whole == word.text
    return word._replace(text=whole, inside=word.inside if is_same else None, unknown=unknown)


def _find(
    words: Sequence[Word], variables: Mapping[str, Sequence[Word] | None], depth: int = 0
) -> CommandLine | None:
    """The engine among the words of a command, in the text of a shell too."""
    rest = _skip_prefixes(words)
    if not rest or depth > _DEEPEST:
        return None
    program = rest[0].text.rpartition("/")[2]
    if program in _SHELLS:
        return _find_in_shell(rest[1:], variables, depth)
    if program == "eval":
        return _find_in_words(rest[1:], variables, depth) if rest[1:] else None
    if program == "vllm":
        is_server = len(rest) > 1 and rest[1].text == "serve"
        return _made(VLLM, "vllm serve", rest[2:], takes_model=True) if is_server else None
    if program == "uv" and len(rest) > 1 and rest[1].text == "run":
        return _find(rest[2:], variables, depth + 1)
    if _PYTHON.fullmatch(program):
        return _find_module(rest)
    return None


def _find_module(words: Sequence[Word]) -> CommandLine | None:
    for index, word in enumerate(words[:-1]):
        engine = _MODULES.get(words[index + 1].text) if word.text == "-m" else None
        if engine:
            name = f"python -m {words[index + 1].text}"
            return _made(engine, name, words[index + 2 :], takes_model=engine == VLLM)
    return None


def _skip_prefixes(words: Sequence[Word]) -> Sequence[Word]:
    """A command without what only runs it: `exec`, `env NAME=value`, `tini --`."""
    index = 0
    while index < len(words):
        text = words[index].text.rpartition("/")[2]
        has_option = index > 0 and words[index].text in ("--", "-s", "-g")
        if (
            text not in _PREFIXES
            and not has_option
            and not _is_assignment(words[index].text, index)
        ):
            break
        index += 1
    return words[index:]


def _is_assignment(text: str, index: int) -> bool:
    name, sign, _ = text.partition("=")
    return index > 0 and bool(sign) and name.isidentifier()


def _find_in_shell(
    words: Sequence[Word], variables: Mapping[str, Sequence[Word] | None], depth: int
) -> CommandLine | None:
    for index, word in enumerate(words[:-1]):
        if _SHELL_TEXT.fullmatch(word.text):
            zeroth, *others = (*words[index + 2 : index + 3], *words[index + 3 :]) or (None,)
            known = {**variables, "@": others, "*": others}
            known.update({str(n): [item] for n, item in enumerate(others, 1)})
            if zeroth:
                known["0"] = [zeroth]
            return _find_in_text(words[index + 1], known, depth)
        if not word.text.startswith("-"):
            return None
    return None


def _find_in_text(
    word: Word, variables: Mapping[str, Sequence[Word] | None], depth: int
) -> CommandLine | None:
    """The last engine that the text of a shell starts, which is the one that stays."""
    found = None
    given = commands(word.text, word.node, variables, word.inside or 0)
    for words in given:
        placed = [item if word.inside is not None else item._replace(inside=None) for item in words]
        found = _find(placed, variables, depth + 1) or found
    return found


def _find_in_words(
    words: Sequence[Word], variables: Mapping[str, Sequence[Word] | None], depth: int
) -> CommandLine | None:
    """The engine in words that `eval` lays together, each found again where it came from."""
    starts = [*accumulate((len(word.text) + 1 for word in words[:-1]), initial=0)]
    node, found = words[0].node, None

    def placed(item: Word) -> Word:
        if item.node is not node or item.inside is None:
            return item
        number = bisect_right(starts, item.inside) - 1
        source, behind = words[number], item.inside - starts[number]
        inside = None if source.inside is None else source.inside + behind
        return item._replace(node=source.node, inside=inside)

    for given in commands(" ".join(word.text for word in words), node, variables):
        found = _find([*map(placed, given)], variables, depth + 1) or found
    return found


def _made(engine: str, program: str, words: Sequence[Word], *, takes_model: bool) -> CommandLine:
    unchecked = tuple(word for word in words if word.unknown)
    return CommandLine(engine, program, tuple(words), takes_model, unchecked=unchecked)
