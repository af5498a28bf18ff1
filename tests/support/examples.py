"""The examples of rules, and the sound specs that they are laid over (tests/skeletons).

An example says what matters. It is laid over a skeleton of its kind as an override is over what it
inherits; what a rule `Passes with` is laid over the example that fails.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import yaml

from renderer.backends.kinds import require_kind
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import merge
from renderer.compose.shapes import Shape
from renderer.text.yaml_reader import read
from renderer.text.yaml_writer import write
from renderer.values.diagnostics import Origin, Path, Rule
from renderer.values.tree import Node, uniform_tree
from tests.support.places import ROOT

_NOWHERE = Origin("")
_READ_AS_CRD = ("MAN019", "CustomResourceDefinition")
_DIRECTIVE = "# servingctl:"

#: Where examples of whole files are.
_PLACE = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": "apiVersion: serving.gitops/v1\nkind: Environment\n"
    "destinations: [{name: east, platform: kubernetes, namespace: models, decryption: flux}]\n",
}


class Skeleton(NamedTuple):
    """A sound spec; with a `marker`, only for examples that have that field.

    Examples are laid over it at `path`: at the top, or at its `pod` if their fields are a pod's.
    """

    name: str
    kind: str
    tree: Node
    marker: Path = ()
    pod: Path = ()
    path: Path = ()

    @property
    def shape(self) -> Shape:
        found = kind_shape(require_kind(self.kind))
        for segment in self.path:
            found = found.child(segment)
        return found

    def placed(self, example: Node) -> "Skeleton | None":
        """With the path where all fields of an example are known, if there is one."""
        if self.marker and example.get(*self.marker) is None:
            return None
        places = (self._replace(path=path) for path in dict.fromkeys(((), self.pod)))
        return next((one for one in places if all(map(one.shape.has, example.items))), None)

    def under(self, *layers: Node) -> Node:
        """The spec with layers laid over it."""
        return _laid(self.tree, self.path, layers, self.shape)


class Skeletons(NamedTuple):
    """Those of a backend, and `others` that they or examples refer to.

    Of some codes, `exceptions` say where examples are laid and what their environment says besides.
    """

    name: str
    known: dict[str, Skeleton]
    others: dict[str, Skeleton]
    families: list[str]
    exceptions: dict[str, dict[str, Any]]

    def chosen(self, rule: Rule, example: Node) -> Skeleton:
        """What an example is laid over: where its rule says, or where its fields are known."""
        if place := self.exceptions.get(rule.code, {}).get("place"):
            name, _, path = place.partition(".")
            return self.known[name]._replace(path=_path(path))
        fitting = [item for one in self.known.values() if (item := one.placed(example))]
        assert fitting, f"no skeleton has the fields of {rule.code}: name its place"
        return min(fitting, key=lambda item: (item.kind != rule.kind, not item.marker))

    def repository(self, chosen: Skeleton, spec: Node, code: str = "") -> dict[str, str]:
        """A spec in place of a skeleton, one of each other kind, and what any of them refers to."""
        first = {item.kind: item for item in reversed(self.known.values())}
        trees = {item.name: item.tree for item in (*first.values(), *self.others.values())}
        trees.pop(first[chosen.kind].name)
        more = self.exceptions.get(code, {}).get("environment", {})
        trees["environment"] = self.known["environment"].under(uniform_tree(more, _NOWHERE))
        texts = {name: write(tree) for name, tree in {**trees, chosen.name: spec}.items()}
        paths = {name: name if "/" in name else f"dev/{name}" for name in texts}
        files = {f"environments/{paths[name]}.yaml": text for name, text in texts.items()}
        return {"servingctl.yaml": "", **files}


def example(rule: Rule, outcome: str) -> str:
    """The indented block after a label such as `Fails:`, with `<U+0007>` as the character."""
    found = re.search(rf"^{outcome.capitalize()}:\n\n((?:    .*\n|\n)+)", rule.doc + "\n", re.M)
    assert found, f"{rule.code} has no example that {outcome}"
    return re.sub(r"<U\+(\w+)>", lambda m: chr(int(m[1], 16)), textwrap.dedent(found[1]))


def repository(rule: Rule, outcome: str) -> dict[str, str]:
    """The files of a repository that is sound but for what the example says.

    An example of whole files, `---` between them, is laid over nothing; a file of what it passes
    with stands in place of the one of its kind.
    """
    texts = _texts(rule, outcome)
    if texts[0].startswith("apiVersion:"):
        whole = {key: one for text in texts for key, one in _files(text)}
        named = {_file(rule, *item): one for item, one in whole.items()}
        kinds = (_allowed(kind, text) for (kind, _), text in whole.items())
        return {**_PLACE, **_settings(rule, {*kinds}), **named}
    skeleton, spec = composed(rule, outcome)
    files = _skeletons_of(rule).repository(skeleton, spec, rule.code)
    directives = [text for text in _texts(rule, outcome) if _DIRECTIVE in text]
    files[f"environments/dev/{skeleton.name}.yaml"] += "".join(directives)
    return files


def _file(rule: Rule, kind: str, number: int) -> str:
    """A CRD is a spec like any other, but to the rule that reads its schema."""
    folder = "schemas/crds" if (rule.code, kind) == _READ_AS_CRD else "environments/dev"
    return f"{folder}/{kind.lower()}-{number}.yaml"


def _allowed(kind: str, text: str) -> str:
    """How a setting names a kind: one of a CRD's with its group."""
    group = str(_tree(text).items["apiVersion"].value).rpartition("/")[0]
    return f"{kind}.{group}" if group == "example.com" else kind


def _settings(rule: Rule, kinds: Iterable[str]) -> dict[str, str]:
    """The kinds of an example may be added, unless its rule is about that."""
    allowed = f"companions: {{allow: [{', '.join(sorted(kinds))}]}}\n"
    return {"servingctl.yaml": allowed if rule.code != "ENV036" else ""}


def _files(text: str) -> Iterator[tuple[tuple[str, int], str]]:
    """The files of an example, each with its kind and its number among those of the kind."""
    seen: Counter[str] = Counter()
    for one in text.split("---\n"):
        kind = str(_tree(one).items["kind"].value)
        yield (kind, seen[kind]), one
        seen[kind] += 1


def composed(rule: Rule, outcome: str) -> tuple[Skeleton, Node]:
    """What an example is laid over, and the whole spec that comes of it."""
    texts = _texts(rule, outcome)
    skeleton = _skeletons_of(rule).chosen(rule, _tree(texts[0]))
    layers = [_tree(text) for text in texts if _DIRECTIVE not in text]  # trees have no comments
    return skeleton, skeleton.under(*layers)


def _texts(rule: Rule, outcome: str) -> list[str]:
    """The texts of an example, each laid over what comes before it."""
    if outcome == "passes" and "\nPasses with:\n" in rule.doc:
        return [example(rule, "fails"), example(rule, "passes with")]
    return [example(rule, outcome)]


def _tree(text: str) -> Node:
    document = read(text.encode(), "x").document
    assert document, text
    return document.tree


def _laid(node: Node, path: Path, layers: tuple[Node, ...], shape: Shape) -> Node:
    if not path:
        return merge([node, *layers], shape).tree
    first, *rest = path
    inner = _laid(node.step(first) or node.with_value({}), tuple(rest), layers, shape)
    if isinstance(first, str):
        return node.with_value({**node.items, first: inner})
    return node.with_value((*node.elements[:first], inner, *node.elements[first + 1 :]))


def _skeletons_of(rule: Rule) -> Skeletons:
    """Those that name a rule, of the only backend that has its kind, or of its family of codes."""
    known = backends()
    named = [item for item in known if rule.code in item.exceptions]
    of_kind = [item for item in known if rule.kind in {one.kind for one in item.known.values()}]
    of_family = [item for item in known if rule.code[:3] in item.families]
    return (named or (of_kind if len(of_kind) == 1 else of_family))[0]


@cache
def backends() -> tuple[Skeletons, ...]:
    """The skeletons of every backend."""
    return tuple(
        _skeletons(path.stem, **yaml.safe_load(path.read_text("utf-8")))
        for path in sorted((ROOT / "tests" / "skeletons").glob("*.yaml"))
    )


def _skeletons(backend: str, **data: Any) -> Skeletons:
    environment = {"kind": "Environment", **data["environment"]}
    known = {**data["skeletons"], "environment": environment}
    return Skeletons(
        backend,
        {name: _skeleton(name, **spec) for name, spec in known.items()},
        {name: _skeleton(name, **spec) for name, spec in data["others"].items()},
        data["families"],
        data["exceptions"],
    )


def _skeleton(stem: str, /, kind: str, marker: str = "", pod: str = "", **fields: Any) -> Skeleton:
    spec = {"apiVersion": "serving.gitops/v1", "kind": kind, **fields}
    return Skeleton(stem, kind, uniform_tree(spec, _NOWHERE), _path(marker), _path(pod))


def _path(text: str) -> Path:
    parts = text.split(".") if text else ()
    return tuple(int(part) if part.isdecimal() else part for part in parts)
