"""What is asked of a repository: which environments, which share of the work, which spec."""

import re
from collections.abc import Collection, Iterable

from renderer.backends.kinds import KINDS, has_last_stage
from renderer.errors import UsageError
from renderer.text.digests import sha256
from renderer.text.wording import listed, suggest
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple

#: The shard that is everything.
WHOLE = "1/1"


class Shard(NamedTuple):
    """Part `number` of `total`; the parts are disjoint, and together they are everything."""

    number: int = 1
    total: int = 1

    def owns(self, environment: str, destination: str) -> bool:
        """Whether it writes a destination."""
        return self._has(f"{environment}/{destination}")

    def owns_group(self, stem: str) -> bool:
        """Whether it evaluates the group of a stem."""
        return self._has(stem)

    def _has(self, name: str) -> bool:
        if self.total == 1:
            return True
        number = int(sha256(name.encode("utf-8", "surrogateescape")).hexdigest(), 16)
        return number % self.total == self.number - 1


def parse_shard(text: str) -> Shard:
    """`2/3` is the second of three."""
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"{text!r} is not a shard; write I/N with I from 1 to N, such as 1/3")
    return Shard(int(match[1]), int(match[2]))


class Question(NamedTuple):
    """The environments that are asked for, or none for all, and the share of destinations.

    Unless `reads_all`, not every text that is written is read back: it makes no difference to what
    comes out, unless servingctl has a bug.
    """

    environments: tuple[str, ...] = ()
    shard: Shard = Shard()
    reads_all: bool = True

    def text(self) -> bytes:
        return repr((sorted(self.environments), *self.shard)).encode()


def chosen(environments: Iterable[Environment], names: Collection[str]) -> list[Environment]:
    """The environments of these names, or all of them."""
    return [item for item in environments if not names or item.name in names]


def wanted_destinations(environments: Iterable[Environment], question: Question) -> tuple[str, ...]:
    """The folders `environment/destination` that a question is about."""
    return tuple(
        f"{environment.name}/{destination.name}"
        for environment in chosen(environments, question.environments)
        for destination in environment.destinations
        if question.shard.owns(environment.name, destination.name)
    )


def last_stage_folders(environments: Iterable[Environment]) -> frozenset[str]:
    """The folders of destinations that have a list of what is applied after all others."""
    return frozenset(
        f"{environment.name}/{destination.name}"
        for environment in environments
        for destination in environment.destinations
        if has_last_stage(environment, destination)
    )


def refuse_unknown(
    names: Iterable[str], environments: Iterable[Environment], broken: Collection[str]
) -> None:
    """Every name is that of an environment, or of one that could not be read."""
    known = [item.name for item in environments]
    for name in names:
        if name not in known and name not in broken:
            raise UsageError(f"there is no environment {name!r}; {suggest(name, known)}")


def find_spec(environment: Environment, name: str) -> Spec:
    """The spec that `[KIND/]STEM` names."""
    specs = {spec.identity: spec for spec in environment.specs}
    return specs[spec_named(name, specs, f" in the environment {environment.name!r}")]


def spec_named(name: str, known: Collection[tuple[str, str]], where: str = "") -> tuple[str, str]:
    """The kind and stem that `[KIND/]STEM` means among some.

    A stem alone means the one spec of a platform: what lies beside it, and has its name, is an
    object of it, and is asked for with its kind.
    """
    kind, _, stem = name.rpartition("/")
    found = sorted(item for item in known if item[1] == stem and kind in ("", item[0]))
    platform_specs = [item for item in found if item[0] in KINDS]
    if len(found) == 1 or len(platform_specs) == 1:
        return (platform_specs or found)[0]
    if found:
        names = (f"{kind}/{stem}" for kind, stem in found)
        raise UsageError(f"{name!r} is ambiguous{where}; say {listed(names, 'or')}")
    stems = sorted({stem for _, stem in known})
    raise UsageError(f"there is no spec {name!r}{where}; {suggest(stem, stems)}")
