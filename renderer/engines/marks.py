"""Whether a container names an engine: a quick look, for most have none."""

from collections.abc import Iterator

from renderer.values.tree import Node

VLLM, HUGGINGFACE = "vllm", "huggingfaceserver"
_MARKS = (VLLM, HUGGINGFACE)
#: The module that builds applications of language models on Ray, and its functions that give each
#: shard of data parallelism a replica of its own.
RAY_MODULE, RAY_GROUPS = "ray.serve.llm", ("build_dp_deployment", "build_dp_openai_app")


def names_engine(container: Node) -> bool:
    """Whether its image, its command or a variable has the name of an engine in it."""
    return any(mark in text for text in _texts(container) for mark in _MARKS)


def _texts(container: Node) -> Iterator[str]:
    image = container.get("image")
    if image and isinstance(image.value, str):
        yield image.value
    for key in ("command", "args"):
        listed = container.get(key)
        yield from (str(item.value) for item in (listed.elements if listed else ()))
    listed = container.get("env")  # a line of a shell may take the program from a variable
    for item in listed.elements if listed else ():
        value = item.get("value")
        if value and isinstance(value.value, str):
            yield value.value
