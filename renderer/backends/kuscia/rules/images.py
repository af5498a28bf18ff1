"""The image itself, and settings of an AppImage that have no effect or an unexpected one."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import DeployTemplate, ports
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.tree import Node, walk

_CONFIG_MAP = 1 << 20
_SHA256 = "sha256:"
_DIGEST = expression(r"sha256:[0-9a-f]{64}")


@rule("KUS721", Severity.WARNING, "AppImage")
def image_id_is_a_digest(image: AppImage) -> Iterator[Finding]:
    """An image ID, if any, is a `sha256:` digest.

    Kuscia's nodes compare only such IDs; any other text is kept and never looked at.

    Fails: image: {id: abc}
    Passes: image: {id: 'sha256:c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0'}
    """
    node = image.tree.get("image", "id")
    if node and node.value and not str(node.value).startswith(_SHA256):
        message = f"the image ID {str(node.value)!r} has no effect"
        yield Finding(("image", "id"), message, "write sha256:… or delete it")


@rule("KUS749", Severity.ERROR, "AppImage")
def image_digest_is_whole(image: AppImage) -> Iterator[Finding]:
    """An image that is named `NAME@sha256` has all 64 digits of the digest for its tag.

    Kuscia joins both by a colon (observed), and no other reference to a digest can be pulled.

    Fails: image: {name: example/scorer@sha256, tag: v1}
    Passes with: image: {tag: c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0}
    """
    name, tag = (text(image.tree, "image", key) for key in ("name", "tag"))
    if name.endswith("@sha256") and not _DIGEST.fullmatch(f"{_SHA256}{tag}"):
        fix = "write the 64 digits in small letters, or leave @sha256 out of the name"
        yield Finding(("image", "tag"), "the tag is no digest, as the name says it is", fix)


@rule("KUS770", Severity.ERROR, "AppImage")
def image_id_is_whole(image: AppImage) -> Iterator[Finding]:
    """An image ID that begins with `sha256:` goes on with all of its 64 digits.

    Kuscia's nodes compare it as a text with the ID of the image that they have, and end a pod at
    once whose ID is another one; a part of the ID is another one. Pods on a host cluster (runk)
    are not compared.

    Fails: image: {id: 'sha256:0123456789ab'}
    Passes: image: {id: 'sha256:c6308af488bcd6c54a48a145af17aa209dec463b5cb44d83c6b58195818c10a0'}
    """
    node = image.tree.get("image", "id")
    given = str(node.value) if node else ""
    compared = given.startswith(_SHA256) and image.settings.dialect.compares_image_ids
    if compared and not _DIGEST.fullmatch(given):
        message = f"the image ID has {len(given) - len(_SHA256)} characters behind {_SHA256}"
        fix = "write all 64 digits, in small letters, as `docker inspect` shows them, or delete it"
        yield Finding(("image", "id"), f"{message}, and no image has such an ID", fix)


@rule("KUS722", Severity.WARNING, "AppImage")
def restart_policy_has_no_effect(image: AppImage) -> Iterator[Finding]:
    """A deploy template of a serving has no restart policy, or `Always`.

    Kuscia leaves it to Kubernetes, which always restarts the pods of a Deployment; `Never` is meant
    for jobs.

    Fails: restartPolicy: Never
    Passes: restartPolicy: Always
    """
    for index, template in enumerate(image.templates):
        node = template.node.get("spec", "restartPolicy")
        if node and node.value not in ("", "Always") and template in image.served_templates():
            where = ("deployTemplates", index, "spec", "restartPolicy")
            yield Finding(where, f"restartPolicy {node.value} has no effect", "delete it")


@rule("KUS723", Severity.WARNING, "AppImage")
def template_has_replicas(image: AppImage) -> Iterator[Finding]:
    """A deploy template's number of replicas is not 0.

    A party that gives no number of its own then never gets a pod. Kuscia's API stores 0 where
    none is given.

    Fails: deployTemplates: [{name: host, replicas: 0}]
    Passes: deployTemplates: [{name: host, replicas: 1}]
    """
    for index, template in enumerate(image.templates):
        node = template.node.get("replicas")
        if node and node.value == 0:
            where = ("deployTemplates", index, "replicas")
            yield Finding(where, "the template has no replicas", "write 1 or more, or delete it")


@rule("KUS724", Severity.WARNING, "AppImage")
def network_policy_lists_cluster_ports(image: AppImage) -> Iterator[Finding]:
    """A network policy lists every port of scope Cluster.

    In Kuscia a port that the policy does not list is open to every domain that has a route: a
    policy opens what it forgets.

    Fails:
        deployTemplates:
          - name: host
            networkPolicy: {ingresses: [{from: {roles: ['']}, ports: [{port: service}]}]}
            spec: {containers: [{name: scorer, ports: [{name: communication, scope: Cluster}]}]}
    Passes with:
        deployTemplates:
          - name: host
            networkPolicy: {ingresses: [{from: {roles: ['']}, ports: [{port: communication}]}]}
    """
    for index, template in enumerate(image.templates):
        where = ("deployTemplates", index, "networkPolicy")
        ingresses = template.node.get("networkPolicy", "ingresses")
        if not ingresses:
            continue
        named = {name for _, name in _named(ingresses, ("ports",), ("port",))}
        shared = (port.name for port in ports(template.node).values() if port.scope == "Cluster")
        if forgotten := [name for name in shared if name not in named]:
            message = f"the policy leaves {listed(forgotten)} open to every domain"
            yield Finding(where, message, "list it in an ingress", at_key=True)
        for path, message, fix in _strangers(image, template, ingresses):
            yield Finding((*where, "ingresses", *path), message, fix)


def _strangers(
    image: AppImage, template: DeployTemplate, ingresses: Node
) -> Iterator[tuple[Path, str, str]]:
    """The ports and roles of a policy that are not there."""
    known = ports(template.node)
    for path, name in _named(ingresses, ("ports",), ("port",)):
        if name not in known:
            message = f"the policy lists a port {name!r} that the template does not have"
            yield path, message, f"use {listed(known, 'or')}" if known else "delete it"
    roles = image.partner_roles() if image.served_templates() else None
    for path, role in _named(ingresses, ("from", "roles"), ()):
        if roles is not None and role not in roles:
            message = f"no party has the role {role!r}; a port that only it may call is open to all"
            yield path, message, "name the roles of the parties"


def _named(
    ingresses: Node, listing: tuple[str, ...], member: tuple[str, ...]
) -> Iterator[tuple[Path, str]]:
    """The texts in a list of each ingress, with their places below the ingresses."""
    for index, ingress in enumerate(ingresses.elements):
        for number, item in enumerate(elements(ingress, *listing)):
            node = item.get(*member)
            if node:
                yield (index, *listing, number, *member), str(node.value)


@rule("KUS725", Severity.WARNING, "AppImage")
def affinity_selects_nothing_else(image: AppImage) -> Iterator[Finding]:
    """Terms of pod affinity have no selector of their own.

    Kuscia overwrites the selector of every term with the pods of the deployment itself.

    Fails:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - labelSelector: {matchLabels: {app: other}}
                topologyKey: kubernetes.io/hostname
    Passes:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - {topologyKey: kubernetes.io/hostname}
    """
    for index, template in enumerate(image.templates):
        affinity = template.node.get("spec", "affinity")
        for path, _ in walk(affinity) if affinity else ():
            if path[-1:] == ("labelSelector",) and str(path[0]).startswith("pod"):
                where = ("deployTemplates", index, "spec", "affinity", *path)
                message = "Kuscia overwrites this selector"
                yield Finding(where, message, "delete it", at_key=True)


@rule("KUS772", Severity.ERROR, "AppImage")
def config_templates_fit_a_config_map(image: AppImage) -> Iterator[Finding]:
    """The config templates of an AppImage have 1 MiB together at most.

    Kuscia puts them all into one ConfigMap for each party, and Kubernetes refuses a larger one.
    """
    texts = {key: len(str(node.value).encode()) for key, node in image.config_templates.items()}
    size = sum(texts.values())
    if size > _CONFIG_MAP:
        largest = max(texts, key=lambda key: texts[key])
        message = f"the config templates have {-(-size >> 10)} KiB together, and a ConfigMap has "
        message += "1024 at most"
        fix = "shorten this one, the largest, or let the application get its data in another way"
        yield Finding(("configTemplates", largest), message, fix)


RULES = rules_with_source(
    (
        image_id_is_a_digest,
        image_digest_is_whole,
        image_id_is_whole,
        restart_policy_has_no_effect,
        template_has_replicas,
        network_policy_lists_cluster_ports,
        affinity_selects_nothing_else,
        config_templates_fit_a_config_map,
    ),
    CONTROLLER,
)
