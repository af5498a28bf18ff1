"""What comes of a repository: its manifests, and everything that is wrong."""

from typing import TYPE_CHECKING

from renderer.values.diagnostics import Diagnostic, has_errors
from renderer.values.kinds import Stage
from renderer.values.model import SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest

if TYPE_CHECKING:  # only writing needs it
    from renderer.values.objects import OutputFile


class Rendering(NamedTuple):
    """Every manifest of the chosen environments, and everything that is wrong.

    `unsound` are the specs that no manifests were made of because something is wrong with them,
    `destinations` the folders that there are even if nothing goes there, `last_stages` those that
    have a list of what is applied after all others.
    """

    manifests: tuple[Manifest, ...]
    diagnostics: list[Diagnostic]
    unsound: frozenset[SpecKey] = frozenset()
    destinations: tuple[str, ...] = ()
    last_stages: frozenset[str] = frozenset()

    @property
    def is_sound(self) -> bool:
        return not has_errors(self.diagnostics)

    @property
    def apply_order(self) -> tuple[Manifest, ...]:
        """The manifests in the order to apply them in, stage by stage."""
        return tuple(sorted(self.manifests, key=lambda item: item.stage))

    def files(self) -> "list[OutputFile]":
        """Every file of the output, the lists of each destination's files included."""
        from renderer.manifests.gitops import ListedFile, kustomizations
        from renderer.text.yaml_writer import write
        from renderer.values.objects import OutputFile

        # Two lists, as there always were, unless the settings say that something may come last.
        stages = (*Stage,)
        listings: dict[str, list[ListedFile]] = {folder: [] for folder in self.destinations}
        for item in self.manifests:
            path = item.path.removeprefix(f"{item.folder}/")
            listed = ListedFile(path, item.stage)
            listings.setdefault(item.folder, []).append(listed)
        made = [
            OutputFile(f"{folder}/{path}", write(tree))
            for folder, files in listings.items()
            for path, tree in kustomizations(
                files, stages if folder in self.last_stages else stages[:-1]
            )
        ]
        made += (
            OutputFile(
                item.path,
                None if item.digest else item.text,
                item.identity,
                item.spec.file,
                item.digest,
                item.stage,
                item.has_generations,
            )
            for item in self.manifests
        )
        return sorted(made)
