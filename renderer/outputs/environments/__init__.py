"""How two environments are shown side by side; a function from values to text for each format."""

from importlib import import_module

from renderer.outputs.environments.report import EnvironmentReport


def show(form: str, report: EnvironmentReport) -> str:
    """The report in a format of a diff, whose module is imported only now."""
    text: str = import_module(f"renderer.outputs.environments.{form}").show(report)
    return text
