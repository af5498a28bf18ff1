"""An engine in a container: its command line, its version, and what is around it."""

import re
from collections.abc import Iterable, Iterator

from renderer.engines.accelerators import Choice
from renderer.engines.command_lines import CommandLine, command_line
from renderer.engines.marks import VLLM, names_engine
from renderer.engines.options import Options
from renderer.engines.releases import Release, release_of
from renderer.engines.settings import own_image
from renderer.engines.shell import Word
from renderer.kubernetes.pods import Field, Pod
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_OPTION = expression(r"--([a-z][a-z0-9-]*)(=?)")


class EngineContainer(NamedTuple):
    """A container that may run an engine, as it runs: merged of all that says something of it.

    `place` is where the spec describes it, `tree` the one of that path, if it is not the spec's.
    `pod` has the node selector and the affinity. So many `pods` serve together; nothing if that
    is not known. Several have `accelerators` together, if that is known. `uri` is where the model
    comes from, if the engine's arguments do not say it;
    `name` is what the model is called where they do not. `others` are the containers that run
    beside it; nothing if they are not known. Requests arrive at `port`, and ask for a
    `routed_name`, where the platform says so; it mounts folders at `mounts`.

    Where a platform starts an engine with settings instead of words, `line` has them as options,
    `release` is the engine that it brings, and `chosen` are the accelerators that it gets.
    """

    place: Field
    container: Node
    pod: Node
    tree: Node | None = None
    pods: int | None = 1
    accelerators: int | None = None
    uri: Node | None = None
    name: str = ""
    others: tuple[Node, ...] | None = ()
    port: str = ""
    routed_name: str = ""
    mounts: tuple[str, ...] = ()
    line: CommandLine | None = None
    release: Release | None = None
    chosen: Choice | None = None


class EngineRun(NamedTuple):
    """What rules on engines are given."""

    given: EngineContainer
    line: CommandLine
    options: Options
    release: Release
    environment: Environment

    @property
    def container(self) -> Node:
        return self.given.container

    @property
    def is_configured(self) -> bool:
        """Whether a platform starts the engine, by settings and not by words."""
        return self.given.line is not None

    @property
    def is_vllm(self) -> bool:
        return self.line.engine == VLLM

    @property
    def is_alone(self) -> bool:
        """Whether no other container of the pod may answer in the place of the engine."""
        return self.given.others == ()

    def is_answered_by_others(self, port: str) -> bool:
        """Whether another container of the pod may listen on a port: it declares it, or none."""
        if self.given.others is None:
            return True
        declared = [declared_ports(item) for item in self.given.others]
        return any(not ports or port in ports for ports in declared)

    @property
    def may_have_more(self) -> bool:
        """Whether there may be options that cannot be seen here."""
        has_file = self.options.get("config") is not None
        return has_file or any(word.may_be_many for word in self.line.unchecked)

    def has_variable(self, name: str) -> bool:
        """Whether the container has a variable of a name."""
        listed = self.container.get("env")
        given = (item.get("name") for item in (listed.elements if listed else ()))
        return any(node is not None and node.value == name for node in given)

    def at(self, word: Word, message: str, fix: str = "") -> Finding:
        """What is wrong with a word, at its place: in the spec, or in what the spec uses."""
        message, fix = self._reword(message), self._reword(fix)
        origin = word.node.origin
        if not origin.file:
            note = f" ({origin.note})" if origin.note else ""
            return self.beside(f"{message}{note}", fix)
        return Finding((), message, fix, inside=word.inside or None, tree=word.node)

    def beside(self, message: str, fix: str = "") -> Finding:
        """What is wrong with the container as a whole, or with what it lacks."""
        place = self.given.place
        message, fix = self._reword(message), self._reword(fix)
        return Finding(place.path, message, fix, at_key=True, tree=self.given.tree)

    def where(self, node: Node, message: str, fix: str = "") -> Finding:
        """What is wrong at a value of the container or its pod."""
        if not node.origin.file:
            return self.beside(message, fix)
        return Finding((), self._reword(message), self._reword(fix), tree=node)

    def _reword(self, text: str) -> str:
        """A sentence with settings, as in `max_model_len`, in the place of options."""
        return _OPTION.sub(_setting, text) if self.is_configured else text


def engine_runs(
    containers: Iterable[EngineContainer], environment: Environment
) -> Iterator[EngineRun]:
    """The engines that can be seen in containers."""
    for given in containers:
        if given.line and given.release:
            options = Options.of(given.line.words)
            yield EngineRun(given, given.line, options, given.release, environment)
            continue
        image = given.container.get("image")
        own = own_image(str(image.value) if image else "", environment)
        if own is None and not names_engine(given.container):
            continue
        line = command_line(given.container, own.engine if own else "")
        if line:
            release = given.release or release_of(line.engine, given.container, own)
            yield EngineRun(given, line, Options.of(line.words), release, environment)


def _setting(option: re.Match[str]) -> str:
    return option[1].replace("-", "_") + (": " if option[2] else "")


def containers_of(pod: Pod) -> Iterator[EngineContainer]:
    """The containers of a pod that stand in a spec as they run."""
    spec = pod.spec.node
    listed = (*pod.spec.each("containers"), *pod.others)
    for container in listed:
        beside = (item.node for item in listed if item is not container)
        others = (*beside, *sidecars(spec))
        yield EngineContainer(container, container.node, spec, pod.tree, others=others)


def sidecars(pod: Node) -> Iterator[Node]:
    """The containers that start before all others, and run on."""
    listed = pod.get("initContainers")
    for item in listed.elements if listed else ():
        if item.text_at("restartPolicy") == "Always":
            yield item


def declared_ports(container: Node) -> list[str]:
    """The numbers of the ports that a container says it has."""
    listed = container.get("ports")
    numbers = (item.get("containerPort") for item in (listed.elements if listed else ()))
    return [str(node.value) for node in numbers if node]
