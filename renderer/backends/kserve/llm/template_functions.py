"""The functions that KServe gives to its templates."""

import json

from renderer.backends.kserve.llm.go_templates import Function, TemplateError, child_name
from renderer.kubernetes.quantities import value as quantity_value
from renderer.values.tree import Plain

#: How long pods are given to end, and how much of it is kept for the end itself.
_GRACE, _RESERVE = 60, 5


def _name_child(parent: Plain, suffix: Plain) -> Plain:
    if not isinstance(parent, str) or not isinstance(suffix, str):
        raise TemplateError("ChildName takes two texts")
    return child_name(parent, suffix)


def _transfer_config(cache: Plain) -> Plain:
    """The argument that moves the key-value cache, its quotes escaped for a shell and JSON."""
    if not isinstance(cache, dict):
        return ""
    extra: dict[str, Plain] = {
        "spec_name": "TieringOffloadingSpec",
        "cpu_bytes_to_use": _bytes(cache.get("cpu", 0)),
    }
    if eviction := cache.get("evictionPolicy"):
        extra["eviction_policy"] = eviction
    tiers = cache.get("secondary")
    roots: list[Plain] = [
        {"type": "fs", "root_dir": f"/mnt/kv-cache-{number}"}
        for number, tier in enumerate(tiers if isinstance(tiers, list) else [])
        if isinstance(tier, dict) and tier.get("fileSystem")
    ]
    if roots:
        extra["secondary_tiers"] = roots
    config = {
        "kv_connector": "OffloadingConnector",
        "kv_role": "kv_both",
        "kv_connector_extra_config": extra,
    }
    written = json.dumps(config, sort_keys=True, separators=(",", ":"))
    escaped = written.replace('"', '\\\\\\"')
    return f"--kv-transfer-config '{escaped}'"


def _bytes(amount: Plain) -> int:
    """An amount in whole bytes, rounded up."""
    found = quantity_value(str(amount))
    if found is None:
        raise TemplateError(f"{amount!r} is no amount")
    return -int(-found // 1)


def _shutdown_timeout(pod: Plain, before_stop: Plain) -> Plain:
    """Seconds that the server has to end its requests."""
    given = pod.get("terminationGracePeriodSeconds") if isinstance(pod, dict) else None
    grace = given if isinstance(given, int) else _GRACE
    wait = before_stop if isinstance(before_stop, int) else 0
    return max(0, grace - wait - min(_RESERVE, grace))


FUNCTIONS: dict[str, Function] = {
    "ChildName": Function(2, _name_child),
    "kvTransferConfig": Function(1, _transfer_config),
    "shutdownTimeout": Function(2, _shutdown_timeout),
}
