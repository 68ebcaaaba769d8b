"""Follows a run that was looked at until it is known or joined; one that makes no progress is given up."""

from client.api.candidate import CandidateStage, CandidateView
from client.notebook.cells import CellDisplay, NotebookError
from client.notebook.daemon import NotebookDaemon
from client.notebook.machine import NotebookMachine
from client.notebook.pages import fetching_page

_STILL_SECONDS = 600.0
"""Time limit in seconds for a run of which nothing more arrives."""


def follow_candidate(
    daemon: NotebookDaemon, machine: NotebookMachine, until: CandidateStage, screen: CellDisplay | None = None
) -> CandidateView:
    """Return the candidate run once it has come to a stage.

    Args:
        daemon: Daemon that looks at the run.
        machine: Clock of the machine.
        until: Stage to wait for.
        screen: Place where the progress is drawn; None: it is not drawn.

    Raises:
        NotebookError: The run fails before, is not looked at any more, or nothing of it has arrived for long.
    """
    before, since = None, machine.clock()
    while (seen := _sound(daemon.look().candidate)).stage is not until:
        if seen != before:
            before, since = seen, machine.clock()
        elif machine.clock() - since >= _STILL_SECONDS:
            raise NotebookError(
                "Nothing of the run has arrived for ten minutes.",
                "Check this machine's connection to the Internet, and run the cell again.",
            )
        if screen is not None:
            screen.draw(fetching_page(seen))
        machine.sleep(machine.look_seconds / 4)
    return seen


def _sound(seen: CandidateView | None) -> CandidateView:
    if seen is None:
        raise NotebookError("The run is not looked at any more.", "Run the cell that looks at it again.")
    if seen.stage is CandidateStage.FAILED:
        assert seen.problem is not None
        raise NotebookError(seen.problem.what, seen.problem.remedy)
    return seen
