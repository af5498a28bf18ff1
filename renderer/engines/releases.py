"""Which version of an engine runs: by the image, else the newest that is known."""

from renderer.engines.command_lines import image_name, image_tag
from renderer.engines.marks import VLLM
from renderer.engines.settings import OwnImage
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_TAG = expression(
    r"v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:\.post[0-9]+|rc[0-9]+|-rc[0-9]+)?)(?:[-_+].*)?"
)
#: Images whose tags are versions of the engine: the last parts of their names.
_VLLM_IMAGES = expression(r"(?:.*/)?vllm/vllm-openai(?:-[a-z0-9]+)*|vllm-openai")
#: Images with version numbers of their own, and the vLLM in them: what their releases say.
_LLM_D_IMAGES = expression(r"(?:.*/)?llm-d-cuda")
_LLM_D_VERSIONS = {"0.6.0": "0.17.1", "0.8.0": "0.23.0"}
_SERVER_IMAGES = expression(r"(?:.*/)?huggingfaceserver")


class Release(NamedTuple):
    """An engine and its version; empty if nothing says it. `told_by` is what does."""

    engine: str
    version: str = ""
    told_by: Node | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the version."""
        parts = self.version.replace("-", ".").split(".")
        return tuple(int(part) for part in parts[:3] if part.isdigit())


def is_shipped_image(engine: str, container: Node) -> bool:
    """Whether an image is one that the makers of an engine publish."""
    image = container.get("image")
    known = _VLLM_IMAGES if engine == VLLM else _SERVER_IMAGES
    return image is not None and known.fullmatch(image_name(str(image.value))) is not None


def release_of(engine: str, container: Node, own: OwnImage | None = None) -> Release:
    """The release of an engine that a container runs."""
    if own:
        return Release(engine, own.version, own.node) if own.engine == engine else Release(engine)
    image = container.get("image")
    text = str(image.value) if image else ""
    if engine == VLLM and _LLM_D_IMAGES.fullmatch(image_name(text)):
        return Release(engine, _LLM_D_VERSIONS.get(image_tag(text).removeprefix("v"), ""), image)
    found = _TAG.fullmatch(image_tag(text)) if is_shipped_image(engine, container) else None
    return Release(engine, found[1] if found else "", image)
