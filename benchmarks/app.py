"""Measures how soon the app's window is there, and how long its event loop is held up while training runs beside it.

The real daemon trains the embedded run on a display without a screen (Xvfb, openbox), on all cores but one, at the
lowest priority. The window counts as there once it was painted, from the start of its process on, Python and its
imports included; a bare window of Qt's is shown in turns with it. Then the app is used: every page, up and down, in
light and in dark, at several sizes. The loop is held up for as long as a timer of five milliseconds comes late; of
that, ``worked`` is what the app itself has computed, and the rest went to others, as the trainer, who had the
processor meanwhile.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from client.api.commands import SetPreference
from client.api.snapshot import Activity
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from gui.settings import AppSettings
from tests.desktops.desktop import running, virtual_display
from tests.volunteer import VolunteerMachine, volunteer_at

_STARTS = 9
_PREFERENCES = {"run_mode": "always", "ram_free": "64 MiB", "disk_free": "64 MiB", "other_cpu_load": "off"}
START_GOAL, STALL_GOAL = 1.5, 0.05
"""Goals in seconds."""


def probe(environment: Mapping[str, str], *arguments: str) -> list[dict[str, Any]]:
    """Return the lines that `benchmarks.subjects.app_probe` prints."""
    command = [sys.executable, "-m", "benchmarks.subjects.app_probe", *arguments]
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def starts(environment: Mapping[str, str], number: int) -> list[dict[str, Any]]:
    """Measure the seconds to the app's window and to a bare one, in turns."""
    found: dict[str, list[dict[str, float]]] = {"bare": [], "app": []}
    for _ in range(number):
        for kind, starts_ in found.items():
            starts_.append(probe(environment, kind, "0")[0])
    bare = median(start["window"] for start in found["bare"])
    rows = []
    for kind, starts_ in found.items():
        took = [start["window"] for start in starts_]
        rows.append({
            "window_of": kind, "median_s": rounded(median(took)), "worst_s": rounded(max(took)),
            "to_bare": rounded(median(took) / bare),
            "median_worked_s": rounded(median(start["worked"] for start in starts_)),
            "goal_s": START_GOAL if kind == "app" else None,
        })  # fmt: skip
    return rows


def stalls(environment: Mapping[str, str], seconds: float) -> list[dict[str, Any]]:
    """Return the longest delays of the event loop by activity, the longest first."""
    rows = []
    for doing, late in probe(environment, "app", str(seconds))[-1]["late"].items():
        longest = max(late)
        rows.append({
            "doing": doing, "longest_s": rounded(longest[0]), "worked_in_it_s": rounded(longest[1]),
            "most_worked_s": rounded(max(worked for _, worked in late)),
            "over_goal": sum(clock > STALL_GOAL for clock, _ in late),
            "worked_over_goal": sum(worked > STALL_GOAL for _, worked in late),
            "turns": len(late), "goal_s": STALL_GOAL,
        })  # fmt: skip
    return sorted(rows, key=lambda row: -float(row["longest_s"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=_STARTS)
    parser.add_argument("--seconds", type=float, default=60.0, help="for which the app is used")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    start, stall = BenchmarkReport("app_start", str(__doc__)), BenchmarkReport("app_stalls", str(__doc__))
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        display = stack.enter_context(virtual_display())
        stack.enter_context(running("openbox", environment={"DISPLAY": display}))
        person = stack.enter_context(volunteer_at(home, settings={"is_idle": True}))
        train(person)
        environment = {
            **os.environ,
            "DISPLAY": display,
            "IDLEBRUSH_HOME": str(home),
            "QT_QPA_PLATFORM": "xcb",
            # Compiled once, as what is installed is, wherever the caller keeps Python from that.
            "PYTHONPYCACHEPREFIX": str(home / "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        probe(environment, "app", "4")
        start.write(starts(environment, options.starts), folder=options.out, starts=options.starts)
        stall.write(stalls(environment, options.seconds), folder=options.out, seconds=options.seconds)


def train(person: VolunteerMachine) -> None:
    """Start the embedded run, as a person does who has completed the first run."""
    person.prefer(**_PREFERENCES)
    settings = AppSettings(person.paths.config)
    settings.first_run_done = True
    settings.save()
    person.start()
    person.ask(SetPreference(name="threads", value=str(max(1, (os.cpu_count() or 2) - 1))))
    person.join(embedded_run() / MANIFESTS[EmbeddedSet.STARTER])
    person.wait_for(Activity.TRAINING)


if __name__ == "__main__":
    main()
