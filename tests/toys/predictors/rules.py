"""A rule for the kind, one for the prerequisite and its users, one for all environments."""

from collections.abc import Iterator

from renderer.values.diagnostics import Finding, Rule, Severity, rule
from renderer.values.model import Environment, Fleet
from tests.toys.predictors.views import Checkpoint, Predictor


@rule("TOY101", Severity.ERROR, "Predictor", reads=("components",))
def something_runs(predictor: Predictor) -> Iterator[Finding]:
    """A predictor has a component that runs."""
    if not any(component.replicas for component in predictor.components):
        yield Finding(("components",), "no component runs", "give one of them replicas")


@rule("TOY102", Severity.ERROR, "Predictor")
def checkpoint_exists(predictor: Predictor) -> Iterator[Finding]:
    """The checkpoint of a predictor is one of its environment."""
    if not predictor.environment.may_have("Checkpoint", predictor.checkpoint):
        yield Finding(("checkpoint",), f"there is no Checkpoint {predictor.checkpoint!r}")


@rule("TOY103", Severity.WARNING, "Checkpoint")
def exclusive_means_one(checkpoint: Checkpoint) -> Iterator[Finding]:
    """A checkpoint that is exclusive has one user."""
    if checkpoint.exclusive and len(checkpoint.users) > 1:
        names = ", ".join(str(user) for user in checkpoint.users)
        yield Finding(("exclusive",), f"it is loaded by {names}", "give each its own")


@rule("TOY104", Severity.ERROR, "Fleet")
def name_once_in_a_cluster(fleet: Fleet) -> Iterator[Finding]:
    """A predictor's name stands once in a cluster, whichever environments go there."""
    first: dict[tuple[str, str], tuple[Environment, str]] = {}
    for environment in fleet.environments:
        clusters = {item.name: item.cluster for item in environment.destinations}
        for summary in (
            item for item in fleet.summaries_of(environment) if item.kind == "Predictor"
        ):
            for place in summary.own:
                key = clusters[place], str(summary.name.value)
                other, file = first.setdefault(key, (environment, summary.file))
                if other is not environment:
                    message = f"{other.name} has a predictor of this name in the cluster {key[0]!r}"
                    names = (environment.name, other.name)
                    where = summary.name.origin
                    yield Finding((), message, origin=where, environments=names, related=(file,))


RULES: tuple[Rule, ...] = (
    something_runs,
    checkpoint_exists,
    exclusive_means_one,
    name_once_in_a_cluster,
)
