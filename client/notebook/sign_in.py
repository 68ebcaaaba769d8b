"""Signs in to a run from a cell, by a code that the user enters in any browser."""

from concurrent.futures import Future, wait
from contextlib import suppress
from threading import Thread

from client.api.answers import Done
from client.api.candidate import CandidateView
from client.api.commands import CancelSignIn, EnterGate
from client.api.errors import ClientError
from client.notebook.cells import CellDisplay, NotebookError
from client.notebook.daemon import NotebookDaemon
from client.notebook.interrupts import uninterrupted
from client.notebook.machine import NotebookMachine
from client.notebook.pages import sign_in_page

_SIGN_IN_SECONDS = 3700.0
"""A little more than the daemon waits for a code to be entered."""
_CANCEL_SECONDS = 60.0
"""Time limit in seconds for a daemon to give a sign-in up."""


def sign_in(daemon: NotebookDaemon, machine: NotebookMachine, run: CandidateView, screen: CellDisplay) -> str:
    """Sign in to a run with a gate, and return the daemon's sentence about it.

    The membership stays in the daemon's memory and in no file.

    Args:
        daemon: Daemon that looks at the run.
        machine: Clock of the machine.
        run: The run, which has a gate.
        screen: Place where the code is shown.

    Raises:
        NotebookError: The user has interrupted it.
        ClientError: The sign-in failed; whatever the reason, it is cancelled.
    """
    entering: Future[str] = Future()
    # It ends with the kernel: a daemon that is silent keeps it waiting for as long as a code may take.
    Thread(target=_enter, args=(machine, _request(run), entering), daemon=True).start()
    try:
        while not entering.done():
            if (view := daemon.look().sign_in) is not None:
                screen.draw(sign_in_page(view))
            machine.sleep(machine.look_seconds / 4)
        return entering.result()
    except KeyboardInterrupt:
        raise NotebookError("The sign-in was cancelled.", "Run the cell again to sign in.") from None
    finally:
        with uninterrupted():
            _cancel(daemon, machine, entering)


def _request(run: CandidateView) -> EnterGate:
    assert run.gate is not None
    return EnterGate(
        run=run.digest, coordinator=run.gate.coordinator, gate=run.gate.key, flow="device", keep="session"
    )


def _enter(machine: NotebookMachine, request: EnterGate, entering: "Future[str]") -> None:
    try:
        with machine.connect(machine.paths.socket) as daemon:
            answer = daemon.ask(request, _SIGN_IN_SECONDS)
        assert isinstance(answer, Done)
        entering.set_result(answer.text)
    except BaseException as error:  # noqa: BLE001 - the cell raises it
        entering.set_exception(error)


def _cancel(daemon: NotebookDaemon, machine: NotebookMachine, entering: "Future[str]") -> None:
    """Cancel until the sign-in is over: a daemon that has not begun it refuses to cancel it."""
    until = machine.clock() + _CANCEL_SECONDS
    while not entering.done() and machine.clock() < until:
        with suppress(ClientError):
            daemon.ask(CancelSignIn())
        wait([entering], machine.look_seconds / 4)
