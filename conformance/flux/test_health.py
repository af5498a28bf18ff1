"""How Flux judges every object with a status that health checks are tried on."""

import pytest

from conformance.conftest import Report
from conformance.flux.installation import Programs
from conformance.flux.judge import expressions_of, judged
from conformance.flux.records import compare, count_health
from conformance.flux.repository import Repository
from tests.support.statuses import objects


def test_the_health_of_all_objects_is_what_flux_says(
    built: Programs, repository: Repository, pytestconfig: pytest.Config, report: Report
) -> None:
    expressions = expressions_of(repository.bootstrap().kustomizations)
    asked = dict(objects())  # type: ignore[no-untyped-call]
    verdicts = judged(built.judge, expressions, [*asked.values()])
    found = {name: verdict._asdict() for name, verdict in zip(asked, verdicts, strict=True)}
    report(count_health(found))
    compare("health", found, update=pytestconfig.getoption("--update-observed"))
