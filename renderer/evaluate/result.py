"""What evaluating groups and concluding from them comes to: values to keep, send and show."""

from collections.abc import Iterator, Mapping

from renderer.evaluate.ignores import Ignore, UsedIgnore
from renderer.text.digests import blake2b
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Spec, SpecKey, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.running import Running
from renderer.values.tree import Node

#: What was found in the files of a group, or in one of its specs.
SpecFindings = tuple[SpecKey | None, tuple[Diagnostic, ...]]
#: Instead of names of prerequisites: a result that depends on all of them.
EVERYTHING = "*"
#: Instead of the kind of a prerequisite: what follows says by what rules match a spec.
RULES = ""


class SpecResult(NamedTuple):
    """A spec in one environment: what others may see of it, and what became of it.

    Only a sound one is rendered; it is whole if all of its objects could be made.

    `missing` are the keys that it lacks if it only has a file of its own: perhaps its file is meant
    for another spec, and then nothing else that was found in it matters.

    `running` is what runs by it, where specs of the environment select any of that.
    """

    summary: Summary
    is_sound: bool
    is_whole: bool = True
    manifests: tuple[Manifest, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    missing: tuple[str, ...] = ()
    running: tuple[Running, ...] = ()


class Result(NamedTuple):
    """What was found in the files of a group, and what became of its specs.

    `comments` are the ignores of its files, `used` those (also of shared files) that took something
    away. `broken` files have errors, `illegible` ones could not be understood; `unread` are the
    environments in which one of its files is no spec. `counts` are its specs and `variables`
    those that they use, by environment; `reads` are the names of the prerequisites that all this
    depends on, and by what rules of the repository match. `specs` are at hand only where the
    result was made.
    """

    stem: str
    results: tuple[SpecResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    comments: Mapping[str, tuple[Ignore, ...]] = {}
    used: tuple[UsedIgnore, ...] = ()
    broken: frozenset[str] = frozenset()
    illegible: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    counts: Mapping[str, int] = {}
    variables: Mapping[str, tuple[str, ...]] = {}
    reads: tuple[str, ...] = ()
    specs: tuple[Spec, ...] = ()

    @property
    def has_findings(self) -> bool:
        return bool(self.diagnostics) or any(item.diagnostics for item in self.results)

    @property
    def spec_findings(self) -> Iterator[SpecFindings]:
        """What was found in its files, and in each of its specs."""
        yield None, self.diagnostics
        yield from ((item.summary.key, item.diagnostics) for item in self.results)

    @property
    def manifests(self) -> Iterator[Manifest]:
        return (one for item in self.results for one in item.manifests)

    def portable(self) -> "Result":
        """Without the trees of specs and objects, which are large and seldom looked at again."""
        return self._replace(
            specs=(),
            results=tuple(
                item._replace(manifests=tuple(map(_drop_tree, item.manifests)))
                for item in self.results
            ),
        )


class Conclusion(NamedTuple):
    """What all groups together come to, beside what each of them comes to by itself.

    `manifests` are those of prerequisites; nothing is made of specs that are `unsound`. The specs
    of `misnamed` files are meant for others, and nothing else is said of them.
    """

    diagnostics: tuple[Diagnostic, ...]
    manifests: tuple[Manifest, ...] = ()
    unsound: frozenset[SpecKey] = frozenset()
    misnamed: frozenset[SpecKey] = frozenset()
    counts: Mapping[str, int] = {}


class KnownResults(NamedTuple):
    """Results of some groups, and of the other ones summaries; None if not even these are known."""

    results: tuple[Result, ...]
    others: tuple[Summary, ...] | None = ()

    @property
    def is_complete(self) -> bool:
        return self.others == ()

    def sorted_by_stem(self) -> "KnownResults":
        """In a fixed order, whatever was evaluated first: of two that clash, one is named."""
        return self._replace(results=tuple(sorted(self.results, key=lambda item: item.stem)))


def _drop_tree(manifest: Manifest) -> Manifest:
    bare = Node({}, manifest.spec.tree.origin)
    return manifest._replace(tree=bare, spec=manifest.spec._replace(tree=bare))


def conclusion_digest(result: Result) -> str:
    """A digest of all of a result that a conclusion can depend on.

    Where its values stand does not matter: a conclusion that mentions places is not kept.
    """
    comments = sorted(result.comments.items())
    codes = [(file, item.codes) for file, some in comments for item in some]
    used = [_used(item, result) for item in result.used]
    lists = (result.broken, result.illegible, result.unread)
    whole = repr(
        (
            [_shown(item) for item in result.results],
            codes,
            used,
            [sorted(item) for item in lists],
            sorted(result.counts.items()),
            sorted(result.variables.items()),
        )
    )
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _used(item: UsedIgnore, result: Result) -> tuple[object, ...]:
    """An ignore; of one in a shared file, the line tells which."""
    origin = item.ignore.origin
    line = 0 if origin.file in result.comments else origin.line
    return origin.file, line, item.ignore.codes, item.code, item.is_futile


def _shown(item: SpecResult) -> tuple[object, ...]:
    summary = item.summary
    seen = (
        summary.key,
        summary.files,
        summary.name.plain(),
        summary.fields.plain(),
        [use.content for use in summary.references],
        summary.own,
        summary.needs,
        summary.variables,
    )
    made = [(one.path, one.destination, one.identity) for one in item.manifests]
    return (*seen, item.is_sound, item.is_whole, item.missing, made, item.running)
