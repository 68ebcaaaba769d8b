"""Asks the policy what training may do now, and has the run's trainer follow what it decides."""

import logging
import os
from dataclasses import replace

from client.api.runs import RunHindrance
from client.machine.readings import NOT_READ
from client.policy.policy import Budget, Decision, Effect, Memory, PauseReason, Situation, decide
from client.preferences.preferences import Preferences
from client.service.context import Context
from client.service.parts import SessionParts
from client.service.trainer.launching import half_the_line, trainer_budget
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State

_log = logging.getLogger(__name__)

_NEEDED_NOW = {PauseReason.GPU_MEMORY_NEEDED, PauseReason.RAM_NEEDED}
"""Reasons for which a trainer has no time to leave in order."""
_SET_AT_START = ("gpus", "ram_limit", "vram_limit", "listening_port", "upnp")
"""Preferences that a trainer learns when it starts, and only then."""


class Decider:
    """Keeps `Context.decision` up to date; all methods belong to the event loop's thread."""

    def __init__(self, context: Context, parts: SessionParts) -> None:
        self._context, self._parts = context, parts
        self._memory = Memory()

    def consider(self) -> None:
        """Decide from the readings at hand, and have all that computes or draws follow."""
        context = self._context
        self._read_preferences()
        before = context.decision
        context.decision, self._memory = decide(
            context.preferences, situation_of(context, self._parts), self._memory
        )
        self._arm()
        self._parts.environment.look()
        run = context.run
        context.power.look(
            context.preferences, context.readings, run.gpu if run else None, trains=trains(context, run)
        )
        if context.run is not None:
            follow(context, context.run, budget_of_trainer(context, self._parts))
        self._parts.pictures.apply_budget()
        self._parts.local_swarm.look(
            self._parts.candidate_run.view, makes_way=self._parts.environment.is_waiting_for_all
        )
        if context.decision != before:
            _log_decision(before, context.decision)
            context.changed()

    def _read_preferences(self) -> None:
        before, run = self._context.kept.read(), self._context.run
        if before is not None and run is not None and _needs_new_trainer(before, self._context.preferences):
            self._context.joined.release_all(RunHindrance.NO_ROOM)
            run.training.renew()
            if run.training.state is State.FAILED:
                run.training.retry()

    def _arm(self) -> None:
        """Watch for input only while a trainer computes that an input would stop."""
        context = self._context
        computes = context.run is not None and context.decision.effect < Effect.PAUSE
        context.monitor.arm(computes and PauseReason.IN_USE not in context.decision.codes)


def _log_decision(before: Decision, after: Decision) -> None:
    """Log what training may do now and all reasons; budgets change too often to be logged."""
    if (before.effect, before.codes) != (after.effect, after.codes):
        reasons = (
            "; ".join(f"{reason.code}: {reason.text}" for reason in after.reasons) or "no reason against it"
        )
        _log.info("Decision: %s. %s.", after.effect.name.lower(), reasons)


def situation_of(context: Context, parts: SessionParts) -> Situation:
    """Return all that the policy looks at beside the preferences, as of now."""
    run, now = context.run, context.now()
    readings = replace(context.readings, now=now)
    is_local = parts.local_swarm.is_trained
    return Situation(
        # A swarm on this computer alone sends nothing, whatever the connection is.
        readings=replace(readings, metered=NOT_READ) if is_local else readings,
        on_gpu=context.trainer_computes_on_gpu,
        cores=os.cpu_count() or 1,
        consent=context.choices.consented,
        paused=context.choices.paused,
        snoozed_until=context.choices.snoozed_until(now),
        measuring_speed=parts.candidate_run.is_measuring,
        # A trainer that runs may complete its epoch; its order to finish keeps it from beginning another.
        update_needed=run.coordination.update_needed if run and not run.alive else None,
        month_bytes=0 if is_local else context.accounting.contribution.month_bytes(now),
        gpu_index=run.gpu if run else None,
        disk_used=context.disk_use.bytes,
        own_gpu_memory=run.gpu_memory if run else 0,
        own_ram=run.ram(context.accounting.memory_held) if run else 0,
        gpu_watts_by_share=context.power.watts_by_share,
    )


def budget_of_trainer(context: Context, parts: SessionParts) -> Budget:
    """Return the budget of the trainer: half of the connection while another part uses it, and all on loopback."""
    allowed = context.decision.budget
    if parts.local_swarm.is_trained:
        return replace(allowed, upload=None, download=None)
    return half_the_line(allowed) if parts.use_the_line else allowed


def follow(context: Context, run: ActiveRun, allowed: Budget) -> None:
    """Apply the decision to a run's trainer; a GPU that games may need is released at once."""
    decision = context.decision
    run.coordination.want(decision.effect < Effect.PAUSE)
    if not run.alive and context.readings.gpus is NOT_READ:
        return  # the device that it would be started on is not known yet
    if run.training.state is State.TRAINING and run.gpu is None and context.training_gpus:
        run.training.renew()  # it had to start before the driver reported the GPU
    holds_gpu = run.alive and context.trainer_computes_on_gpu
    at_once = holds_gpu or not decision.codes.isdisjoint(_NEEDED_NOW)
    # the other peers refuse a trainer whose membership has ended: it would wait for them in vain
    effect = Effect.LEAVE if run.coordination.problem else decision.effect
    run.training.want(effect, trainer_budget(allowed), at_once=at_once)


def trains(context: Context, run: ActiveRun | None) -> bool:
    """Return true if the trainer of the run computes, and may go on."""
    computes = run is not None and run.training.state in (State.TRAINING, State.FINISHING)
    return computes and context.decision.effect < Effect.PAUSE


def _needs_new_trainer(before: Preferences, after: Preferences) -> bool:
    return any(getattr(before, name) != getattr(after, name) for name in _SET_AT_START)
