"""How bad a finding is in an environment: as its rule says, unless a setting says otherwise."""

from collections.abc import Iterable, Mapping

from renderer.backends.kind_schemas import CHANGEABLE_ALONE
from renderer.backends.kinds import current_code, retired_codes
from renderer.values.diagnostics import Diagnostic, Severity, family_of, is_newer
from renderer.values.model import Environment, Settings
from renderer.values.named_tuple import NamedTuple

_LEVELS = {str(level): level for level in Severity}
_POLICY = "POL"
#: Policies of a cluster say themselves how bad it is, by their bindings.
_OF_CLUSTERS = ("POL013", "POL014")
_FIRM = ("SEC", "YML")
_FIXED = ("YML", "SPC", "MAN")


class Policy(NamedTuple):
    """Severities by code, whether real users depend on the environment, and which rules count."""

    severities: Mapping[str, str]
    production: bool = False
    rules_as_of: str = ""

    @classmethod
    def of(cls, settings: Settings, environment: Environment | None = None) -> "Policy":
        own = environment.severities if environment else {}
        given = {code: str(node.value) for code, node in own.items()}
        is_production = bool(environment and environment.is_production)
        general, particular = (
            _severities(words, is_production=is_production) for words in (settings.rules, given)
        )
        return cls({**general, **particular}, is_production, settings.rules_as_of)

    def judge(self, finding: Diagnostic) -> Diagnostic | None:
        """The finding with its severity here; nothing if it is to be ignored. Advice stays so."""
        severity = finding.severity
        is_graded = family_of(finding.code) == _POLICY and finding.code not in _OF_CLUSTERS
        if self.production and is_graded and severity > Severity.INFO:
            severity = Severity.ERROR
        word = self.severities.get(finding.code)
        if word and not self.is_firm(finding.code):
            if word == "ignore":
                return None
            severity = _LEVELS[word]
        return self.tempered(finding._replace(severity=severity))

    def tempered(self, finding: Diagnostic) -> Diagnostic:
        """The finding; a warning at most if only rules after `rules_as_of` see it."""
        return tempered((finding,), self.rules_as_of)[0]

    def is_firm(self, code: str) -> bool:
        """Whether nothing may silence a rule here."""
        return self.production and family_of(code) in _FIRM


def tempered(found: Iterable[Diagnostic], rules_as_of: str) -> list[Diagnostic]:
    """Findings, of which those of newer rules are warnings at most: an upgrade breaks nothing."""
    return [
        item._replace(severity=min(item.severity, Severity.WARNING))
        if is_newer(item.since, rules_as_of)
        else item
        for item in found
    ]


def may_be_changed(code: str) -> bool:
    """Whether a repository may set the severity of a rule, or ignore what it finds."""
    return code == CHANGEABLE_ALONE or family_of(code) not in _FIXED


def _severities(words: Mapping[str, str], *, is_production: bool) -> dict[str, str]:
    """What may be set, by the codes of today; a code of today counts more than a retired one."""
    allowed = {code: word for code, word in words.items() if _may_be_set(code, word)}
    old = {code: word for code, word in allowed.items() if code in retired_codes()}
    today = {current_code(c, in_production=is_production): word for c, word in old.items()}
    return {**today, **{code: word for code, word in allowed.items() if code not in old}}


def _may_be_set(code: str, word: str) -> bool:
    return may_be_changed(code) and (word in _LEVELS or word == "ignore")
