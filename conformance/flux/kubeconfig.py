"""How a server is reached, as a file and as the Secret that Flux reads."""

import json
from base64 import b64encode
from pathlib import Path

from conformance.flux.places import NAMESPACE
from conformance.kubernetes.client import Client, Object


def kubeconfig(client: Client) -> Object:
    """Complete in itself: Flux refuses to read files of its own machine."""
    where = client.where
    authority = b64encode(Path(where["ca"]).read_bytes()).decode()
    cluster = {"server": where["server"], "certificate-authority-data": authority}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "own", "cluster": cluster}],
        "users": [{"name": "own", "user": {"token": where["token"]}}],
        "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
        "current-context": "own",
    }


def secret(name: str, client: Client) -> Object:
    """What `kubeConfig.secretRef` names, with the key that Flux looks for."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "stringData": {"value": json.dumps(kubeconfig(client))},
    }
