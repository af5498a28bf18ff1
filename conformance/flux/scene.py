"""A repository as it is at a step, given to Flux, and everything that can be asked of it then."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

from conformance.flux.artifacts import packed
from conformance.flux.judge import Expressions, expressions_of
from conformance.flux.observation import FIRST_SUFFIX, Chain, chains
from conformance.flux.platforms import settle
from conformance.flux.repository import Bootstrap, Repository, read_steps
from conformance.flux.stage import Stage
from conformance.operators.installation import apply


class Scene:
    """What is bootstrapped stays the same; trees are published as often as one likes."""

    def __init__(self, stage: Stage, repository: Repository, source: str = "git") -> None:
        self.stage, self.repository = stage, repository
        self.made: Bootstrap = repository.bootstrap(source)
        self.revision = ""

    @cached_property
    def chains(self) -> dict[str, Chain]:
        return {chain.destination: chain for chain in chains(self.made.kustomizations)}

    @cached_property
    def names(self) -> list[str]:
        return [name for chain in self.chains.values() for name in chain.names]

    @cached_property
    def expressions(self) -> Expressions:
        return expressions_of(self.made.kustomizations)

    def bootstrap(self) -> None:
        """As an operator applies it, who may edit it afterwards."""
        for thing in (*self.made.sources, *self.made.kustomizations):
            apply(self.stage.first.client, thing)

    def publish(self, rendered: Path) -> None:
        """Give Flux a tree."""
        (source,) = self.made.sources
        self.revision = self.stage.publish([(source, packed(rendered))])

    def publish_bundles(self) -> None:
        """Give each source the environment that it is called after."""
        self.revision = self.stage.publish(
            (source, self.repository.bundle(source["metadata"]["name"].partition("-")[2]))
            for source in self.made.sources
        )

    def settle(self, names: Collection[str] = ()) -> None:
        """Until Flux has taken the tree, with platforms that find everything well."""
        wanted = names or self.names
        settle(self.stage, self.expressions, partial(self.stage.are_ready, wanted, self.revision))

    def reconcile(self, names: Collection[str]) -> None:
        """The same until Flux has looked at some of it again; what others need comes first.

        Asked at once, it would say of the rest that it has looked, and that it has to wait.
        """
        for is_first in (True, False):
            asked = [name for name in names if name.endswith(FIRST_SUFFIX) == is_first]
            if asked:
                token = self.stage.request(asked)
                settle(self.stage, self.expressions, partial(self.stage.was_handled, asked, token))
                self.settle(asked)

    def delete(self, names: Collection[str]) -> None:
        """Take Kustomizations away; those that wait for something do not notice before it is so."""
        self.stage.delete(names)
        settle(self.stage, self.expressions, partial(self.stage.are_gone, names))


@contextmanager
def scene_at(
    stage: Stage, repository: Repository, last: str, source: str = "git"
) -> Iterator[Scene]:
    """The example with all edits up to a step; in the end everything is taken away again."""
    for step in read_steps():
        repository.edit(step)
        if step.name == last:
            break
    for cluster in stage.clusters:
        cluster.client.close()  # one that is idle for long is closed by the server
    scene = Scene(stage, repository, source)
    scene.bootstrap()
    try:
        yield scene
    finally:
        scene.delete([*stage.kustomizations()])
