"""Interrupts, silence and errors while a notebook trains: it leaves the swarm, and says only what has happened."""

import signal
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage
from client.api.commands import CancelSignIn, EnterGate, Quit
from client.api.errors import ClientError
from client.api.snapshot import Activity
from client.notebook.candidate import follow_candidate
from client.notebook.cells import CellPage, NotebookError
from client.notebook.daemon import NotebookDaemon
from client.notebook.interrupts import interrupts_in_words
from client.notebook.sign_in import sign_in
from client.notebook.training import NotebookTraining
from tests.client.snapshots import FULL
from tests.notebooks.desks import NotebookDesk, locked
from tests.notebooks.drawn_cells import DrawnCells
from tests.notebooks.test_cells import CANDIDATE

COMPLETE = FULL.model_copy(update={"activity": Activity.COMPLETE})
RUN = CANDIDATE.model_copy(update={"digest": "ab" * 32})
FETCHING = CANDIDATE.model_copy(update={"stage": CandidateStage.FETCHING})


class InterruptedCells(DrawnCells):
    """Displays at which the user interrupts while the swarm is left."""

    def draw(self, page: CellPage) -> None:
        super().draw(page)
        if page.text.startswith("Leaving"):
            interrupt()


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def refuse() -> None:
    raise ClientError("The daemon says no.", "Ask another one.")


@pytest.fixture
def cells() -> DrawnCells:
    return InterruptedCells()


@pytest.fixture
def desk(tmp_path: Path, cells: DrawnCells) -> NotebookDesk:
    return NotebookDesk(tmp_path / "home", cells)


def test_further_interrupts_do_not_keep_it_from_leaving(desk: NotebookDesk, cells: DrawnCells) -> None:
    desk.at_sleep = [interrupt, interrupt, interrupt]
    with locked(desk.machine.paths, FULL) as daemon:
        NotebookTraining(desk.machine).train()
        assert daemon.requests_of(Quit) == 1
    assert cells.pages[-1].text.startswith("Left in order\nYou interrupted the cell.")
    with pytest.raises(KeyboardInterrupt):
        interrupt()  # later ones count again


def test_an_error_of_the_cell_leaves_too(desk: NotebookDesk, cells: DrawnCells) -> None:
    desk.at_sleep = [refuse]
    with locked(desk.machine.paths, FULL) as daemon:
        with pytest.raises(NotebookError, match="The daemon says no"):
            NotebookTraining(desk.machine).train()
        assert daemon.requests_of(Quit) == 1
    assert cells.pages[-1].text.startswith("Left in order\nAn error has ended the cell.")


@pytest.mark.parametrize(("silences", "is_answered"), [(3, True), (12, False)])
def test_a_silent_daemon_is_asked_again_for_minutes_and_left_in_any_case(
    desk: NotebookDesk, cells: DrawnCells, silences: int, is_answered: bool
) -> None:
    desk.silences = silences
    with locked(desk.machine.paths, COMPLETE) as daemon:
        fails = nullcontext() if is_answered else pytest.raises(NotebookError, match="not answer")
        with fails:
            NotebookTraining(desk.machine).train()
        assert daemon.requests_of(Quit) == 1
    why = "The run is complete." if is_answered else "An error has ended the cell."
    assert cells.pages[-1].text.startswith(f"Left in order\n{why}")


def test_a_daemon_that_is_not_there_is_not_said_to_have_left(desk: NotebookDesk, cells: DrawnCells) -> None:
    desk.machine.paths.prepare()
    training = NotebookTraining(desk.machine)
    training.leave()
    with pytest.raises(NotebookError):
        training.train()
    for page in (cells.pages[1], cells.pages[-1]):
        assert page.text.startswith("Nothing trains here\n")
        assert str(desk.machine.paths.log("daemon")) in page.text
    assert "Left in order" not in cells.text


@pytest.mark.parametrize(
    ("happens", "words"), [(interrupt, "The sign-in was cancelled"), (refuse, "The daemon says no")]
)
def test_a_sign_in_is_cancelled_however_early_the_cell_ends(
    desk: NotebookDesk, cells: DrawnCells, happens: Callable[[], None], words: str
) -> None:
    desk.at_sleep = [happens]
    with locked(desk.machine.paths, FULL.model_copy(update={"sign_in": None})) as daemon:
        daemon.early_cancels = 2
        with pytest.raises(ClientError, match=words):
            sign_in(NotebookDaemon(desk.machine), desk.machine, RUN, cells)
        assert daemon.requests_of(EnterGate) == 1
        assert daemon.requests_of(CancelSignIn) == 3


def test_a_run_of_which_nothing_arrives_is_given_up_and_an_interrupt_is_told(
    desk: NotebookDesk, cells: DrawnCells
) -> None:
    machine = desk.machine
    follow = partial(follow_candidate, NotebookDaemon(machine), machine, CandidateStage.JOINED, cells)
    with locked(machine.paths, FULL.model_copy(update={"candidate": FETCHING})):
        desk.at_sleep = [interrupt]
        with pytest.raises(NotebookError, match="goes on in the background"), interrupts_in_words():
            follow()
        begun = desk.now
        desk.at_sleep = [partial(setattr, desk, "now", begun + after) for after in (599.0, 601.0)]
        with pytest.raises(NotebookError, match="for ten minutes"):
            follow()
        assert not desk.at_sleep
