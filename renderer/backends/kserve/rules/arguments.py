"""The arguments of servers: each of them by itself."""

from collections.abc import Iterator

from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.rules.containers import containers_of
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule

#: An option and, behind a blank, its value or another option.
_JOINED = expression(r"--[A-Za-z][\w-]* +\S")


@rule("KSV257", Severity.WARNING, "InferenceService", since="0.2.0")
def arguments_are_one_each(service: InferenceService) -> Iterator[Finding]:
    """An option and its value are two arguments, or one with `=`.

    No shell splits arguments at blanks: a server is given `--model_name iris` as one word, which is
    no option of it.

    Fails: predictor: {model: {args: ['--model_name iris']}}
    Passes: predictor: {model: {args: [--model_name=iris]}}
    """
    for component in service.components:
        for container in containers_of(component):
            yield from _joined(container)


@rule("KSV372", Severity.WARNING, "ServingRuntime", since="0.2.0")
def runtime_arguments_are_one_each(view: RuntimeView) -> Iterator[Finding]:
    """An option of a runtime and its value are two arguments, or one with `=`.

    No shell splits arguments at blanks: a server is given `--model_dir /mnt/models` as one word,
    which is no option of it.

    Fails: containers: [{name: kserve-container, args: ['--model_dir /mnt/models']}]
    Passes: containers: [{name: kserve-container, args: [--model_dir=/mnt/models]}]
    """
    for keys in (("containers",), ("workerSpec", "containers")):
        for container in Field((), view.spec.tree).each(*keys):
            yield from _joined(container)


def _joined(container: Field) -> Iterator[Finding]:
    """The arguments that are an option and a value, where no shell is called."""
    if any(word.text == "-c" for word in container.each("command")):
        return
    for word in (*container.each("command"), *container.each("args")):
        if _JOINED.match(word.text):
            message = f"{word.text!r} is one argument, with the blank in it"
            yield word.wrong(message, "write two arguments, or one with =")


RULES = (arguments_are_one_each,)
RUNTIME_RULES = (runtime_arguments_are_one_each,)
