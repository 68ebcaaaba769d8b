"""All tests share a temporary folder that is removed at the end, processes to end, and a disk to fill."""

import atexit
import gc
import multiprocessing.util
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from core.children.child import postpone
from tests.client.full_disk import SmallDisk, mounted_at
from tests.processes.making_programs import make_program as make_program
from tests.processes.shared_memory import remove_litter

WHOLE_PROGRAMS = {"integration", "notebooks", "swarm"}
"""Folders of tests that start whole programs."""
SECONDS_OF_PROGRAMS = 900
"""Seconds after which a test of whole programs is taken for hung.

On two slow cores, beside other lanes, a coordinator with its trainers took more than the 300 of other tests. What is
promised to users has limits of its own.
"""

settings.register_profile(
    "busy machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
"""Profile without Hypothesis's time limits: beside other programs an empty example took half a second to draw."""
settings.load_profile("busy machine")


def pytest_configure() -> None:
    """Make the folder that all tests share, and collect no garbage until all modules are imported."""
    gc.disable()
    postpone("scipy.optimize")  # as in the children of the product
    folder = tempfile.mkdtemp(prefix="idle-")  # removed at the end, with sockets of processes that tests kill
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # What runs later would miss its files in that folder.
    atexit.register(multiprocessing.util._run_finalizers)  # type: ignore[attr-defined]
    os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder))
    tempfile.tempdir = folder
    for variable in (
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ):  # nothing of ours opens a window before whoever runs the tests
        os.environ.pop(variable, None)
    if sys.platform != "win32":
        atexit.register(remove_litter, since=time.time())


def pytest_unconfigure() -> None:
    """End the server that forks for tests: by itself it ends after this process, on a busy machine much later."""
    if (module := sys.modules.get("multiprocessing.forkserver")) and module._forkserver._forkserver_pid:
        os.kill(module._forkserver._forkserver_pid, signal.SIGKILL)
        module._forkserver._stop()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--exhaustive", action="store_true", help="run the tests marked exhaustive as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this system or run is not for; keep pytest-qt's capture of exceptions to the app's tests.

    Tests of whole programs get more time before they are taken for hung.
    pytest-qt, where it is loaded, takes what any thread raises for a fault in Qt's loop, which only tests of the app
    want.
    """
    if sys.platform == "win32":
        posix = [item for item in items if item.get_closest_marker("posix")]
        items[:] = [item for item in items if not item.get_closest_marker("posix")]
        config.hook.pytest_deselected(items=posix)
    if not config.getoption("--exhaustive"):
        exhaustive = [item for item in items if item.get_closest_marker("exhaustive")]
        items[:] = [item for item in items if not item.get_closest_marker("exhaustive")]
        config.hook.pytest_deselected(items=exhaustive)
    for item in items:
        if WHOLE_PROGRAMS.intersection(_places(item)) and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SECONDS_OF_PROGRAMS))
    for item in items if config.pluginmanager.hasplugin("pytest-qt") else ():
        if "gui" not in _places(item):
            item.add_marker("qt_no_exception_capture")


def _places(item: pytest.Item) -> tuple[str, ...]:
    """Return the folders of a test, beneath that of all tests, and its file."""
    return item.path.relative_to(Path(__file__).parent).parts


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of every later collection of garbage, each of which would read it."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_runtest_setup() -> None:
    """Restore Ctrl-C's handler: background processes of a shell ignore it, and children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


taken: dict[str, float] = defaultdict(float)
"""Seconds of the processor of each test module, its fixtures and processes included."""
COSTLY = 12
"""Test modules that the summary names."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Enter what a test takes of the processor."""
    before = sum(processor_seconds())
    try:
        return (yield)
    finally:
        taken[item.location[0]] += sum(processor_seconds()) - before


def processor_seconds() -> tuple[float, float]:
    """Return the seconds of the processor that this process took, and those of the processes that it waited for."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much of the processor the tests took, and which modules took most."""
    own, others = processor_seconds()
    terminalreporter.write_line(f"Processor: {own:.0f} s here, {others:.0f} s in other processes. Most took:")
    for name, seconds in sorted(taken.items(), key=lambda each: -each[1])[:COSTLY]:
        terminalreporter.write_line(f"{seconds:7.1f} s  {name}")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    if sys.platform == "win32":
        pytest.skip("no disk is there to fill")
    folder = tmp_path / "disk"
    folder.mkdir()
    with mounted_at(folder) as disk:
        yield disk
