"""Objects as they are rendered, with what the platforms made of each once it was applied."""

from collections.abc import Iterator

import yaml

from tests.support import kserve_rows, kuberay_rows
from tests.support.observed import FOLDER, ObservedCase
from tests.support.stored import stored


def pairs() -> Iterator[tuple[str, dict, dict]]:
    """A name, the rendered object, and the stored one: all that were observed."""
    yield from _kuscia()
    for name, row in kserve_rows.SERVICES.items():
        yield from _of_row(f"kserve/{name}", kserve_rows.evaluated()[name], row)
    for row in kuberay_rows.ROWS:
        if "stored" in row and row["accepted"] and not row.get("gone"):
            name = row["name"]
            yield from _of_row(f"kuberay/{name}", kuberay_rows.evaluated()[name], row)


def _kuscia():
    """Objects that Kuscia copied from a partner are not rendered by anybody."""
    for folder in sorted((FOLDER / "preview").iterdir()):
        case = ObservedCase(folder)
        if case.says["plane"] == "initiator":
            found = case.objects("stored.yaml")
            for identity, rendered in case.objects("applied.yaml").items():
                yield (
                    f"kuscia/{case.id}/{rendered['kind']}/{identity[-1]}",
                    rendered,
                    found[identity],
                )


def _of_row(name, made, row):
    """Nothing for a row that is refused before it is rendered."""
    for manifest in made.manifests:
        if manifest.spec.stem == "asked":
            rendered = yaml.safe_load(manifest.text)
            yield name, rendered, stored(row, rendered)
