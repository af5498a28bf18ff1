"""The names that Kuscia derives: whether they are valid, and whose they are."""

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from renderer.backends.kuscia.names import LONGEST, config_map_name, deployment_name, service_name
from renderer.backends.kuscia.pods import served_ports
from renderer.backends.kuscia.serving import Party, Serving, text
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule
from renderer.values.model import Fleet, Spec


@rule("KUS111", Severity.ERROR, "Serving")
def deployment_name_fits(serving: Serving) -> Iterator[Finding]:
    """The ID of a serving and a party's role together have at most 62 characters.

    Kuscia joins them with `-` to the name of the Deployment, which is also the value of a label:
    at most 63 characters (inferred). The failure comes after the serving is created.

    Fails:

        serving_id: a-serving-with-a-name-that-is-as-long-as-a-name-may-ever-be-1
        parties:
          - {domain_id: alice, app_image: scorer, role: host}

    Passes:

        serving_id: a-serving-with-a-shorter-name
        parties:
          - {domain_id: alice, app_image: scorer, role: host}
    """
    for index, party in enumerate(serving.parties):
        name = deployment_name(serving.name, party.role)
        if party.role and len(name) > LONGEST:
            message = f"the Deployment {name!r} would have {len(name)} characters, not {LONGEST}"
            yield Finding(("parties", index, "role"), message, "shorten serving_id or role")


@rule("KUS112", Severity.ERROR, "Serving")
def prefixed_service_name_fits(serving: Serving) -> Iterator[Finding]:
    """A service name prefix and a port's name together have at most 62 characters.

    Kuscia's source promises to shorten the name and does not; the API server refuses the Service.

    Fails:

        parties:
          - domain_id: alice
            app_image: ported
            service_name_prefix: a-prefix-of-the-greatest-length-that-is-accepted

    Passes:

        parties:
          - {domain_id: alice, app_image: ported, service_name_prefix: credit}
    """
    for index, party in enumerate(serving.parties):
        prefix = text(party.node, "service_name_prefix")
        for port in _served(party) if prefix else ():
            name = service_name("", port, prefix)
            if len(name) > LONGEST:
                message = f"the Service {name!r} would have {len(name)} characters, not {LONGEST}"
                yield Finding(("parties", index, "service_name_prefix"), message, "shorten it")


@rule("KUS113", Severity.ERROR, "Fleet")
def derived_names_are_unique(fleet: Fleet) -> Iterator[Finding]:
    """No two parties of a domain need a Service, Deployment or ConfigMap of the same name.

    Kuscia gives the name to the first and fails the second (CreateServiceFailed); on a serving that
    ran before, its status stays Available. Environments that share a cluster share its domains.
    """
    first: dict[tuple[str, ...], _Claimant] = {}
    told: set[tuple[str, str]] = set()
    for claimant, kind, name in _disputed(fleet):
        domain = claimant.party.domain
        known = first.setdefault((claimant.cluster, domain, kind, name), claimant)
        if known is claimant or known.name == claimant.name:
            continue
        pair = (known.name, claimant.name)
        same_serving = known.spec.name == claimant.spec.name and known.spec is not claimant.spec
        if pair in told or same_serving:
            continue  # two servings of one name are found as such
        told.add(pair)
        yield Finding(
            (),
            f"the {kind} {name!r} in {domain!r} is that of {known.name} too",
            "rename a serving, role or port, or use service_name_prefix",
            origin=claimant.party.node.locate(("domain_id",)),
            environments=(known.spec.environment, claimant.spec.environment),
            related=(*known.spec.files, *claimant.spec.files),
        )


@rule("KUS114", Severity.WARNING, "Serving")
def service_name_is_hashed(serving: Serving) -> Iterator[Finding]:
    """The names of a serving's Services are not so long that Kuscia replaces them.

    Callers and partners must know the replaced name, which nobody can read.

    Fails:

        serving_id: a-serving-with-a-name-that-is-as-long-as-a-name-may-ever-be-1
        parties:
          - {domain_id: alice, app_image: ported}

    Passes:

        serving_id: short
        parties:
          - {domain_id: alice, app_image: ported}
    """
    found = dict.fromkeys(name for party in serving.parties for name in _hashed(serving, party))
    if found and len(serving.name) <= LONGEST:
        message = f"the name is so long that its Services will be called {listed(found)}"
        fix = "shorten serving_id, or set service_name_prefix"
        yield Finding(("serving_id",), message, fix)


def _hashed(serving: Serving, party: Party) -> Iterator[str]:
    """The names of a party's Services that Kuscia replaces."""
    deployment = deployment_name(serving.name, party.role)
    if text(party.node, "service_name_prefix") or len(deployment) > LONGEST:
        return  # too long a Deployment is found as such
    for port in _served(party):
        name = service_name(deployment, port)
        if name not in (f"{deployment}-{port}", f"svc-{deployment}-{port}"):
            yield name


def _served(party: Party) -> tuple[str, ...]:
    """The ports that get a Service."""
    return served_ports(party.template.node) if party.template else ()


class _Claimant(NamedTuple):
    """A party that needs names in its domain."""

    cluster: str
    party: Party
    spec: Spec
    environment: str

    @property
    def name(self) -> str:
        role = f"/{self.party.role}" if self.party.role else ""
        return f"{self.spec} in {self.environment}, party {self.party.domain}{role}"


_Named: TypeAlias = tuple[str, str]
"""An object by its kind and name."""


def _disputed(fleet: Fleet) -> Iterator[tuple[_Claimant, str, str]]:
    """The claims to names that seem to be claimed more than once, which hardly any is.

    Of all others, nothing is kept but a number.
    """
    once: set[int] = set()
    again: set[int] = set()
    for claimant, objects in _claims(fleet):
        for named in objects:
            number = _number(claimant, named)
            (again if number in once else once).add(number)
    for claimant, objects in _claims(fleet) if again else ():
        for named in objects:
            if _number(claimant, named) in again:
                yield claimant, *named


def _number(claimant: _Claimant, named: _Named) -> int:
    """The same for claims to one name, and seldom for others."""
    return hash((claimant.cluster, claimant.party.domain, named))


def _claims(fleet: Fleet) -> Iterator[tuple[_Claimant, list[_Named]]]:
    """Everyone who needs names, and for which objects."""
    for environment, summary in ((e, s) for e in fleet.environments for s in fleet.of(e)):
        if summary.kind != "Serving":
            continue
        from renderer.backends.kuscia import KUSCIA

        spec = Spec(
            KUSCIA.kinds[0], summary.stem, summary.environment, summary.files, summary.fields
        )
        serving = Serving.of(spec, environment)
        for party in serving.parties:
            owners = serving.owners(party.domain)
            cluster = owners[0].cluster if owners else f"{environment.name}/{party.domain}"
            claimant = _Claimant(cluster, party, spec, environment.name)
            yield claimant, _derived(serving, party)


def _derived(serving: Serving, party: Party) -> list[_Named]:
    """Kind and name of every object that Kuscia makes for a party."""
    deployment = deployment_name(serving.name, party.role)
    prefix = text(party.node, "service_name_prefix")
    services = [("Service", service_name(deployment, port, prefix)) for port in _served(party)]
    return [("Deployment", deployment), ("ConfigMap", config_map_name(deployment)), *services]


RULES = (
    deployment_name_fits,
    prefixed_service_name_fits,
    derived_names_are_unique,
    service_name_is_hashed,
)
