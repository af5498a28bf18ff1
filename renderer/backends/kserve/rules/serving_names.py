"""Names that KServe looks for in pods: of containers, and of placeholders."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.rules.containers import TRANSFORMER_CONTAINER
from renderer.backends.kserve.rules.sources import CONTROLLER
from renderer.backends.kserve.runtime_view import RuntimeView
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.names import is_dns_label
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_WORKER = "worker-container"
_ONE_BRACE = expression(r"(?<!\{)\{\s*\.(Name|Namespace|Labels\.\w+|Annotations\.\w+)\s*\}(?!\})")


@rule("KSV251", Severity.WARNING, "InferenceService", since="0.2.0")
def sidecars_are_meant(service: InferenceService) -> Iterator[Finding]:
    """A container beside a model is not called nearly as one that KServe looks for.

    kserve-container is the model's own, and transformer-container is asked before it. Under any
    other name a container is one more that runs beside the model.

    Fails: predictor: {containers: [{name: transformer-contaner, image: 'example/features:v1'}]}
    Passes: predictor: {containers: [{name: transformer-container, image: 'example/features:v1'}]}
    """
    known = (SERVING_CONTAINER, TRANSFORMER_CONTAINER)
    predictor = service.predictor
    for container in Field(predictor.path, predictor.node).each("containers"):
        name = text(container.node, "name")
        meant = misspelt(name, known) if name not in known and is_dns_label(name) else ""
        # Of containers that are all there is to run, KSV193 says which is to be called so.
        if meant and (service.model or meant == TRANSFORMER_CONTAINER):
            message = f"{name!r} is one more container beside the model"
            yield Finding((*container.path, "name"), message, f"did you mean {meant!r}?")


@rule("KSV370", Severity.ERROR, "ServingRuntime", since="0.2.0")
def workers_have_their_container(view: RuntimeView) -> Iterator[Finding]:
    """The container of a runtime's workers is called worker-container.

    The controller adds what a service says of its workers to the container of that name. Without
    it no service that uses the runtime becomes ready (InvalidPredictorSpec, inferred from the
    source).

    Fails: workerSpec: {containers: [{name: worker, image: 'example/server:v1'}]}
    Passes: workerSpec: {containers: [{name: worker-container, image: 'example/server:v1'}]}
    """
    containers = elements(view.spec.tree, "workerSpec", "containers")
    if view.runtime.disabled or not containers:
        return
    names = [text(item, "name") for item in containers]
    if _WORKER not in names:
        path = ("workerSpec", "containers", 0, "name")
        message = f"there is no {_WORKER}, but {names[0]!r} (inferred)"
        yield Finding(path, message, f"call it {_WORKER}")


@rule("KSV371", Severity.WARNING, "ServingRuntime", since="0.2.0")
def placeholders_have_two_braces(view: RuntimeView) -> Iterator[Finding]:
    """A placeholder of a runtime has two braces, as in {{.Name}}.

    KServe passes on what has one as it is.

    Fails: containers: [{name: kserve-container, args: ['--name={.Name}']}]
    Passes: containers: [{name: kserve-container, args: ['--name={{.Name}}']}]
    """
    for container in Field((), view.spec.tree).each("containers"):
        for field in (*container.each("args"), *container.each("command")):
            if found := _ONE_BRACE.search(field.text):
                message = f"KServe does not fill in {found[0]}"
                yield field.wrong(message, f"write {{{{.{found[1]}}}}}")


RULES = rules_with_source((sidecars_are_meant,), CONTROLLER)
RUNTIME_RULES = rules_with_source(
    (workers_have_their_container, placeholders_have_two_braces), CONTROLLER
)
