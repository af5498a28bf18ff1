"""What Kubernetes takes as it stands, and was hardly meant."""

from collections.abc import Iterator

from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.kubernetes.quantities import billionths
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_MANY_CORES = 256
_WHOLE = expression(r"[0-9]{3,9}")
#: Permissions in octal digits, of those that are small enough to be taken as decimal numbers.
_OCTAL_DIGITS = (400, 440, 444, 500)
_FILE_VOLUMES = ("configMap", "secret", "downwardAPI", "projected")
_PATH_SOURCES = ("serviceAccountToken", "clusterTrustBundle")


@rule("MAN214", Severity.WARNING, POD, since="0.2.0")
def cores_are_not_thousandths(pod: Pod) -> Iterator[Finding]:
    """An amount of cpu is said in cores, or in thousandths of one with `m`.

    `500` is 500 cores, which hardly any node has, and `500m` half a core. Found are whole numbers
    of 256 and more.

    Fails: containers: [{name: a, resources: {requests: {cpu: 500}, limits: {cpu: 500}}}]
    Passes: containers: [{name: a, resources: {requests: {cpu: 500m}, limits: {cpu: 500m}}}]
    """
    for container in pod.containers():
        for kind in ("requests", "limits"):
            amount = container.get("resources", kind, "cpu")
            text = str(amount.node.value) if amount else ""
            if amount and _WHOLE.fullmatch(text) and int(text) >= _MANY_CORES:
                yield amount.wrong(
                    f"cpu {text} means {int(text)} cores", f"did you mean {int(text)}m?"
                )


@rule("MAN215", Severity.WARNING, POD, since="0.2.0")
def permissions_are_octal(pod: Pod) -> Iterator[Finding]:
    """The permissions of files are written as octal numbers, or as what these are in decimal.

    A number without a leading zero is decimal: 444 is 0674 in octal. Found are 400, 440, 444 and
    500; larger ones are refused.

    Fails: volumes: [{name: b, secret: {secretName: b, defaultMode: 400}}]
    Passes with: volumes: [{name: b, secret: {defaultMode: 256}}]
    """
    for mode in _modes(pod):
        number = mode.node.value
        if isinstance(number, int) and number in _OCTAL_DIGITS:
            meant = int(str(number), 8)
            message = f"the decimal number {number} is 0{number:o} in octal"
            yield mode.wrong(message, f"did you mean {meant}, which is 0{number} in octal?")


def _modes(pod: Pod) -> Iterator[Field]:
    for volume in pod.spec.each("volumes"):
        for source in volume.present(_FILE_VOLUMES):
            yield from source.present(("defaultMode",))
            for holder in (source, *_projected(source)):
                for item in holder.each("items"):
                    yield from item.present(("mode",))


def _projected(source: Field) -> Iterator[Field]:
    """The sources of a projected volume."""
    for part in source.each("sources"):
        yield from part.members().values()


@rule("MAN216", Severity.WARNING, POD, reads=("volumes",), since="0.2.0")
def parts_of_volumes_exist(pod: Pod) -> Iterator[Finding]:
    """What is mounted of a volume by subPath is among the files that the volume lists.

    For a path that is not there the node makes an empty folder, and a program finds that instead of
    its file.

    Fails:
        containers:
          - {name: a, volumeMounts: [{name: b, mountPath: /etc/app.yaml, subPath: ap.yaml}]}
        volumes: [{name: b, configMap: {name: b, items: [{key: app, path: app.yaml}]}}]
    Passes with:
        containers: [{name: a, volumeMounts: [{mountPath: /etc/app.yaml, subPath: app.yaml}]}]
    """
    volumes = {name.text: item for item in pod.spec.each("volumes") if (name := item.get("name"))}
    for mount in pod.container_items("volumeMounts"):
        name, part = mount.get("name"), mount.get("subPath")
        volume = volumes.get(name.text) if name else None
        paths = _listed_files(volume) if volume else None
        wanted = part.text.strip("/").removeprefix("./") if part else ""
        if not part or not wanted or not paths or wanted == ".":
            continue
        if not any(f"{path}/".startswith(f"{wanted}/") for path in paths):
            message = f"the volume has no file {visible(part.text)!r}, but {listed(paths)}"
            fix = did_you_mean(nearest(wanted, paths)) or "write a path of items, or add it there"
            yield part.wrong(message, fix)


def _listed_files(volume: Field) -> list[str] | None:
    """The paths of all files of a volume; nothing if it has others as well."""
    paths: list[str] = []
    for source in volume.present(_FILE_VOLUMES):
        for holder in _projected(source) if source.name == "projected" else (source,):
            given = list(holder.present(("path",))) if holder.name in _PATH_SOURCES else []
            given += (path for item in holder.each("items") if (path := item.get("path")))
            if not given:
                return None
            paths += (path.text for path in given)
    return paths


@rule("MAN217", Severity.WARNING, POD, reads=("containers.resources",), since="0.2.0")
def folders_in_memory_fit(pod: Pod) -> Iterator[Finding]:
    """A folder in memory is not larger than the memory of the containers together.

    What is written to it counts as memory of the container that writes it, which is ended when it
    goes beyond its limit: a larger folder is never filled.

    Fails:
        containers: [{name: a, resources: {limits: {memory: 4Gi}}}]
        volumes: [{name: b, emptyDir: {medium: Memory, sizeLimit: 8Gi}}]
    Passes with: containers: [{name: a, resources: {limits: {memory: 16Gi}}}]
    """
    running = (*pod.spec.each("containers"), *pod.others)
    limits = [container.get("resources", "limits", "memory") for container in running]
    written = [limit for limit in limits if limit and limit.node.origin.file]  # by no default
    known = [amount for limit in written if (amount := _bytes(limit)) is not None]
    if not known or len(known) < len(limits) or pod.spec.get("resources"):
        return
    for volume in pod.spec.each("volumes"):
        medium, size = volume.get("emptyDir", "medium"), volume.get("emptyDir", "sizeLimit")
        most = _bytes(size)
        if medium and medium.text == "Memory" and size and most and most > sum(known):
            message = f"{size.node.value} is more than the memory that the containers may use"
            yield size.wrong(message, "write less, or raise the limits of memory")


def _bytes(amount: Field | None) -> int | None:
    found = billionths(str(amount.node.value)) if amount else None
    return None if found is None else int(found)


RULES = rules_with_source(
    (
        cores_are_not_thousandths,
        permissions_are_octal,
        parts_of_volumes_exist,
        folders_in_memory_fit,
    ),
    SOURCE,
)
