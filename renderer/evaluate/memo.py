"""A memo around evaluating groups and around concluding: the keys, and what it must be able to do.

A result is known by the files of its group, by what is common to all, by the question, by the
prerequisites that it says it read, and by the rules that match its specs; a conclusion by
everything that it can depend on.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from renderer.evaluate.inputs import Inputs
from renderer.evaluate.question import Question
from renderer.evaluate.result import EVERYTHING, RULES, Conclusion, Result, SpecFindings
from renderer.evaluate.shared import Shared
from renderer.text.digests import blake2b
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest

Digests = Callable[[tuple[str, ...]], str]


class RememberedResult(Protocol):
    """A result of an earlier run, of which only as much is decoded as is asked for.

    Of its manifests the digests of the texts are known, and the texts only if they lie somewhere.
    """

    digest: str
    has_findings: bool

    def result(self) -> Result | None:
        """Everything; nothing if it is not understood."""

    def manifests(self) -> tuple[Manifest, ...] | None:
        """The manifests alone."""

    def spec_findings(self) -> tuple[SpecFindings, ...] | None:
        """What was found alone."""


class FreshResults(NamedTuple):
    """What a run found out: results by key, a conclusion by key, and inputs that are clean."""

    results: Mapping[str, Result]
    conclusion: tuple[str, Conclusion] | None = None
    clean: str | None = None


class Memo(Protocol):
    """Where results of earlier runs may be found; forgetting is never wrong."""

    remembers: bool

    def recall(self, keys: Mapping[str, str], digest_of: Digests) -> dict[str, RememberedResult]:
        """Results by stem that have these keys, and whose reads have the same digest as then."""

    def conclusion(self, key: str) -> Conclusion | None:
        """What was concluded from the same."""

    def is_clean(self, digest: str) -> bool:
        """Whether nothing was found in shared inputs with this digest."""

    def keep(self, fresh: FreshResults, digest_of: Digests) -> None:
        """Add what is new; what was not asked for now is forgotten."""


class NoMemo:
    """Nothing is known of earlier runs, and nothing is kept."""

    remembers = False

    def recall(self, keys: Mapping[str, str], digest_of: Digests) -> dict[str, RememberedResult]:  # noqa: ARG002
        return {}

    def conclusion(self, key: str) -> Conclusion | None:  # noqa: ARG002
        return None

    def is_clean(self, digest: str) -> bool:  # noqa: ARG002
        return False

    def keep(self, fresh: FreshResults, digest_of: Digests) -> None:
        pass


def group_key(stem: str, inputs: Inputs, shared: Shared, question: Question) -> str:
    """A name for the result of a group as its files are now; its reads are not known yet."""
    total = blake2b(question.text(), digest_size=20)
    total.update(shared.common_digest)
    for file in inputs.groups.get(stem, (stem,)):
        total.update(f"\0{file}\0".encode("utf-8", "surrogateescape"))
        total.update(inputs.digests.get(file, b""))
    return total.hexdigest()


def conclusion_key(digests: Mapping[str, str], shared: Shared, question: Question) -> str:
    """A name for the conclusion that is drawn from results with these digests."""
    total = blake2b(question.text(), digest_size=20)
    total.update(shared.digest)
    for stem in sorted(digests):
        total.update(f"\0{stem}\0{digests[stem]}".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _no_rules(_facts: str) -> bytes:
    return b""


def digests_of(shared: Shared) -> Digests:
    """A digest of the prerequisites that some reads name, and of the rules that match."""
    known: dict[tuple[str, ...], str] = {}
    of_rules: Callable[[str], bytes] = _no_rules
    if shared.policies.rules:
        from renderer.policies.matches import digest_by_facts

        of_rules = digest_by_facts(shared.policies.rules, shared.rule_digests)

    def digest(reads: tuple[str, ...]) -> str:
        total = blake2b(digest_size=20)
        for read in reads:
            kind, _, name = read.partition("/")
            if read == EVERYTHING:
                total.update(shared.ruleless_digest)
            elif kind == RULES:
                total.update(of_rules(name))
            else:
                total.update(shared.digest_of(kind, name))
        return total.hexdigest()

    def remembered(reads: tuple[str, ...]) -> str:
        if reads not in known:
            known[reads] = digest(reads)
        return known[reads]

    return remembered
