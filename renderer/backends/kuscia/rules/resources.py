"""What a party asks for: resources per container, replicas, and how it is updated."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.rules.sources import API, CONTROLLER
from renderer.backends.kuscia.serving import STRATEGY_AMOUNTS, Serving
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_ALL = 100


@rule("KUS301", Severity.ERROR, "Serving")
def resources_name_a_container(serving: Serving) -> Iterator[Finding]:
    """Resources are given to containers that the AppImage's template has.

    Fails: parties: [{domain_id: alice, resources: [{container_name: sidecar, max_cpu: "1"}]}]
    Passes: parties: [{domain_id: alice, resources: [{container_name: scorer, max_cpu: "1"}]}]
    """
    for index, party in enumerate(serving.parties):
        containers = party.template.containers if party.template else ()
        for place, entry in enumerate(party.resources):
            if entry.container and containers and entry.container not in containers:
                hint = nearest(entry.container, containers)
                yield Finding(
                    ("parties", index, "resources", place, "container_name"),
                    f"the AppImage {party.image_name!r} has no container {entry.container!r}",
                    f"did you mean {hint!r}?" if hint else f"use {listed(containers, 'or')}",
                )


@rule("KUS302", Severity.ERROR, "Serving")
def resources_for_every_container(serving: Serving) -> Iterator[Finding]:
    """If one container of a party gets resources, all of them do.

    Kuscia's API drops the resources of all containers, without a message, as soon as one
    container of the template ends up with none.

    Fails:
        parties:
          - domain_id: alice
            app_image: pair
            resources: [{container_name: first, max_cpu: "1"}]
    Passes with: parties: [{domain_id: alice, resources: [{max_memory: 1Gi}]}]
    """
    for index, party in enumerate(serving.parties):
        containers = party.template.containers if party.template else ()
        without = [name for name in containers if not party.amounts_of(name)]
        if without and len(without) < len(containers):
            yield Finding(
                ("parties", index, "resources"),
                f"the resources leave out {listed(without)}, so Kuscia would discard them all",
                "add an entry for it, or one without container_name for all containers",
                at_key=True,
            )


@rule("KUS303", Severity.ERROR, "Serving")
def resources_once_per_container(serving: Serving) -> Iterator[Finding]:
    """A party has one resources entry per container, and one for all.

    Kuscia's API takes the last of several and drops the others without a message.

    Fails: parties: [{domain_id: alice, resources: [{max_cpu: "1"}, {max_memory: 1Gi}]}]
    Passes: parties: [{domain_id: alice, resources: [{max_cpu: "1", max_memory: 1Gi}]}]
    """
    for index, party in enumerate(serving.parties):
        seen: set[str] = set()
        for place, entry in enumerate(party.resources):
            if entry.container in seen:
                whom = f"container {entry.container!r}" if entry.container else "all containers"
                message = f"a second entry for {whom}"
                yield Finding(("parties", index, "resources", place), message, "join the two")
            seen.add(entry.container)


@rule("KUS304", Severity.WARNING, "Serving")
def recreate_takes_no_amounts(serving: Serving) -> Iterator[Finding]:
    """`max_surge` and `max_unavailable` go with RollingUpdate only.

    Kuscia's API drops them from a Recreate strategy without a message.

    Fails: parties: [{domain_id: alice, update_strategy: {type: Recreate, max_surge: "1"}}]
    Passes: parties: [{domain_id: alice, update_strategy: {type: Recreate}}]
    """
    for index, party in enumerate(serving.parties):
        if text(party.node, "update_strategy", "type") != "Recreate":
            continue
        for amount in STRATEGY_AMOUNTS:
            if text(party.node, "update_strategy", amount):
                yield Finding(
                    ("parties", index, "update_strategy", amount),
                    f"{amount} has no effect with Recreate",
                    "delete it, or use RollingUpdate",
                    at_key=True,
                )


@rule("KUS307", Severity.ERROR, "Serving")
def strategy_can_move(serving: Serving) -> Iterator[Finding]:
    """A rolling update may add a pod or take one away, and takes away at most all of them.

    Kubernetes refuses a Deployment whose surge and unavailability are both zero, or whose
    unavailability is above 100% (CreateDeploymentFailed).

    Fails:
        parties:
          - domain_id: alice
            update_strategy: {type: RollingUpdate, max_surge: "0", max_unavailable: "0"}
    Passes with: parties: [{domain_id: alice, update_strategy: {max_surge: "1"}}]
    """
    for index, party in enumerate(serving.parties):
        where = ("parties", index, "update_strategy")
        if text(party.node, "update_strategy", "type") != "RollingUpdate":
            continue
        surge = text(party.node, "update_strategy", "max_surge")
        away = text(party.node, "update_strategy", "max_unavailable")
        if _is_zero(surge) and _is_zero(away):
            message = "max_surge and max_unavailable are both 0, so no pod can ever be replaced"
            yield Finding(where, message, "raise one of them", at_key=True)
        if away.endswith("%") and int(away[:-1]) > _ALL:
            message = f"max_unavailable is {away}, more than all pods"
            yield Finding((*where, "max_unavailable"), message, "write at most 100%")


@rule("KUS308", Severity.WARNING, "Serving")
def replicas_above_zero(serving: Serving) -> Iterator[Finding]:
    """A party that gives a number of replicas has at least one.

    A party without pods never leaves Progressing, and neither does the serving.

    Fails: parties: [{domain_id: alice, replicas: 0}]
    Passes: parties: [{domain_id: alice, replicas: 1}]
    """
    for index, party in enumerate(serving.parties):
        own = party.node.get("replicas")
        if own and own.value == 0:
            message = f"the party {party.domain!r} has no replicas"
            yield Finding(("parties", index, "replicas"), message, "set replicas to 1 or more")


def _is_zero(amount: str) -> bool:
    return bool(amount) and not amount.rstrip("%").strip("+0")


RULES = (
    *rules_with_source(
        (
            resources_name_a_container,
            resources_for_every_container,
            resources_once_per_container,
            recreate_takes_no_amounts,
        ),
        API,
    ),
    *rules_with_source((strategy_can_move, replicas_above_zero), CONTROLLER),
)
