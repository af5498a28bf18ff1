"""The ConfigMap of a party: the config templates as they are written."""

from collections.abc import Iterator

from renderer.backends.kuscia.names import config_map_name
from renderer.backends.kuscia.preview.metadata import annotations, labels, metadata
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.values.previews import Piece


def config_map(plane: Plane, kit: Kit) -> Iterator[Piece]:
    """It is made only if the AppImage has any templates."""
    image = kit.party.image
    templates = image.config_templates if image else {}
    texts = {key: node.plain() for key, node in templates.items()}
    if texts:
        name = config_map_name(kit.deployment)
        about = metadata(name, kit, labels(plane, kit), annotations(plane))
        yield Piece(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": texts},
            (("templates", ", ".join(texts)),),
        )
