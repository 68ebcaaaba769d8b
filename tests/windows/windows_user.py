"""A user of the daemon, the command line and the app on Windows, whose files are all in one folder."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil

from client.api.connection import Connection
from client.api.launch import DaemonProgram, ensure_daemon
from client.paths import Paths

START_SECONDS = 60.0


def desktop_environment() -> dict[str, str]:
    """Return the environment of programs on a desktop: tests of widgets name a platform of Qt without windows."""
    return {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}


@dataclass(frozen=True)
class WindowsUser:
    """A user with a folder for all files of the client."""

    paths: Paths
    environment: dict[str, str]

    def daemon(self) -> Connection:
        """Return a connection to the user's daemon, which is started if there is none."""
        return ensure_daemon(self.paths, START_SECONDS, program=DaemonProgram(environment=self.environment))

    def idlebrush(self, *verb: str, types: str = "") -> "subprocess.CompletedProcess[str]":
        """Run the command line to its end."""
        return subprocess.run(
            [sys.executable, "-m", "client.cli", *verb],
            env={**self.environment, "PYTHONUTF8": "1"},
            input=types,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )


def ours(folder: Path) -> list[psutil.Process]:
    """Return the processes that have the user's folder in their environment, other than this one."""
    found = []
    for process in psutil.process_iter():
        try:
            if str(folder) in process.environ().get("IDLEBRUSH_HOME", "") and process.pid != os.getpid():
                found.append(process)
        except psutil.Error:
            continue
    return found
