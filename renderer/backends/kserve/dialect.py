"""What a version of KServe means; the only place where versions are compared."""

from functools import lru_cache

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

Version = tuple[int, int, int]

STANDARD, KNATIVE, MODEL_MESH = "Standard", "Knative", "ModelMesh"
#: Names of deployment modes before they were renamed, and what they are called now.
OLD_MODES = {"RawDeployment": STANDARD, "Serverless": KNATIVE}
_OLD_NAMES = {mode: name for name, mode in OLD_MODES.items()}
_MODES_RENAMED = (0, 16, 0)
_FORMAT_ANNOTATION = (0, 17, 0)
#: The values of the annotation autoscalerClass, and since when they are taken.
_AUTOSCALERS = {"hpa": (0, 0, 0), "external": (0, 12, 0), "keda": (0, 15, 0), "none": (0, 16, 0)}
_NODES_COUNTED = (0, 16, 0)
#: The only one that makes workers and deletes them again.
_RESTLESS = (0, 20, 0)
#: The only one known whose webhook takes a service without a status for one in Standard mode.
_FORGETFUL = (0, 19, 0)
#: The newest whose behaviour is known here.
NEWEST = (0, 20, 0)
#: The first that was called KServe.
_OLDEST = (0, 7, 0)
_NUMBERS = expression(r"v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})(?:-rc[0-9]+)?")


def parse_mode(name: str) -> str:
    """The mode that a name means, old or new; empty if it means none."""
    mode = OLD_MODES.get(name, name)
    return mode if mode in (STANDARD, KNATIVE, MODEL_MESH) else ""


class Dialect(NamedTuple):
    """What the KServe of an environment understands; without a version, the newest one does."""

    version: Version = NEWEST

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, text: str) -> "Dialect":
        found = _NUMBERS.fullmatch(text)
        return cls((int(found[1]), int(found[2]), int(found[3]))) if found else cls()

    def __str__(self) -> str:
        return ".".join(map(str, self.version))

    def knows(self, since: tuple[int, ...]) -> bool:
        """Whether it is the version that brought something, or a later one."""
        return self.version >= since

    @property
    def is_known(self) -> bool:
        """Whether its behaviour is known here; that of patch releases of the newest is."""
        return self.version >= _OLDEST and self.version[:2] <= NEWEST[:2]

    def spelling(self, mode: str) -> str:
        """How a deployment mode is written; before they were renamed, only the old names count."""
        return mode if self.knows(_MODES_RENAMED) else _OLD_NAMES.get(mode, mode)

    @property
    def autoscalers(self) -> list[str]:
        """The classes of autoscalers that an InferenceService may ask for in its annotation."""
        return [name for name, since in _AUTOSCALERS.items() if self.knows(since)]

    @property
    def notes_the_format(self) -> bool:
        """Whether the webhook writes the model's format into an annotation."""
        return self.knows(_FORMAT_ANNOTATION)

    @property
    def keeps_workers(self) -> bool:
        """Whether what was made for workers on other nodes stays."""
        return self.version != _RESTLESS

    @property
    def counts_nodes(self) -> bool:
        """Whether it works out how many nodes serve a model together, from their accelerators."""
        return self.knows(_NODES_COUNTED)

    @property
    def makes_knative_services(self) -> bool:
        """Whether something comes of a service that is annotated with the mode Knative."""
        return self.version != _FORGETFUL
