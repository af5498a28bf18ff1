"""A real browser for what is drawn, started once."""

import pytest

from tests.support.browser import CHROMIUM, BrowserError, browser


@pytest.fixture(scope="session")
def tab(tmp_path_factory):
    """A tab; without a browser that starts, tests that need one are skipped."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    try:
        with browser(tmp_path_factory.mktemp("browser")) as opened:
            yield opened
    except (BrowserError, BrokenPipeError) as error:
        pytest.skip(f"Chromium does not start here: {error}")
