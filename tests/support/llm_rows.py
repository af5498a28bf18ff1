"""What KServe was asked about language models, as specs of one cluster."""

import json
from functools import cache

from tests.support.llm_recordings import CASES
from tests.support.replay import HEADER, Row, replay

#: Kinds of ours among what was applied before a service; the others are of the cluster.
OURS = ("LLMInferenceService", "LLMInferenceServiceConfig")
#: Companions that say something about what KServe makes.
_COMPANIONS = ("ConfigMap", "Gateway")
SETTINGS = {
    "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "tenant"}],
    "kserve": {"version": "0.20.0"},
    "kubernetes": {"version": "1.33"},
}


def spec(manifest):
    """The spec one level up; labels and annotations of the object stay below `metadata`."""
    about = manifest["metadata"]
    kept = {key: about[key] for key in ("labels", "annotations") if about.get(key)}
    place = {key: about[key] for key in ("name", "namespace") if key in about}
    place |= {"metadata": kept} if kept else {}
    return {**HEADER, "kind": manifest["kind"], **place, **(manifest.get("spec") or {})}


def replayed(row, side="given"):
    """The environment of a row, with what is beside it that may be in a repository."""
    is_last = side == "after"
    given = [*row.get("others_before", ()), *(row.get("others_after", ()) if is_last else ())]
    others = {f"other-{item['metadata']['name']}": item for item in given}
    specs = {stem: spec(item) for stem, item in others.items() if item["kind"] in OURS}
    texts = {stem: item for stem, item in others.items() if item["kind"] in _COMPANIONS}
    settings = {**row.get("settings", {}), **(row.get("settings_after", {}) if is_last else {})}
    return Row(_environment(settings), {"asked": spec(row[side]), **specs, **texts})


def _environment(settings):
    """The environment of a cluster whose ConfigMap says something else than the shipped one."""
    if not settings:
        return SETTINGS
    data = {key: json.dumps(content) for key, content in settings.items()}
    config = {"apiVersion": "v1", "kind": "ConfigMap", "data": data}
    return {**SETTINGS, "kserve": {**SETTINGS["kserve"], "config": json.dumps(config)}}


#: Specs are of v1alpha2: what was asked in the older version is only imported.
ASKED = {
    name: row
    for name, row in CASES.items()
    if row["given"]["apiVersion"].endswith("/v1alpha2") and row["given"]["kind"] in OURS
}


@cache
def evaluated(share):
    """What a share of the rows comes to, by name."""
    return replay({name: replayed(row) for name, row in ASKED.items() if share(name)})


def closed(names):
    """What rows come to where all that they refer to must be in the repository."""
    rows = {name: replayed(ASKED[name]) for name in names}
    strict = {"references": {"closed": True}}
    return replay(
        {
            name: row._replace(environment={**row.environment, **strict})
            for name, row in rows.items()
        }
    )
