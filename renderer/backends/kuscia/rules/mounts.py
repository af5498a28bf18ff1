"""The config templates that an AppImage's containers mount."""

from collections.abc import Iterator

from renderer.backends.fields import elements, members
from renderer.backends.kuscia.app_image import AppImage
from renderer.backends.kuscia.deploy_template import Container, Mount
from renderer.backends.kuscia.rules.sources import AGENT
from renderer.kubernetes.names import is_config_key
from renderer.text.expressions import expression
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_FILE = expression(r"\.(?:conf|json|yaml|yml|toml|ini|properties)\b")
_KEYS = ("configTemplates",)
_MOUNTS = "deployTemplates.spec.containers.configVolumeMounts"


@rule("KUS705", Severity.ERROR, "AppImage", reads=("configTemplates",))
def mounts_exist(image: AppImage) -> Iterator[Finding]:
    """What a container mounts is a config template of its AppImage.

    Kuscia makes an empty folder in the place of a file that is not there, and a pod whose AppImage
    has no config templates at all cannot start.

    Fails:
        containers:
          - {name: scorer, configVolumeMounts: [{mountPath: /etc/app.conf, subPath: ap.conf}]}
    Passes:
        containers:
          - {name: scorer, configVolumeMounts: [{mountPath: /etc/app.conf, subPath: app.conf}]}
    """
    keys = list(members(image.tree, *_KEYS))
    for _, place, mount in _mounts(image):
        name = mount.key
        hint = nearest(name, keys)
        if name not in keys and (not hint or is_config_key(hint)):  # a wrong key is found as such
            there = f"; there is {listed(keys)}" if keys else ""
            fix = f"did you mean {hint!r}?" if hint else f"add it to configTemplates{there}"
            yield Finding((*place, "subPath"), f"there is no config template {name!r}", fix)


@rule("KUS706", Severity.ERROR, "AppImage")
def mount_paths_once(image: AppImage) -> Iterator[Finding]:
    """A container mounts one file at a path.

    Kubernetes refuses the Deployment otherwise (CreateDeploymentFailed).

    Fails:
        containers:
          - name: scorer
            configVolumeMounts:
              - {mountPath: /etc/app.conf, subPath: app.conf}
              - {mountPath: /etc/app.conf, subPath: app.conf}
    Passes:
        containers:
          - name: scorer
            configVolumeMounts:
              - {mountPath: /etc/app.conf, subPath: app.conf}
              - {mountPath: /etc/other.conf, subPath: app.conf}
    """
    seen: set[tuple[Path, str]] = set()
    for container, place, mount in _mounts(image):
        key = (container.path, mount.path)
        if key in seen:
            message = f"{mount.path!r} is mounted twice in {container.name!r}"
            yield Finding((*place, "mountPath"), message, "mount one of them elsewhere")
        seen.add(key)


@rule("KUS707", Severity.WARNING, "AppImage")
def mount_paths_are_absolute(image: AppImage) -> Iterator[Finding]:
    """A config template is mounted at an absolute path.

    A relative path is resolved against workingDir under runc and runp, and against / under runk
    (inferred).

    Fails:
        containers:
          - {name: scorer, configVolumeMounts: [{mountPath: etc/app.conf, subPath: app.conf}]}
    Passes:
        containers:
          - {name: scorer, configVolumeMounts: [{mountPath: /etc/app.conf, subPath: app.conf}]}
    """
    for _, place, mount in _mounts(image):
        if not mount.path.startswith("/"):
            message = f"{mount.path!r} means different files under different runtimes"
            yield Finding((*place, "mountPath"), message, "write an absolute path")


@rule("KUS708", Severity.WARNING, "AppImage", reads=(_MOUNTS,))
def config_templates_are_mounted(image: AppImage) -> Iterator[Finding]:
    """A config template is mounted by some container.

    Fails: configTemplates: {other.conf: "{}"}
    Passes with: configTemplates: {other.conf: null}
    """
    keys = list(members(image.tree, *_KEYS))
    mounted = {mount.key for _, _, mount in _mounts(image)}
    meant = {nearest(name, keys) for name in mounted.difference(keys)}
    for key in keys:
        if key not in mounted | meant:
            message = f"no container mounts {key!r}"
            yield Finding((*_KEYS, key), message, "mount it, or delete it", at_key=True)


@rule("KUS734", Severity.WARNING, "AppImage")
def commands_name_their_files(image: AppImage) -> Iterator[Finding]:
    """The command of a container names the files that the container mounts.

    A command that names another path than the one that is mounted starts without its
    configuration. A file in a folder that the command names, or that a variable names, will do.

    Fails:
        containers:
          - name: scorer
            command: [/app/server, --config=/etc/server/b.conf]
            configVolumeMounts: [{mountPath: /etc/app.conf, subPath: app.conf}]
    Passes with: containers: [{name: scorer, command: [/app/server, --config=/etc/app.conf]}]
    """
    for container, place, mount in _mounts(image):
        words = _words(container)
        _, _, name = mount.path.rpartition("/")
        if words and name not in words and _asks_for_a_file(words):
            message = f"nothing that starts {container.name!r} names {mount.path!r}"
            fix = "name it in command, args or env, or do not mount it"
            yield Finding((*place, "mountPath"), message, fix)


def _words(container: Container) -> str:
    """The command line, and the values of variables."""
    line = [*elements(container.node, "command"), *elements(container.node, "args")]
    env = elements(container.node, "env") if line else ()
    values = (node.get("value") for node in env)
    return " ".join(str(node.value) for node in (*line, *values) if node)


def _asks_for_a_file(words: str) -> bool:
    """Whether a configuration is named at all; a program may know its own place."""
    return bool(_FILE.search(words))


def _mounts(image: AppImage) -> Iterator[tuple[Container, Path, Mount]]:
    """The mounts that have a key and a path, with their containers and their places."""
    for container in image.containers():
        for number, node in enumerate(elements(container.node, "configVolumeMounts")):
            key, path = node.get("subPath"), node.get("mountPath")
            if key and path:
                place = (*container.path, "configVolumeMounts", number)
                yield container, place, Mount(str(key.value), str(path.value))


RULES = rules_with_source(
    (
        mounts_exist,
        mount_paths_once,
        mount_paths_are_absolute,
        config_templates_are_mounted,
        commands_name_their_files,
    ),
    AGENT,
)
