"""Chooses what draws pictures: the trainer while it trains, otherwise a process of its own behind the guard."""

from dataclasses import replace

from client.api.errors import ClientError, JoinError
from client.api.messages import StartGenerator, Traffic
from client.joining.run_card import MANIFEST
from client.service.context import Context
from client.service.trainer.launching import gpu_memory, trainer_budget, visible
from client.service.trainer.run import CHECKPOINT, ActiveRun
from client.service.trainer.running_trainer import RunningTrainer
from client.service.trainer.state import State
from core.children import logs
from core.children.priority import waiting_threads
from core.children.program import Program
from core.messages.events import PictureOrder, TrainingBudget


class RunDrawingProcesses:
    """The `client.generation.queue.DrawingProcesses` of a running daemon."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._drawn_for: ActiveRun | None = None
        """Run whose pictures the last process draws; traffic is counted for it even after the run was left."""

    def trainer(self) -> RunningTrainer | None:
        run = self._context.run
        return run.training.trainer if run is not None and run.training.state is State.TRAINING else None

    def holds_memory(self) -> bool:
        run = self._context.run
        return run is not None and run.training.trainer is not None

    def program(self, order: PictureOrder) -> Program:
        """Return a process that draws at the lowest priority, within the volunteer's limits.

        What a paused trainer holds is taken off these limits. Raise JoinError if no run was joined, and
        ClientError if there is no trained model yet, or no environment to draw in.
        """
        context, run = self._context, self._context.run
        if run is None:
            raise JoinError("No run was joined whose model could draw.", "Join one with `idlebrush join`.")
        checkpoint = run.peer / CHECKPOINT
        if not any(place.exists() for place in (checkpoint, checkpoint.with_name(f".{CHECKPOINT}.previous"))):
            raise ClientError(
                "This computer has not saved a trained model of this run yet.",
                "Let it train until the end of its first epoch.",
            )
        gpu = max(context.training_gpus, key=lambda item: item.memory_free, default=None)
        budget = context.decision.budget
        allowed = replace(
            budget,
            ram=_rest(budget.ram, run.ram(context.accounting.memory_held)),
            vram=_rest(budget.vram, run.gpu_memory),
        )
        self._drawn_for = run
        headroom = context.modules.trainer_host.gpu_headroom
        logs.rotate(context.paths.log("generator"))
        start = StartGenerator(
            manifest=run.folder / MANIFEST,
            checkpoint=checkpoint,
            order=order,
            threads=allowed.threads,
            gpus=(gpu.index,) if gpu else (),
            gpu_memory=gpu_memory(context.preferences, allowed, gpu, headroom) if gpu else None,
            ram=allowed.ram,
            budget=self.budget(),
            may_fetch=context.may_fetch,
        )
        return Program(
            "generator",
            context.modules.generator,
            start,
            context.paths.log("generator"),
            is_idle=context.modules.is_idle,
            interpreter=context.interpreter(),
            environment={
                **visible(gpu),
                **waiting_threads(allowed.threads),
                **context.modules.environment,
            },
        )

    def budget(self) -> TrainingBudget:
        """Return the caps of the process: those of the volunteer are for it and the trainer together."""
        return trainer_budget(self._context.budget_beside_trainer)

    def count_traffic(self, life: str, traffic: Traffic) -> None:
        """Count what the process has downloaded for the run that it draws for."""
        if self._drawn_for is not None:
            context, trained = self._context, self._drawn_for.card.trained
            context.accounting.contribution.heard(trained, life, traffic, context.now())


def _rest(allowed: int | None, held: int) -> int | None:
    """Return the bytes that are left of what is allowed; None: no limit."""
    return None if allowed is None else max(1, allowed - held)
