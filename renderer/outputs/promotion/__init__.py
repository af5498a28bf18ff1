"""How a promotion is shown; a function from values to text for each format."""

from renderer.outputs.layout import Formats, format_modules
from renderer.outputs.promotion.report import PromotionReport

FORMATS: Formats[PromotionReport] = format_modules(__name__, "text", "json", "message")
