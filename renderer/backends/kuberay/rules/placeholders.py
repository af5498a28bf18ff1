"""What the documentation of the API server's messages has instead of values."""

from collections.abc import Iterator

from renderer.backends.kuberay.vocabulary import CLUSTER, is_placeholder, outputs
from renderer.backends.kuberay.workloads import Workload
from renderer.text.expressions import expression
from renderer.text.wording import listed, path_text
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.tree import Node, walk

_KEY = expression(r"additionalProp[0-9]+")
#: Fields that name something: none of them is called so in earnest.
_NAMING = frozenset((
    "name", "namespace", "user", "version", "entrypoint", "jobId", "runtimeEnv", "computeTemplate",
    "image", "groupName", "mountPath", "source", "serviceAccount", "imagePullSecret", "importPath",
    "deploymentName", "routePrefix",
))  # fmt: skip
#: The user's own data, in which any word may mean something.
_DATA = frozenset(("serveConfigV2", "runtimeEnvYAML", "template", "submitterPodTemplate"))
_MOST_NAMED = 4


@rule("RAY103", Severity.ERROR, CLUSTER)
def placeholders_are_filled_in(workload: Workload) -> Iterator[Finding]:
    """A payload that was copied from the API's documentation has values instead of placeholders.

    Its generated examples have the text `string` for every text and the keys `additionalProp1` to
    `additionalProp3` for every mapping. They say what may be there, and mean nothing themselves.

    Fails:
        user: string
        clusterSpec: {headGroupSpec: {rayStartParams: {additionalProp1: a}}}
    Passes:
        user: ada
        clusterSpec: {headGroupSpec: {rayStartParams: {num-cpus: '0'}}}
    """
    found = [path for path, node in _said(workload.spec.tree) if _is_left(path, node)]
    if found:
        names = [path_text(path) for path in found[:_MOST_NAMED]]
        more = [f"{len(found) - len(names)} more"] if len(found) > len(names) else []
        verb = "is a placeholder" if len(found) == 1 else "are placeholders"
        message = f"{listed([*names, *more])} {verb} of the API's documentation"
        fix = "write what is meant, and delete what is not needed"
        at_key = _KEY.fullmatch(str(found[0][-1])) is not None
        yield Finding(found[0], message, fix, at_key=at_key)


def _said(tree: Node) -> Iterator[tuple[Path, Node]]:
    """All that a spec says itself, without data and answers."""
    for key, node in tree.items.items():
        if key not in _DATA and key not in outputs():
            yield from walk(node, (key,))


def _is_left(path: Path, node: Node) -> bool:
    key = str(path[-1])
    return _KEY.fullmatch(key) is not None or (key in _NAMING and is_placeholder(node.value))


RULES = (placeholders_are_filled_in,)
