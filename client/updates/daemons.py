"""The daemons of different versions, as a hand-over starts, asks and ends them."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from client.api.connection import line_of
from client.api.endpoint import local_endpoint
from client.api.errors import ControlError, DaemonOld
from client.api.launch import detached, end_silent_daemon
from client.api.questions import GetStatus
from client.paths import Paths
from client.service.channel.lock import is_held
from client.updates.trees import LAUNCHER
from core.children import logs

ANY_VERSION = "*"
"""Stands for the version of a daemon that answers, but speaks another protocol."""
_LARGEST_ANSWER = 1 << 20
_CONNECT_SECONDS = 1.0
_ANSWER_SECONDS = 10.0


class DaemonProcess(Protocol):
    """A daemon that was started."""

    def poll(self) -> int | None:
        """Return the exit status; None while it runs."""


class Daemons(Protocol):
    """Starts, asks and ends the daemons of this user."""

    def start(self, tree: Path) -> DaemonProcess:
        """Start the daemon of a tree, which outlives this process; raise OSError if it cannot be started."""

    def end(self, process: DaemonProcess) -> None:
        """Kill a daemon that `start` has started, with all that it has started."""

    def kill_running(self) -> None:
        """Kill the daemon that holds the lock, if one does."""

    def is_running(self) -> bool:
        """Return true if a daemon holds the lock."""

    def answering(self) -> str:
        """Return the version of the daemon that answers; empty: none does."""


@dataclass(frozen=True)
class UserDaemons:
    """The real daemons, by their lock and their control channel."""

    paths: Paths
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    """Environment for daemons; it has to lead to these paths."""

    def start(self, tree: Path) -> "subprocess.Popen[bytes]":
        """Start the daemon of ``tree`` in a session of its own."""
        with logs.appending(self.paths.log("daemon-start"), emptied=True) as writing:
            return subprocess.Popen(
                [tree / LAUNCHER, "daemon"],
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                cwd=tree.anchor,
                env=dict(self.environment),
                **detached(),
            )

    def end(self, process: DaemonProcess) -> None:
        """Kill the group of the process; guards end what the daemon has started."""
        assert isinstance(process, subprocess.Popen)
        if sys.platform != "win32" and process.poll() is None:
            os.killpg(process.pid, 9)
        process.wait()

    def kill_running(self) -> None:
        """Kill the holder of the daemon's lock."""
        end_silent_daemon(self.paths)

    def is_running(self) -> bool:
        """Return true if a process holds the daemon's lock."""
        return is_held(self.paths.lock)

    def answering(self) -> str:
        """Ask the daemon for its state, and read no more of the answer than every version has."""
        if not self.is_running():
            return ""
        try:
            with ExitStack() as stack:
                connected = local_endpoint(self.paths.socket).connect(_CONNECT_SECONDS)
                stack.callback(connected.close)
                connected.settimeout(_ANSWER_SECONDS)
                connected.sendall(line_of(GetStatus(), 1))
                return _version_in(_line(connected))
        except (ControlError, OSError, ValueError):
            return ""


def _line(connected: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < _LARGEST_ANSWER:
        if not (piece := connected.recv(65_536)):
            break
        line += piece
    return line


def _version_in(line: bytes) -> str:
    """Return the version in an answer of any version; one that refuses this protocol is named by a star."""
    answer: Any = json.loads(line)
    if not isinstance(answer, dict):
        raise ValueError("a daemon answers with an object")
    if answer.get("code") == DaemonOld.code:
        return ANY_VERSION
    snapshot = answer.get("snapshot")
    return str(snapshot.get("version", "")) if isinstance(snapshot, dict) else ""
