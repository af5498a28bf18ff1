"""The output folder of the tests."""

import pytest

from renderer.publish import exchanging


@pytest.fixture(params=["exchange", "journal"])
def folder(request, tmp_path, monkeypatch):
    """An output folder, published to by either method."""
    if request.param == "journal":
        monkeypatch.setattr(exchanging, "is_available", lambda: False)
    return tmp_path / "rendered"
