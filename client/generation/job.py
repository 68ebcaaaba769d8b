"""One request for pictures on its way: who draws it, how far that is, and how front ends are shown it."""

import asyncio
from dataclasses import dataclass

from client.api.messages import GeneratorMessage
from client.api.snapshot import DrawingStage, GenerationView
from client.service.trainer.running_trainer import RunningTrainer
from core.children.supervisor import Supervisor
from core.messages.events import PictureOrder, PicturesFailed, PicturesSaved, TrainingBudget

_TEXTS = {
    DrawingStage.WAITING: "It waits for its turn.",
    DrawingStage.BETWEEN_STEPS: "It is drawn between steps of training.",
    DrawingStage.PAUSED: "There is too little memory while the paused trainer holds it. Drawing starts when training "
    "resumes or releases the memory. Resume training, or allow Idlebrush to use more memory.",
    DrawingStage.DRAWING: "It is drawn at the lowest priority.",
    DrawingStage.DRAWING_IN_USE: "As you asked for it, it is drawn while you use the computer, "
    "at the lowest priority.",
    DrawingStage.CANCELLING: "It is being cancelled.",
}


@dataclass
class PictureJob:
    order: PictureOrder
    progress: float = 0.0
    trainer: RunningTrainer | None = None
    """The trainer process that draws the pictures; None: a separate process draws them."""
    supervisor: Supervisor[GeneratorMessage] | None = None
    """The supervisor of the separate process that draws the pictures; None: there is none."""
    budget: TrainingBudget | None = None
    """Budget that the process was sent last."""
    answer: "asyncio.Future[PicturesSaved | PicturesFailed | None] | None" = None
    """Answer of the trainer; None: the trainer does not draw it."""
    lacks_memory: bool = False
    """True while it waits for memory that a paused trainer holds."""
    is_cancelled: bool = False

    def settle(self, answer: PicturesSaved | PicturesFailed | None) -> None:
        """Wait for the trainer no more."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(answer)

    def view(self, *, in_use: bool) -> GenerationView:
        """Return the view for a snapshot; ``in_use``: the user is at the computer."""
        stage = self._stage(in_use)
        return GenerationView(
            id=self.order.id,
            prompt=self.order.request.prompt,
            count=self.order.request.count,
            progress=self.progress,
            text=_TEXTS[stage],
            stage=stage,
        )

    def _stage(self, in_use: bool) -> DrawingStage:
        if self.is_cancelled:
            return DrawingStage.CANCELLING
        if self.trainer is not None:
            return DrawingStage.BETWEEN_STEPS
        if self.lacks_memory:
            return DrawingStage.PAUSED
        if self.supervisor is None:
            return DrawingStage.WAITING
        return DrawingStage.DRAWING_IN_USE if in_use else DrawingStage.DRAWING
