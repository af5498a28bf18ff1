"""Kuscia federated serving: its kinds, and where their functions are when they are needed."""

from renderer.backends.base import Backend, BackendFunctions, RetiredCode
from renderer.values.kinds import Kind, TextFiles, Verb
from renderer.values.model import Option
from renderer.values.objects import StoredKind


def _load() -> BackendFunctions:
    from renderer.backends.kuscia.backend import FUNCTIONS

    return FUNCTIONS


_VERBS = (
    Verb("create"),
    Verb("update", compares=True),
    Verb("delete"),
    Verb("query"),
    Verb("batch-query", takes_several=True),
)

KUSCIA = Backend(
    "kuscia",
    platform="kuscia",
    place="control plane",
    maker="Kuscia",
    codes=("KUS307", "POL003"),
    retired=(
        ("KUS314", RetiredCode("MAN192")),
        ("KUS726", RetiredCode("MAN150")),
        ("KUS741", RetiredCode("MAN153")),
        ("KUS742", RetiredCode("MAN154")),
        ("KUS745", RetiredCode("MAN155")),
    ),
    kinds=(
        Kind(
            "Serving",
            "spec/serving.json",
            name_field="serving_id",
            data_keys=frozenset(("featureMapping", "feature_mapping")),
            summary=(
                ("serving_id",),
                ("initiator",),
                ("app",),
                ("app_image",),
                ("parties", "*", "domain_id"),
                ("parties", "*", "role"),
                ("parties", "*", "app_image"),
                ("parties", "*", "service_name_prefix"),
            ),
            verbs=_VERBS,
        ),
        Kind(
            "AppImage",
            "spec/appimage.json",
            prerequisite=True,
            text_files=(TextFiles(("configTemplates", "*"), "kuscia/config"),),
            verbs=_VERBS,
        ),
    ),
    stored=(
        StoredKind(
            "kuscia.secretflow",
            "KusciaDeployment",
            "manifests/kuscia/kusciadeployment.json",
            "Serving",
            version="v1alpha1",
            health="kuscia/health/kusciadeployment",
        ),
        StoredKind(
            "kuscia.secretflow",
            "AppImage",
            "manifests/kuscia/appimage.json",
            "AppImage",
            version="v1alpha1",
            is_namespaced=False,
        ),
    ),
    destination_schema="destination/kuscia.json",
    settings_schema="environment/kuscia.json",
    starter="kuscia/starter",
    size_fields=("replicas", "resources"),
    preview_options=(
        Option(
            "config-key",
            "NAME=VALUE",
            "What a domain's configuration manager has under NAME, which is shown as "
            "<config:NAME> otherwise; may be given several times.",
        ),
    ),
    load=_load,
)
