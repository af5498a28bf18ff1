"""The engines that a spec runs, and what the rules on engines find in them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from renderer.backends.base import KindFunctions
from renderer.backends.kinds import functions_of
from renderer.engines.marks import names_engine
from renderer.kubernetes.pods import Pod
from renderer.rules.secrets import RuleFinding
from renderer.values.model import Environment, Spec

if TYPE_CHECKING:  # most specs run none
    from renderer.engines.runs import EngineContainer, EngineRun


def engine_findings(
    functions: KindFunctions, view: object, pods: Sequence[Pod], environment: Environment
) -> Iterator[RuleFinding]:
    """What the rules on engines find in containers, whichever kind of spec describes them."""
    containers = _containers(functions, view, pods, environment)
    if not containers:
        return
    from renderer.engines.rules import rules_for
    from renderer.engines.runs import engine_runs

    for run in engine_runs(containers, environment):
        for rule in rules_for(run):
            for finding in rule.check(run) if rule.check else ():
                yield RuleFinding(rule, finding)


def engines_of(spec: Spec, environment: Environment) -> "list[EngineRun]":
    """The engines that a sound spec runs."""
    from renderer.engines.runs import engine_runs

    functions = functions_of(spec.kind.name)
    view = functions.view(spec, environment, ())
    containers = _containers(functions, view, [*functions.pods(view)], environment)
    return list(engine_runs(containers, environment))


def _containers(
    functions: KindFunctions, view: object, pods: Sequence[Pod], environment: Environment
) -> "list[EngineContainer]":
    """The containers that may run an engine: those that the backend merges, or those of pods."""
    if functions.engines:
        return list(functions.engines(view))
    has_own_images = "engines" in environment.tree.items
    some = [
        pod
        for pod in pods
        if has_own_images or any(names_engine(item.node) for item in pod.containers())
    ]
    if not some:
        return []
    from renderer.engines.runs import containers_of

    return [container for pod in some for container in containers_of(pod)]
