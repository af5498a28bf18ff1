"""What a cluster says of LLM services: its ConfigMap inferenceservice-config, its presets."""

import json
from collections.abc import Mapping

from renderer.backends.fields import elements, text
from renderer.backends.kserve.derive.storage import OWN_AMOUNTS
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.llm import presets
from renderer.backends.kserve.llm.service import LLM_CONFIG
from renderer.backends.kserve.plain_objects import provided_names
from renderer.backends.kserve.settings import BUILTIN, KServeSettings, llm_settings
from renderer.kubernetes.data import Data, mapping
from renderer.text.yaml_reader import read
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain

_HEADER = "X-Gateway-Model-Name"
_SCALER, _CACHES = "autoscaling-wva-controller-config", "localModel"


class Cluster(NamedTuple):
    """What the ConfigMap inferenceservice-config of a cluster says, as KServe ships it.

    `installed` are the presets that are there, `unseen` configurations that are there and of which
    nobody knows the content. It `is_own` where a file of the repository has it.
    """

    installed: tuple[str, ...] = ()
    unseen: frozenset[str] = frozenset()
    dialect: Dialect = Dialect()
    gateway_name: str = "kserve-ingress-gateway"
    gateway_namespace: str = "kserve"
    has_tls: bool = False
    routing_header: str = _HEADER
    routes_models: bool = True
    initializer: str = ""
    amounts: Plain = OWN_AMOUNTS
    image_mode: str = "modelcar"
    prometheus: Mapping[str, Plain] = {}
    caches: Mapping[str, Plain] = {}
    is_own: bool = False

    @property
    def knows_presets(self) -> bool:
        """Whether the presets of its version are known here."""
        return str(self.dialect) in presets.VERSIONS

    def preset(self, name: str) -> Node | None:
        """The spec of a preset that the cluster has."""
        return presets.presets(str(self.dialect)).get(name) if name in self.installed else None


def cluster_of(environment: Environment, destination: str) -> Cluster:
    """The cluster of a destination: its own settings come before those of the environment."""
    found = next((item for item in environment.destinations if item.name == destination), None)
    return _cluster(environment, found.tree if found else environment.tree)


@cached_by_identity
def _cluster(environment: Environment, destination: Node) -> Cluster:
    dialect = KServeSettings.of(environment).dialect
    listed, config = llm_settings(environment, destination)
    names = tuple(presets.presets(str(dialect)))
    if listed is not None and listed.value != BUILTIN:
        names = tuple(str(item.value) for item in elements(listed))
    unseen = frozenset(provided_names(LLM_CONFIG, environment))
    bare = Cluster(names, unseen, dialect)
    return _configured(bare, config) if config else bare


def _configured(bare: Cluster, config: Node) -> Cluster:
    """The cluster by its own ConfigMap; a part that it lacks is as KServe ships it."""
    tree = read(str(config.value).encode(), config.origin.file).document.tree
    ingress, storage, scaler = (
        _part(tree, key) for key in ("ingress", "storageInitializer", _SCALER)
    )
    place, _, name = str(ingress.get("kserveIngressGateway", "")).rpartition("/")
    mode = str(ingress.get("modelBasedRoutingMode", "")).lower()
    image_mode = str(storage.get("ociModelMode") or "modelcar")
    has_images = storage.get("enableOciModelSupport") or storage.get("enableModelcar", True)
    return bare._replace(
        gateway_name=name or bare.gateway_name,
        gateway_namespace=place or bare.gateway_namespace,
        has_tls=ingress.get("enableLLMInferenceServiceTLS") is True,
        routing_header=str(ingress.get("modelBasedRoutingHeaderName") or _HEADER),
        routes_models=mode != "disabled",
        initializer=str(storage.get("image") or ""),
        amounts=_amounts(storage),
        image_mode=image_mode if has_images else "",
        prometheus=mapping(scaler, "prometheus"),
        caches=_part(tree, _CACHES),
        is_own=True,
    )


def unreadable_part(config: Node) -> str:
    """Why KServe cannot read its configuration; empty if it can."""
    tree = read(str(config.value).encode(), config.origin.file).document.tree
    data = tree.get("data") if tree else None
    if data is None or not data.items:
        return "this is no ConfigMap with data"
    for key in ("ingress", "storageInitializer", _SCALER, _CACHES):
        written = data.text_at(key)
        try:
            found = json.loads(written) if written else {}
        except ValueError as error:
            return f"data.{key} is no JSON: {error}"
        if not isinstance(found, dict):
            return f"data.{key} is no mapping"
    return ""


def _part(tree: Node | None, key: str) -> Data:
    """A part of the ConfigMap, which is JSON in a text."""
    written = text(tree, "data", key) if tree else ""
    try:
        found: Plain = json.loads(written) if written else {}
    except ValueError:
        found = {}
    return found if isinstance(found, dict) else {}


def _amounts(storage: Mapping[str, Plain]) -> Plain:
    shipped = OWN_AMOUNTS if isinstance(OWN_AMOUNTS, dict) else {}
    found: Data = {}
    for kind, word in (("requests", "Request"), ("limits", "Limit")):
        usual = mapping(shipped, kind)
        found[kind] = {key: storage.get(f"{key}{word}", usual[key]) for key in usual}
    return found
