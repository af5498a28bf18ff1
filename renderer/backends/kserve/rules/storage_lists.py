"""Several addresses of one component: where each of them is put."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.sources import STORAGE, WEBHOOK
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple

_MODELS = "/mnt/models"


@rule("KSV134", Severity.ERROR, "InferenceService")
def mount_paths_are_fit(service: PlacelessService) -> Iterator[Finding]:
    """The mountPaths of storageUris are below one folder, and none is `/` or has `..` in it.

    KServe's webhook refuses others. Claims (pvc://) may be anywhere.

    Fails:
        predictor:
          storageUris:
            - {uri: 's3://models/iris/v1', mountPath: /mnt/models}
            - {uri: 's3://models/extra/v1', mountPath: /opt/extra}
    Passes:
        predictor:
          storageUris:
            - {uri: 's3://models/iris/v1', mountPath: /mnt/models/iris}
            - {uri: 's3://models/extra/v1', mountPath: /mnt/models/extra}
    """
    for component in service.components:
        others = [item for item in _mounts(component) if not item.is_claim]
        for item in _mounts(component):
            if item.place == "/" or ".." in item.place:
                message = f"a model cannot be put at {item.place!r}"
                yield Finding(item.path, message, "write a folder, without .., as in /mnt/models")
            elif not item.is_claim and _top(item.place) != (first := _top(others[0].place)):
                message = f"{item.place!r} and /{first} have no folder in common"
                yield Finding(item.path, message, f"write a path below /{first}")


@rule("KSV129", Severity.WARNING, "InferenceService")
def claims_have_their_places(service: PlacelessService) -> Iterator[Finding]:
    """Each claim (pvc://) of storageUris has a mountPath of its own.

    Of two at one path the second is lost silently (observed); beside two or more addresses
    of another kind KServe's webhook refuses it.

    Fails: predictor: {storageUris: [{uri: 'pvc://iris/v1'}, {uri: 'pvc://extra/v1'}]}
    Passes:
        predictor:
          storageUris: [{uri: 'pvc://iris/v1'}, {uri: 'pvc://extra/v1', mountPath: /mnt/extra}]
    """
    for item in _repeated_mounts(service):
        if item.is_claim:
            message = f"there is another claim at {item.place!r}, and this one is lost"
            yield Finding(item.path, message, "give each a path of its own")


class _Mount(NamedTuple):
    """Where an address of storageUris is put."""

    path: Path
    place: str
    is_claim: bool


def _mounts(component: Component) -> list[_Mount]:
    return [
        _Mount(
            (*component.path, "storageUris", index, "mountPath"),
            text(item, "mountPath") or "/mnt/models",
            text(item, "uri").startswith("pvc://"),
        )
        for index, item in enumerate(elements(component.node, "storageUris"))
    ]


def _repeated_mounts(service: PlacelessService) -> Iterator[_Mount]:
    """Those at a path where another address of the same kind, claim or not, is put already."""
    for component in service.components:
        seen: set[tuple[str, bool]] = set()
        for item in _mounts(component):
            if (item.place, item.is_claim) in seen:
                yield item
            seen.add((item.place, item.is_claim))


def _top(path: str) -> str:
    return path.strip("/").partition("/")[0]


@rule("KSV253", Severity.WARNING, "InferenceService", since="0.2.0")
def addresses_have_their_places(service: PlacelessService) -> Iterator[Finding]:
    """Each address of storageUris has a mountPath of its own; without one it is /mnt/models.

    What is fetched from two addresses into one folder is mixed there, and of two files of one name
    the later one stays (inferred from the source). Of claims KSV129 says the same.

    Fails: predictor: {storageUris: [{uri: 's3://models/iris/v1'}, {uri: 's3://models/extra/v1'}]}
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor:
          storageUris:
            - {uri: 's3://models/iris/v1'}
            - {uri: 's3://models/extra/v1', mountPath: /mnt/extra}
    """
    for item in _repeated_mounts(service):
        if not item.is_claim:
            message = f"another address is put at {item.place!r} too (inferred)"
            yield Finding(item.path, message, "give each a path of its own")


@rule("KSV254", Severity.WARNING, "InferenceService", since="0.2.0")
def server_finds_its_model(service: PlacelessService) -> Iterator[Finding]:
    """Of the addresses of a model, one is put where its server looks: below /mnt/models.

    The runtimes that KServe ships look there, unless args say otherwise.

    Fails: predictor: {storageUris: [{uri: 's3://models/iris/v1', mountPath: /mnt/model}]}
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {storageUris: [{uri: 's3://models/iris/v1', mountPath: /mnt/models}]}
    """
    model, runtime = service.model, service.runtime
    mounts = _mounts(service.predictor)
    if model is None or runtime is None or runtime.spec or not mounts:
        return
    said = " ".join(str(item.value) for item in elements(model.node, "args"))
    is_found = any(item.place.startswith(_MODELS) or item.place in said for item in mounts)
    is_unfit = any(".." in item.place for item in mounts)  # which KSV134 reports
    if not is_found and not is_unfit:
        message = f"{runtime.name} looks for its model at {_MODELS}, and nothing is put there"
        yield Finding(mounts[0].path, message, f"write {_MODELS}, or name the path in args")


RULES = (
    *rules_with_source((claims_have_their_places, mount_paths_are_fit), WEBHOOK),
    *rules_with_source((addresses_have_their_places, server_finds_its_model), STORAGE),
)
