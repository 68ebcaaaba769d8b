"""The keeper of a kernel: one notebook trains in a folder, and only its own daemon ends with it."""

import threading
from pathlib import Path

import psutil
import pytest

from client.api.commands import Quit
from client.api.launch import PASS_VARIABLE
from client.notebook.cells import NotebookError
from client.notebook.keeper import NotebookKeeper, end_keeper, keeper_of
from client.notebook.machine import NotebookMachine
from client.service.channel.lock import is_held
from tests.client.snapshots import FULL
from tests.notebooks.desks import locked
from tests.notebooks.drawn_cells import DrawnCells


@pytest.fixture
def machine(tmp_path: Path) -> NotebookMachine:
    made = NotebookMachine(tmp_path / "home", DrawnCells())
    made.paths.prepare()
    return made


def test_a_second_notebook_is_refused_and_anothers_daemon_goes_on(machine: NotebookMachine) -> None:
    with locked(machine.paths, FULL) as daemon:
        keeper = keeper_of(machine.program)
        assert keeper_of(machine.program) is keeper, "a cell may run again"
        with pytest.raises(NotebookError, match="Another notebook of yours trains"):
            NotebookKeeper(machine.program)
        keeper.keep(FULL.pid + 1)
        end_keeper(machine.program)
        assert not keeper.is_there
        assert daemon.requests_of(Quit) == 0


def test_it_does_not_hold_the_pass_for_as_long_as_it_lives(
    machine: NotebookMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASS_VARIABLE, "secret")
    others = set(psutil.Process().children())
    keeper = NotebookKeeper(machine.program)
    (process,) = set(psutil.Process().children()) - others
    assert PASS_VARIABLE in machine.program.environment
    assert PASS_VARIABLE not in process.environ()
    keeper.end()


def test_a_restarted_kernel_begins_once_the_daemon_of_the_one_before_has_ended(
    machine: NotebookMachine,
) -> None:
    with locked(machine.paths, FULL, seconds_to_end=5.0) as daemon:
        before = NotebookKeeper(machine.program)
        before.keep(FULL.pid)
        ending = threading.Thread(target=before.end)
        ending.start()
        after = NotebookKeeper(machine.program)
        assert not is_held(machine.paths.lock)
        assert daemon.requests_of(Quit) == 1
        ending.join()
        after.end()
