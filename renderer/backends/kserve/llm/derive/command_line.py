"""The command line of a server as its preset's shell will run it."""

from renderer.kubernetes.data import Data, items, mapping, variable, words
from renderer.text.expressions import expression

_SERVED = expression(r'(?s)eval "exec (vllm serve .*?)"\s*$')
_BREAK = expression(r"\s*\\\n\s*|\s*\n\s*")
_MORE = "VLLM_ADDITIONAL_ARGS"


def command_line(container: Data) -> str:
    """One line for each option; what only the running shell knows stays a variable.

    A container whose command is none of KServe's has its own command and arguments.
    """
    command, args = words(container, "command"), words(container, "args")
    shell = [word for word in command if "vllm serve" in word]
    found = _SERVED.search(shell[0]) if len(command) > 1 and shell else None
    if found is None:
        return option_lines([*command, *args])
    text = _BREAK.sub(" ", found[1]).replace('"', "")
    more = variable(container, _MORE)
    text = text.replace(f"${{{_MORE}}}", more if more is not None else _unset(container))
    return option_lines([*text.replace("$@", " ".join(args)).split()])


def _unset(container: Data) -> str:
    """Nothing, unless the variable comes from elsewhere."""
    known = (item for item in items(container, "env") if item.get("name") == _MORE)
    is_elsewhere = any(mapping(item, "valueFrom") for item in known)
    return f"${{{_MORE}}}" if is_elsewhere else ""


def option_lines(args: list[str]) -> str:
    """An option and its values on one line."""
    lines: list[str] = []
    for word in args:
        starts = word.startswith("-") or word.endswith("_ARGS}")
        last = lines[-1] if lines else ""
        if not starts and lines and not ("\n" in word or "=" in last.split(" ")[0]):
            lines[-1] += f" {word or repr(word)}"
        else:
            lines.append(word or repr(word))
    return "\n".join(lines)
