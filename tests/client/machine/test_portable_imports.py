"""What reads the machine is imported and works where no module is that only Linux has, in a process of its own.

Only missing modules are pretended; the system is still Linux.
"""

import os
import pkgutil
import subprocess
import sys

import pytest

import client.machine
from tests.volunteer import ROOT
from tests.waiting import DEADLINE

ABSENT = "jeepney", "fcntl", "resource", "termios", "pwd", "grp", "uvloop"
"""Modules that Python, or the packages installed, lack on Windows."""
LINUX = {
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
}
"""Modules that speak D-Bus, which those of other systems do not lead to."""
REFUSE = """
import sys
import psutil, asyncio, subprocess  # what they need of Linux is theirs

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

absent = sys.argv[1].split(",")
for name in absent:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Refusing())
"""
IMPORT = """
import importlib
for name in sys.argv[2:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(name)
"""
SURVEY = """
from pathlib import Path
from client.machine.activity.watch import ActivityWatch
from client.machine.gpu.graphics import Own
from client.machine.gpu.nvml import Nvml
from client.machine.probes import ProbeParts, survey_of
from client.machine.readings import Known
from client.machine.systems.sources import system_sources
from client.machine.views import views

async def read():
    async with system_sources({}, sys.argv[2]) as system:
        watch = ActivityWatch(system.activity)
        parts = ProbeParts(watch.idle, system, Nvml(), tuple, Own, lambda: ("game",), Path.cwd())
        async with survey_of(parts) as survey:
            while not isinstance((readings := await survey.read()).cpu_by_others, Known):
                await asyncio.sleep(0.1)
            for view in views(readings):
                print(view.name, "known" if view.value else "unknown", sep=": ")

asyncio.run(read())
"""


def output_of(program: str, absent: tuple[str, ...], *arguments: str) -> list[str]:
    """Lines that a program prints in a process where those modules are absent."""
    command = [sys.executable, "-c", REFUSE + program, ",".join(absent), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_only_the_sources_of_linux_need_what_only_linux_has() -> None:
    modules = [module.name for module in pkgutil.walk_packages(client.machine.__path__, "client.machine.")]
    assert len(modules) > 30
    assert set(output_of(IMPORT, ABSENT, *modules)) == LINUX


def test_daemon_checks_and_app_are_imported_without_dbus() -> None:
    named = "client.daemon", "client.checks.all_checks", "gui.app", "gui.tray.tray", "gui.tray.session_bus"
    assert output_of(IMPORT, ("jeepney", "termios", "uvloop"), *named) == ["gui.tray.session_bus"]


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_a_whole_survey_is_read_there(platform: str) -> None:
    """The libraries of that system are missing here; what psutil reads is known all the same."""
    readings = dict(line.split(": ") for line in output_of(SURVEY, ABSENT, platform))
    known = {name for name, state in readings.items() if state == "known"}
    assert known >= {"processor used by others", "exclusive applications", "free RAM", "free disk"}
    assert {"last input", "screen locked", "full-screen application", "metered network"}.isdisjoint(known)
