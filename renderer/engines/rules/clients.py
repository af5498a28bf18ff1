"""What clients and probes meet: ports, hosts, options that are said twice or not known."""

from collections.abc import Iterator

from renderer.engines.marks import VLLM
from renderer.engines.options import superseded
from renderer.engines.runs import EngineRun
from renderer.engines.vocabulary import ENGINE, VLLM_SOURCE
from renderer.kubernetes.pods import PROBES
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_PORT = "8000"
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
        message = "the model's own code runs in production"
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
        yield run.at(own[0], message, "write values that are the same everywhere")


@rule("ENG160", Severity.ERROR, ENGINE, since="0.3.0")
def probes_ask_the_engine(run: EngineRun) -> Iterator[Finding]:
    """Probes ask at the port where the engine listens: that of `--port`, else 8000.

    Otherwise the pod never becomes ready, or is restarted again and again. Pods in which another
    container may answer are left out.

    Fails:
        containers:
          - {name: engine, args: [--port=9000], readinessProbe: {httpGet: {port: 8000}}}
    Passes with: containers: [{name: engine, args: [--port=8000]}]
    """
    option = run.options.get("port")
    if run.line.engine != VLLM or not run.is_alone or (option and not option.is_known):
        return
    port = option.value if option else _PORT
    for name in PROBES:
        for handler in ("httpGet", "tcpSocket"):
            given = run.container.get(name, handler, "port")
            number = _number(run, given) if given else ""
            if given and number.isdigit() and number != port:
                message = f"the {name} asks at {number}, and the engine listens on {port}"
                yield run.where(
                    given, message, f"ask at {port}, or start the engine with --port={number}"
                )


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
        yield run.at(option.place, f"nobody outside of the pod reaches {option.value}", "delete it")


RULES = rules_with_source(
    (
        models_bring_no_code,
        options_are_given_once,
        words_are_known,
        probes_ask_the_engine,
        engines_listen_to_others,
    ),
    VLLM_SOURCE,
)
