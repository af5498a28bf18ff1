"""Rows about commands that read or write what all specs of an environment render to."""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from benchmarks.measuring import Run, measure, ratio
from benchmarks.peers import join, peer, write_chart
from benchmarks.repositories import write_inherited
from benchmarks.row import Row

_PROGRAM = (sys.executable, "-m", "renderer")
_ENVIRONMENT = "dev"
_OVERRIDE = "apiVersion: serving.gitops/v1\nkind: Serving\nlabels: {tried: yes-it-was}\n"
_TEMPLATES = ("env", "ARGOCD_ENV_ENVIRONMENT=dev", "ARGOCD_ENV_DESTINATION=east")


def command_rows(
    folder: Path, servings: int, rounds: int, environment: Mapping[str, str]
) -> Iterator[Row]:
    """Each command beside a cold render of the same environment, and peers of some of them."""
    root = folder / "specs"
    write_inherited(root, servings)
    _override(root)
    cold = (*_PROGRAM, "render", "--no-cache", "--env", _ENVIRONMENT)
    output = root / "rendered"
    measure({"first": Run(cold, root)}, 1, environment)
    rendered = folder / "applied"
    shutil.copytree(output, rendered)
    live = folder / "live.json"
    live.write_text(json.dumps({"kind": "List", "items": _objects(rendered)}), "utf-8")
    runs = {
        "cold": Run(cold, root, lambda _: shutil.rmtree(output, ignore_errors=True)),
        **_commands(root, live, folder),
        "`import`": _import(folder / "adopted", rendered),
        **_peers(folder, rendered, servings),
    }
    taken = measure(runs, rounds, environment)
    for name in runs:
        if name != "cold":
            what = f"{name} of {servings:,} servings"
            yield Row(what, "cold", ratio(taken[name], taken["cold"]))


def _override(root: Path) -> None:
    """One serving in ten has something in the environment that others do not have yet."""
    for path in sorted(root.glob("environments/base/servings/*.yaml"))[::10]:
        own = root / "environments" / _ENVIRONMENT / "servings" / path.name
        own.parent.mkdir(parents=True, exist_ok=True)
        own.write_text(_OVERRIDE, "utf-8")


def _commands(root: Path, live: Path, folder: Path) -> dict[str, Run]:
    commands = {
        "`promote --all`": ("promote", "--all", "--from", _ENVIRONMENT, "--to", "prod"),
        "`status --from` a file": ("status", "--env", _ENVIRONMENT, "--from", str(live)),
        "`bootstrap argocd`": ("bootstrap", "argocd", "--repo", "https://git.example/specs"),
        "`bundle`": ("bundle", "--env", _ENVIRONMENT, "--output", str(folder / "all.tar.gz")),
    }
    runs = {name: Run((*_PROGRAM, *words), root, codes=(0, 1)) for name, words in commands.items()}
    generate = (*_TEMPLATES, *_PROGRAM, "argocd", "generate")
    return {**runs, "`argocd generate`": Run(generate, root)}


def _import(root: Path, rendered: Path) -> Run:
    """Everything that was applied becomes specs of a repository that has none."""
    specs = root / "environments"

    def empty(_turn: int) -> None:
        shutil.rmtree(root, ignore_errors=True)
        write_inherited(root, 0)
        shutil.rmtree(specs / "base/appimages")

    command = (*_PROGRAM, "import", str(rendered), "--env", _ENVIRONMENT)
    return Run((*command, "--root", str(root)), rendered, empty)


def _peers(folder: Path, rendered: Path, servings: int) -> dict[str, Run]:
    """What others take to compare the same objects, and to write as many of their own."""
    dyff, helm = peer("dyff"), peer("helm")
    if dyff is None or helm is None:
        return {}
    first, second = folder / "first.yaml", folder / "second.yaml"
    changed = folder / "changed"
    shutil.copytree(rendered, changed)
    for path in sorted(changed.rglob("*.yaml"))[::10]:
        path.write_text(path.read_text("utf-8").replace("replicas: 2", "replicas: 3"), "utf-8")
    join(rendered, first)
    join(changed, second)
    write_chart(folder / "chart", servings)
    ours = (*_PROGRAM, "diff", "--from", str(rendered), "--to", str(changed))
    return {
        "`diff` of two rendered trees": Run(ours, folder),
        "`dyff between` the same objects, which says no impact,": Run(
            (dyff, "between", str(first), str(second)), folder
        ),
        "`helm template` of a chart": Run((helm, "template", str(folder / "chart")), folder),
    }


def _objects(folder: Path) -> list[object]:
    paths = (path for path in sorted(folder.rglob("*.yaml")) if path.name != "kustomization.yaml")
    return [yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader) for path in paths]
