"""The config files of a party as its containers will read them."""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kuscia.config_templates.go_text import NotPreviewed
from renderer.backends.kuscia.config_templates.insertion import render
from renderer.backends.kuscia.config_templates.json_files import json_file
from renderer.backends.kuscia.config_templates.template import Query, Template, parse
from renderer.backends.kuscia.config_templates.tokens import TemplateFault, Text
from renderer.backends.kuscia.deploy_template import Container, Mount, containers
from renderer.backends.kuscia.derive.plan import DeploymentPlan, PartyPlan
from renderer.backends.kuscia.derive.pod import make_env
from renderer.backends.kuscia.pod_variables import OF_NODES
from renderer.text.expressions import expression
from renderer.text.json_reader import fault_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain
from renderer.values.unit_details import File

_REFERENCE = expression(r"\$(?:\$|\(([^()]*)\))")
_NO_KEY = "the AppImage has no such config template; the node makes an empty folder here"


class FileVariables(NamedTuple):
    """Variables with their values, or a marker; open if there may be others."""

    values: Mapping[str, str]
    is_open: bool


def file_variables(container: Container, plan: DeploymentPlan, party: PartyPlan) -> FileVariables:
    """What a container's files are filled from; on the host cluster, that of all containers."""
    node = {name: f"<node:{name}>" for name in OF_NODES}
    if plan.dialect.uses_host_cluster:
        everyone = (make_env(item, plan, party) for item in containers(party.template))
        return FileVariables(
            {**node, **_pod_variables(entry for own in everyone for entry in own)}, False
        )
    values = {**node, **_container_variables(make_env(container, plan, party))}
    return FileVariables(values, container.node.get("envFrom") is not None)


def expand_references(value: str, known: Mapping[str, str]) -> str:
    """`$(NAME)` of a known variable becomes its value, `$$` one `$`; the rest stays."""

    def replaced(match: re.Match[str]) -> str:
        if match[1] is None:
            return "$"
        return known.get(match[1], match[0])

    return _REFERENCE.sub(replaced, value)


def _container_variables(entries: Iterable[Plain]) -> dict[str, str]:
    """In order: a value may use the variables before it."""
    known: dict[str, str] = {}
    for name, value in _entries(entries):
        known[name] = f"<env:{name}>" if value is None else expand_references(value, known)
    return known


def _pod_variables(entries: Iterable[Plain]) -> dict[str, str]:
    """The first of a name counts, as it is written; a value from elsewhere is empty."""
    known: dict[str, str] = {}
    for name, value in _entries(entries):
        known.setdefault(name, value or "")
    return known


def _entries(entries: Iterable[Plain]) -> Iterable[tuple[str, str | None]]:
    """Names and values; none where the value is read from elsewhere."""
    for entry in entries:
        if isinstance(entry, dict):
            value = None if "valueFrom" in entry else str(entry.get("value") or "")
            yield str(entry.get("name")), value


class FilledFile(NamedTuple):
    """A file, and the keys that the configuration manager must have for it."""

    file: File
    missing: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def fill_files(
    plan: DeploymentPlan, party: PartyPlan, config: Mapping[str, str]
) -> Iterator[FilledFile]:
    """Every mounted file; on the host cluster Kuscia fills the others too."""
    templates = party.image.config_templates if party.image else {}
    texts = {key: str(node.value) for key, node in templates.items()}
    mounted: set[str] = set()
    for container in containers(party.template):
        known = file_variables(container, plan, party)
        for mount in container.mounts:
            mounted.add(mount.key)
            place = File(container.name, _path(container, mount, plan), mount.key)
            yield _fill_file(place, texts.get(mount.key), known, config)
    for key in texts if plan.dialect.uses_host_cluster else ():
        if key not in mounted:
            known = file_variables(containers(party.template)[0], plan, party)
            yield _fill_file(File("", "", key), texts[key], known, config)


def _path(container: Container, mount: Mount, plan: DeploymentPlan) -> str:
    """A relative path starts at the working directory, on a host cluster at the root."""
    start = "/" if plan.dialect.uses_host_cluster else text(container.node, "workingDir")
    return posixpath.normpath(posixpath.join(start, mount.path))


def _fill_file(
    file: File, source: str | None, known: FileVariables, config: Mapping[str, str]
) -> FilledFile:
    if source is None:
        return FilledFile(file._replace(problem=_NO_KEY))
    template = parse(source)
    if isinstance(template, TemplateFault):
        return FilledFile(file._replace(problem=_refusal_text(template, source)))
    names = {name.upper() for name in known.values}
    asked = () if known.is_open else tuple(sorted(template.needed - names))
    given = {name: value for name, value in config.items() if name not in names}
    unknown = tuple(sorted(template.needed - names - given.keys()))
    word = "env" if known.is_open else "config"
    markers = {name: f"<{word}:{name}>" for name in unknown}
    try:
        done = render(_mark_unknown(template, word, unknown), known.values, {**markers, **given})
    except TemplateFault as fault:
        return FilledFile(file._replace(problem=_refusal_text(fault, source)), asked=asked)
    except NotPreviewed as limit:
        return FilledFile(file._replace(problem=f"not previewed: {limit}"), asked=asked)
    others = tuple(item.source for item in done.not_previewed)
    problem = "" if unknown else _unlike_json(template, done.text)
    shown = file._replace(text=done.text, not_previewed=others, problem=problem)
    return FilledFile(shown, () if known.is_open else unknown, asked)


def _mark_unknown(template: Template, word: str, unknown: tuple[str, ...]) -> Template:
    """A path into a value that is not known here is shown as such, not as nothing."""
    parts = tuple(
        Text(f"<{word}:{part.path.replace('#', '.')}>")
        if isinstance(part, Query) and part.variable in unknown
        else part
        for part in template.parts
    )
    return template._replace(parts=parts)


def _refusal_text(fault: TemplateFault, source: str) -> str:
    line = source.count("\n", 0, fault.offset) + 1
    return f"line {line}: {fault.message}; the container does not start"


def _unlike_json(template: Template, done: str) -> str:
    """A file that is JSON but for its placeholders ought to be JSON when they are filled in."""
    if json_file(template) is None:
        return ""
    try:
        json.loads(done)
    except json.JSONDecodeError as error:
        reason, index = fault_of(error)
        line = done.count("\n", 0, index) + 1
        return f"with these values the file is not JSON: line {line}: {reason}"
    except ValueError as error:
        return f"with these values the file is not JSON: {error}"
    return ""
