"""Trains a run from a notebook: looks at it, signs in, joins it, shows the progress, and leaves in order.

No person sits at the machine of a notebook: it trains as one that `idlebrush join --unattended` joins. The daemon has
a folder of the notebook's own: it changes nothing of an app on the same machine, and ends with the kernel.
"""

from contextlib import suppress
from datetime import UTC, datetime

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import JoinCandidate, LookAtRun
from client.api.errors import ClientError, JoinError
from client.api.snapshot import Activity, Snapshot
from client.joining.invitation import read_invitation
from client.notebook.candidate import follow_candidate
from client.notebook.cells import CellDisplay, NotebookError, in_words, sentences
from client.notebook.daemon import NotebookDaemon
from client.notebook.interrupts import interrupts_in_words, uninterrupted
from client.notebook.machine import NotebookMachine, notebook_home
from client.notebook.pages import absent_page, left_page, preview_page, training_page
from client.notebook.sign_in import sign_in

_ATTENTION_SECONDS = 600.0
"""Time limit in seconds for a run that needs a person, whom a notebook does not have."""
_JOINS = (CandidateStage.FETCHING, CandidateStage.JOINED)
"""Stages of a run that the user has consented to."""


class NotebookTraining:
    """One machine's part in a run, as the cells of a notebook go through it: `look`, `join`, `train`."""

    def __init__(self, machine: NotebookMachine | None = None) -> None:
        """Prepare to train on ``machine``; None: on this one, in `notebook_home`."""
        self._machine = machine or NotebookMachine(notebook_home())
        self._daemon = NotebookDaemon(self._machine)
        self._seen: CandidateView | None = None
        self._last: Snapshot | None = None

    # --- what cells call ----------------------------------------------------------------------------------------

    def look(self, link: str) -> None:
        """Show what the run of a join link is, and what it takes of this machine; nothing is joined.

        Args:
            link: Join link of the run, as its website and its organiser give it.

        Raises:
            NotebookError: The run cannot be had, or the link does not name its key.
        """
        with in_words(), interrupts_in_words():
            if not link.strip():
                raise NotebookError(
                    "LINK is empty.", "Paste the join link of a run, from its website's page Join."
                )
            _require_key(link)
            self._daemon.begin()
            self._daemon.ask(LookAtRun(location=link.strip()))
            self._seen = seen = follow_candidate(self._daemon, self._machine, CandidateStage.READY)
            self._machine.screen().draw(preview_page(seen, self._daemon.look().run_mode))

    def join(self) -> None:
        """Consent to the run that was looked at: sign in where it has a gate, and fetch its files.

        Raises:
            NotebookError: The sign-in or the download failed, or no run was looked at.
        """
        with in_words(), interrupts_in_words():
            if (seen := self._seen) is None:
                raise NotebookError("No run was looked at.", "Run the cell that looks at it first.")
            screen = self._machine.screen()
            if seen.gate is not None and not seen.gate.is_member:
                self._sign_in(seen, screen)
            self._consent(seen)
            follow_candidate(self._daemon, self._machine, CandidateStage.JOINED, screen)
            screen.draw(sentences(f"Joined: {seen.title}", ("Training starts by itself.",)))

    def train(self, hours: float | None = None) -> None:
        """Show how training goes until it is interrupted, the run is complete or time is up; then leave in order.

        It leaves whatever happens: also at an error, and at further interrupts.

        Args:
            hours: Hours after which to leave, a little less than the service allows; None: no limit.

        Raises:
            NotebookError: The daemon ended by itself, cannot be reached for minutes, or does not end.
        """
        with in_words():
            screen, clock, why = self._machine.screen(), self._machine.clock, "An error has ended the cell."
            try:
                why = self._follow_training(screen, None if hours is None else clock() + 3600 * hours)
            except KeyboardInterrupt:
                why = "You interrupted the cell."
            finally:
                self._leave(screen, why)

    def leave(self) -> None:
        """Leave the swarm in order, and end all that the notebook has started.

        Raises:
            NotebookError: The daemon does not end.
        """
        with in_words():
            self._leave(self._machine.screen(), "You asked to leave.")

    # --- joining ------------------------------------------------------------------------------------------------

    def _sign_in(self, run: CandidateView, screen: CellDisplay) -> None:
        """Sign in, unless an earlier call of the cell has."""
        now = self._daemon.look().candidate
        if now is not None and now.gate is not None and now.gate.is_member:
            return
        screen.draw(sentences("Signed in", (sign_in(self._daemon, self._machine, run, screen),)))

    def _consent(self, run: CandidateView) -> None:
        """Request the run's files, unless an earlier call of the cell has."""
        now = self._daemon.look().candidate
        if now is None or now.digest != run.digest or now.stage not in _JOINS:
            self._daemon.ask(JoinCandidate(digest=run.digest))

    # --- training -----------------------------------------------------------------------------------------------

    def _follow_training(self, screen: CellDisplay, deadline: float | None) -> str:
        """Show the progress until training is to end; return why, as a sentence."""
        needed_since: float | None = None
        while True:
            seen, now = self._daemon.look(), self._machine.clock()
            self._last = seen
            left = None if deadline is None else deadline - now
            screen.draw(training_page(seen, datetime.now(UTC).astimezone(), left))
            needed_since = (needed_since or now) if seen.activity is Activity.ATTENTION else None
            waited = 0.0 if needed_since is None else now - needed_since
            if (why := reason_to_leave(seen, left, waited)) is not None:
                return why
            self._machine.sleep(self._machine.look_seconds)

    def _leave(self, screen: CellDisplay, why: str) -> None:
        """End the daemon in order, and wait for its last process; no interrupt keeps it from that."""
        with uninterrupted():
            if self._last is None:
                with suppress(ClientError):
                    self._last = self._daemon.glance()
            screen.draw(sentences("Leaving the swarm", (why, "This takes a moment.")))
            is_left = self._daemon.end()
        log = self._machine.paths.log("daemon")
        screen.draw(left_page(why, self._last) if is_left else absent_page(why, log))
        self._seen = self._last = None


def _require_key(link: str) -> None:
    """Raise NotebookError if a ``link`` does not name the key of its run."""
    invitation = read_invitation(link)
    try:
        invitation.require_vouched()
    except JoinError as error:
        raise NotebookError(error.what, "Use the run's join link.") from None


def reason_to_leave(seen: Snapshot, seconds_left: float | None, seconds_needed: float) -> str | None:
    """Return why a notebook leaves the run now, as a sentence; None: it goes on.

    Args:
        seen: Snapshot of the daemon.
        seconds_left: Seconds until the time limit; None: there is none.
        seconds_needed: Seconds for which the run has needed a person.
    """
    if seen.activity is Activity.COMPLETE:
        return "The run is complete."
    if seen.run is None:
        return "No run is joined."
    if seconds_left is not None and seconds_left <= 0:
        return "The time that you set is over."
    if seconds_needed >= _ATTENTION_SECONDS:
        return f"It could not go on by itself: {seen.headline}"
    return None
