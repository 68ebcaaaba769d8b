"""Measures how soon the daemon gives the machine back, what settling a round costs, and what the daemon itself takes.

The real daemon trains the embedded run on a display without a screen (Xvfb), on all cores but one. A key or a
movement of the mouse is sent over the display's own protocol; yielding lasts from then to the last work of the
process that computes, looked at every fraction of a millisecond until the kernel shows it as stopped, which takes
longer where other programs leave it no time even for that. Settling is what all of the trainer's processes compute
from then until they are quiet, the one that computes included, at the lowest priority, while a user goes on using
the computer. CPU times are those of the processes' own clocks.
"""

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from client.api.commands import Pause, SetPreference
from client.api.snapshot import Activity
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from client.machine.activity.x11 import X11Source
from client.machine.display.x11 import X11Connection
from core.children.freezing import SETTLING, SETTLING_SECONDS
from core.children.processes import cpu_seconds
from tests.client.machine.activity.users import X11User
from tests.desktops.desktop import private_bus, virtual_display
from tests.volunteer import VolunteerMachine, volunteer_at

_TRIES = 100
_QUIET_LOOKS = 5
_UNNOTICED_SECONDS = 2.0
_WORK_SECONDS = 0.0005
_PREFERENCES = {
    "idle_minutes": "3s",
    "other_cpu_load": "off",  # what else runs here is not what is measured
    "ram_free": "64 MiB",
}


@dataclass(frozen=True)
class Try:
    """One input while the trainer computes."""

    worked: float
    """Seconds from the input to the last work of the computing process."""
    stopped: float
    """Seconds from the input until the kernel shows that process as stopped: it has to be scheduled for
    that."""
    settling: float
    """Seconds from then until no process of the trainer computes any more, at most 30."""
    cpu: float
    """CPU seconds of the trainer's processes meanwhile."""


def is_stopped(pid: int) -> bool:
    """Return true if the process is stopped; asked in microseconds, unlike through psutil."""
    return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"T"


def computed(pids: Iterable[int]) -> float:
    return sum(cpu_seconds(pid) for pid in pids)


async def settle(pids: list[int], user: X11User) -> tuple[float, float]:
    """Return the seconds until the processes are idle for half a second, and their CPU seconds until then."""
    began, before = time.perf_counter(), computed(pids)
    last, last_change, looks = before, began, 0
    while looks < _QUIET_LOOKS and time.perf_counter() - began < SETTLING_SECONDS:
        await user.press_key()
        await asyncio.sleep(0.1)
        now = computed(pids)
        looks = looks + 1 if now - last < 0.002 else 0
        if not looks:
            last_change = time.perf_counter()
        last = now
    return last_change - began, last - before


async def yielding(trainer: int, user: X11User, key: bool, idle: X11Source) -> tuple[float, float]:
    """Return the seconds from an input to the last work, and to the stop.

    An input that the display itself has not noticed is sent again.
    """
    while True:
        began = worked = time.perf_counter()
        computed_before = cpu_seconds(trainer)
        await (user.press_key() if key else user.move_mouse())
        while not is_stopped(trainer):
            await asyncio.sleep(0)  # what the display's connection could not send at once goes out here
            if (now := cpu_seconds(trainer)) - computed_before > _WORK_SECONDS:
                computed_before, worked = now, time.perf_counter()
            waited = time.perf_counter() - began
            if waited > _UNNOTICED_SECONDS and await idle.idle_seconds() > waited:
                break
        else:
            return worked - began, time.perf_counter() - began


async def one_try(person: VolunteerMachine, user: X11User, key: bool, idle: X11Source) -> Try:
    person.wait_for(Activity.TRAINING)
    trainer = person.trainer
    pids = [trainer.pid, *(child.pid for child in trainer.children(recursive=True))]
    busy = cpu_seconds(trainer.pid)
    while cpu_seconds(trainer.pid) - busy < 0.3:  # it computes
        await asyncio.sleep(0.01)
    yielded = await yielding(trainer.pid, user, key, idle)
    return Try(*yielded, *await settle(pids, user))


async def tries(person: VolunteerMachine, display: str, count: int) -> list[Try]:
    connection = await X11Connection.open({"DISPLAY": display})
    user = await X11User.sit_down(connection)
    idle = await X11Source.open({"DISPLAY": display})
    found = [await one_try(person, user, step % 2 == 0, idle) for step in range(count)]
    await idle.close()
    await connection.close()
    return found


def cost(person: VolunteerMachine, what: str, seconds: float) -> dict[str, Any]:
    """Return the daemon's CPU share and memory over ``seconds`` seconds."""
    assert person.daemon is not None
    pid = person.daemon.pid
    time.sleep(5)  # what has just changed is over
    before = cpu_seconds(pid)
    time.sleep(seconds)
    share = (cpu_seconds(pid) - before) / seconds
    return {
        "what": f"daemon: {what}",
        **_figures(rss_mb=psutil.Process(pid).memory_info().rss / 1e6, cpu=share),
    }


def _figures(**known: float) -> dict[str, Any]:
    """Return a row, which has the same columns whatever was measured."""
    columns = (
        "p50_ms",
        "p99_ms",
        "worst_ms",
        "stopped_p50_ms",
        "stopped_p99_ms",
        "settling_s",
        "settling_cpu_s",
        "settling_share",
        "rss_mb",
        "cpu",
    )
    return {name: rounded(known[name], 3) if name in known else "" for name in columns}


def summary(found: list[Try]) -> dict[str, Any]:
    worked, stopped = ([1000 * getattr(item, name) for item in found] for name in ("worked", "stopped"))
    allowed = SETTLING.share
    worst = max(found, key=lambda item: item.cpu - allowed * item.settling)
    return {
        "what": f"yielding, {len(found)} tries",
        **_figures(
            p50_ms=float(np.percentile(worked, 50)),
            p99_ms=float(np.percentile(worked, 99)),
            worst_ms=max(worked),
            stopped_p50_ms=float(np.percentile(stopped, 50)),
            stopped_p99_ms=float(np.percentile(stopped, 99)),
            settling_s=float(np.median([item.settling for item in found])),
            settling_cpu_s=max(item.cpu for item in found),
            settling_share=worst.cpu / max(worst.settling, 1.0),
        ),
    }


def measure(count: int, seconds: float) -> list[dict[str, Any]]:
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        display = stack.enter_context(virtual_display())
        buses = [stack.enter_context(private_bus()) for _ in range(2)]
        environment = {
            "DISPLAY": display,
            "DBUS_SESSION_BUS_ADDRESS": buses[0],
            "DBUS_SYSTEM_BUS_ADDRESS": buses[1],
        }
        person = stack.enter_context(
            volunteer_at(folder / "home", environment=environment, settings={"is_idle": True})
        )
        person.prefer(**_PREFERENCES)
        person.start()
        rows = [cost(person, "no run was joined", seconds)]
        person.join(embedded_run() / MANIFESTS[EmbeddedSet.STARTER])
        rows.insert(0, summary(asyncio.run(tries(person, display, count))))
        person.wait_for(Activity.TRAINING)
        rows.append(cost(person, "it trains", seconds))
        person.ask(Pause(seconds=3600))
        rows.append(cost(person, "paused, the trainer in memory", seconds))
        person.ask(SetPreference(name="run-mode", value="never"))
        rows.append(cost(person, "paused, without a trainer", seconds))
        person.quit()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--tries", type=int, default=_TRIES)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each measurement of the daemon")
    options = parser.parse_args()
    report = BenchmarkReport("yielding", __doc__ or "")
    rows = measure(options.tries, options.seconds)
    report.write(rows, folder=options.out, tries=options.tries, seconds=options.seconds)


if __name__ == "__main__":
    main()
