"""Files of rules to rules: read, of the right shape, each with a code of its own."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.policies.admission_files import Admission, is_admission, read_admission
from renderer.policies.rules import NOT_A_RULE, SAME_CODE
from renderer.schema.bundle import bundled_schema
from renderer.schema.validation import shape_errors
from renderer.values.diagnostics import Diagnostic, Rule, Severity
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_GROUP = "serving.gitops"
API_VERSION, KIND = f"{_GROUP}/v1", "Rule"
#: Of a rule that looks at two states.
CHANGE = "change"
_SEVERITIES = {str(level): level for level in Severity}
Segments = tuple[str, ...]


class Example(NamedTuple):
    """Variables that a rule passes, or that it finds."""

    tree: Node
    passes: bool


class RepositoryRule(NamedTuple):
    """A rule of a repository: what it is about, what must be true of that, and what to say.

    One that is `on` a change says `of` what.
    """

    code: str
    title: str
    severity: Severity
    why: str
    fix: str
    on: str
    of: str
    expression: str
    each: Segments
    at: Segments
    message: str
    message_expression: str
    match: Node | None
    examples: tuple[Example, ...]
    tree: Node

    @property
    def file(self) -> str:
        return self.tree.origin.file

    @property
    def subject(self) -> str:
        """The variable that `self` is, or is a part of."""
        return "after" if self.on == CHANGE else self.on

    @property
    def documented(self) -> Rule:
        """The rule as those of servingctl are listed and explained."""
        name = "-".join("".join(c if c.isalnum() else " " for c in self.title.lower()).split())
        examples = (f"\n{_shown(item)}" for item in self.examples)
        text = f"{self.title}.\n\n{self.why}\n{''.join(examples)}"
        doc = text.replace("\n", "\n    ")
        return Rule(self.code, name, self.severity, doc, source=self.file)


class Policies(NamedTuple):
    """The rules of a repository, what is wrong with their files, and policies of its clusters."""

    rules: tuple[RepositoryRule, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    admission: Admission = Admission()

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(rule.code for rule in self.rules)

    @property
    def has_rules(self) -> bool:
        """Whether there is anything that looks at one state."""
        return len(self.on_changes) < len(self.rules) or bool(self.admission.pairs)

    @property
    def on_changes(self) -> tuple[RepositoryRule, ...]:
        """The rules that look at two states."""
        return tuple(rule for rule in self.rules if rule.on == CHANGE)


def rules_in(documents: Iterable[Document]) -> Policies:
    """The rules of some files, each of which may hold several documents."""
    by_file = [_documents(document) for document in documents]
    every = [tree for trees in by_file for tree in trees]
    of_clusters = [tree for tree in every if is_admission(tree)]
    others = [tree for tree in every if not is_admission(tree)]
    admission, found = read_admission(of_clusters, others)
    taken = {id(tree) for tree in (*of_clusters, *admission.params)}
    rules: dict[str, RepositoryRule] = {}
    for trees in by_file:
        for tree in (item for item in trees if id(item) not in taken):
            wrong = list(_faults(tree, number=len(trees)))
            found += wrong
            if not wrong:
                rule = _rule(tree)
                known = rules.setdefault(rule.code, rule)
                found += _same_code(rule, known) if known is not rule else ()
    return Policies(tuple(rules[code] for code in sorted(rules)), tuple(found), admission)


def places_of_on(document: Document) -> frozenset[tuple[str, int, int]]:
    """Where the key `on` of a rule stands, which is true to YAML 1.1; only we read these files."""
    found = (tree.get("on") for tree in _documents(document))
    return frozenset(node.key.place for node in found if node and node.key)


def _documents(document: Document) -> tuple[Node, ...]:
    tree = document.tree
    if tree is None:
        return ()
    return tree.elements if isinstance(tree.value, tuple) else (tree,)


def _faults(tree: Node, number: int) -> Iterator[Diagnostic]:
    version, kind = tree.text_at("apiVersion"), tree.text_at("kind")
    if (version, kind) != (API_VERSION, KIND):
        fix = f"write 'apiVersion: {API_VERSION}' and 'kind: {KIND}', or move the file elsewhere"
        found = NOT_A_RULE.at(tree.origin, "this file is no rule", fix)
        is_meant = kind == KIND or version.startswith(f"{_GROUP}/")
        # what others keep in a folder of this name may have been there before rules were
        yield found if is_meant else found._replace(since=NOT_A_RULE.since)
    elif number > 1:
        fix = "write each into a file of its own"
        yield NOT_A_RULE.at(tree.origin, "this file holds more than one rule", fix)
    else:
        schema = bundled_schema("spec/rule.json")
        yield from (fault.diagnostic for fault in shape_errors(tree, schema))
        if (node := tree.get("of")) and tree.text_at("on") != CHANGE:
            fix = "write 'on: change', or delete it"
            yield NOT_A_RULE.at(node.key or node.origin, "'of' is for rules on changes", fix)


def _same_code(rule: RepositoryRule, known: RepositoryRule) -> Iterator[Diagnostic]:
    node = rule.tree.items["code"]
    message = f"{known.file} has the code {rule.code} already"
    found = SAME_CODE.at(node.origin, message, "give one of the two another code")
    yield found.about(related=(known.file,))


def _rule(tree: Node) -> RepositoryRule:
    examples = (
        Example(item, passes=key == "passes")
        for key, some in tree.items["examples"].items.items()
        for item in some.elements
    )
    on = tree.text_at("on") or "spec"
    return RepositoryRule(
        tree.text_at("code"),
        tree.text_at("title").strip(),
        _SEVERITIES[tree.text_at("severity")],
        " ".join(tree.text_at("why").split()),
        " ".join(tree.text_at("fix").split()),
        on,
        (tree.text_at("of") or "spec") if on == CHANGE else "",
        tree.text_at("expression"),
        _segments(tree.text_at("each")),
        _segments(tree.text_at("at")),
        tree.text_at("message"),
        tree.text_at("messageExpression"),
        tree.get("match"),
        tuple(examples),
        tree,
    )


def _segments(path: str) -> Segments:
    return tuple(path.split(".")) if path else ()


def _shown(example: Example) -> str:
    from renderer.text.yaml_writer import write

    label = "Passes" if example.passes else "Fails"
    lines = write(example.tree).rstrip("\n").replace("\n", "\n    ")
    return f"\n{label}:\n\n    {lines}\n"


def names_in(match: Mapping[str, Node], key: str) -> list[str]:
    """A list of names that a rule's `match` has."""
    return [str(node.value) for node in match[key].elements] if key in match else []
