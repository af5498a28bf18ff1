"""The platforms we render for, one line each."""

from renderer.backends.base import Backend
from renderer.backends.kuscia import backend as kuscia

BACKENDS: dict[str, Backend] = {
    "kuscia": kuscia,
}
