"""Makes a joined run one that is trained: its trainer, and what goes on with its coordinator."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from client.admission.coordination import Coordination
from client.joining.run_card import RunCard
from client.service.allowance import budget_of_trainer
from client.service.launching import trainer_program
from client.service.run import Run
from client.service.run_events import RunEvents
from client.service.training import Training
from core.children.program import Program

if TYPE_CHECKING:
    from client.service.session import Session


def run_in(folder: Path, session: "Session", events: RunEvents, renewed: Callable[[], None]) -> Run:
    """The run in a folder, JoinError if there is none; ``renewed`` is called once its manifest is a newer one."""
    card = RunCard.load(folder)
    coordination = Coordination(
        card, folder, session.members, events.coordination_changed, renewed, session.now
    )
    training = Training(
        lambda: _next_program(session, folder),
        card.total_epochs,
        events.heard,
        events.training_changed,
        may_start=lambda: coordination.may_start,
        crashes=session.choices.crashes(session.now()),
        patience=session.modules.patience,
    )
    return Run(folder, card, training, coordination)


def _next_program(session: "Session", folder: Path) -> Program:
    """What runs in the trainer's next life: on the emptiest GPU of those that may train, or on the processor."""
    run, gpu = session.run, max(session.training_gpus, key=lambda item: item.memory_free, default=None)
    if run is not None:
        run.gpu = gpu.index if gpu else None
    token = run.coordination.token if run is not None else None
    allowed = budget_of_trainer(session)
    return trainer_program(folder, session.paths, session.preferences, allowed, gpu, session.modules, token)
