"""Which control plane owns which domain."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving, domains
from renderer.diagnostics import Finding, Severity, rule
from renderer.model import Environment
from renderer.wording import listed, nearest


@rule("KUS201", Severity.ERROR, "Serving")
def domain_is_owned(serving: Serving) -> Iterator[Finding]:
    """Every party's domain belongs to a destination of the environment.

    Kuscia needs the party's AppImage in the control plane that owns its domain; without an owner
    nothing is rendered for the party.

    Fails:

        initiator: alice
        parties:
          - {domain_id: alice, app_image: scorer}
          - {domain_id: carol, app_image: scorer}

    Passes:

        initiator: alice
        parties:
          - {domain_id: alice, app_image: scorer}
          - {domain_id: bob, app_image: scorer}
    """
    owned = sorted({name for item in serving.control_planes for name in domains(item)})
    for index, party in enumerate(serving.parties):
        if party.domain not in owned:
            hint = nearest(party.domain, owned)
            known = f"add it to a destination in environment.yaml; owned are {listed(owned)}"
            yield Finding(
                ("parties", index, "domain_id"),
                f"no destination owns the domain {party.domain!r}",
                f"did you mean {hint!r}?" if hint else known,
            )


@rule("KUS202", Severity.ERROR, "Environment")
def domain_has_one_owner(environment: Environment) -> Iterator[Finding]:
    """A domain belongs to one destination.

    A domain has one control plane; two owners would both be sent its servings.

    Fails:

        destinations:
          - {name: east, platform: kuscia, domains: [alice, bob]}
          - {name: west, platform: kuscia, domains: [bob]}

    Passes:

        destinations:
          - {name: east, platform: kuscia, domains: [alice]}
          - {name: west, platform: kuscia, domains: [bob]}
    """
    owners: dict[str, str] = {}
    for index, destination in enumerate(environment.destinations):
        for place, domain in enumerate(domains(destination)):
            owner = owners.setdefault(domain, destination.name)
            if owner != destination.name:
                yield Finding(
                    ("destinations", index, "domains", place),
                    f"the domain {domain!r} already belongs to the destination {owner!r}",
                    "keep it in the destination of its control plane",
                )


RULES = (domain_is_owned, domain_has_one_owner)
