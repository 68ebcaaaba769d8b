"""Who draws pictures for a session: its trainer while it trains, else a process of its own behind the guard."""

from dataclasses import replace
from typing import TYPE_CHECKING

from client.api.errors import ClientError, JoinError
from client.api.messages import Budget, DrawPictures, StartGenerator, Traffic
from client.joining.run_card import MANIFEST
from client.service.allowance import budget_beside, may_fetch
from client.service.launching import gpu_memory, trainer_budget, visible
from client.service.life import Life
from client.service.run import CHECKPOINT, Run
from client.service.state import State
from core import logs
from core.children.program import Program

if TYPE_CHECKING:
    from client.service.session import Session


class SessionPainters:
    """For `client.generation.queue`."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._drawn_for: Run | None = None
        """The run whose pictures the last process draws, even once it is left."""

    def trainer(self) -> Life | None:
        run = self._session.run
        return run.training.life if run is not None and run.training.state is State.TRAINING else None

    def holds_memory(self) -> bool:
        run = self._session.run
        return run is not None and run.training.life is not None

    def program(self, order: DrawPictures) -> Program:
        """It may take what the volunteer allows and a paused trainer does not hold, at the lowest priority."""
        session, run = self._session, self._session.run
        if run is None:
            raise JoinError("No run was joined whose model could draw.", "Join one with `idlebrush join`.")
        checkpoint = run.peer / CHECKPOINT
        if not any(place.exists() for place in (checkpoint, checkpoint.with_name(f".{CHECKPOINT}.previous"))):
            raise ClientError(
                "There is no trained model yet: this computer has saved none of this run.",
                "Let it train until the first epoch is over.",
            )
        gpu = max(session.training_gpus, key=lambda item: item.memory_free, default=None)
        budget = session.decision.budget
        allowed = replace(
            budget,
            ram=_rest(budget.ram, run.ram(session.books.memory_held)),
            vram=_rest(budget.vram, run.gpu_memory),
        )
        self._drawn_for = run
        logs.rotate(session.paths.log("generator"))
        start = StartGenerator(
            manifest=run.folder / MANIFEST,
            checkpoint=checkpoint,
            order=order,
            threads=allowed.threads,
            gpus=(gpu.index,) if gpu else (),
            gpu_memory=gpu_memory(session.preferences, allowed, gpu) if gpu else None,
            ram=allowed.ram,
            budget=self.budget(),
            may_fetch=may_fetch(session),
        )
        return Program(
            "generator",
            session.modules.generator,
            start,
            session.paths.log("generator"),
            is_idle=session.modules.is_idle,
            environment={
                **visible(gpu),
                "OMP_NUM_THREADS": str(allowed.threads),
                **session.modules.environment,
            },
        )

    def budget(self) -> Budget:
        """The caps are for the trainer and the process together."""
        return trainer_budget(budget_beside(self._session))

    def book(self, life: str, traffic: Traffic) -> None:
        """As a trainer's traffic is counted."""
        if self._drawn_for is not None:
            session, trained = self._session, self._drawn_for.card.trained
            session.books.contribution.heard(trained, life, traffic, session.now())


def _rest(allowed: int | None, held: int) -> int | None:
    """Bytes of what is allowed; None: no limit."""
    return None if allowed is None else max(1, allowed - held)
