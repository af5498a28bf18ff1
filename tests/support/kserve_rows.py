"""What KServe was asked, as specs: manifests of services with the runtimes that were there."""

from functools import cache

from tests.support.replay import HEADER, Row, replay
from tests.support.stored_rows import rows

RUNTIMES = ("ServingRuntime", "ClusterServingRuntime")
ROWS = rows("kserve")
#: Services that KServe stored, by the names of their rows.
SERVICES = {
    row["name"]: row
    for row in ROWS
    if row["given"]["kind"] not in RUNTIMES and row["accepted"] and "stored" in row
}


def spec(manifest):
    """`metadata` and `spec` one level up; runtimes keep labels and annotations in `metadata`."""
    about = manifest["metadata"]
    if manifest["kind"] in RUNTIMES:
        kept = {key: about[key] for key in ("labels", "annotations") if key in about}
        about = {key: about[key] for key in ("name", "namespace") if key in about}
        about |= {"metadata": kept} if kept else {}
    return {**HEADER, "kind": manifest["kind"], **about, **manifest["spec"]}


def replayed(row):
    """The environment of a row, and its spec as `asked`."""
    others = [item for item in row.get("others_before", ()) if item["kind"] in RUNTIMES]
    return Row(
        {
            "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "models"}],
            "kserve": {"version": "0.20.0", "default_mode": row.get("default_mode", "Knative")},
        },
        {
            "asked": spec(row["given"]),
            **{f"other-{index}": spec(item) for index, item in enumerate(others)},
        },
    )


@cache
def evaluated():
    """What every row comes to, by its name."""
    return replay({row["name"]: replayed(row) for row in ROWS})
