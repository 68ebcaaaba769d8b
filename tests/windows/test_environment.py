"""What runs in the system with Wine reaches the caller's loopback only where that is asked for."""

import os
import socket
import subprocess
import sys

import pytest

from tests.windows import environment

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root may make namespaces"
    ),
]


@pytest.mark.parametrize("shares_network", [True, False])
def test_the_callers_loopback_is_reached_only_if_it_is_shared(shares_network: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))"
        command = environment.in_namespaces(sys.executable, "-c", connect, shares_network=shares_network)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode == 0) == shares_network, done.stderr
    assert ("Network is unreachable" in done.stderr) != shares_network
