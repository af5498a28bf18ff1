"""What KServe was asked about language models, as specs of one cluster."""

from functools import cache

from tests.support.llm_recordings import CASES
from tests.support.replay import HEADER, Row, replay

#: Kinds of ours among what was applied before a service; the others are of the cluster.
OURS = ("LLMInferenceService", "LLMInferenceServiceConfig")
SETTINGS = {
    "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "tenant"}],
    "kserve": {"version": "0.20.0"},
}


def spec(manifest):
    """The spec one level up; labels and annotations of the object stay below `metadata`."""
    about = manifest["metadata"]
    kept = {key: about[key] for key in ("labels", "annotations") if about.get(key)}
    place = {key: about[key] for key in ("name", "namespace") if key in about}
    place |= {"metadata": kept} if kept else {}
    return {**HEADER, "kind": manifest["kind"], **place, **(manifest.get("spec") or {})}


def _replayed(row):
    others = [item for item in row.get("others_before", ()) if item["kind"] in OURS]
    specs = {f"other-{number}": spec(item) for number, item in enumerate(others)}
    return Row(SETTINGS, {"asked": spec(row["given"]), **specs})


#: Specs are of v1alpha2: what was asked in the older version is only imported.
ASKED = {
    name: row
    for name, row in CASES.items()
    if row["given"]["apiVersion"].endswith("/v1alpha2") and row["given"]["kind"] in OURS
}


@cache
def evaluated(share):
    """What a share of the rows comes to, by name."""
    return replay({name: _replayed(row) for name, row in ASKED.items() if share(name)})
