"""Who takes part in a serving, and with which image."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import blanks
from renderer.backends.kuscia.serving import Serving
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule


@rule("KUS101", Severity.ERROR, "Serving", reads=("initiator", "parties.domain_id"))
def initiator_takes_part(serving: Serving) -> Iterator[Finding]:
    """The initiator is one of the parties.

    Kuscia's controller fails the deployment otherwise (ValidateFailed).

    Fails:

        initiator: alice
        parties:
          - {domain_id: bob, app_image: scorer}

    Passes:

        initiator: bob
        parties:
          - {domain_id: bob, app_image: scorer}
    """
    domains = [party.domain for party in serving.parties]
    if serving.initiator not in domains:
        hint = nearest(serving.initiator, domains)
        fix = f"did you mean {hint!r}?" if hint else f"name one of {listed(domains, 'or')}"
        yield Finding(("initiator",), f"the initiator {serving.initiator!r} is not a party", fix)


@rule("KUS102", Severity.ERROR, "Serving", reads=("app_image", "parties.app_image"))
def party_names_an_image(serving: Serving) -> Iterator[Finding]:
    """Every party has an AppImage, its own or the serving's.

    Fails:

        parties:
          - {domain_id: alice}

    Passes:

        app_image: scorer
        parties:
          - {domain_id: alice}
    """
    for index, party in enumerate(serving.parties):
        if not party.image_name:
            yield Finding(
                ("parties", index, "app_image"),
                f"the party {party.domain!r} has no app_image",
                "add app_image to the party, or at the top for all parties",
            )


@rule("KUS103", Severity.ERROR, "Serving", reads=("parties.domain_id", "parties.role"))
def party_once_per_role(serving: Serving) -> Iterator[Finding]:
    """A domain takes part at most once in each role.

    Kuscia accepts the second entry, runs one Deployment for both, and the serving never becomes
    Available.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer}
          - {domain_id: alice, app_image: scorer}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, role: host}
          - {domain_id: alice, app_image: scorer, role: guest}
    """
    seen: set[tuple[str, str]] = set()
    for index, party in enumerate(serving.parties):
        if (party.domain, party.role) in seen:
            role = f" as {party.role!r}" if party.role else ""
            yield Finding(
                ("parties", index, "domain_id"),
                f"the domain {party.domain!r} already takes part{role}",
                "delete one of the entries, or give them different roles",
            )
        seen.add((party.domain, party.role))


@rule("KUS104", Severity.ERROR, "Serving")
def image_exists(serving: Serving) -> Iterator[Finding]:
    """Every AppImage that a party names is a spec of the environment.

    Kuscia needs the AppImages of all parties in every control plane. It does not wait for one
    that is missing: the deployment fails and stays failed after the AppImage has appeared.

    Fails:

        parties:
          - {domain_id: alice, app_image: scoring}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer}
    """
    for index, party in enumerate(serving.parties):
        if party.image_name and not serving.environment.may_have("AppImage", party.image_name):
            own = party.node.get("app_image")
            images = serving.environment.names("AppImage")
            hint = nearest(party.image_name, images)
            known = f"the environment has {listed(images)}"
            yield Finding(
                ("parties", index, "app_image") if own else ("app_image",),
                f"there is no AppImage {party.image_name!r} in this environment",
                f"did you mean {hint!r}?" if hint else f"add an AppImage of that name; {known}",
            )


@rule("KUS105", Severity.ERROR, "Serving")
def role_has_a_template(serving: Serving) -> Iterator[Finding]:
    """The AppImage has a deploy template for the party's role.

    Kuscia compares roles exactly, blanks and case included, and fails the whole deployment
    (BuildPartyKitInfoFailed) if no template is for the role and none is for every role.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, role: arbiter}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, role: host}
    """
    for index, party in enumerate(serving.parties):
        if not party.image or party.template:
            continue
        message = f"the AppImage {party.image.name!r} has no template for the role {party.role!r}"
        if blank := next(blanks(party.image, party.role), None):
            message += f": the blanks in {blank.role!r} are part of its roles"
            where = blank.node.locate(("role",))
            yield Finding((), message, "delete the blanks", origin=where)
            continue
        roles = sorted({role for item in party.image.templates for role in item.roles})
        hint = nearest(party.role, roles)
        fix = f"did you mean {hint!r}?" if hint else f"it has templates for {listed(roles)}"
        yield Finding(("parties", index, "role"), message, fix)


RULES = (
    initiator_takes_part,
    party_names_an_image,
    party_once_per_role,
    image_exists,
    role_has_a_template,
)
