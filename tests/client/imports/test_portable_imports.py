"""What the tray, the daemon, the command line and tasks consist of can be imported without what Windows lacks."""

import os
import subprocess
import sys
from pathlib import Path

NEED_TORCH = {
    "client.console.build_view",
    "client.console.drawing",
    "client.console.simulation_report",
    "client.generation.evaluated_model",
    "client.generation.evaluating",
    "client.generation.sources",
    "client.notebook.published",
    "client.recipes.weights",
}
"""Modules of notebooks, and of verbs that compute in their own process, such as `dataset build` and `generate`."""
POSIX_ONLY = {"core.children.guard"}
"""Programs and modules that only POSIX systems run."""
SPEAK_TO_D_BUS = {
    "client.machine.activity.gnome",
    "client.machine.activity.logind",
    "client.machine.activity.screen_saver",
    "client.machine.bus",
    "client.machine.bus_link",
    "client.machine.sensors.inhibitors",
    "client.machine.systems.linux",
    "client.machine.wake_lock.desktop",
    "client.machine.wake_lock.linux",
    "client.machine.wake_lock.logind",
    "gui.tray.session_bus",
}
"""Modules that only Linux imports."""


def test_nothing_fails_but_what_computes_and_what_other_systems_do_not_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.client.imports.as_on_windows"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=Path(__file__).parents[3],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    failures = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    assert failures.keys() == NEED_TORCH | POSIX_ONLY | SPEAK_TO_D_BUS, done.stdout
    assert all("torch" in failures[name] for name in NEED_TORCH), done.stdout
    assert all("jeepney" in failures[name] for name in SPEAK_TO_D_BUS), done.stdout
