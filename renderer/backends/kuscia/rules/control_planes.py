"""The control planes of an environment: which domains they own, which version they run."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.dialect import AFFINITY_MODE_SINCE, NEWEST, OLDEST, parse_version
from renderer.backends.kuscia.rules.sources import PARTNERS, RELEASES
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import KusciaSettings, domains
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment


@rule("KUS201", Severity.ERROR, "Serving", reads=("parties.domain_id",))
def domain_is_owned(serving: Serving) -> Iterator[Finding]:
    """Every party's domain belongs to a destination of the environment or to a partner.

    Kuscia needs the party's AppImage in the control plane that owns its domain. A domain that is
    neither owned here nor named in `kuscia.external_domains` would get nothing.

    Fails: parties: [{domain_id: carol, app_image: scorer}]
    Passes: parties: [{domain_id: bob, app_image: scorer}]
    """
    strange = [(i, p.domain) for i, p in enumerate(serving.parties) if not serving.knows(p.domain)]
    if not strange:
        return
    ours = (name for item in serving.control_planes for name in domains(item))
    owned = sorted({*ours, *serving.settings.external_domains})
    add = "add it to a destination or to kuscia.external_domains"
    known = listed(owned)
    for index, domain in strange:
        hint = nearest(domain, owned)
        yield Finding(
            ("parties", index, "domain_id"),
            f"no destination owns the domain {domain!r}",
            f"did you mean {hint!r}? Otherwise {add}" if hint else f"{add}; known are {known}",
        )


@rule("KUS202", Severity.ERROR, "Environment")
def domain_has_one_owner(environment: Environment) -> Iterator[Finding]:
    """A domain belongs to one destination.

    A domain has one control plane; two owners would both be sent its servings.

    Fails:
        destinations:
          - {name: east, domains: [alice, bob]}
          - {name: west, platform: kuscia, domains: [bob]}
    Passes with: destinations: [{name: east, domains: [alice]}]
    """
    owners: dict[str, str] = dict.fromkeys(
        KusciaSettings.of(environment).external_domains, "a partner"
    )
    for index, destination in enumerate(environment.destinations):
        for place, domain in enumerate(domains(destination)):
            owner = owners.setdefault(domain, f"the destination {destination.name!r}")
            if owner != f"the destination {destination.name!r}":
                yield Finding(
                    ("destinations", index, "domains", place),
                    f"the domain {domain!r} already belongs to {owner}",
                    "keep it in the destination of its control plane",
                )


@rule("KUS203", Severity.INFO, "Serving")
def image_edits_reach_partners(serving: Serving) -> Iterator[Finding]:
    """AppImages are named by their content where a party runs outside the initiator's cluster.

    Kuscia does not watch AppImages, and annotations are not synchronised to partners: with plain
    names, an edited image rolls the initiator's parties at once and waits at the others.

    Fails: parties: [{domain_id: partner, app_image: scorer}]
    Passes: parties: [{domain_id: bob, app_image: scorer}]
    """
    settings = serving.settings
    takes_part = any(party.domain == serving.initiator for party in serving.parties)
    if settings.names_images_by_content or not takes_part:
        return
    home = {item.cluster for item in serving.owners(serving.initiator)}
    if not home:
        return  # the initiator's repository decides how the AppImages are called
    for index, party in enumerate(serving.parties):
        place = {item.cluster for item in serving.owners(party.domain)}
        if place != home and (
            len(place) == 1 or (not place and party.domain in settings.external_domains)
        ):
            yield Finding(
                ("parties", index, "domain_id"),
                f"edits of the AppImage reach the party {party.domain!r} only at the next change",
                "set kuscia.appimage_naming to hashed in the environment",
            )


@rule("KUS204", Severity.ERROR, "Environment")
def kuscia_has_the_present_form(environment: Environment) -> Iterator[Finding]:
    """The control planes run Kuscia 0.14.0b0 or newer.

    KusciaDeployment and AppImage have had their present form since then; an older Kuscia drops or
    refuses parts of what is rendered here, and gives ports another meaning.

    Fails: kuscia: {version: 0.9.0b0}
    Passes: kuscia: {version: 1.1.0b0}
    """
    dialect = KusciaSettings.of(environment).dialect
    if not dialect.is_supported:
        message = f"Kuscia {dialect.version} is older than {OLDEST}"
        yield Finding(("kuscia", "version"), message, "upgrade the control planes first")


@rule("KUS207", Severity.WARNING, "Environment", since="0.3.0")
def kuscia_is_no_newer_than_known(environment: Environment) -> Iterator[Finding]:
    """`kuscia.version` is a version of Kuscia that servingctl knows.

    What came after the newest that is known here is not checked: servings are judged by what that
    one does. Patch releases of it are taken for the same.

    Fails: kuscia: {version: 9.0.0}
    Passes: kuscia: {version: 1.1.0b0}
    """
    given = KusciaSettings.of(environment).dialect.version
    version, newest = parse_version(given), parse_version(NEWEST)
    if version and newest and version.numbers[:2] > newest.numbers[:2]:
        message = f"Kuscia {given} is newer than {NEWEST}, the newest known"
        yield Finding(("kuscia", "version"), message, "look for a newer servingctl")


@rule("KUS312", Severity.WARNING, "Serving")
def affinity_mode_is_heard(serving: Serving) -> Iterator[Finding]:
    """`affinity_mode: none` needs Kuscia 1.1.0b0.

    Kuscia 1.0 spreads the pods of a party whatever the mode says: it has the default, and does not
    know the annotation that turns it off.

    Fails: affinity_mode: none
    Passes: affinity_mode: anti-affinity
    """
    dialect = serving.settings.dialect
    if dialect.spreads_pods_anyway and text(serving.tree, "affinity_mode") == "none":
        message = f"Kuscia {dialect.version} does not know the mode none, and spreads the pods"
        yield Finding(("affinity_mode",), message, f"leave it out, or run {AFFINITY_MODE_SINCE}")


RULES = (
    *rules_with_source(
        (domain_is_owned, domain_has_one_owner, image_edits_reach_partners), PARTNERS
    ),
    *rules_with_source(
        (kuscia_has_the_present_form, kuscia_is_no_newer_than_known, affinity_mode_is_heard),
        RELEASES,
    ),
)
