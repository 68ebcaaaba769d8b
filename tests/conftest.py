"""What all tests share: a temporary folder of their own, gone at the end, processes to end, a disk to fill."""

import atexit
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.full_disk import SmallDisk, mounted_at
from tests.hivemind_locks import take_from_the_dead
from tests.making_programs import make_program as make_program
from tests.shared_memory import remove_litter


def pytest_configure(config: pytest.Config) -> None:
    """Sockets of processes that a test kills have nobody else to remove them."""
    folder = tempfile.mkdtemp(prefix="idle-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # after multiprocessing has cleaned up in it
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    for variable in (
        "DISPLAY",
        "WAYLAND_DISPLAY",
    ):  # nothing of ours opens a window before whoever runs the tests
        os.environ.pop(variable, None)
    is_worker = hasattr(config, "workerinput")  # whose end has nothing to do with other workers' processes
    if not is_worker:
        atexit.register(remove_litter, since=time.time())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """pytest-qt takes what any thread raises for a fault in Qt's loop: only tests of the app want that."""
    for item in items:
        if "gui" not in item.path.relative_to(Path(__file__).parent).parts:
            item.add_marker("qt_no_exception_capture")


def pytest_runtest_setup() -> None:
    """What a shell starts in the background ignores Ctrl-C, some libraries put that back, and children inherit it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    take_from_the_dead()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    with mounted_at(folder) as disk:
        yield disk
