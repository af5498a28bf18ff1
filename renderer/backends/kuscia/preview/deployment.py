"""The Deployment of a party."""

from renderer.backends.kuscia.deployments import APP_TYPE
from renderer.backends.kuscia.pods import containers
from renderer.backends.kuscia.preview.metadata import PREFIX, annotations, labels, metadata
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.pods import VOLUME, mounts_files, pod
from renderer.backends.kuscia.preview.summaries import summary
from renderer.backends.kuscia.serving import text
from renderer.values.previews import Piece
from renderer.values.tree import Node, Plain


def deployment(plane: Plane, kit: Kit) -> Piece:
    marks = {
        **labels(plane, kit),
        f"{PREFIX}communication-role-client": "true",
        f"{PREFIX}communication-role-server": "true",
        **({APP_TYPE: plane.app_type} if plane.app_type else {}),
    }
    about: dict[str, Plain] = {"labels": {**marks}}
    about |= {"annotations": notes} if (notes := _pod_annotations(kit)) else {}
    content: dict[str, Plain] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(kit.deployment, kit, marks, annotations(plane)),
        "spec": {
            "replicas": _plain(kit.template, "replicas"),
            "strategy": _plain(kit.template, "strategy"),
            "selector": {"matchLabels": {**marks}},
            "template": {"metadata": about, "spec": pod(plane, kit)},
        },
    }
    return Piece(content, tuple(summary(plane, kit)))


def metric_probe(kit: Kit) -> tuple[str, str]:
    """Path and port of the metrics; of several containers the last one counts."""
    asked = (item.node.get("metricProbe") for item in containers(kit.template))
    probes = [(text(node, "path"), text(node, "port")) for node in asked if node]
    whole = [probe for probe in probes if all(probe) and probe[1] in kit.numbers]
    return whole[-1] if whole else ("", "")


def _pod_annotations(kit: Kit) -> dict[str, Plain]:
    notes: dict[str, Plain] = {}
    if kit.party.image and (identity := text(kit.party.image.tree, "image", "id")):
        notes[f"{PREFIX}image-id"] = identity
    path, port = metric_probe(kit)
    if path:
        notes[f"{PREFIX}should_be_scraped"] = "true"
        notes[f"{PREFIX}metric_path"] = path
        notes[f"{PREFIX}metric_port"] = str(kit.numbers[port])
    if mounts_files(kit):
        notes[f"{PREFIX}config-template-volumes"] = VOLUME
    return notes


def _plain(node: Node, key: str) -> Plain:
    found = node.get(key)
    return found.plain() if found else None
