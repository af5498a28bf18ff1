"""How a model and its adapters come into a pod: by download, from a claim, or from an image."""

import json

from renderer.backends.kserve.derive.storage import DOWNLOAD_VARIABLES, image_containers
from renderer.backends.kserve.llm.derive.plan import LlmPlan
from renderer.backends.kserve.llm.go_templates import child_name
from renderer.backends.kserve.merged_container import ADAPTERS, MODELS
from renderer.kubernetes.data import (
    Data,
    change_container,
    container_named,
    items,
    mapping,
    merge_strategically,
    words,
)
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

SERVER = "main"
SCHEMES = ("hf", "s3", "pvc", "oci", "oci+native")
_DOWNLOADED = ("hf", "s3")
_INITIALIZER, _DOWNLOADS = "storage-initializer", "kserve-provision-location"
_CLAIM = "kserve-pvc-source"
_UNSAFE = expression(r"[^a-zA-Z0-9._-]")
_TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.json",
    "merges.txt", "config.json", "generation_config.json",
)  # fmt: skip


class Reader(NamedTuple):
    """The container that reads the model, where it finds it, and the adapters that it gets."""

    container: str = SERVER
    path: str = MODELS
    adapters: tuple[Data, ...] = ()
    only_tokenizer: bool = False


class _Source(NamedTuple):
    uri: str
    path: str

    @property
    def scheme(self) -> str:
        return self.uri.partition("://")[0]


def skips_storage(plan: LlmPlan) -> bool:
    """Whether the service mounts its model itself."""
    return mapping(plan.spec, "storageInitializer").get("enabled") is False


def attach_model(plan: LlmPlan, pod: Data, reader: Reader) -> Data:
    """A pod with the model, and with the adapters that its reader takes."""
    uri = str(plan.model.get("uri") or "")
    scheme = uri.partition("://")[0]
    if skips_storage(plan) or scheme not in SCHEMES:
        return pod
    adapters = [_Source(str(item.get("uri")), adapter_path(item)) for item in reader.adapters]
    downloads = [item for item in adapters if item.scheme in _DOWNLOADED]
    if scheme in _DOWNLOADED:
        pod = _download(plan, pod, [_Source(uri, MODELS), *downloads], reader)
    else:
        pod = _attach_stored(plan, pod, uri, reader)
        pod = _download(plan, pod, downloads, reader) if downloads else _without_initializer(pod)
    for item, source in zip(reader.adapters, adapters, strict=True):
        if source.scheme == "pvc":
            name = child_name("lora-pvc-", str(item.get("name") or ""))
            pod = _mount_claim(pod, source, name, reader)
    return _load_adapters(plan, pod, reader) if adapters else pod


def adapter_path(adapter: Data) -> str:
    name = _UNSAFE.sub("-", str(adapter.get("name") or ""))
    return f"{ADAPTERS}/{name if name not in ('', '.', '..') else 'adapter'}"


def _attach_stored(plan: LlmPlan, pod: Data, uri: str, reader: Reader) -> Data:
    """From a claim, an image that runs beside the server, or one that is a volume."""
    scheme, _, rest = uri.partition("://")
    if scheme == "pvc":
        return _mount_claim(pod, _Source(uri, reader.path), _CLAIM, reader)
    if scheme == "oci+native" or plan.cluster.image_mode == "native":
        name = reader.path.strip("/").replace("/", "-")
        mount: Data = {"name": name, "mountPath": reader.path, "subPath": "models"}
        source: Data = {"reference": rest, "pullPolicy": "IfNotPresent"}
        return _mount(pod, reader.container, {**mount, "readOnly": True}, {"image": source})
    return image_containers(pod, rest, (reader.container,), reader.path)


def _mount_claim(pod: Data, source: _Source, volume: str, reader: Reader) -> Data:
    claim, _, path = source.uri.partition("://")[2].partition("/")
    mount: Data = {"name": volume, "mountPath": source.path, **({"subPath": path} if path else {})}
    holder: Plain = {"persistentVolumeClaim": {"claimName": claim}}
    return _mount(pod, reader.container, {**mount, "readOnly": True}, holder)


def _mount(pod: Data, container: str, mount: Data, holder: Plain) -> Data:
    """A container gets a volume; a pod without the container gets none."""
    name = str(mount["name"])
    reader = container_named(items(pod, "containers"), container)
    if reader is None or container_named(items(reader, "volumeMounts"), name):
        return pod

    def add(given: Data) -> Data:
        return {**given, "volumeMounts": [*items(given, "volumeMounts"), mount]}

    volumes = items(pod, "volumes")
    source = holder if isinstance(holder, dict) else {}
    added = [] if container_named(volumes, name) else [{"name": name, **source}]
    return {**change_container(pod, container, add), "volumes": [*volumes, *added]}


def _without_initializer(pod: Data) -> Data:
    """Nothing is downloaded: what the spec says of the container that would do it is dropped."""
    kept = [item for item in items(pod, "initContainers") if item.get("name") != _INITIALIZER]
    return {**pod, "initContainers": [*kept]} if "initContainers" in pod else pod


def _download(plan: LlmPlan, pod: Data, sources: list[_Source], reader: Reader) -> Data:
    own = container_named(items(pod, "initContainers"), _INITIALIZER)
    place = _common_folder([item.path for item in sources])
    container = _initializer(plan, sources, reader)
    if own:
        mine = {key: value for key, value in own.items() if key not in ("args", "command")}
        container = merge_strategically(container, mine)
    mount: Data = {"name": _DOWNLOADS, "mountPath": place}
    container["volumeMounts"] = [*items(container, "volumeMounts"), mount]
    pod = _without_initializer(pod)
    pod = {**pod, "initContainers": [*items(pod, "initContainers"), container]}
    path = reader.path if len(sources) == 1 and sources[0].path == MODELS else place
    shared: Data = {"name": _DOWNLOADS, "mountPath": path, "readOnly": True}
    done = _mount(pod, reader.container, shared, {"emptyDir": {}})
    if container_named(items(done, "volumes"), _DOWNLOADS):
        return done
    volume: Plain = {"name": _DOWNLOADS, "emptyDir": {}}
    return {**done, "volumes": [*items(done, "volumes"), volume]}


def _initializer(plan: LlmPlan, sources: list[_Source], reader: Reader) -> Data:
    image = plan.cluster.initializer or f"kserve/storage-initializer:v{plan.cluster.dialect}"
    variables: dict[str, Plain] = {}
    confidential = mapping(plan.model, "confidential")
    if confidential.get("enabled") is True:
        variables["CONFIDENTIAL_ENABLED"] = "true"
        if key := confidential.get("resourceId"):
            variables["CONFIDENTIAL_RESOURCE_ID"] = key
    if any(item.scheme == "hf" for item in sources):
        variables |= DOWNLOAD_VARIABLES
    if reader.only_tokenizer:
        variables["STORAGE_ALLOW_PATTERNS"] = json.dumps(_TOKENIZER_FILES)
    env: list[Plain] = [{"name": key, "value": value} for key, value in variables.items()]
    return {
        "name": _INITIALIZER,
        "image": image,
        "args": [word for item in sources for word in (item.uri, item.path)],
        "resources": plan.cluster.amounts,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        **({"env": env} if env else {}),
    }


def _common_folder(paths: list[str]) -> str:
    """The folder that all have in common."""
    parts = [path.strip("/").split("/") for path in paths]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/" + "/".join(shared)


def loads_adapters_itself(container: Data) -> bool:
    """Whether the spec names the adapters to the server, so that KServe does not."""
    more = (str(item.get("value")) for item in items(container, "env"))
    return "--lora-modules" in " ".join(
        [*words(container, "command"), *words(container, "args"), *more]
    )


def _load_adapters(plan: LlmPlan, pod: Data, reader: Reader) -> Data:
    """The server's arguments for adapters, which stand before those of the spec."""
    limits = {"maxRank": "max-lora-rank", "maxAdapters": "max-loras"} | {
        "maxCpuAdapters": "max-cpu-loras"
    }
    lora = mapping(plan.model, "lora")
    asked: list[Plain] = [f"--{word}={lora[key]}" for key, word in limits.items() if key in lora]
    modules: list[Plain] = []
    for item in reader.adapters:
        path = adapter_path(item)
        for name in (item.get("name"), f"publishers/{plan.namespace}/models/{item.get('name')}"):
            known = json.dumps({"name": name, "path": path}, separators=(",", ":"))
            modules.append(f"'{known}'")

    def change(container: Data) -> Data:
        if loads_adapters_itself(container):
            return container
        before: list[Plain] = ["--enable-lora", *asked, "--lora-modules", *modules]
        return {**container, "args": [*before, *words(container, "args")]}

    return change_container(pod, reader.container, change)
