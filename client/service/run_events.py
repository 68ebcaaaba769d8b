"""Opens the joined run, and reacts to what its trainer and its coordinator report."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from client.admission.coordination import Coordination
from client.api.errors import ClientError
from client.api.messages import TrainerMessage
from client.generation.queue import PictureQueue
from client.joining.run_card import RunCard
from client.policy.policy import Budget
from client.service.context import Context
from client.service.environment.setup import EnvironmentSetup
from client.service.trainer.launching import trainer_program
from client.service.trainer.restarts import EndCause
from client.service.trainer.run import ActiveRun
from client.service.trainer.running_trainer import RunningTrainer
from client.service.trainer.state import State
from client.service.trainer.training import Training
from core.children.program import Program
from core.errors import AdmissionError, SwarmError
from core.messages.events import EpochCommitted, Notice, Progress, Superseded
from core.messages.reach import ReachChanged, ReachFound
from core.run.least_version import UpdateNeeded


def _without_traffic(message: TrainerMessage) -> TrainerMessage:
    """Return a message of a trainer whose swarm is on this computer: its bytes never leave it."""
    if isinstance(message, Progress | EpochCommitted):
        return message.model_copy(update={"bytes_sent": 0, "bytes_received": 0})
    return message


class RunEvents:
    """Handles what the run reports, on the event loop; reports of a run that was left meanwhile are ignored."""

    def __init__(
        self,
        context: Context,
        pictures: PictureQueue,
        environment: EnvironmentSetup,
        consider: Callable[[], None],
        allowed: Callable[[], Budget],
        is_local: Callable[[str], bool],
        may_enter: Callable[[str], bool],
    ) -> None:
        """Prepare to hear.

        Args:
            context: State of the daemon.
            pictures: Pictures on demand, which the trainer may draw.
            environment: The trainer's environment.
            consider: Has the policy decide again.
            allowed: Returns the trainer's budget now.
            is_local: Returns true for the digest of the run whose swarm is on this computer alone.
            may_enter: Returns false for its digest while that swarm cannot be entered.
        """
        self._context, self._pictures, self._environment = context, pictures, environment
        self._consider, self._allowed = consider, allowed
        self._is_local, self._may_enter = is_local, may_enter
        self._saving: asyncio.Task[None] | None = None

    def open_run(self, folder: Path, renewed: Callable[[], None]) -> ActiveRun:
        """Return the run in a folder, not started yet; raise JoinError if there is none.

        ``renewed`` is called once a newer manifest is in the folder, or asks for another version of Idlebrush.
        """
        context, card = self._context, RunCard.load(folder)
        coordination = Coordination(
            card,
            folder,
            context.members,
            self.coordination_changed,
            renewed,
            context.now,
            lambda: self._refresh(folder),
        )
        training = Training(
            lambda: self._next_program(folder),
            card.total_epochs,
            self.heard,
            self.training_changed,
            may_start=lambda: (
                coordination.may_start
                and self._environment.may_start
                and self._may_enter(card.digest)
                and not (context.run is not None and context.run.makes_way)
            ),
            crashes=context.choices.crashes(context.now()),
            patience=context.modules.patience,
            host=context.modules.trainer_host,
        )
        return ActiveRun(folder, card, training, coordination)

    def _next_program(self, folder: Path) -> Program:
        """Return the program of the next trainer, on the best of the GPUs or on the processor."""
        context, run = self._context, self._context.run
        gpu = context.next_gpu.chosen
        if run is not None:
            run.gpu = gpu.index if gpu else None
        token = run.coordination.token if run is not None else None
        return trainer_program(
            folder,
            context.paths,
            context.preferences,
            self._allowed(),
            gpu,
            context.modules,
            context.interpreter(),
            token,
            is_alone=run is not None and self._is_local(run.card.digest),
        )

    # --- its trainer --------------------------------------------------------------------------------------------

    def heard(self, trainer: RunningTrainer, message: TrainerMessage) -> None:
        context, run = self._context, self._context.run
        if run is None:
            return
        counted = _without_traffic(message) if self._is_local(run.card.digest) else message
        context.accounting.contribution.heard(run.card.trained, trainer.id, counted, context.now())
        self._pictures.heard(trainer, message)
        match message:
            case Progress():
                run.hear(trainer, message, context.now())
            case EpochCommitted():
                self._environment.made_epoch()
            case Notice():
                context.notice(message.text)
            case ReachFound():
                run.reach = message
            case ReachChanged():
                context.notice(
                    "The way in which other peers reach this computer has changed. The trainer restarts."
                )
            case Superseded() if message.generation > run.card.generation:
                run.coordination.succession.superseded()
                context.notice("The run's organiser has rolled the run back to an earlier checkpoint.")
        context.changed()

    def training_changed(self) -> None:
        """Handle a change of the trainer's state."""
        if (run := self._context.run) is not None:
            state, trainer = run.training.state, run.training.trainer
            self._pictures.trainer_is(None if state in (State.SETTLING, State.FROZEN) else trainer)
            if (problem := run.training.problem) is not None and state in (State.BACKING_OFF, State.FAILED):
                self._environment.trial.ended(run.training.fault, problem)
                if state is State.BACKING_OFF:
                    self._failed(run, problem)
            if state is State.FROZEN:  # nothing that is said will bring it to the disk for a while
                self._context.accounting.contribution.write(self._context.now())
            if run.is_last_epoch:
                self._finish(run)
            elif run.coordination.update_needed is not None:
                run.training.finish()  # an order from before a crash or a pause counts
        self._context.changed()
        self._context.monitor.look()

    def _failed(self, run: ActiveRun, problem: ClientError) -> None:
        if problem.code == SwarmError.code:
            run.coordination.succession.lost()
        if problem.code == AdmissionError.code:
            run.coordination.refused()
        if run.training.fault is EndCause.CRASH:
            self._context.choices.crashed()
            self._save_soon()
        self._context.notice(str(problem))

    def _finish(self, run: ActiveRun) -> None:
        if run.training.state is State.TRAINING:
            run.training.finish()  # an order from before a crash or a pause counts
        elif run.training.state is State.IDLE and run.training.has_finished:
            run.is_last_epoch = False
            self._context.choices.finish()
            self._save_soon()
            self._consider()

    def _save_soon(self) -> None:
        self._saving = asyncio.ensure_future(self._context.save())

    # --- its coordinator ----------------------------------------------------------------------------------------

    def coordination_changed(self) -> None:
        """Pass on another access token or standing, and notice trouble with either."""
        context = self._context
        if (run := context.run) is not None:
            if (token := run.coordination.token) is not None:
                run.training.admit(token.get_secret_value())
            if (standing := run.coordination.standing) is not None:
                context.accounting.contribution.ranked(run.card.trained, standing)
        self._consider()
        context.changed()

    def _refresh(self, folder: Path) -> None:
        """Read the card of the run again: its organiser's news have changed."""
        run = self._context.run
        if run is not None and run.folder == folder:
            run.card = RunCard.load(folder)
            self._context.changed()

    def outdated(self, needed: UpdateNeeded) -> None:
        """Let the trainer complete its epoch, after which none is started: the run needs a newer version."""
        error = needed.error()
        self._context.notice(f"{error} Training pauses once this epoch is over.")
        self.training_changed()
        self._consider()

    def entered(self, digest: str) -> None:
        """Retry the run of that ``digest``: the volunteer has signed in to it."""
        run = self._context.run
        self._context.joined.release(digest, for_good=True)
        if run is not None and run.card.digest == digest:
            run.training.retry()
            run.coordination.again()
