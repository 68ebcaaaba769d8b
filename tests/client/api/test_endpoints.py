"""Both ends of the control channel are sure of each other: nobody else gets an answer, or a secret."""

import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.api.connection import Connection
from client.api.endpoint import Endpoint
from client.api.endpoints.loopback import LoopbackEndpoint
from client.api.endpoints.unix_socket import UnixEndpoint, darwin_uid, peer_uid
from client.api.errors import ControlError, DaemonForeign, DaemonSilent, NoDaemon
from client.api.questions import GetStatus
from tests.client.served_control import served

At = Callable[[Path], Endpoint]
NOBODY = 65534
STRANGER = """
import os, socket, sys
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
with socket.socket(socket.AF_UNIX) as connected:
    connected.settimeout(10)
    connected.connect(sys.argv[1])
    try:
        connected.sendall(b'{{"type": "status", "id": 1}}\\n{{"type": "quit", "id": 2}}\\n')
        print(connected.recv(100))
    except (BrokenPipeError, ConnectionResetError):
        print(b"")
"""
FOREIGN_DAEMON = """
import os, socket, sys
os.setgroups([]); os.setgid({nobody}); os.setuid({nobody})
with socket.socket(socket.AF_UNIX) as listening:
    listening.bind(sys.argv[1])
    listening.listen()
    print("listens", flush=True)
    connected, _ = listening.accept()
    print(connected.recv(100))
"""
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="idlebrush-", dir="/tmp"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def as_nobody(script: str, path: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", script.format(nobody=NOBODY), str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_folder_and_socket_are_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o755)
    with served(folder / "control", UnixEndpoint):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / "control").stat().st_mode) == 0o600


@needs_root
def test_another_user_is_never_answered_even_where_permissions_were_loosened(public: Path) -> None:
    with served(public / "control", UnixEndpoint) as control:
        public.chmod(0o777)
        control.path.chmod(0o666)
        with as_nobody(STRANGER, control.path) as stranger:
            output, _ = stranger.communicate(timeout=30)
        assert (stranger.returncode, output.strip()) == (0, "b''")
        with Connection.open(control.path, at=UnixEndpoint) as connection:
            connection.ask(GetStatus())
        assert not control.requests


@needs_root
def test_a_front_end_tells_nothing_to_another_users_daemon(public: Path) -> None:
    with as_nobody(FOREIGN_DAEMON, public / "control") as foreign:
        assert foreign.stdout
        assert foreign.stdout.readline() == "listens\n"
        with pytest.raises(DaemonForeign):
            UnixEndpoint(public / "control").connect(10)
        assert foreign.stdout.readline() == "b''\n"


@needs_root
def test_a_folder_that_another_user_made_is_not_used(public: Path) -> None:
    os.chown(public, NOBODY, NOBODY)
    with pytest.raises(ControlError, match="another user"):
        UnixEndpoint(public / "control").listen()


def test_a_folder_that_is_only_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(ControlError, match="another user"):
        UnixEndpoint(tmp_path / "link" / "control").listen()


def test_the_kernel_names_the_user_at_the_other_end() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert peer_uid(one) == peer_uid(other) == os.getuid()


def test_the_user_is_read_from_what_macos_tells() -> None:
    version, user, groups = 0, 501, 1
    assert darwin_uid(struct.pack("=IIh2x16I", version, user, groups, *[20] * 16)) == user


@pytest.mark.parametrize("at", [UnixEndpoint, LoopbackEndpoint])
def test_a_place_that_cannot_be_used_is_named(at: At, tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="nowhere"):
        at(tmp_path / "nowhere" / "control").listen()


def test_a_path_that_is_too_long_for_a_socket_is_named(tmp_path: Path) -> None:
    with pytest.raises(ControlError, match="short path"):
        UnixEndpoint(tmp_path / ("x" * 120)).listen()


def test_the_secret_of_a_loopback_endpoint_is_for_the_owner_alone(tmp_path: Path) -> None:
    with served(tmp_path / "control", LoopbackEndpoint) as control:
        assert stat.S_IMODE(control.path.stat().st_mode) == 0o600


def port(path: Path) -> int:
    """Return the port of a loopback endpoint, read from the file that it has written."""
    return int(path.read_text().split('"port":')[1].split(",")[0])


def test_who_does_not_know_the_secret_gets_no_answer(tmp_path: Path) -> None:
    with served(tmp_path / "control", LoopbackEndpoint) as control:
        with socket.create_connection(("127.0.0.1", port(control.path)), timeout=30) as stranger:
            challenge = stranger.recv(32)
            stranger.sendall(challenge + bytes(32) + b'{"type": "quit", "id": 1}\n')
            assert received(stranger) == b""
        assert not control.requests


def received(connected: socket.socket) -> bytes:
    try:
        return connected.recv(100)
    except ConnectionResetError:
        return b""


def test_who_listens_at_an_ended_daemons_port_learns_nothing(tmp_path: Path) -> None:
    endpoint = LoopbackEndpoint(tmp_path / "control")
    with endpoint.listen() as listening:
        heard: list[bytes] = []

        def pretend() -> None:
            connected, _ = listening.accept()
            with connected:
                connected.sendall(bytes(32))
                heard.append(connected.recv(1000))
                connected.sendall(heard[0][:32])
                heard.append(connected.recv(1000))

        impostor = threading.Thread(target=pretend)
        impostor.start()
        with pytest.raises(DaemonForeign):
            endpoint.connect(30)
        impostor.join()
    secret = (tmp_path / "control").read_text().split('"secret":"')[1].split('"')[0]
    assert len(bytes.fromhex(secret)) == 32
    assert heard[1] == b""
    assert secret.encode() not in heard[0]
    assert bytes.fromhex(secret) not in heard[0]


@pytest.mark.parametrize("content", [b"", b"{", b"nonsense", b'{"port": 0, "secret": "x"}', b"x" * 100_000])
def test_a_file_that_names_no_place_means_that_no_daemon_runs(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "control").write_bytes(content)
    with pytest.raises(NoDaemon):
        LoopbackEndpoint(tmp_path / "control").connect(1)


@pytest.mark.parametrize("at", [UnixEndpoint, LoopbackEndpoint])
def test_a_daemon_that_hangs_is_distinguished_from_one_that_does_not_run(tmp_path: Path, at: At) -> None:
    path = tmp_path / "control"
    with (
        at(path).listen(),
        pytest.raises(DaemonSilent),
        Connection.open(path, 0.1, at=at) as connection,
    ):
        connection.ask(GetStatus(), 0.1)


def test_a_daemon_that_takes_in_nobody_any_more_is_silent(tmp_path: Path) -> None:
    with UnixEndpoint(tmp_path / "control").listen() as listening:
        listening.listen(0)
        waiting = [UnixEndpoint(tmp_path / "control").connect(0.1)]
        with pytest.raises(DaemonSilent):
            waiting.append(UnixEndpoint(tmp_path / "control").connect(0.1))
        for connection in waiting:
            connection.close()
