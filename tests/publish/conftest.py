"""The output folder of the tests."""

import pytest

from renderer.publish import filesystem


@pytest.fixture(params=["exchange", "journal"])
def folder(request, tmp_path, monkeypatch):
    """An output folder, published to by either method."""
    if request.param == "journal":
        monkeypatch.setattr(filesystem, "can_exchange", lambda: False)
    return tmp_path / "rendered"
