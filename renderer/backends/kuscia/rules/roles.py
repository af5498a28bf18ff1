"""Which deploy template a role gets."""

from collections.abc import Iterator

from renderer.backends.kuscia.appimage import AppImage, DeployTemplate, blanks
from renderer.backends.kuscia.serving import Serving
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule


@rule("KUS106", Severity.WARNING, "Serving")
def role_is_meant(serving: Serving) -> Iterator[Finding]:
    """A party's role is one that a deploy template names.

    A template without a role takes every role that no other template names, a misspelt one too.
    Where all templates have roles, a party without one gets the first of them.

    Fails:

        parties:
          - {domain_id: alice, app_image: pair, role: hots}

    Passes:

        parties:
          - {domain_id: alice, app_image: pair}
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

    Fails:

        deployTemplates:
          - {name: a, role: host, spec: {containers: [{name: a, workingDir: ""}]}}
          - {name: b, role: host, spec: {containers: [{name: b, workingDir: ""}]}}

    Passes:

        deployTemplates:
          - {name: a, role: host, spec: {containers: [{name: a, workingDir: ""}]}}
          - {name: b, role: guest, spec: {containers: [{name: b, workingDir: ""}]}}
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

    Fails:

        deployTemplates:
          - {name: a, role: "host, guest", spec: {containers: [{name: a, workingDir: ""}]}}

    Passes:

        deployTemplates:
          - {name: a, role: "host,guest", spec: {containers: [{name: a, workingDir: ""}]}}
    """
    for index, template in enumerate(image.templates):
        if any(role != role.strip() for role in template.roles) and not _is_missed(template, image):
            message = f"the roles {template.role!r} contain blanks, which never match"
            yield Finding(("deployTemplates", index, "role"), message, "delete the blanks")


def _is_missed(template: DeployTemplate, image: AppImage) -> bool:
    """Whether a party has no template because of the blanks in this one, which is an error."""
    wanted = (role for role in image.roles() if not image.template_for(role))
    return any(item is template for role in wanted for item in blanks(image, role))


RULES = (role_is_meant, template_can_be_chosen, roles_have_no_blanks)
