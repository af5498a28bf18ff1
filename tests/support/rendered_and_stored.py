"""Objects as they are rendered, with what the platforms made of each once it was applied."""

from collections.abc import Iterator

import yaml

from renderer import render
from tests.backends.kserve import test_status as kserve
from tests.backends.kuberay import test_status as kuberay
from tests.support.observed import FOLDER, ObservedCase
from tests.support.stored import stored


def pairs() -> Iterator[tuple[str, dict, dict]]:
    """A name, the rendered object, and the stored one: all that were observed."""
    yield from _kuscia()
    for name, row in kserve.SERVICES.items():
        yield from _of_row(f"kserve/{name}", kserve.repository(row), row)
    for name, row in kuberay.STORED.items():
        if row["accepted"] and not row.get("gone"):
            yield from _of_row(f"kuberay/{name}", kuberay.repository(row), row)


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


def _of_row(name, project, row):
    """Nothing for a row that is refused before it is rendered."""
    for manifest in render(project, ["e"]).manifests:
        if manifest.spec.stem == "asked":
            rendered = yaml.safe_load(manifest.text)
            yield name, rendered, stored(row, rendered)
