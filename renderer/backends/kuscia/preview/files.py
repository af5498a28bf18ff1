"""The config files of a party as its containers will read them."""

import json
import posixpath
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.faults import NotPreviewed, TemplateFault
from renderer.backends.kuscia.configtemplates.jsonfiles import json_file
from renderer.backends.kuscia.configtemplates.lexing import Text
from renderer.backends.kuscia.configtemplates.parsing import Query, Template, parse
from renderer.backends.kuscia.configtemplates.rendering import render
from renderer.backends.kuscia.pods import Container, Mount, containers
from renderer.backends.kuscia.preview.environment import Environment, environment
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.serving import text
from renderer.values.previews import File

_NO_KEY = "the AppImage has no such config template; the node makes an empty folder here"


class Filled(NamedTuple):
    """A file, and the keys that the configuration manager must have for it."""

    file: File
    missing: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def files(plane: Plane, kit: Kit, config: Mapping[str, str]) -> Iterator[Filled]:
    """Every mounted file; on the host cluster Kuscia fills the others too."""
    image = kit.party.image
    texts = {k: str(node.value) for k, node in image.config_templates.items()} if image else {}
    mounted: set[str] = set()
    for container in containers(kit.template):
        known = environment(container, plane, kit)
        for mount in container.mounts:
            mounted.add(mount.key)
            place = File(container.name, _path(container, mount, plane), mount.key)
            yield _filled(place, texts.get(mount.key), known, config)
    for key in texts if plane.runtime == "runk" else ():
        if key not in mounted:
            known = environment(containers(kit.template)[0], plane, kit)
            yield _filled(File("", "", key), texts[key], known, config)


def _path(container: Container, mount: Mount, plane: Plane) -> str:
    """A relative path starts at the working directory, on a host cluster at the root."""
    start = "/" if plane.runtime == "runk" else text(container.node, "workingDir")
    return posixpath.normpath(posixpath.join(start, mount.path))


def _filled(
    file: File, source: str | None, known: Environment, config: Mapping[str, str]
) -> Filled:
    if source is None:
        return Filled(file._replace(problem=_NO_KEY))
    template = parse(source)
    if isinstance(template, TemplateFault):
        return Filled(file._replace(problem=_refused(template, source)))
    names = {name.upper() for name in known.values}
    asked = () if known.is_open else tuple(sorted(template.needed - names))
    given = {name: value for name, value in config.items() if name not in names}
    unknown = tuple(sorted(template.needed - names - given.keys()))
    word = "env" if known.is_open else "config"
    markers = {name: f"<{word}:{name}>" for name in unknown}
    try:
        done = render(_with_markers(template, word, unknown), known.values, {**markers, **given})
    except TemplateFault as fault:
        return Filled(file._replace(problem=_refused(fault, source)), asked=asked)
    except NotPreviewed as limit:
        return Filled(file._replace(problem=f"not previewed: {limit}"), asked=asked)
    others = tuple(item.source for item in done.not_previewed)
    problem = "" if unknown else _unlike_json(template, done.text)
    shown = file._replace(text=done.text, not_previewed=others, problem=problem)
    return Filled(shown, () if known.is_open else unknown, asked)


def _with_markers(template: Template, word: str, unknown: tuple[str, ...]) -> Template:
    """A path into a value that is not known here is shown as such, not as nothing."""
    parts = tuple(
        Text(f"<{word}:{part.path.replace('#', '.')}>")
        if isinstance(part, Query) and part.variable in unknown
        else part
        for part in template.parts
    )
    return template._replace(parts=parts)


def _refused(fault: TemplateFault, source: str) -> str:
    line = source.count("\n", 0, fault.offset) + 1
    return f"line {line}: {fault.message}; the container does not start"


def _unlike_json(template: Template, done: str) -> str:
    """A file that is JSON but for its placeholders ought to be JSON when they are filled in."""
    if json_file(template) is None:
        return ""
    try:
        json.loads(done)
    except ValueError as error:
        return f"with these values the file is not JSON: {error}"
    return ""
