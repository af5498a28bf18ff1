"""The names that Kuscia derives: whether they are valid, and whose they are."""

from collections.abc import Iterator

from renderer.backends.kuscia.app_image import image_named
from renderer.backends.kuscia.deploy_template import served_ports
from renderer.backends.kuscia.derived_objects import (
    LONGEST,
    DerivedName,
    DerivedNames,
    service_name,
)
from renderer.backends.kuscia.rules.sources import RESOURCES
from renderer.backends.kuscia.serving import Party, Serving
from renderer.backends.kuscia.settings import owners
from renderer.backends.kuscia.summaries import (
    PartySummary,
    ServingSummary,
    read_summaries,
    unit_name,
)
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment, Fleet
from renderer.values.named_tuple import NamedTuple


@rule("KUS111", Severity.ERROR, "Serving")
def deployment_name_fits(serving: Serving) -> Iterator[Finding]:
    """The ID of a serving and a party's role together have at most 62 characters.

    Kuscia joins them with `-` to the name of the Deployment, which is also the value of a label:
    at most 63 characters (one of 64 was observed to fail, after the serving was created).

    Fails:
        serving_id: a-serving-with-a-name-that-is-as-long-as-a-name-may-ever-be-1
        parties: [{domain_id: alice, app_image: scorer, role: host}]
    Passes with: serving_id: a-serving-with-a-shorter-name
    """
    for index, party in enumerate(serving.parties):
        name = party.names_in(serving.name).deployment
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
    Passes with: parties: [{domain_id: alice, service_name_prefix: credit}]
    """
    for index, party in enumerate(serving.parties):
        for port in _served(party) if party.service_prefix else ():
            name = party.names_in(serving.name).service(port)
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
    reported: set[tuple[str, str]] = set()
    for claimant, item in _disputed(fleet):
        domain = claimant.party.domain
        known = first.setdefault((claimant.cluster, domain, item.kind, item.name), claimant)
        if known is claimant or known.name == claimant.name:
            continue
        pair = (known.name, claimant.name)
        one, other = known.serving, claimant.serving
        same_name = one.name == other.name and one.key != other.key
        if pair in reported or same_name:
            continue  # two servings of one name are found as such
        reported.add(pair)
        yield Finding(
            (),
            f"the {item.kind} {item.name!r} in {domain!r} is that of {known.name} too",
            "rename a serving, role or port, or use service_name_prefix",
            origin=claimant.party.origin,
            environments=(one.environment, other.environment),
            related=(*one.files, *other.files),
        )


@rule("KUS114", Severity.WARNING, "Serving")
def service_name_is_hashed(serving: Serving) -> Iterator[Finding]:
    """The names of a serving's Services are not so long that Kuscia replaces them.

    Callers and partners must know the replaced name, which nobody can read.

    Fails:
        serving_id: a-serving-with-a-name-that-is-as-long-as-a-name-may-ever-be-1
        parties: [{domain_id: alice, app_image: ported}]
    Passes with: serving_id: short
    """
    found = dict.fromkeys(name for party in serving.parties for name in _hashed(serving, party))
    if found and len(serving.name) <= LONGEST:
        message = f"the name is so long that its Services will be called {listed(found)}"
        fix = "shorten serving_id, or set service_name_prefix"
        yield Finding(("serving_id",), message, fix)


def _hashed(serving: Serving, party: Party) -> Iterator[str]:
    """The names of a party's Services that Kuscia replaces."""
    deployment = party.names_in(serving.name).deployment
    if party.service_prefix or len(deployment) > LONGEST:
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
    party: PartySummary
    serving: ServingSummary

    @property
    def name(self) -> str:
        unit = unit_name(self.party.domain, self.party.role)
        return f"{self.serving} in {self.serving.environment}, party {unit}"


def _disputed(fleet: Fleet) -> Iterator[tuple[_Claimant, DerivedName]]:
    """The claims to names that seem to be claimed more than once, which hardly any is.

    Of all others, nothing is kept but a number.
    """
    once: set[int] = set()
    again: set[int] = set()
    for claimant, objects in _claims(fleet):
        for item in objects:
            number = _number(claimant, item)
            (again if number in once else once).add(number)
    for claimant, objects in _claims(fleet) if again else ():
        for item in objects:
            if _number(claimant, item) in again:
                yield claimant, item


def _number(claimant: _Claimant, item: DerivedName) -> int:
    """The same for claims to one name, and seldom for others."""
    return hash((claimant.cluster, claimant.party.domain, item.kind, item.name))


def _claims(fleet: Fleet) -> Iterator[tuple[_Claimant, list[DerivedName]]]:
    """Everyone who needs names, and for which objects."""
    for environment in fleet.environments:
        owned = owners(environment)
        for serving in read_summaries(fleet.summaries_of(environment)):
            for party in serving.parties:
                planes = owned.get(party.domain)
                cluster = planes[0].cluster if planes else f"{environment.name}/{party.domain}"
                objects = _derived(serving, party, environment)
                yield _Claimant(cluster, party, serving), objects


def _derived(
    serving: ServingSummary, party: PartySummary, environment: Environment
) -> list[DerivedName]:
    """Every object that Kuscia makes for a party."""
    image = image_named(party.image_name, environment)
    template = image.template_for(party.role) if image else None
    names = DerivedNames.of(serving.name, party.role, party.service_prefix)
    return names.objects(served_ports(template.node) if template else ())


RULES = rules_with_source(
    (
        deployment_name_fits,
        prefixed_service_name_fits,
        derived_names_are_unique,
        service_name_is_hashed,
    ),
    RESOURCES,
)
