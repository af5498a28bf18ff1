"""How controllers are to judge the objects of platforms: scripts for Argo CD, CEL for Flux."""

from renderer.assets import read_template
from renderer.errors import RendererError
from renderer.text.yaml_reader import read
from renderer.values.objects import StoredKind
from renderer.values.tree import Plain

#: What all scripts begin with, as Argo CD lets none call another.
_COMMON = "gitops/health.lua"


def script(kind: StoredKind) -> str:
    """The Lua by which Argo CD judges an object of the kind."""
    return "".join(read_template(path).decode() for path in (_COMMON, f"{kind.health}.lua"))


def expressions(kind: StoredKind) -> dict[str, Plain]:
    """What Flux evaluates of an object of the kind, by the names that a Kustomization has."""
    path = f"{kind.health}.cel.yaml"
    tree = read(read_template(path), path).document.tree
    if tree is None:
        raise RendererError(f"{path} cannot be read; this is a bug in servingctl")
    return {name: node.plain() for name, node in tree.items.items()}
