"""What recordings show of edits at KServe: of services, and of the runtimes that they use."""

from renderer.derive.behaviour import NOTHING
from renderer.derive.evidence import edit_text
from tests.support.evidence import Evidence, recorded_rows
from tests.support.kserve_generated import RUNTIMES, manifest_of, user_of
from tests.support.kserve_generated_edits import is_refused_at_first
from tests.support.kserve_states import compared, manifest

_VERSION = "0.20.0"
_PREFIX = "serving.kserve.io/"
_SCALERS = {"hpa": "HorizontalPodAutoscaler", "keda": "ScaledObject"}
_VISIBILITY = "networking.kserve.io/visibility"


def evidence():
    """What each row shows of each unit of its service."""
    for version, row in recorded_rows("kserve", _VERSION):
        edited, sides = _sides(row)
        change = compared(*map(manifest, edited)) if all(edited) else None
        if change is None or (len(row.get("others_after", ())) and sides[0] != sides[1]):
            continue
        for unit, outcomes in _outcomes(row, *sides).items():
            mode = " ".join(_mode_words(row, *sides))
            source = edited[1]["kind"]
            yield Evidence(version, mode, source, unit, edit_text(change), outcomes, row["name"])


def _sides(row):
    """Both states of what was edited, and of the service that is looked at."""
    if "base" in row:
        if is_refused_at_first(row):
            return (None, None), ()
        edited = tuple(manifest_of(row, side) for side in ("before", "after"))
        is_runtime = edited[0]["kind"] in RUNTIMES
        return edited, (user_of(row),) * 2 if is_runtime else edited
    sides = row["before"], row["after"]
    if not row.get("others_after"):
        return sides, sides
    before = {item["metadata"]["name"]: item for item in row.get("others_before", ())}
    [after] = row["others_after"]
    return (before.get(after["metadata"]["name"]), after), sides


def _mode_words(row, before, after):
    """As `situations.mode_words` finds them in what is applied."""
    modes = (_annotation(side, "deploymentMode") for side in (after, before))
    default = row.get("default_mode", "Knative")
    mode = next(filter(None, modes), default)
    yield {"RawDeployment": "Standard", "Serverless": "Knative"}.get(mode, mode)
    scaler = _annotation(after, "autoscalerClass")
    if scaler not in ("", "hpa"):
        yield scaler
    if _annotation(after, "disable-auto-update") == "true":
        yield "frozen"
    if _annotation(after, "stop").lower() == "true":
        yield "stopped"


def _annotation(service, name):
    return str((service["metadata"].get("annotations") or {}).get(_PREFIX + name, ""))


def _outcomes(row, before, after):
    """What became of each unit."""
    old, new = _workloads(before), _workloads(after)
    units = {*old.values(), *new.values()}
    if not row["accepted"]:
        return dict.fromkeys(units, frozenset(("refused",)))
    if any("InternalError" in text for text in row.get("events", ())):
        return dict.fromkeys(units, frozenset(("breaks",)))
    became = {name.partition("/")[2]: how for name, how in row["templates"].items()}
    found = {}
    for unit in units:
        names = [name for side in (old, new) for name, owner in side.items() if owner == unit]
        seen = {became[name] for name in names if name in became}
        is_gone = not any(name in new for name in names)
        found[unit] = frozenset(_unit_outcomes(row, after, names, seen, is_gone))
    return found


def _workloads(service):
    """The names of workloads, and the sort of unit that each one runs."""
    name, spec = service["metadata"]["name"], service["spec"]
    found = {}
    for unit in ("predictor", "transformer", "explainer"):
        if isinstance(spec.get(unit), dict):
            own = spec[unit].get("name") if unit == "predictor" else ""
            found["-".join(filter(None, (name, own, unit)))] = unit
    for item in spec.get("canary") or ():
        found[f"{name}-{item['predictor']['name']}-predictor"] = "canary"
    return found


def _unit_outcomes(row, after, names, seen, is_gone):
    is_knative = any(name.startswith("KnativeService/") for name in row["templates"])
    strategy = (after["spec"]["predictor"].get("deploymentStrategy") or {}).get("type")
    rolled = "replace" if is_knative else "recreate" if strategy == "Recreate" else "rolling"
    if "changed" in seen:
        yield rolled
    elif {"added", "removed"} <= seen:
        yield "recreate"
    elif seen == {"added"}:
        yield "create"
    elif seen == {"removed"}:
        yield "delete"
    elif seen and is_gone:
        yield "orphans"
    elif seen:
        yield "in-place" if _changes_object(row, names) else NOTHING
    if _leaves_object(row, after, names):
        yield "orphans"


def _changes_object(row, names):
    """Whether an object of the unit, or one of the whole service, is another one."""
    others = {name.partition("/")[2] for name in row["templates"]} - {*names}
    return any(name.partition("/")[2] not in others for name in row.get("changes", ()))


def _replaces_predictor(row):
    """Whether a predictor of another name came, and the old one's autoscaler stayed."""
    gone = [name for name, how in row["templates"].items() if how == "removed"]
    kept = [name.replace("Deployment", "HorizontalPodAutoscaler") for name in gone]
    return bool(kept) and not any(name in row["changes"] for name in kept)


def _leaves_object(row, after, names):
    """Whether an autoscaler of another class is there still, or the way in of what is hidden."""
    removed = {name.partition("/")[0] for name, how in row["changes"].items() if how == "removed"}
    if after["spec"]["predictor"].get("name") and _replaces_predictor(row):
        return True
    path, before = row.get("path"), row.get("before")
    if path is None:
        places = [row[side]["metadata"].get("annotations") or {} for side in ("before", "after")]
        classes = [place.get(f"{_PREFIX}autoscalerClass", "hpa") for place in places]
    else:
        is_class = path[-1] == f"{_PREFIX}autoscalerClass"
        texts = (value if isinstance(value, str) else "hpa" for value in (before, row["after"]))
        classes = list(texts) if is_class and path[0] == "metadata" else ["", ""]
    is_exchanged = classes[0] != classes[1] and _SCALERS.get(classes[0], "") not in {"", *removed}
    labels = after["metadata"].get("labels") or {}
    is_hidden = labels.get(_VISIBILITY) == "cluster-local" and "Ingress" not in removed
    is_standard = any(name.startswith("Deployment/") for name in row["templates"])
    return is_standard and bool(names) and (is_exchanged or is_hidden)
