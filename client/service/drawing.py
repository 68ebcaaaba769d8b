"""Chooses what draws pictures: the trainer while it trains, otherwise a process of its own behind the guard."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from client.api.errors import ClientError, JoinError
from client.api.messages import StartGenerator, Traffic
from client.joining.embedded import ShippedModel, lent_model, saved_epoch
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


@dataclass(frozen=True)
class _DrawingModel:
    """A trained model and its run."""

    manifest: Path
    checkpoint: Path
    is_shipped: bool


class RunDrawingProcesses:
    """The `client.generation.queue.DrawingProcesses` of a running daemon."""

    def __init__(
        self, context: Context, shipped: Callable[[Path | None], ShippedModel | None] = lambda run: None
    ) -> None:
        """Draw for the run of ``context``.

        ``shipped`` returns the trained model that lies beside a run; for None, the one that comes with the program.
        """
        self._context, self._shipped = context, shipped
        self._drawn_for: ActiveRun | None = None
        """Run whose pictures the last process draws; traffic is counted for it even after the run was left."""

    def trainer(self) -> RunningTrainer | None:
        run = self._context.run
        if run is None or not run.card.makes_pictures or run.training.state is not State.TRAINING:
            return None
        return run.training.trainer

    def holds_memory(self) -> bool:
        run = self._context.run
        return run is not None and run.training.trainer is not None

    def program(self, order: PictureOrder) -> Program:
        """Return a process that draws at the lowest priority, within the volunteer's limits.

        What a trainer holds is taken off these limits. Raise JoinError if no run was joined, and
        ClientError if there is no trained model yet, or no environment to draw in.
        """
        context, run = self._context, self._context.run
        if run is None:
            raise JoinError("No run was joined whose model could draw.", "Join one with `idlebrush join`.")
        model = self._model(run)
        gpu = max(context.training_gpus, key=lambda item: item.memory_free, default=None)
        budget = context.decision.budget
        allowed = replace(
            budget,
            ram=_rest(budget.ram, run.ram(context.accounting.memory_held)),
            vram=_rest(budget.vram, run.gpu_memory),
        )
        # A trainer that trains a run without pictures goes on beside it, with all threads of the volunteer's limit.
        threads = 1 if run.training.state is State.TRAINING else allowed.threads
        self._drawn_for = run
        headroom = context.modules.trainer_host.gpu_headroom
        logs.rotate(context.paths.log("generator"))
        start = StartGenerator(
            manifest=model.manifest,
            checkpoint=model.checkpoint,
            is_shipped=model.is_shipped,
            order=order,
            threads=threads,
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
                **waiting_threads(threads),
                **context.modules.environment,
            },
        )

    def _model(self, run: ActiveRun) -> "_DrawingModel":
        """Return the model that draws while a run is trained; raise ClientError if there is none yet."""
        if not run.card.makes_pictures:
            return self._starter_model()
        shipped, own = self._leading_model(run), run.peer / CHECKPOINT
        if shipped is not None:
            return _DrawingModel(run.folder / MANIFEST, shipped.checkpoint, is_shipped=True)
        if not any(place.exists() for place in (own, own.with_name(f".{CHECKPOINT}.previous"))):
            raise ClientError(
                "This computer has not saved a trained model of this run yet.",
                "Let it train until the end of its first epoch.",
            )
        return _DrawingModel(run.folder / MANIFEST, own, is_shipped=False)

    def _starter_model(self) -> "_DrawingModel":
        """Return the model that comes with the program; the joined run makes no pictures."""
        shipped = self._shipped(None)
        if shipped is None:
            raise ClientError(
                "The model of this run makes no pictures, and no other one is here.",
                "Join a run whose model draws.",
            )
        return _DrawingModel(shipped.checkpoint.parent / MANIFEST, shipped.checkpoint, is_shipped=True)

    def _leading_model(self, run: ActiveRun) -> ShippedModel | None:
        """Return the model that is shipped with the run if it has learned more than this computer's, else None."""
        epoch = saved_epoch(run.peer / CHECKPOINT) if run.progress is None else run.progress.epoch
        found = (self._shipped(None), self._shipped(lent_model(self._context.paths.swarm)))
        return next((model for model in found if model and model.leads(run.card.digest, epoch)), None)

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
