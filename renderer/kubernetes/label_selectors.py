"""Selectors of labels, as Kubernetes reads them: what they ask for, and whether labels have it."""

from collections.abc import Iterator, Mapping

from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_MATCH_LABELS, _MATCH_EXPRESSIONS = "matchLabels", "matchExpressions"


class Term(NamedTuple):
    """One thing that a selector asks of labels, and where it does so."""

    key: str
    operator: str
    values: tuple[str, ...]
    node: Node
    path: Path = ()

    def __str__(self) -> str:
        if self.operator == "In" and len(self.values) == 1:
            return f"{self.key}: {self.values[0]}"
        return f"{self.key} {self.operator} {', '.join(self.values)}".rstrip()

    def holds(self, labels: Mapping[str, str], *, is_open: bool = False) -> bool:
        """Whether labels have it, or may have it, as others are added to them."""
        given = labels.get(self.key)
        if given is None and is_open:
            return True
        match self.operator:
            case "In":
                return given in self.values
            case "NotIn":
                return given not in self.values
            case "Exists":
                return given is not None
            case "DoesNotExist":
                return given is None
        return True  # the API server refuses any other word


class LabelSelector(NamedTuple):
    """All that is asked of labels; one that asks for nothing selects everything."""

    node: Node
    terms: tuple[Term, ...]

    @classmethod
    def of(cls, node: Node) -> "LabelSelector":
        """One with matchLabels and matchExpressions."""
        return cls(node, (*_equal(node.get(_MATCH_LABELS)), *_expressions(node)))

    @classmethod
    def read_labels(cls, node: Node) -> "LabelSelector":
        """One that is a mapping of labels."""
        return cls(node, tuple(_equal(node)))

    def selects(self, labels: Mapping[str, str]) -> bool:
        return all(term.holds(labels) for term in self.terms)

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(term.key for term in self.terms)

    def __str__(self) -> str:
        return ", ".join(map(str, self.terms))


def _equal(node: Node | None) -> Iterator[Term]:
    for key, value in node.items.items() if node else ():
        yield Term(key, "In", (str(value.value),), value, (_MATCH_LABELS, key))


def _expressions(node: Node) -> Iterator[Term]:
    listing = node.get(_MATCH_EXPRESSIONS)
    for index, item in enumerate(listing.elements if listing else ()):
        given = item.get("values")
        values = tuple(str(value.value) for value in given.elements) if given else ()
        place = (_MATCH_EXPRESSIONS, index)
        yield Term(item.text_at("key"), item.text_at("operator"), values, item, place)
