"""Who takes part in a serving, with which image, and which deploy template a role gets."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import (
    APP_IMAGE,
    SECRETFLOW_SERVING,
    AppImage,
    templates_with_blanks,
)
from renderer.backends.kuscia.deploy_template import DeployTemplate, containers
from renderer.backends.kuscia.rules.sources import CONTROLLER, RESOURCES
from renderer.backends.kuscia.serving import Serving
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node


@rule("KUS101", Severity.ERROR, "Serving", reads=("initiator", "parties.domain_id"))
def initiator_takes_part(serving: Serving) -> Iterator[Finding]:
    """The initiator is one of the parties.

    Kuscia's controller fails the deployment otherwise (ValidateFailed).

    Fails:
        initiator: carol
        parties: [{domain_id: alice}, {domain_id: bob}]
    Passes with: initiator: bob
    """
    domains = [party.domain for party in serving.parties]
    if serving.initiator not in domains:
        hint = nearest(serving.initiator, domains)
        fix = f"add it to parties, or name {listed(domains, 'or')}"
        fix = f"did you mean {hint!r}? Otherwise {fix}" if hint else fix
        yield Finding(("initiator",), f"the initiator {serving.initiator!r} is not a party", fix)


@rule("KUS102", Severity.ERROR, "Serving", reads=("app_image", "parties.app_image"))
def party_names_an_image(serving: Serving) -> Iterator[Finding]:
    """Every party has an AppImage, its own or the serving's.

    Fails: parties: [{domain_id: alice, app_image: null}]
    Passes with: app_image: scorer
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

    Fails: parties: [{domain_id: alice}, {domain_id: alice, app_image: scorer}]
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

    Fails: parties: [{domain_id: alice, app_image: scoring}]
    Passes: parties: [{domain_id: alice, app_image: scorer}]
    """
    for index, party in enumerate(serving.parties):
        if party.image_name and not serving.environment.may_have(APP_IMAGE, party.image_name):
            own = party.node.get("app_image")
            images = serving.environment.names(APP_IMAGE)
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

    Fails: parties: [{domain_id: alice, app_image: scorer, role: arbiter}]
    Passes: parties: [{domain_id: alice, app_image: scorer, role: host}]
    """
    for index, party in enumerate(serving.parties):
        if not party.image or party.template:
            continue
        message = f"the AppImage {party.image.name!r} has no template for the role {party.role!r}"
        if blank := next(templates_with_blanks(party.image, party.role), None):
            message += f": the blanks in {blank.role!r} are part of its roles"
            where = blank.node.locate(("role",))
            yield Finding((), message, "delete the blanks", origin=where)
            continue
        roles = sorted({role for item in party.image.templates for role in item.roles if role})
        hint = nearest(party.role, roles)
        fix = f"did you mean {hint!r}?" if hint else f"use {listed(roles, 'or')}"
        yield Finding(("parties", index, "role"), message, fix)


@rule("KUS106", Severity.WARNING, "Serving")
def role_is_meant(serving: Serving) -> Iterator[Finding]:
    """A party's role is one that a deploy template names.

    A template without a role takes every role that no other template names, a misspelt one too.
    Where all templates have roles, a party without one gets the first of them.

    Fails: parties: [{domain_id: alice, app_image: pair, role: hots}]
    Passes: parties: [{domain_id: alice, app_image: pair}]
    """
    for index, party in enumerate(serving.parties):
        template = party.template
        if template is None or party.role in template.roles:
            continue
        if party.role:
            message = f"no template of {party.image_name!r} names the role {party.role!r}; "
            message += "the one for every role is used"
            fix = "name the role in the AppImage, or leave it out"
        else:
            message = f"the party {party.domain!r} has no role, and gets the template for "
            message += f"{listed(template.roles)} because it is the first of {party.image_name!r}"
            fix = f"write role: {template.roles[0]}, or take the role out of the template"
        yield Finding(("parties", index, "role"), message, fix)


@rule("KUS107", Severity.WARNING, "AppImage")
def template_can_be_chosen(image: AppImage) -> Iterator[Finding]:
    """Every deploy template is the one that some role gets.

    Kuscia takes the first template that names a role, and the last one without a role for the
    others; a template that is never chosen is dead.

    Fails: deployTemplates: [{name: host, role: host}, {name: guest, role: host}]
    Passes with: deployTemplates: [{name: guest, role: guest}]
    """
    roles = {role for template in image.templates for role in template.roles} | {"", "\0other"}
    chosen = {id(image.template_for(role)) for role in roles}
    for index, template in enumerate(image.templates):
        if id(template) not in chosen:
            message = f"no role gets this template; an earlier one names {template.role!r}"
            yield Finding(("deployTemplates", index), message, "delete it, or change its role")


@rule("KUS108", Severity.WARNING, "AppImage")
def roles_have_no_blanks(image: AppImage) -> Iterator[Finding]:
    """A list of roles has commas and no blanks.

    Kuscia splits at commas and trims nothing: `client, server` never matches `server`.

    Fails: deployTemplates: [{name: host, role: "host, guest"}]
    Passes: deployTemplates: [{name: host, role: "host,guest"}]
    """
    for index, template in enumerate(image.templates):
        if any(role != role.strip() for role in template.roles) and not _is_missed(template, image):
            message = f"the roles {template.role!r} contain blanks, which never match"
            yield Finding(("deployTemplates", index, "role"), message, "delete the blanks")


def _is_missed(template: DeployTemplate, image: AppImage) -> bool:
    """Whether a party has no template because of the blanks in this one, which is an error."""
    wanted = (role for role in image.roles() if not image.template_for(role))
    return any(item is template for role in wanted for item in templates_with_blanks(image, role))


@rule("KUS315", Severity.WARNING, "Serving", since="0.2.0")
def parties_can_meet(serving: Serving) -> Iterator[Finding]:
    """Where several domains take part, some party has a port of the scope Cluster.

    A domain sees no other ports of another: without any, no party can call a partner. KUS731 checks
    what secretflow-serving needs, and KUS746 ports without a scope.

    Fails:
        app: other
        parties: [{domain_id: alice, app_image: sized}, {domain_id: bob, app_image: sized}]
    Passes with:
        parties: [{domain_id: alice, app_image: ported}, {domain_id: bob, app_image: ported}]
    """
    templates = [party.template.node for party in serving.parties if party.template]
    domains = {party.domain for party in serving.parties}
    is_known = len(domains) > 1 and len(templates) == len(serving.parties)
    if not is_known or serving.app == SECRETFLOW_SERVING:
        return
    scopes = {text(port, "scope") for node in templates for port in _ports(node)}
    if scopes.isdisjoint({"", "Cluster"}):
        where = templates[0].locate(("spec", "containers", 0, "ports"), at_key=True)
        message = f"no port is of the scope Cluster, so {listed(sorted(domains))} cannot meet"
        yield Finding((), message, "write scope: Cluster for what partners call", origin=where)


def _ports(template: Node) -> Iterator[Node]:
    for container in containers(template):
        yield from elements(container.node, "ports")


RULES = (
    *rules_with_source(
        (
            initiator_takes_part,
            party_names_an_image,
            party_once_per_role,
            image_exists,
            role_has_a_template,
        ),
        CONTROLLER,
    ),
    *rules_with_source(
        (role_is_meant, template_can_be_chosen, roles_have_no_blanks, parties_can_meet), RESOURCES
    ),
)
