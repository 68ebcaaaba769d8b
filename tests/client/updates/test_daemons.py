"""The version of a daemon is read from what any version may answer; what is no answer counts as none."""

import json
import socket
import threading
from pathlib import Path

import pytest

from client.api.errors import DaemonOld
from client.paths import HOME_VARIABLE, Paths
from client.service.channel.lock import DaemonLock
from client.updates.daemons import ANY_VERSION, UserDaemons

pytestmark = pytest.mark.posix


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        (json.dumps({"snapshot": {"version": "0.2.0", "more": 1}}), "0.2.0"),
        (json.dumps({"code": DaemonOld.code}), ANY_VERSION),
        ('{"snapshot": null}', ""),
        ('{"snapshot": []}', ""),
        ("{}", ""),
        ("[]", ""),
        ("1", ""),
        ("null", ""),
        ("{", ""),
        ("", ""),
    ],
)
def test_a_version_is_read(tmp_path: Path, answer: str, version: str) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path / "home")})
    paths.prepare()
    with DaemonLock(paths.lock, paths.socket), socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(paths.socket))
        listening.listen()

        def serve() -> None:
            connected, _ = listening.accept()
            with connected:
                connected.recv(65_536)
                connected.sendall(answer.encode() + b"\n")

        serving = threading.Thread(target=serve)
        serving.start()
        assert UserDaemons(paths).answering() == version
        serving.join()
