"""A display and D-Buses of a test's own."""

from collections.abc import Iterator

import pytest

from tests.desktops.desktop import private_bus, virtual_display


@pytest.fixture
def xvfb() -> Iterator[str]:
    with virtual_display() as display:
        yield display


@pytest.fixture
def session_bus() -> Iterator[str]:
    with private_bus() as address:
        yield address


@pytest.fixture
def system_bus() -> Iterator[str]:
    with private_bus() as address:
        yield address
