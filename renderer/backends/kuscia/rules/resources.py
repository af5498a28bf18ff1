"""What a party asks for: resources per container, and how it is updated."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving, text
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule


@rule("KUS301", Severity.ERROR, "Serving")
def resources_name_a_container(serving: Serving) -> Iterator[Finding]:
    """Resources are given to containers that the AppImage's template has.

    Fails:

        parties:
          - domain_id: alice
            app_image: scorer
            resources: [{container_name: sidecar, max_cpu: "1"}]

    Passes:

        parties:
          - domain_id: alice
            app_image: scorer
            resources: [{container_name: scorer, max_cpu: "1"}]
    """
    for index, party in enumerate(serving.parties):
        containers = party.template.containers if party.template else ()
        for place, entry in enumerate(party.resources):
            if entry.container and containers and entry.container not in containers:
                hint = nearest(entry.container, containers)
                yield Finding(
                    ("parties", index, "resources", place, "container_name"),
                    f"the AppImage {party.image_name!r} has no container {entry.container!r}",
                    f"did you mean {hint!r}?" if hint else f"it has {listed(containers)}",
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

    Passes:

        parties:
          - domain_id: alice
            app_image: pair
            resources: [{container_name: first, max_cpu: "1"}, {max_memory: 1Gi}]
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

    Fails:

        parties:
          - domain_id: alice
            app_image: scorer
            resources: [{max_cpu: "1"}, {max_memory: 1Gi}]

    Passes:

        parties:
          - domain_id: alice
            app_image: scorer
            resources: [{max_cpu: "1", max_memory: 1Gi}]
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

    Fails:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: Recreate, max_surge: "1"}

    Passes:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: Recreate}
    """
    for index, party in enumerate(serving.parties):
        if text(party.node, "update_strategy", "type") != "Recreate":
            continue
        for amount in ("max_surge", "max_unavailable"):
            if text(party.node, "update_strategy", amount):
                yield Finding(
                    ("parties", index, "update_strategy", amount),
                    f"{amount} has no effect with Recreate",
                    "delete it, or use RollingUpdate",
                    at_key=True,
                )


RULES = (
    resources_name_a_container,
    resources_for_every_container,
    resources_once_per_container,
    recreate_takes_no_amounts,
)
