"""The short form takes every fifth row of the long tables, and leaves out the longest tests."""

import pytest

TABLES = {"test_no_name_leads_out_of_the_output", "test_control_characters_in_every_format"}
LONGEST = {"test_hostile_trees", "test_a_deep_tree"}
_SHARE = 5


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--hypothesis-profile") == "robust":
        return
    left_out = [item for item in items if _name(item) in LONGEST]
    for table in TABLES:
        rows = [item for item in items if _name(item) == table]
        left_out += (item for number, item in enumerate(rows) if number % _SHARE)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


def _name(item: pytest.Item) -> str:
    return getattr(item, "originalname", None) or item.name
