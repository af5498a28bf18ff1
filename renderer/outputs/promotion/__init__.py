"""How a promotion is shown; a function from values to text for each format."""

from importlib import import_module

from renderer.outputs.promotion.report import PromotionReport

FORMATS = ("text", "json", "message")


def show(form: str, report: PromotionReport) -> str:
    """The report in a format, whose module is imported only now."""
    text: str = import_module(f"renderer.outputs.promotion.{form}").show(report)
    return text
