"""A service manager hears when the daemon is ready, by a path or by a name; without one, nothing happens."""

import logging
import socket
from pathlib import Path

import pytest

from client.service.service_notices import READY, notify


@pytest.mark.posix
@pytest.mark.parametrize("abstract", [False, True])
def test_a_notice_arrives(abstract: bool, tmp_path: Path) -> None:
    name = f"@{tmp_path.name}-{id(tmp_path)}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name[1:] if abstract else name)
        listening.settimeout(10)
        notify({"NOTIFY_SOCKET": name}, READY)
        assert listening.recv(100) == b"READY=1"


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1234"}])
def test_without_a_socket_that_is_known_nothing_happens(
    environment: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    notify(environment, READY)
    assert not caplog.records


@pytest.mark.posix
def test_a_manager_that_is_gone_is_no_reason_to_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        notify({"NOTIFY_SOCKET": str(tmp_path / "gone")}, READY)
    assert "The service manager was not told READY=1" in caplog.text
