"""Repositories and parameters that the plugin must not print anything for."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

_ENVIRONMENT = "environments/dev/environment.yaml"
_SPARE = "  - {name: spare, platform: kuscia, domains: [carol]}\n"


class Refusal(NamedTuple):
    """What is done to a copy of the example, and what an Application then names."""

    change: Callable[[Path], None]
    parameters: dict[str, str]


def _as_it_is(repository: Path) -> None:
    assert repository.is_dir()


def _broken_spec(repository: Path) -> None:
    path = repository / "environments/base/servings/credit-risk.yaml"
    path.write_text(path.read_text("utf-8") + "surprise: true\n", "utf-8")


def _no_yaml(repository: Path) -> None:
    folder = repository / "environments/dev/servings"
    folder.mkdir(exist_ok=True)
    (folder / "torn.yaml").write_text("kind: [", "utf-8")


def add_empty_destination(repository: Path) -> None:
    """A destination `spare` in dev that no spec goes to."""
    path = repository / _ENVIRONMENT
    before, title, rest = path.read_text("utf-8").partition("destinations:\n")
    assert title
    path.write_text(f"{before}{title}{_SPARE}{rest}", "utf-8")


_MASTER = {"environment": "dev", "destination": "master"}
REFUSALS = {
    "broken spec": Refusal(_broken_spec, _MASTER),
    "no YAML": Refusal(_no_yaml, _MASTER),
    "unknown environment": Refusal(_as_it_is, {**_MASTER, "environment": "devv"}),
    "unknown destination": Refusal(_as_it_is, {**_MASTER, "destination": "mastre"}),
    "out of the tree": Refusal(_as_it_is, {**_MASTER, "environment": "../dev"}),
    "no environment": Refusal(_as_it_is, {"destination": "master"}),
    "no destination": Refusal(_as_it_is, {"environment": "dev"}),
    "no parameters": Refusal(_as_it_is, {}),
    "nothing to render": Refusal(add_empty_destination, {**_MASTER, "destination": "spare"}),
}
