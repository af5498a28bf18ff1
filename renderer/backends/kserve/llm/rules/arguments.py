"""What the shell that starts a server makes of its arguments."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.rules.layers import is_known_whole, layers, root
from renderer.backends.kserve.llm.rules.sources import PRESETS
from renderer.backends.kserve.llm.service import PREFILL, LlmView
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_SINCE = "0.3.0"
_SERVERS = (("template",), ("worker",), (PREFILL, "template"), (PREFILL, "worker"))
_MAIN, _MORE = "main", "VLLM_ADDITIONAL_ARGS"
#: A variable that Kubernetes fills in before a shell is started.
_VARIABLE = expression(r"\$\([A-Za-z_][-A-Za-z0-9_.]*\)")
#: What KServe fills in before that.
_FILLED = expression(r"\{\{(?:`[^`]*`|[^`])*?\}\}")
_OPERATORS = ";&|<>()`\n"
_SHOWN = 100
_SINGLE, _DOUBLE = "'", '"'


@rule("KSV550", Severity.ERROR, "LLMInferenceService", since=_SINCE)
def arguments_survive_a_shell(view: LlmView) -> Iterator[Finding]:
    """Arguments of the container `main` stand in quotes where a shell would read them otherwise.

    The presets put `args` and VLLM_ADDITIONAL_ARGS into one line, which a shell reads again: it
    takes quotes and backslashes away, runs what stands behind `;`, `&` or `|`, and drops what is
    behind `#`. JSON loses its quotes, and the server does not start (inferred). Single quotes
    within the text keep it. Where `command` is replaced, this does not hold.

    Fails:
        template:
          containers: [{name: main, args: ['--speculative-config={"method": "ngram"}']}]
    Passes:
        template:
          containers: [{name: main, args: ["'--speculative-config={\\"method\\": \\"ngram\\"}'"]}]
    """
    for place in _SERVERS:
        if _replaces_command(view, place):
            continue
        for container in root(view).each(*place, "containers"):
            for given in _words(container):
                if (found := _fault(given.text)) is not None:
                    yield Finding(
                        given.path,
                        f"a shell reads {found[1]} in this argument",
                        f"put single quotes around it, within the text: {_quoted(given.text)}",
                        inside=found[0],
                    )


def _replaces_command(view: LlmView, place: tuple[str, ...]) -> bool:
    """Whether something else than the script of the presets starts the server, or may do so."""
    return not is_known_whole(view) or any(
        container.get("command") is not None
        for tree in layers(view)
        for container in _main_containers(tree, place)
    )


def _main_containers(tree: Node, place: tuple[str, ...]) -> Iterator[Node]:
    for container in Field((), tree).each(*place, "containers"):
        if text(container.node, "name") == _MAIN:
            yield container.node


def _words(container: Field) -> Iterator[Field]:
    if text(container.node, "name") != _MAIN:
        return
    yield from container.each("args")
    for variable in container.each("env"):
        if text(variable.node, "name") == _MORE and (value := variable.get("value")):
            yield value


def _quoted(argument: str) -> str:
    escaped = argument.replace(_SINGLE, "'\\''")
    return f"'{escaped}'" if len(argument) <= _SHOWN else "'…'"


def _fault(argument: str) -> tuple[int, str] | None:
    """Where a shell reads an argument otherwise than it looks, and what it reads there."""
    argument = _FILLED.sub(lambda filled: "x" * len(filled[0]), argument)
    quote, begun, has_data = "", 0, False
    place = 0
    while place < len(argument):
        character = argument[place]
        if variable := _VARIABLE.match(argument, place):
            place = variable.end()
            continue
        if character == "\\" and quote != _SINGLE:
            place += 1
        elif quote:
            quote = "" if character == quote else quote
        elif character == _DOUBLE and has_data:
            return place, "the quotes of data"
        elif character in (_SINGLE, _DOUBLE):
            quote, begun = character, place
        elif character in _OPERATORS:
            return place, repr(character)
        elif character == "#" and (place == 0 or argument[place - 1] == " "):
            return place, "the beginning of a comment"
        has_data = has_data or (not quote and character in "{[")
        place += 1
    return (begun, "a quote that is not closed") if quote else None


CONFIG_RULES = rules_with_source((arguments_survive_a_shell,), PRESETS)
RULES = CONFIG_RULES
