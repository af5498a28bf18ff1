"""The annotations and labels that KServe and Knative read, and what they take as values."""

from collections.abc import Callable, Mapping
from functools import cache

from renderer.backends.kserve.components import AUTOSCALER, FROZEN, MODE, STOP
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.runtimes import SERVER_TYPE
from renderer.kubernetes.quantities import SECOND, billionths, nanoseconds
from renderer.text.expressions import expression
from renderer.text.wording import listed, misspelt
from renderer.values.named_tuple import NamedTuple

_WHOLE = expression(r"[+-]?[0-9]{1,18}")
_FLOAT = expression(r"[-+.0-9a-zA-Z]+")


class Form(NamedTuple):
    """Which values are valid: in words, as a function, and as words to suggest."""

    expected: str
    fits: Callable[[str], bool]
    words: tuple[str, ...] = ()


def words(*allowed: str, also: tuple[str, ...] = ()) -> Form:
    """One of some words, case-sensitive; `also` are valid words that are not suggested."""
    return Form(listed(allowed, "or"), {*allowed, *also}.__contains__, allowed)


def words_in_any_case(*allowed: str) -> Form:
    return Form(listed(allowed, "or"), lambda text: text.lower() in allowed, allowed)


def known_words(*known: str) -> Form:
    """Any word that is not a misspelling of a known one: there may be others."""
    return Form(listed(known, "or"), lambda text: text in known or not misspelt(text, known), known)


def whole_number(least: int, most: int | None = None) -> Form:
    """A whole number within bounds."""

    def fits(text: str) -> bool:
        found = int(text) if _WHOLE.fullmatch(text) else None
        return found is not None and found >= least and (most is None or found <= most)

    return Form(f"a whole number {_bounds(least, most)}", fits)


def number(least: float, most: float | None = None, besides: float | None = None) -> Form:
    """A number within bounds, or one other number."""

    def fits(text: str) -> bool:
        try:
            found = float(text) if _FLOAT.fullmatch(text) else None
        except ValueError:
            return False
        inside = found is not None and found >= least and (most is None or found <= most)
        return inside or (besides is not None and found == besides)

    other = f", or {besides:g}" if besides is not None else ""
    return Form(f"a number {_bounds(least, most)}{other}", fits)


def duration(least: int = 0, most: int | None = None, *, whole_seconds: bool = True) -> Form:
    """A duration within bounds of seconds."""

    def fits(text: str) -> bool:
        found = nanoseconds(text)
        if found is None or not least * SECOND <= found or (most and found > most * SECOND):
            return False
        return not whole_seconds or found % SECOND == 0

    bounds = f" from {least}s to {most}s" if most else ""
    return Form(f"a duration{' of whole seconds' * whole_seconds}{bounds}, such as 60s", fits)


def _bounds(least: float, most: float | None) -> str:
    return f"of {least:g} or more" if most is None else f"from {least:g} to {most:g}"


BOOLEAN = words("true", "false")
PORT = whole_number(1, 65535)
PATH = Form("a path that begins with /", lambda text: text.startswith("/"))
QUANTITY = Form("an amount, such as 100m or 64Mi", lambda text: billionths(text) is not None)

ANNOTATIONS, LABELS = "annotations", "labels"
LOCAL = "cluster-local"
#: The label that keeps a service inside of the cluster, in each mode.
VISIBILITY = {
    STANDARD: "networking.kserve.io/visibility",
    KNATIVE: "networking.knative.dev/visibility",
}
AUTOSCALING = "autoscaling.knative.dev/"
KPA, HPA = f"kpa.{AUTOSCALING[:-1]}", f"hpa.{AUTOSCALING[:-1]}"
_KSERVE, _SERVING, _QUEUE = (
    "serving.kserve.io/", "serving.knative.dev/", "queue.sidecar.serving.knative.dev/",
)  # fmt: skip
TAG_ROUTING = f"{_KSERVE}enable-tag-routing"
_CLASS, _CLASSES = f"{AUTOSCALING}class", (KPA, HPA)
_HOUR = 3600


class Key(NamedTuple):
    """A key that a platform reads.

    What does not have its `form` is not heeded, or, if it is Knative's, refused. It stands in
    `field`, and, if it is one `of_service`, of the service itself and not of a component.
    """

    form: Form | None = None
    field: str = ANNOTATIONS
    of_service: bool = False


#: What KServe, or Prometheus, reads of a service or of its pods, each compared with few words.
KSERVE_KEYS: Mapping[str, Key] = {
    MODE: Key(of_service=True),
    AUTOSCALER: Key(),
    STOP: Key(words_in_any_case("true", "false"), of_service=True),
    FROZEN: Key(BOOLEAN, of_service=True),
    TAG_ROUTING: Key(BOOLEAN),
    f"{_KSERVE}enable-metric-aggregation": Key(BOOLEAN),
    f"{_KSERVE}enable-prometheus-scraping": Key(BOOLEAN),
    f"{_KSERVE}disable-localmodel": Key(of_service=True),
    f"{_KSERVE}storage-initializer-uid": Key(whole_number(0)),
    f"{_KSERVE}storageSecretName": Key(),
    f"{_KSERVE}nodegroup": Key(of_service=True),
    f"{_KSERVE}gpu-resource-types": Key(of_service=True),
    f"{_KSERVE}gke-accelerator": Key(),
    "storage.kserve.io/readonly": Key(BOOLEAN),
    "prometheus.kserve.io/port": Key(PORT),
    "prometheus.kserve.io/path": Key(PATH),
    "prometheus.io/scrape": Key(BOOLEAN),
    "prometheus.io/port": Key(PORT),
    "prometheus.io/path": Key(PATH),
    # A distribution of KServe reads exposed.
    VISIBILITY[STANDARD]: Key(words(LOCAL, also=("exposed",)), LABELS, of_service=True),
    VISIBILITY[KNATIVE]: Key(words(LOCAL), LABELS, of_service=True),
    # Every autoscaler has a class with a domain; with any other nothing scales.
    _CLASS: Key(Form(listed(_CLASSES, "or"), lambda text: "." in text, _CLASSES)),
}


def _is_not_reserved(autoscaler: str) -> bool:
    """Whether Knative leaves a class to others: those of its own domain are two."""
    return autoscaler in _CLASSES or not autoscaler.endswith(".knative.dev")


_SCALES: dict[str, Form] = {
    "initial-scale": whole_number(0),
    "activation-scale": whole_number(2),
    "scale-down-delay": duration(0, _HOUR),
    "scale-to-zero-pod-retention-period": duration(0, _HOUR, whole_seconds=False),
    "window": duration(6, _HOUR),
    "target": number(0.01),
    "target-utilization-percentage": number(1, 100),
    "target-burst-capacity": number(0, besides=-1),
    "panic-window-percentage": number(1, 100),
    "panic-threshold-percentage": number(110, 1000),
    "metric-aggregation-algorithm": words(
        "linear", "weighted-exponential", also=("weightedExponential",)
    ),
}
_AMOUNTS = tuple(
    f"{resource}-resource-{kind}"
    for resource in ("cpu", "memory", "ephemeral-storage")
    for kind in ("request", "limit")
)
#: What Knative's webhook looks at, and refuses the service for that KServe makes.
KNATIVE_KEYS: Mapping[str, Key] = {
    _CLASS: Key(Form(listed(_CLASSES, "or"), _is_not_reserved, _CLASSES)),
    **{f"{AUTOSCALING}{name}": Key(form) for name, form in _SCALES.items()},
    f"{_SERVING}rollout-duration": Key(duration()),
    f"{_SERVING}progress-deadline": Key(duration()),
    f"{_QUEUE}resource-percentage": Key(number(0.1, 100)),
    **{f"{_QUEUE}{name}": Key(QUANTITY) for name in _AMOUNTS},
}
#: What KServe takes out, and writes itself from these fields.
DROPPED: Mapping[str, str] = {
    f"{AUTOSCALING}min-scale": "minReplicas",
    f"{AUTOSCALING}minScale": "minReplicas",
    f"{AUTOSCALING}max-scale": "maxReplicas",
}
#: What KServe puts these fields into the place of.
REPLACED: Mapping[str, str] = {
    f"{AUTOSCALING}target": "scaleTarget",
    f"{AUTOSCALING}metric": "scaleMetric",
}
#: What nothing reads since 0.15, and what is read instead.
RETIRED: Mapping[str, str] = {
    f"{_KSERVE}targetUtilizationPercentage": "scaleTarget",
    f"{_KSERVE}metrics": "scaleMetric",
}
RETIRED_SINCE = (0, 15, 0)
#: What is read of runtimes themselves, and what of the annotations that they give to pods.
RUNTIME_KEYS: Mapping[str, Key] = {
    SERVER_TYPE: Key(
        known_words(
            "mlserver", "tritonserver", "torchserve", "ovms", "predictiveserver",
            "huggingfaceserver", "pmmlserver", "lightgbmserver", "paddleserver",
            "tensorflow-serving", "pytorchserver", "sklearnserver", "xgbserver", "vllmserver",
            "lgbserver", "autogluonserver",
        ),
    ),
}  # fmt: skip
RUNTIME_POD_KEYS: Mapping[str, Key] = {
    **KSERVE_KEYS,
    "multinode/executor-backend": Key(words("mp", "ray")),
}


@cache
def older_spellings() -> dict[str, str]:
    """Knative's names as they were written before, as in `initialScale`, and what they are now."""
    names = (key for key in (*KNATIVE_KEYS, *DROPPED) if key.startswith(AUTOSCALING))
    has_none = f"{AUTOSCALING}activation-scale"
    return {_camel(key): key for key in names if "-" in key.partition("/")[2] and key != has_none}


def _camel(key: str) -> str:
    prefix, _, name = key.partition("/")
    first, *rest = name.split("-")
    return f"{prefix}/{first}{''.join(part.capitalize() for part in rest)}"


@cache
def every_key() -> Mapping[str, Key]:
    """All keys that a platform reads, or once read, of services and their pods."""
    others = (*DROPPED, *REPLACED, *RETIRED, *older_spellings())
    return {**{key: Key() for key in others}, **KNATIVE_KEYS, **KSERVE_KEYS}
