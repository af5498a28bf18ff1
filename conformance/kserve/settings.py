"""The settings that a cluster has of KServe, as shipped but for some of them."""

import json
import shutil
from collections.abc import Mapping

from conformance.kserve.installation import RELEASES
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import apply, of_kind, read


def configure(client: Client, changes: Mapping[str, Object]) -> None:
    """Some keys of texts of `inferenceservice-config` are otherwise; the rest is as shipped."""
    folder = RELEASES[0].manifests(shutil.which("go") or "go")
    (shipped,) = of_kind(read(folder / "kserve.yaml"), "ConfigMap")
    data = {
        key: json.dumps({**json.loads(shipped["data"].get(key, "{}")), **change})
        for key, change in changes.items()
    }
    apply(client, {**shipped, "data": {**shipped["data"], **data}})
