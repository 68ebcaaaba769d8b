"""The execution of a page's notebook ends its process, also when it is interrupted."""

import os
import signal
import threading
from pathlib import Path

import psutil
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from docs.handbook.notebooks import execute
from tests.waiting import wait_until

pytestmark = pytest.mark.posix


class InterruptionError(Exception):
    """What a time limit raises in the middle of an execution."""


def test_an_interrupted_execution_leaves_no_process(tmp_path: Path) -> None:
    def interrupt(number: int, frame: object) -> None:
        raise InterruptionError

    def when_it_runs() -> None:
        wait_until(lambda: process.exists() and bool(process.read_text()), "no cell runs", 120)
        os.kill(os.getpid(), signal.SIGUSR1)

    process = tmp_path / "process"
    cell = f"import os, pathlib, time\npathlib.Path({str(process)!r}).write_text(str(os.getpid()))\ntime.sleep(600)"
    before = signal.signal(signal.SIGUSR1, interrupt)
    thread = threading.Thread(target=when_it_runs)
    thread.start()
    try:
        with pytest.raises(InterruptionError):
            execute(new_notebook(cells=[new_code_cell(cell)]), tmp_path)
    finally:
        thread.join()
        signal.signal(signal.SIGUSR1, before)
    assert not psutil.pid_exists(int(process.read_text()))
