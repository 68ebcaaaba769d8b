"""Websites for tests: one with nothing to show yet, one that is full, and clients of both without a network."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from coordinator.web.app import create_app
from coordinator.web.limits import Rate, Rates
from tests.coordinator.web.sites import HOSTILE, ServedSite, fill, site

MANY = Rate(per_second=1000, burst=100_000)
GENEROUS = Rates(**dict.fromkeys((field.name for field in fields(Rates)), MANY))
"""Rates that no test reaches, for tests of other things than limits."""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    with site(tmp_path_factory.mktemp("empty") / "home") as made:
        yield made


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    """Everything that strangers may choose is hostile. Tests leave it as it was."""
    with site(tmp_path_factory.mktemp("full") / "home", title=f"Run {HOSTILE}") as made:
        fill(made)
        yield made


@pytest.fixture(scope="module")
def empty_client(empty: ServedSite) -> Iterator[TestClient]:
    with browsing(empty) as client:
        yield client


@pytest.fixture(scope="module")
def client(full: ServedSite) -> Iterator[TestClient]:
    with browsing(full) as client:
        yield client


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[ServedSite]:
    """A site of the test's own, with nothing in it yet."""
    with site(tmp_path / "home") as made:
        yield made


def browsing(shown: ServedSite) -> TestClient:
    """A client that asks for pages."""
    app = create_app(shown.context, GENEROUS, shown.clock.monotonic)
    return TestClient(app, headers={"Accept": "text/html"})
