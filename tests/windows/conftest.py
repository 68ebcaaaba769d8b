"""Users on Windows, in front of a stand-in for the Hub."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.paths import Paths
from tests.hub.hub_server import CLIENT_ID, HubServer, running_hub
from tests.waiting import wait_until
from tests.windows.windows_user import WindowsUser, desktop_environment, ours


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as running:
        yield running


@pytest.fixture
def user(tmp_path: Path, hub: HubServer) -> Iterator[WindowsUser]:
    """A user whose daemon has ended at the end, with all that it had started."""
    settings = {"HF_ENDPOINT": hub.address, "IDLEBRUSH_OAUTH_CLIENT_ID": CLIENT_ID}
    environment = {**desktop_environment(), **settings, "IDLEBRUSH_HOME": str(tmp_path / "home")}
    found = WindowsUser(Paths.of_user(environment), environment)
    yield found
    found.idlebrush("quit")
    wait_until(lambda: not ours(tmp_path), "a process of the user is left")
