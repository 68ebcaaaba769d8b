"""The pictures that front ends ask for, one request after the other, by the trainer or by a process of their own."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from client.api.errors import ClientError
from client.api.messages import (
    FROM_GENERATOR,
    Budget,
    DrawPictures,
    GeneratorMessage,
    PicturesFailed,
    PicturesProgress,
    PicturesSaved,
    SetBudget,
    Traffic,
    TrainerMessage,
)
from client.api.snapshot import DrawingStage, GenerationView
from client.excerpt import QUOTE, excerpt
from client.generation.gallery import Gallery
from client.service.life import Life
from core.children.supervisor import Patience, Program, Supervisor
from core.errors import CoreError
from core.generation.request import GenerationRequest

MOST_WAITING = 8
SECONDS_TO_STOP = 1.0
"""For a generator, which keeps nothing that it has not finished."""


class Painters(Protocol):
    """Who can draw the run's pictures."""

    def trainer(self) -> Life | None:
        """The trainer, while it trains."""

    def program(self, order: DrawPictures) -> Program:
        """A process that draws them; ClientError if there is no model yet."""

    def budget(self) -> Budget:
        """What such a process may take now."""

    def book(self, life: str, traffic: Traffic) -> None:
        """Count what it has downloaded so far; ``life`` is a name that no other has had."""


@dataclass
class _Job:
    order: DrawPictures
    progress: float = 0.0
    life: Life | None = None
    """The trainer that draws it."""
    supervisor: Supervisor[GeneratorMessage] | None = None
    """The process of its own that draws it."""
    budget: Budget | None = None
    """The newest that this process was told while it runs."""
    answer: "asyncio.Future[PicturesSaved | PicturesFailed | None] | None" = None
    """The trainer's; None: it has ended, or nobody waits for it any more."""
    is_cancelled: bool = False


class PictureQueue:
    """All requests that were not carried out yet; its methods belong to the event loop's thread."""

    def __init__(
        self,
        painters: Painters,
        gallery: Gallery,
        notice: Callable[[str], None],
        changed: Callable[[], None],
        now: Callable[[], datetime],
        patience: Patience | None = None,
    ) -> None:
        """``notice`` gets what the volunteer may want to know, ``changed`` is called when `views` would differ."""
        self._painters, self.gallery, self._now, self._patience = painters, gallery, now, patience
        self._notice, self._changed = notice, changed
        self._jobs: list[_Job] = []
        self._working: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        """What processes are being told, and their ends."""

    async def open(self) -> None:
        """Make the gallery usable, and remove what a daemon that was killed has left in it."""
        try:
            await asyncio.to_thread(self.gallery.open)
        except OSError as error:
            self._notice(f"The gallery in {self.gallery.folder} cannot be used: {error.strerror or error}.")

    # --- what front ends ask for --------------------------------------------------------------------------------

    def ask(self, request: GenerationRequest) -> str:
        """Have pictures drawn; returns the id that they will have in the gallery."""
        if len(self._jobs) > MOST_WAITING:
            raise ClientError(
                f"{len(self._jobs)} requests for pictures wait already.", "Wait for one, or cancel one."
            )
        name = self.gallery.new_id(self._now())
        order = DrawPictures(id=name, request=request, folder=self.gallery.place(name))
        if self._painters.trainer() is None:
            self._painters.program(order)  # which says so if there is no model yet
        self._jobs.append(_Job(order))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        self._changed()
        return name

    def cancel(self, name: str) -> None:
        """Have the pictures of that id not be drawn; ClientError if none of that id are asked for."""
        job = next((job for job in self._jobs if job.order.id == name), None)
        if job is None:
            raise ClientError("No pictures of that id are waited for.", "They may be in the gallery already.")
        self._cancel(job)

    async def close(self) -> None:
        """Draw nothing more, and leave no process."""
        for job in self._jobs:
            self._cancel(job)
        if self._working is not None:
            await asyncio.gather(self._working, *self._tasks, return_exceptions=True)

    def tell_budget(self) -> None:
        """Have the process that draws keep to what it may take now; called whenever that may have changed."""
        budget = self._painters.budget()
        for job in self._jobs:
            if job.supervisor is not None and job.supervisor.child is not None and budget != job.budget:
                job.budget = budget
                self._spawn(job.supervisor.send(SetBudget(budget=budget)))

    # --- what becomes known of the trainer ------------------------------------------------------------------------

    def heard(self, life: Life, message: TrainerMessage) -> None:
        """Take note of what the trainer says of its order."""
        match message:
            case PicturesProgress() | PicturesSaved() | PicturesFailed():
                job = next((job for job in self._jobs if job.order.id == message.id), None)
                if job is None or job.life is not life:
                    return
                if isinstance(message, PicturesProgress):
                    job.progress = message.progress
                else:
                    _settle(job, message)

    def trainer_is(self, life: Life | None) -> None:
        """That trainer is alive, and no other: what another was to draw is drawn by a process of its own."""
        for job in self._jobs:
            if job.life is not life:
                _settle(job, None)

    # --- what front ends are shown --------------------------------------------------------------------------------

    @property
    def child(self) -> int | None:
        """The process that draws, if it is one of its own."""
        return next((job.supervisor.child for job in self._jobs if job.supervisor), None)

    def views(self, *, in_use: bool, frozen: bool) -> tuple[GenerationView, ...]:
        """All of them in their order; whether somebody uses the computer, and whether the trainer stands still."""
        return tuple(_view(job, in_use=in_use, frozen=frozen) for job in self._jobs)

    # --- the work -------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        while self._jobs:
            job = self._jobs[0]
            try:
                await self._carry_out(job)
            except (CoreError, OSError, ValueError) as error:  # the latter two from the gallery's disk
                self._notice(f"The pictures of “{excerpt(job.order.request.prompt, QUOTE)}” failed: {error}")
            finally:
                self._jobs.remove(job)
                self._changed()

    async def _carry_out(self, job: _Job) -> None:
        is_saved = False
        await asyncio.to_thread(self.gallery.open)
        try:
            is_saved = await self._draw(job)
        finally:
            if is_saved:
                await asyncio.to_thread(self.gallery.add, job.order.id, self._now())
            else:
                await asyncio.to_thread(self.gallery.drop, job.order.id)

    async def _draw(self, job: _Job) -> bool:
        """Whether all pictures were drawn and saved; if not, nobody wants them any more."""
        trainer = self._painters.trainer()
        if trainer is not None and not job.is_cancelled:
            answer = await self._in_trainer(job, trainer)
            if isinstance(answer, PicturesFailed):
                raise ClientError(answer.what, answer.remedy)
            if answer is not None:
                return True
            await asyncio.to_thread(self.gallery.drop, job.order.id)  # what the trainer had no time to finish
        return False if job.is_cancelled else await self._by_itself(job)

    async def _in_trainer(self, job: _Job, life: Life) -> PicturesSaved | PicturesFailed | None:
        job.life, job.answer = life, asyncio.get_running_loop().create_future()
        life.draw(job.order)
        self._changed()
        try:
            return await job.answer
        finally:
            if job.is_cancelled:
                life.draw(None)
            job.life, job.progress = None, 0.0

    async def _by_itself(self, job: _Job) -> bool:
        saved: list[PicturesSaved] = []
        life = secrets.token_hex(8)

        def hear(message: GeneratorMessage) -> None:
            match message:
                case PicturesProgress():
                    job.progress = message.progress
                case PicturesSaved():
                    saved.append(message)
                case Traffic():
                    self._painters.book(life, message)
            self._changed()

        job.supervisor = Supervisor(self._painters.program(job.order), FROM_GENERATOR, self._patience)
        self._changed()
        outcome = await job.supervisor.run(hear)
        if not saved and not job.is_cancelled:
            raise outcome.error()
        return bool(saved) and not job.is_cancelled

    def _cancel(self, job: _Job) -> None:
        job.is_cancelled = True
        _settle(job, None)
        if job.supervisor is not None:
            self._spawn(job.supervisor.stop(SECONDS_TO_STOP))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _settle(job: _Job, answer: PicturesSaved | PicturesFailed | None) -> None:
    if job.answer is not None and not job.answer.done():
        job.answer.set_result(answer)


_SAYS = {
    DrawingStage.WAITING: "It waits for its turn.",
    DrawingStage.BETWEEN_STEPS: "It is drawn between steps of training.",
    DrawingStage.PAUSED: "It is paused with training.",
    DrawingStage.DRAWING: "It is drawn at the lowest priority.",
    DrawingStage.DRAWING_IN_USE: "As you asked for it, it is drawn while you use the computer, "
    "at the lowest priority.",
    DrawingStage.CANCELLING: "It is being cancelled.",
}


def _view(job: _Job, *, in_use: bool, frozen: bool) -> GenerationView:
    stage = _stage(job, in_use=in_use, frozen=frozen)
    return GenerationView(
        id=job.order.id,
        prompt=job.order.request.prompt,
        count=job.order.request.count,
        progress=job.progress,
        says=_SAYS[stage],
        stage=stage,
    )


def _stage(job: _Job, *, in_use: bool, frozen: bool) -> DrawingStage:
    if job.is_cancelled:
        return DrawingStage.CANCELLING
    if job.life is not None:
        return DrawingStage.PAUSED if frozen else DrawingStage.BETWEEN_STEPS
    if job.supervisor is None:
        return DrawingStage.WAITING
    return DrawingStage.DRAWING_IN_USE if in_use else DrawingStage.DRAWING
