"""Options of servers that do not agree with the rest of the service or of its runtime."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import TRANSFORMER
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.sources import CONTROLLER
from renderer.kubernetes.pods import Field
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple

#: Options for the port of requests over HTTP.
_PORTS = ("http_port", "rest_api_port")
#: Where KServe sends requests to if a container has no port.
_PORT = "8080"
_NAMES = ("model_name", "served_model_name")


class Option(NamedTuple):
    """An option with `_` for each `-`, its value, and the argument that has the value."""

    name: str
    value: str
    field: Field


def _options(words: Iterable[Field]) -> Iterator[Option]:
    """Options with a value: `--name=value`, or `--name` and the value as the next argument."""
    waiting = ""
    for word in words:
        given = word.text or str(word.node.value)
        if given.startswith("--"):
            name, sign, value = given[2:].partition("=")
            waiting = "" if sign else name
            if sign:
                yield Option(name.replace("-", "_"), value, word)
        elif waiting:
            yield Option(waiting.replace("-", "_"), given, word)
            waiting = ""


def last_values(words: Iterable[Field]) -> dict[str, Option]:
    """Options by their names; of several of one name the last one counts."""
    return {item.name: item for item in _options(words)}


def _moved_ports(service: PlacelessService) -> Iterator[tuple[Option, str]]:
    """The options of a model for a port, each with the port that its runtime has instead."""
    model, runtime = service.model, service.runtime
    container = service.runtime_container
    if model is None or runtime is None or container is None or "ports" in model.node.items:
        return
    below = last_values(Field((), container).each("args"))
    ports = [text(item, "containerPort") for item in elements(container, "ports")]
    ports += [port for port in [text(container, "readinessProbe", "httpGet", "port")] if port]
    fallback = "" if runtime.spec else _PORT
    for name, option in last_values(model.field.each("args")).items():
        if name not in _PORTS:
            continue
        there = below[name].value if name in below else next(iter(ports), fallback)
        if there.isdecimal() and option.value.isdecimal() and option.value not in (there, *ports):
            yield option, there


@rule("KSV379", Severity.ERROR, "InferenceService", since="0.2.0", reads=("predictor.model",))
def shipped_servers_keep_their_port(service: PlacelessService) -> Iterator[Finding]:
    """A model does not move the port of a server that KServe ships.

    The last `--http_port` counts. KServe sends requests and probes to 8080, unless the model has
    `ports`: nothing listens there then, and no pod becomes ready (inferred from the source).

    Fails: predictor: {model: {args: [--http_port=9090]}}
    Passes: predictor: {model: {args: [--http_port=8080]}}
    """
    if service.runtime and service.runtime.spec is None:
        yield from _moved_port_findings(service)


@rule("KSV380", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor.model",))
def servers_keep_their_port(service: PlacelessService) -> Iterator[Finding]:
    """A model does not move the port of a server away from that of its runtime.

    The last `--http_port` counts, and the ports and probes of the runtime stay what they are:
    nothing listens there then (inferred from the source).

    Fails:
        predictor:
          model: {modelFormat: {name: ported}, runtime: ported, args: [--http_port=9090]}
    Passes with: predictor: {model: {args: [--http_port=8080]}}
    """
    if service.runtime and service.runtime.spec is not None:
        yield from _moved_port_findings(service)


def _moved_port_findings(service: PlacelessService) -> Iterator[Finding]:
    for option, there in _moved_ports(service):
        name = service.runtime.name if service.runtime else ""
        message = f"the server listens on {option.value}, and {name} has the port {there}"
        fix = f"delete it, or add ports with {option.value} and probes for it"
        yield option.field.wrong(f"{message} (inferred)", fix)


@rule("KSV381", Severity.WARNING, "InferenceService", since="0.2.0", reads=("predictor",))
def transformers_ask_for_the_model(service: PlacelessService) -> Iterator[Finding]:
    """The `--model_name` of a transformer is that of the predictor.

    It asks the predictor for a model of that name: with another the answer is that there is none.
    The name of a model is that of the service, unless the arguments of the predictor say another.
    Only a name that is nearly right is found.

    Fails: transformer: {containers: [{name: kserve-container, args: [--model_name=irris]}]}
    Passes: transformer: {containers: [{name: kserve-container, args: [--model_name=iris]}]}
    """
    transformer = service.component(TRANSFORMER)
    if transformer is None:
        return
    names = _served_names(service)
    for container in transformer.field.each("containers"):
        given = last_values(container.each("args")).get("model_name")
        meant = misspelt(given.value, names) if given and given.value not in names else ""
        if given and meant:
            message = f"the predictor has no model {given.value!r}"
            yield given.field.wrong(message, f"did you mean {meant!r}?")


def _served_names(service: PlacelessService) -> list[str]:
    """The predictor's names of its model: from its arguments, else the name of the service."""
    fields = [Field((), item) for item in service.predictor.containers]
    fields += [Field((), service.model.node)] if service.model else []
    said = [last_values(item.each("args")) for item in fields]
    names = [given[name].value for given in said for name in _NAMES if name in given]
    return names or [service.name]


RULES = rules_with_source(
    (
        shipped_servers_keep_their_port,
        servers_keep_their_port,
        transformers_ask_for_the_model,
    ),
    CONTROLLER,
)
