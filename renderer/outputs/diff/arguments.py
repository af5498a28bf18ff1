"""Changes of command lines by the names of arguments: what differs, not where it stands."""

from collections.abc import Iterator

from renderer.engines.options import option_name, options
from renderer.engines.shell import Word
from renderer.values.diagnostics import Path
from renderer.values.tree import Plain, constant

_LISTS = ("args", "command")
_NOWHERE = constant(None, "a word of a command")


def changed_arguments(path: Path, before: Plain, after: Plain) -> str:
    """`--name OLD → NEW` for each argument that differs; empty if that does not say it all.

    Words that are no options have to be the same, and each option to be given once.
    """
    if path[-1:] not in [(name,) for name in _LISTS]:
        return ""
    old, new = _named_arguments(before), _named_arguments(after)
    if old is None or new is None or old[0] != new[0] or not (old[1] and new[1]):
        return ""
    return "; ".join(_differences(old[1], new[1]))


def _named_arguments(value: Plain) -> tuple[list[str], dict[str, str]] | None:
    """The words before all options, and the values of options; nothing for any other list."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    words = [Word(str(item), _NOWHERE) for item in value]
    first = next((n for n, word in enumerate(words) if option_name(word.text)), len(words))
    found = options(words[first:])
    by_name = {item.words[0].text.partition("=")[0]: " ".join(item.values) for item in found}
    if len({item.name for item in found}) < len(found) or len(by_name) < len(found):
        return None
    return [word.text for word in words[:first]], by_name


def _differences(old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*old, *new)):
        if name not in new:
            yield f"{name} {old[name]}".rstrip() + " removed"
        elif name not in old:
            yield f"{name} {new[name]}".rstrip() + " added"
        elif old[name] != new[name]:
            yield f"{name} {old[name] or 'without a value'} → {new[name] or 'without a value'}"
