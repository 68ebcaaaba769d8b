"""Under Wine: has a daemon train in a Linux process, kills each link, and measures. Prints a JSON object a line.

python -m tests.windows.wsl.drive RUN_FOLDER
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil

from client.api.commands import Join, Pause, Quit, Resume
from client.api.connection import Connection
from client.api.errors import ControlError
from client.api.questions import GetStatus
from client.api.requests import AnyRequest
from client.api.snapshot import Activity, Snapshot
from client.paths import Paths
from core.children.freezing import SETTLING_SECONDS
from tests.windows.wsl.daemon import VARIABLE

PATIENCE = 300.0
FREEZES = 10
LONG_PAUSES = 3


def wsl(*order: str) -> Any:
    """Have the service do something to the processes of Linux, and return its answer."""
    program = json.loads(os.environ[VARIABLE])["program"]
    done = subprocess.run([program, "--stand-in", *order], capture_output=True, check=True, timeout=120)
    return json.loads(done.stdout or b"null")


def tell(**row: object) -> None:
    """Print a result."""
    print(json.dumps(row), flush=True)


class DrivenDaemon:
    """A daemon as a process of Windows."""

    def __init__(self) -> None:
        self.paths = Paths.of_user()
        self.paths.prepare()
        self.paths.preferences.write_text('run-mode = "always"\nother-cpu-load = "off"\n')
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-P", "-m", "tests.windows.wsl.daemon"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        wait_until(self.answers, "the daemon does not answer")

    def answers(self) -> bool:
        """Return true if it answers; it must not have ended."""
        assert self.process.poll() is None, "the daemon has ended"
        try:
            self.look()
        except ControlError:
            return False
        return True

    def ask(self, request: AnyRequest) -> Any:
        """Send a request, and return the answer."""
        with Connection.open(self.paths.socket) as connection:
            return connection.ask(request)

    def look(self) -> Snapshot:
        """Return its state."""
        snapshot: Snapshot = self.ask(GetStatus()).snapshot
        return snapshot

    def trains(self) -> None:
        """Wait until it trains."""
        wait_until(self._trains_now, lambda: f"it does not train: {self.look()}")

    def _trains_now(self) -> bool:
        # a trainer that was killed a moment ago may still be shown
        return self.look().activity is Activity.TRAINING and "T" not in (wsl("state") or "T")

    def wsl_processes(self) -> list[psutil.Process]:
        """Return the stand-ins for wsl.exe that it has started."""
        return [each for each in psutil.Process(self.process.pid).children() if each.name() == "wsl.exe"]


def wait_until(
    condition: Callable[[], bool], otherwise: str | Callable[[], str], seconds: float = PATIENCE
) -> float:
    """Return the seconds until it holds; AssertionError with ``otherwise`` if it does not in time."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise AssertionError(otherwise if isinstance(otherwise, str) else otherwise())
        time.sleep(0.1)
    return time.monotonic() - began


def freeze(daemon: DrivenDaemon) -> None:
    """Pause, and wait until the trainer stands still."""
    daemon.ask(Pause())
    wait_until(lambda: wsl("state")[0] == "T", "it was not frozen")


def measure_freezing(daemon: DrivenDaemon) -> None:
    """Tell the seconds until the trainer is stopped, and until it is woken, and what it computes in a pause."""
    freezing, computing, thawing = [], [], []
    for _ in range(FREEZES):
        daemon.trains()
        freezing.append(_seconds_until("stopped", lambda: daemon.ask(Pause())))
        wait_until(lambda: daemon.look().activity is Activity.PAUSED, "it is not paused")
        daemon.ask(Resume())
    tell(measured="seconds from the order to pause until the trainer is stopped", values=sorted(freezing))
    for _ in range(LONG_PAUSES):
        daemon.trains()
        freeze(daemon)
        time.sleep(SETTLING_SECONDS + 5.0)  # it is woken now and then until its round is over
        computing.append(wsl("cpu", "10"))
        thawing.append(_seconds_until("woken", lambda: daemon.ask(Resume())))
    tell(measured="processor seconds in ten seconds of a pause", values=sorted(computing))
    tell(measured="seconds from the order to resume until the trainer is woken", values=sorted(thawing))


def _seconds_until(change: str, order: Callable[[], object]) -> float:
    """Return the seconds from an order to the daemon until the trainer has changed so."""
    program = json.loads(os.environ[VARIABLE])["program"]
    watcher = subprocess.Popen([program, "--stand-in", change], stdout=subprocess.PIPE)
    time.sleep(1.0)  # until it looks
    began = time.time()
    order()
    return float(json.loads(watcher.communicate(timeout=90)[0])) - began


def _are_gone(known: set[str]) -> bool:
    """Return true if none of these processes of Linux is there."""
    return known.isdisjoint(wsl("left"))


def kill_relay(daemon: DrivenDaemon) -> None:
    for process in daemon.wsl_processes():
        process.kill()


def kill_daemon(daemon: DrivenDaemon) -> None:
    daemon.process.kill()
    daemon.process.wait()


LINKS: dict[str, Callable[[DrivenDaemon], object]] = {
    "trainer": lambda daemon: wsl("kill", "trainer"),
    "agent": lambda daemon: wsl("kill", "agent"),
    "wsl.exe": kill_relay,
    "daemon": kill_daemon,
}


def kill_links(daemon: DrivenDaemon) -> None:
    """Kill each link, while the trainer runs and while it is frozen; nothing of that trainer may be left."""
    for link, kill in LINKS.items():
        for is_frozen in (False, True):
            daemon.trains()
            if is_frozen:
                freeze(daemon)
            before = set(wsl("left"))
            kill(daemon)
            seconds = wait_until(partial(_are_gone, before), f"left after {link}")
            tell(killed=link, frozen=is_frozen, processes=len(before), seconds_until_gone=round(seconds, 1))
            if daemon.process.poll() is not None:
                daemon.start()
            daemon.ask(Resume())


def main(folder: str) -> None:
    """Train an epoch, measure, kill, and end in order."""
    daemon = DrivenDaemon()
    try:
        began = time.monotonic()
        daemon.ask(Join(folder=folder))
        daemon.trains()
        tell(measured="seconds from joining until it trains", values=[time.monotonic() - began])
        wait_until(lambda: epoch_of(daemon.look()) >= 1, lambda: f"no epoch: {daemon.look()}", 900.0)
        tell(measured="seconds from joining until the first epoch", values=[time.monotonic() - began])
        measure_freezing(daemon)
        kill_links(daemon)
        daemon.trains()
        daemon.ask(Quit())
        daemon.process.wait(timeout=120)
        wait_until(lambda: not wsl("left"), "something is left after the end in order")
        tell(measured="processes left after quitting", values=[0])
    finally:
        if daemon.process.poll() is None:
            daemon.process.kill()


def epoch_of(seen: Snapshot) -> int:
    """Return the number of the epoch that is trained now."""
    return seen.progress.epoch if seen.progress is not None else 0


if __name__ == "__main__":
    main(sys.argv[1])
