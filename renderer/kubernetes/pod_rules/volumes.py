"""The volumes of pods: what they are made of, and where containers mount them."""

from collections.abc import Iterator

from renderer.kubernetes.pod_rules.containers import names_twice
from renderer.kubernetes.pods import POD, SOURCE, Pod
from renderer.kubernetes.versions import IMAGE_VOLUMES
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


@rule("MAN145", Severity.ERROR, POD, reads=("volumes",))
def mounted_volumes_exist(pod: Pod) -> Iterator[Finding]:
    """What a container mounts is a volume of its pod.

    Kubernetes refuses the pod otherwise. A volume may come from elsewhere, such as the object that
    a pod begins with.

    Fails: containers: [{name: a, volumeMounts: [{name: cache, mountPath: /cache}]}]
    Passes with: volumes: [{name: cache, emptyDir: {}}]
    """
    if pod.volumes is None:
        return
    own = (volume.get("name") for volume in pod.spec.each("volumes"))
    known = {*pod.volumes, *(name.text for name in own if name)}
    for mount in pod.container_items("volumeMounts"):
        name = mount.get("name")
        if name and name.text not in known:
            fix = did_you_mean(nearest(name.text, sorted(known))) or "add it to volumes"
            yield name.wrong(f"the pod has no volume {visible(name.text)!r}", fix)


@rule("MAN146", Severity.ERROR, POD)
def mounts_have_their_own_paths(pod: Pod) -> Iterator[Finding]:
    """A container mounts one volume at a path.

    Kubernetes refuses the pod otherwise (observed).

    Fails:
        containers:
          - {name: a, volumeMounts: [{name: b, mountPath: /data}, {name: c, mountPath: /data}]}
        volumes: [{name: b, emptyDir: {}}, {name: c, emptyDir: {}}]
    Passes:
        containers:
          - {name: a, volumeMounts: [{name: b, mountPath: /b}, {name: c, mountPath: /c}]}
        volumes: [{name: b, emptyDir: {}}, {name: c, emptyDir: {}}]
    """
    for container in pod.containers():
        seen: set[str] = set()
        for mount in container.each("volumeMounts"):
            path = mount.get("mountPath")
            if path and path.text in seen:
                message = f"{visible(path.text)!r} is mounted already"
                yield path.wrong(message, "mount one of them elsewhere")
            seen.add(path.text if path else "")


@rule("MAN147", Severity.WARNING, POD)
def mount_paths_have_no_colon(pod: Pod) -> Iterator[Finding]:
    """A path that something is mounted at has no colon.

    The API of Kubernetes says so, but its server takes it (observed): it is the node that may fail.

    Fails:
        containers: [{name: a, volumeMounts: [{name: b, mountPath: '/data:ro'}]}]
        volumes: [{name: b, emptyDir: {}}]
    Passes:
        containers: [{name: a, volumeMounts: [{name: b, mountPath: /data, readOnly: true}]}]
        volumes: [{name: b, emptyDir: {}}]
    """
    for mount in pod.container_items("volumeMounts"):
        path = mount.get("mountPath")
        if path and ":" in path.text:
            yield path.wrong("a path in a container should have no colon", "delete it")


@rule("MAN148", Severity.ERROR, POD)
def volumes_have_their_own_names(pod: Pod) -> Iterator[Finding]:
    """The name of a volume stands once in its pod.

    Kubernetes refuses the pod otherwise.

    Fails: volumes: [{name: b, emptyDir: {}}, {name: b, secret: {secretName: c}}]
    Passes: volumes: [{name: b, emptyDir: {}}, {name: c, secret: {secretName: c}}]
    """
    yield from names_twice(pod.spec.each("volumes"), "volume")


@rule("MAN149", Severity.ERROR, POD)
def volumes_are_of_one_kind(pod: Pod) -> Iterator[Finding]:
    """A volume is made of one thing.

    Kubernetes refuses the pod otherwise. What is made of nothing is an empty folder.

    Fails: volumes: [{name: b, emptyDir: {}, hostPath: {path: /b}}]
    Passes: volumes: [{name: b, emptyDir: {}}]
    """
    for volume in pod.spec.each("volumes"):
        dropped = {"image"} if pod.versions[-1] < IMAGE_VOLUMES else set()
        known = volume.node.items.keys() - dropped
        kinds = [key for key in volume.node.items if key in known and key != "name"]
        if len(kinds) > 1:
            message = f"a volume is made of one thing, and this is {listed(kinds)}"
            yield from (kind.wrong_key(message, "keep one") for kind in volume.present(kinds[1:2]))


@rule("MAN201", Severity.ERROR, POD, since="0.2.0")
def claims_have_no_metadata(pod: Pod) -> Iterator[Finding]:
    """A claim that is made with a pod has labels and annotations only where its object takes them.

    Schemas of some platforms describe no metadata there (observed): the API server drops it without
    a word, or refuses the object if it is asked to be strict.

    Fails:
        volumes:
          - name: b
            ephemeral:
              volumeClaimTemplate:
                metadata: {labels: {team: search}}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
    Passes with: volumes: [{name: b, ephemeral: {volumeClaimTemplate: {metadata: null}}}]
    """
    for volume in pod.spec.each("volumes") if pod.bare_claims else ():
        metadata = volume.get("ephemeral", "volumeClaimTemplate", "metadata")
        for field in metadata.members().values() if metadata else ():
            message = f"{field.name} of a claim are dropped or refused here"
            yield field.wrong_key(message, "delete them")


RULES = rules_with_source(
    (
        mounted_volumes_exist,
        mounts_have_their_own_paths,
        mount_paths_have_no_colon,
        volumes_have_their_own_names,
        volumes_are_of_one_kind,
        claims_have_no_metadata,
    ),
    SOURCE,
)
