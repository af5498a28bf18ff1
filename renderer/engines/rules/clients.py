"""What clients and probes meet: ports, hosts, options that are said twice or not known."""

from collections.abc import Iterator

from renderer.engines.answers import listening_port
from renderer.engines.options import superseded
from renderer.engines.runs import EngineRun, declared_ports
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.kubernetes.pods import PROBES
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_LOCAL = ("127.0.0.1", "localhost", "::1")
#: Options that may be given several times, each time for one value more.
_REPEATED = frozenset(("middleware", "lora-modules", "prompt-adapters"))
_MOST_SHOWN = 4


@rule("ENG150", Severity.WARNING, ENGINE, since="0.3.0")
def models_bring_no_code(run: EngineRun) -> Iterator[Finding]:
    """In production, no model runs code that it brings along.

    With `--trust-remote-code` the engine runs Python files from the model's repository, with all
    that its pod may do, and whoever can write there can change them.

    Fails: containers: [{name: engine, args: [--trust-remote-code]}]
    Passes: containers: [{name: engine, args: [--seed=1]}]
    """
    option = run.options.get("trust-remote-code")
    if option and run.options.is_on("trust-remote-code") and run.environment.is_production:
        message = "--trust-remote-code runs the model's own code in production"
        fix = "delete it if the engine knows the model, else pin a --code-revision and review it"
        yield run.at(option.words[0], message, fix)


@rule("ENG151", Severity.WARNING, ENGINE, since="0.3.0")
def options_are_given_once(run: EngineRun) -> Iterator[Finding]:
    """An option is given once in a file: of several, only the last one counts.

    One that a spec gives anew, and its runtime gives as well, is no mistake.

    Fails: containers: [{name: engine, args: [--seed=1, --max-num-seqs=8, --seed=2]}]
    Passes: containers: [{name: engine, args: [--seed=2, --max-num-seqs=8]}]
    """
    for former, last in superseded(run.line.words):
        places = [option.words[0].node.origin.file for option in (former, last)]
        if places[0] == places[1] and places[0] and former.name not in _REPEATED:
            line = last.words[0].node.origin.line
            message = f"--{former.name} is given again in line {line}, and that one counts"
            yield run.at(former.words[0], message, "delete one of them")


@rule("ENG152", Severity.INFO, ENGINE, since="0.3.0")
def words_are_known(run: EngineRun) -> Iterator[Finding]:
    """Of some arguments only a running container can tell what they are: these are not checked.

    They come from variables of the image or of Secrets, or a program works them out. Those that a
    preset of the platform works out are left out.

    Fails: containers: [{name: engine, command: [sh, -c, 'vllm serve acme/tiny $MORE']}]
    Passes: containers: [{name: engine, command: [sh, -c, 'vllm serve acme/tiny']}]
    """
    own = [word for word in run.line.unchecked if word.node.origin.file]
    unknown = list(dict.fromkeys(word.unknown for word in own))
    if unknown:
        shown = unknown[:_MOST_SHOWN]
        more = [f"{len(unknown) - len(shown)} more"] if len(unknown) > len(shown) else []
        message = f"arguments from {listed([*shown, *more])} are not checked"
        yield run.at(own[0], message, "write out those that are always the same")


@rule("ENG160", Severity.ERROR, ENGINE, since="0.3.0")
def probes_ask_the_engine(run: EngineRun) -> Iterator[Finding]:
    """Probes ask at the port where the engine listens: that of `--port`, else 8000.

    Otherwise the pod never becomes ready, or is restarted again and again. Where another container
    of the pod may answer at the port, nothing is said.

    Fails:
        containers:
          - {name: engine, args: [--port=9000], readinessProbe: {httpGet: {port: 8000}}}
    Passes with: containers: [{name: engine, args: [--port=8000]}]
    """
    port, probes = listening_port(run), [*_asking_probes(run)]
    own = [item for item in probes if item[1].origin.file]
    for name, given, number in own or probes[:1]:
        is_reported = not own and number == run.given.port
        if port and port != number and not is_reported and not run.is_answered_by_others(number):
            message = f"the {name} asks at {number}, and the engine listens on {port}"
            fix = f"ask at {port}, or start the engine with --port={number}"
            yield _at_port(run, given, message, fix)


def _asking_probes(run: EngineRun) -> Iterator[tuple[str, Node, str]]:
    """Probes that ask at a port, what says the port, and its number."""
    for name in PROBES:
        for handler in ("httpGet", "tcpSocket"):
            given = run.container.get(name, handler, "port")
            if given and (number := _number(run, given)).isdecimal():
                yield name, given, number


def _at_port(run: EngineRun, given: Node, message: str, fix: str) -> Finding:
    """At a value of the container; if that is the platform's, at the option of the spec."""
    option = run.options.get("port")
    if given.origin.file or option is None:
        return run.where(given, message, fix)
    return run.at(option.place, message, fix)


def _number(run: EngineRun, port: Node) -> str:
    """The number of a port, which may be given by its name."""
    listed_ports = run.container.get("ports")
    for item in listed_ports.elements if listed_ports else ():
        name, number = item.get("name"), item.get("containerPort")
        if name and number and name.value == port.value:
            return str(number.value)
    return str(port.value)


@rule("ENG161", Severity.ERROR, ENGINE, since="0.3.0")
def engines_listen_to_others(run: EngineRun) -> Iterator[Finding]:
    """An engine listens on an address that others than its own pod can reach.

    With `--host=127.0.0.1` neither Services nor probes get an answer. Pods in which another
    container may hand requests on are left out.

    Fails: containers: [{name: engine, args: [--host=127.0.0.1]}]
    Passes: containers: [{name: engine, args: [--host=0.0.0.0]}]
    """
    option = run.options.get("host")
    if option and option.value in _LOCAL and run.is_alone:
        message = f"nobody outside of the pod reaches an engine that listens on {option.value}"
        yield run.at(option.place, message, "delete --host, or write 0.0.0.0")


@rule("ENG162", Severity.WARNING, ENGINE, since="0.3.0")
def declared_ports_are_those_of_engines(run: EngineRun) -> Iterator[Finding]:
    """Where a container declares ports, one of them is the port where its engine listens.

    Kubernetes looks there for the ports that Services and monitors name: what is declared is taken
    for what is there.

    Fails:
        containers:
          - {name: engine, args: [--port=9000], ports: [{name: http, containerPort: 8000}]}
    Passes:
        containers:
          - {name: engine, args: [--port=9000], ports: [{name: http, containerPort: 9000}]}
    """
    port, declared = listening_port(run), run.container.get("ports")
    numbers = declared_ports(run.container)
    if declared is None or not declared.origin.file or run.given.port:
        return
    if port and numbers and port not in numbers:
        message = f"the engine listens on {port}, which is not among the ports of its container"
        fix = f"write {{containerPort: {port}}}, or start the engine with --port={numbers[0]}"
        yield run.where(declared.elements[0].get("containerPort") or declared, message, fix)


@rule("ENG163", Severity.ERROR, ENGINE, since="0.3.0")
def requests_arrive_where_engines_listen(run: EngineRun) -> Iterator[Finding]:
    """An engine listens on the port that the Service of its platform sends requests to.

    Which port that is, the platform says: mostly the first of the container's `ports`.
    vLLM listens on 8000, unless `--port` says another. Otherwise no request gets an answer.
    """
    port, wanted, option = listening_port(run), run.given.port, run.options.get("port")
    if not port or not wanted or port == wanted or run.is_answered_by_others(wanted):
        return
    message = f"requests arrive at {wanted}, and the engine listens on {port}"
    if option:
        yield run.at(option.place, message, f"write {wanted}")
    else:
        yield run.beside(message, f"add --port={wanted}")


@rule("ENG180", Severity.WARNING, ENGINE, since="0.3.0")
def engines_answer_to_routed_names(run: EngineRun) -> Iterator[Finding]:
    """An engine serves its model by the name that requests are routed by.

    Where a platform makes the route and the command line, both have one name. Another
    `--served-model-name` takes its place: the engine answers that it has no such model.
    """
    option, name = run.options.get("served-model-name"), run.given.routed_name
    if name and option and option.is_known and name not in option.values:
        message = f"requests ask for {name!r}, and the engine answers only to {option.value!r}"
        yield run.at(option.place, message, f"add {name}, or delete it and write model.name")


RULES = rules_with_source(
    (
        models_bring_no_code,
        options_are_given_once,
        words_are_known,
        probes_ask_the_engine,
        engines_listen_to_others,
        declared_ports_are_those_of_engines,
        requests_arrive_where_engines_listen,
        engines_answer_to_routed_names,
    ),
    VLLM_SOURCE,
)
