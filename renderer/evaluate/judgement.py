"""How bad each finding is where it was found, and which comments accept it."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from renderer.evaluate.ignores import Ignore, UsedIgnore
from renderer.evaluate.shared import Shared
from renderer.rules.policy import Policy
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, environment_of


class Judgement:
    """Applies the severities and comments of a repository; notes which comments were needed."""

    def __init__(
        self,
        shared: Shared,
        comments: Mapping[str, tuple[Ignore, ...]],
        files: Mapping[str, Collection[str]],
    ) -> None:
        """`files` are those of each environment's specs, beside the shared ones."""
        self.used: set[UsedIgnore] = set()
        self._comments = comments
        self._files = files
        self._policies = policies(shared)
        self._general = general_policy(shared)
        self._production = [item for item in shared.environments if self._firm_in(item)]

    def judge_in(self, finding: Diagnostic, name: str) -> Diagnostic | None:
        """The finding as an environment has it; nothing if it is ignored there."""
        policy = self._policies.get(name, self._general)
        return self._judge(finding, policy, firm=policy.is_firm(finding.code))

    def judge_all(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Each finding as bad as it is in each environment; merging puts equal ones together."""
        return list(self._judge_all(found))

    def _judge_all(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for item in found:
            for name in item.environments or ("",):
                alone = item._replace(environments=(name,) if name else ())
                policy = self._policies.get(name, self._general)
                firm = policy.is_firm(item.code) or self.is_firm(alone)
                if judged := self._judge(alone, policy, firm=firm):
                    yield judged

    def is_firm(self, finding: Diagnostic) -> bool:
        """Whether nothing may silence a finding, as production depends on its place."""
        return any(
            self._policies[item.name].is_firm(finding.code)
            and (
                item.name in finding.environments
                or finding.file in shared_files(item)
                or finding.file in self._files.get(item.name, ())
            )
            for item in self._production
        )

    def _firm_in(self, environment: Environment) -> bool:
        return self._policies[environment.name].production

    def _judge(self, finding: Diagnostic, policy: Policy, *, firm: bool) -> Diagnostic | None:
        """The finding as the policy has it; nothing if it is ignored, by setting or comment."""
        files = {finding.file, finding.via[0] if finding.via else finding.file}
        nearby = (item for file in files for item in self._comments.get(file, ()))
        covering = [
            UsedIgnore(item, code, firm)
            for item in nearby
            for code in item.accepting_codes(finding, in_production=policy.production)
        ]
        self.used.update(covering)
        if firm:
            return policy.tempered(finding)
        return None if covering else policy.judge(finding)


@cached_by_identity
def policies(shared: Shared) -> dict[str, Policy]:
    """The severities of each environment."""
    return {item.name: Policy.of(shared.settings, item) for item in shared.environments}


@cached_by_identity
def general_policy(shared: Shared) -> Policy:
    return Policy.of(shared.settings)


@cached_by_identity
def shared_files(environment: Environment) -> frozenset[str]:
    """The files of an environment's description and prerequisites."""
    specs = (file for spec in environment.specs for file in spec.files)
    return frozenset((*environment.files, *specs))


def relevant_findings(
    names: Collection[str], shared: Shared, found: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """What was found in these environments and their ancestors, or in none in particular."""
    if not names:
        yield from found
        return
    chosen = (item for item in shared.environments if item.name in names)
    wanted = {*names, *(environment_of(file) for item in chosen for file in item.files)}
    yield from (i for i in found if not i.environments or not wanted.isdisjoint(i.environments))
