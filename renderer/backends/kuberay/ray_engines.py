"""Which Ray and which vLLM run the language models of a service, and how certain that is."""

from renderer.backends.kuberay.dialect import version_text
from renderer.backends.kuberay.serve_config.view import ServeView
from renderer.backends.kuberay.workloads import Group, Workload
from renderer.engines.llm_config import RAY, ray_facts, required_engine
from renderer.engines.marks import VLLM
from renderer.engines.settings import own_image
from renderer.engines.tables import Facts, Table, is_known, table
from renderer.values.named_tuple import NamedTuple

_SHIPPED = "ray-llm"


class RayEngine(NamedTuple):
    """What a version of Ray takes, or the one that stands for it, and the vLLM that it runs.

    `stated` is what the spec or the environment says; empty if nothing does. That very vLLM runs
    if it is `certain`: in the image that comes with Ray, or by `engines` of the environment.
    """

    facts: Facts
    engine: Table
    stated: str
    is_certain: bool

    @property
    def is_known(self) -> bool:
        """Whether the tables have the version that is stated."""
        return bool(self.stated) and is_known(RAY, self.stated)

    @property
    def version(self) -> str:
        """What to call it: the version that is stated, else the one that is taken for it."""
        return self.stated if self.is_known else self.facts.version

    @property
    def assumption(self) -> str:
        """Which version is taken for one that is not known, and why."""
        if self.stated:
            return f"Ray {self.stated} is not known here, so {self.facts.version} is taken for it"
        return f"nothing says the version of Ray, so the newest known one is taken: {self.version}"


def ray_engine(serve: ServeView) -> RayEngine:
    """The Ray of a service."""
    stated = version_text(serve.ray_version) if serve.ray_version else ""
    facts = ray_facts(stated)
    images = [group.image for group in _groups(serve.workload)]
    if own := _own_version(serve.workload):
        return RayEngine(facts, table(VLLM, own), stated, is_certain=True)
    is_pinned = str(facts.at(VLLM)).startswith("==")
    names = {image.repository.rpartition("/")[2] for image in images}
    return RayEngine(facts, required_engine(facts), stated, is_pinned or names == {_SHIPPED})


def _own_version(workload: Workload | None) -> str:
    """The vLLM of own images, as `engines` of the environment says it."""
    for group in _groups(workload):
        image = group.container.node.text_at("image") if group.container else ""
        found = own_image(image, workload.environment) if workload else None
        if found and found.engine == VLLM and found.version:
            return found.version
    return ""


def _groups(workload: Workload | None) -> tuple[Group, ...]:
    """The groups that may run engines: workers, else the head."""
    return (workload.workers or workload.groups) if workload else ()
