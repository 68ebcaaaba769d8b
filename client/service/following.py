"""Has a run's trainer follow what the policy has decided."""

from typing import TYPE_CHECKING

from client.machine.readings import NOT_READ
from client.policy.policy import Effect, PauseReason
from client.service.allowance import budget_of_trainer
from client.service.launching import trainer_budget
from client.service.run import Run
from client.service.situation import computes_on_gpu
from client.service.state import State

if TYPE_CHECKING:
    from client.service.session import Session

_NEEDED_NOW = {PauseReason.GPU_MEMORY_NEEDED, PauseReason.RAM_NEEDED}
"""Reasons for which a trainer has no time to leave in order."""


def follow(session: "Session", run: Run) -> None:
    """Whatever follows now; a GPU that is held is given back at once, as games need it."""
    decision = session.decision
    run.coordination.want(decision.effect < Effect.PAUSE)
    if not run.alive and session.readings.gpus is NOT_READ:
        return  # what it would be started on is not known yet
    if run.training.state is State.TRAINING and run.gpu is None and session.training_gpus:
        run.training.renew()  # it had to start before the driver told of the GPU
    holds_gpu = run.alive and computes_on_gpu(session)
    at_once = holds_gpu or not decision.codes.isdisjoint(_NEEDED_NOW)
    # somebody who is no member any more only waits for others to refuse them
    effect = Effect.LEAVE if run.coordination.problem else decision.effect
    run.training.want(effect, trainer_budget(budget_of_trainer(session)), at_once=at_once)
