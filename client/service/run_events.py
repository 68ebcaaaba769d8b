"""What a session does about what its run's trainer and its coordinator tell."""

import asyncio
from typing import TYPE_CHECKING

from client.api.errors import ClientError
from client.api.messages import Notice, Progress, Superseded, TrainerMessage
from client.service.life import Life
from client.service.restarts import Fault
from client.service.run import Run
from client.service.state import State
from core.errors import AdmissionError, SwarmError

if TYPE_CHECKING:
    from client.service.session import Session


class RunEvents:
    """Called on the event loop; a run that was left meanwhile has no say any more."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._saving: asyncio.Task[None] | None = None

    # --- its trainer --------------------------------------------------------------------------------------------

    def heard(self, life: Life, message: TrainerMessage) -> None:
        session, run = self._session, self._session.run
        if run is None:
            return
        session.books.contribution.heard(run.card.trained, life.id, message, session.now())
        session.pictures.heard(life, message)
        match message:
            case Progress():
                run.hear(life, message, session.now())
            case Notice():
                session.notice(message.text)
            case Superseded() if message.generation > run.card.generation:
                run.coordination.succession.superseded()
                session.notice("The run's organiser has taken it back to an earlier checkpoint.")
        session.changed()

    def training_changed(self) -> None:
        """Its trainer is in another state."""
        if (run := self._session.run) is not None:
            state, life = run.training.state, run.training.life
            self._session.pictures.trainer_is(None if state in (State.SETTLING, State.FROZEN) else life)
            if state is State.BACKING_OFF and run.training.problem is not None:
                self._failed(run, run.training.problem)
            if state is State.FROZEN:  # nothing that is said will bring it to the disk for a while
                self._session.books.contribution.write(self._session.now())
            if run.is_last_epoch:
                self._finish(run)
        self._session.changed()
        self._session.look()

    def _failed(self, run: Run, problem: ClientError) -> None:
        if problem.code == SwarmError.code:
            run.coordination.succession.lost()
        if problem.code == AdmissionError.code:
            run.coordination.refused()
        if run.training.fault is Fault.CRASH:
            self._session.choices.crashed()
            self._save_soon()
        self._session.notice(str(problem))

    def _finish(self, run: Run) -> None:
        if run.training.state is State.TRAINING:
            run.training.finish()  # what it was told before a crash or a pause counts
        elif run.training.state is State.IDLE and run.training.has_finished:
            run.is_last_epoch = False
            self._session.choices.finish()
            self._save_soon()
            self._session.consider()

    def _save_soon(self) -> None:
        self._saving = asyncio.ensure_future(self._session.save())

    # --- its coordinator ----------------------------------------------------------------------------------------

    def coordination_changed(self) -> None:
        """There is another access token, standing, or trouble with either."""
        session = self._session
        if (run := session.run) is not None:
            if (token := run.coordination.token) is not None:
                run.training.admit(token.get_secret_value())
            if (standing := run.coordination.standing) is not None:
                session.books.contribution.ranked(run.card.trained, standing)
        session.consider()
        session.changed()

    def entered(self, digest: str) -> None:
        """The volunteer has signed in to the run of that digest."""
        run = self._session.run
        if run is not None and run.card.digest == digest:
            run.training.retry()
            run.coordination.again()
