"""Fixtures of the tests in Python."""

from pathlib import Path

import pytest
import support


@pytest.fixture(scope="session")
def program():
    """The program `mcp`."""
    return Path(support.places()["program"])


@pytest.fixture(scope="session")
def example_server():
    return support.places()["example_server"]


@pytest.fixture(scope="session")
def deep():
    """Whether the run may take hours."""
    return support.places()["deep"]


def pytest_collection_modifyitems(config, items):
    """What only a deep run has is left out of others, and what is about the program as packages have it where it was built quickly."""
    has = {"deep": support.places()["deep"], "of_packages": not support.places()["quick"]}
    left = [item for item in items if not all(has.get(marker.name, True) for marker in item.iter_markers())]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]
