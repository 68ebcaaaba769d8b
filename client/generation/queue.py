"""The pictures that front ends ask for, one request after the other, by the trainer or by a process of their own."""

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from client.api.errors import ClientError
from client.api.messages import FROM_GENERATOR, GeneratorMessage, SetBudget, Traffic, TrainerMessage
from client.api.snapshot import GenerationView
from client.generation.gallery import PictureGallery
from client.generation.job import PictureJob
from client.hosts.host import HostedProcess, TrainerHost
from client.hosts.local import LocalHost
from client.service.trainer.running_trainer import RunningTrainer
from core.children.outcome import Outcome
from core.children.program import Patience, Program
from core.errors import CoreError, MemoryPlanError
from core.excerpt import QUOTE, excerpt
from core.messages.events import PictureOrder, PicturesFailed, PicturesProgress, PicturesSaved, TrainingBudget
from core.messages.pictures import GenerationRequest

MOST_WAITING = 8
SECONDS_TO_STOP = 1.0
"""Seconds for a generator to end; it keeps no unfinished pictures anyway."""


class DrawingProcesses(Protocol):
    """Processes that can draw the run's pictures."""

    def trainer(self) -> RunningTrainer | None:
        """Return the trainer, if it trains now."""

    def holds_memory(self) -> bool:
        """Return true if there is a trainer, training or not."""

    def program(self, order: PictureOrder) -> Program:
        """Return a process that draws the pictures of the order; raise ClientError if there is no model yet."""

    def budget(self) -> TrainingBudget:
        """Return the budget of such a process now."""

    def count_traffic(self, life: str, traffic: Traffic) -> None:
        """Count what it has downloaded so far; ``life`` is a name that no other has had."""


class PictureQueue:
    """All requests that were not carried out yet; its methods belong to the event loop's thread."""

    def __init__(
        self,
        processes: DrawingProcesses,
        gallery: PictureGallery,
        notice: Callable[[str], None],
        changed: Callable[[], None],
        now: Callable[[], datetime],
        patience: Patience | None = None,
        host: TrainerHost | None = None,
    ) -> None:
        """Prepare an empty queue.

        ``notice`` gets what the volunteer may want to know, ``changed`` is called when `views` would differ;
        ``host`` is where separate processes live, None: this system.
        """
        self._host = host or LocalHost()
        self._processes, self.gallery, self._now, self._patience = processes, gallery, now, patience
        self._notice, self._changed = notice, changed
        self._jobs: list[PictureJob] = []
        self._working: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        """Orders on their way to processes, and processes that end."""
        self._turned = asyncio.Event()
        """Event that is set whenever another process may draw than before, or none."""

    async def open(self) -> None:
        """Make the gallery usable, and remove what a daemon that was killed has left in it."""
        try:
            await asyncio.to_thread(self.gallery.open)
        except OSError as error:
            self._notice(f"The gallery in {self.gallery.folder} cannot be used: {error.strerror or error}.")

    # --- what front ends ask for --------------------------------------------------------------------------------

    def ask(self, request: GenerationRequest) -> str:
        """Queue a request for pictures; return the id that they will have in the gallery."""
        if len(self._jobs) > MOST_WAITING:
            raise ClientError(
                f"{len(self._jobs)} requests for pictures wait already.", "Wait for one, or cancel one."
            )
        name = self.gallery.new_id(self._now())
        order = PictureOrder(id=name, request=request, folder=self.gallery.draft(name))
        if self._processes.trainer() is None:
            self._processes.program(order)  # which says so if there is no model yet
        self._jobs.append(PictureJob(order))
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._work())
        self._changed()
        return name

    def cancel(self, name: str) -> None:
        """Cancel the request with that id; raise ClientError if there is none."""
        job = next((job for job in self._jobs if job.order.id == name), None)
        if job is None:
            raise ClientError(
                "No pictures with this ID are in the queue.", "They may be in the gallery already."
            )
        self._cancel(job)

    async def close(self) -> None:
        """Draw nothing more, and leave no process."""
        for job in self._jobs:
            self._cancel(job)
        if self._working is not None:
            await asyncio.gather(self._working, *self._tasks, return_exceptions=True)

    def apply_budget(self) -> None:
        """Send the drawing process the present budget; called whenever the budget may have changed."""
        budget = self._processes.budget()
        for job in self._jobs:
            if job.supervisor is not None and job.supervisor.child is not None and budget != job.budget:
                job.budget = budget
                self._spawn(job.supervisor.send(SetBudget(budget=budget)))

    # --- what becomes known of the trainer ------------------------------------------------------------------------

    def heard(self, trainer: RunningTrainer, message: TrainerMessage) -> None:
        """Take note of the trainer's messages about its order."""
        match message:
            case PicturesProgress() | PicturesSaved() | PicturesFailed():
                job = next((job for job in self._jobs if job.order.id == message.id), None)
                if job is None or job.trainer is not trainer:
                    return
                if isinstance(message, PicturesProgress):
                    job.progress = message.progress
                else:
                    job.settle(message)

    def trainer_is(self, trainer: RunningTrainer | None) -> None:
        """Let only that trainer draw; a separate process draws what another trainer had begun."""
        self._turned.set()
        for job in self._jobs:
            if job.trainer is not trainer:
                job.settle(None)

    # --- what front ends are shown --------------------------------------------------------------------------------

    @property
    def child(self) -> int | None:
        """Id of the separate process that draws; None if there is none."""
        return next((job.supervisor.child for job in self._jobs if job.supervisor), None)

    @property
    def local_child(self) -> int | None:
        """Id of the separate process that draws; None if there is none, or if it is not of this system."""
        return self.child if self._host.shares_process_ids else None

    def views(self, *, in_use: bool) -> tuple[GenerationView, ...]:
        """Return views of all requests in order; ``in_use``: the user is at the computer."""
        return tuple(job.view(in_use=in_use) for job in self._jobs)

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

    async def _carry_out(self, job: PictureJob) -> None:
        drawn: Path | None = None
        await asyncio.to_thread(self.gallery.open)
        try:
            drawn = await self._draw(job)
        finally:
            if drawn is not None:
                await asyncio.to_thread(self.gallery.add, job.order.id, drawn, self._now())
            else:
                await asyncio.to_thread(self.gallery.drop, job.order.id)

    async def _draw(self, job: PictureJob) -> Path | None:
        """Draw and save all pictures; returns their folder, or None if the request was cancelled."""
        while not job.is_cancelled:
            order, trainer = self._order_again(job), self._processes.trainer()
            if trainer is not None:
                is_saved = await self._in_trainer(job, trainer)
            else:
                is_saved = await self._by_itself(job)
            if is_saved:
                return order.folder
        return None

    def _order_again(self, job: PictureJob) -> PictureOrder:
        """Return the order for the next process, with a new folder, as the last process may still write."""
        job.order = job.order.model_copy(update={"folder": self.gallery.draft(job.order.id)})
        job.progress = 0.0
        return job.order

    async def _in_trainer(self, job: PictureJob, trainer: RunningTrainer) -> bool:
        job.trainer, job.answer = trainer, asyncio.get_running_loop().create_future()
        trainer.draw(job.order)
        self._changed()
        try:
            answer = await job.answer
        finally:
            job.trainer = None
        if isinstance(answer, PicturesFailed):
            raise ClientError(answer.what, answer.remedy)
        if answer is None:
            trainer.draw(None)
        return answer is not None

    async def _by_itself(self, job: PictureJob) -> bool:
        """Draw the pictures in a separate process; return true if they are saved.

        Sets ``lacks_memory`` if a trainer holds the memory that they need.
        """
        self._turned.clear()
        outcome = await self._in_process(job)
        if outcome is None or job.is_cancelled:
            return not job.is_cancelled
        if not (_lacks_memory(outcome) and self._processes.holds_memory()):
            raise outcome.error()
        job.lacks_memory = True
        self._changed()
        await self._turned.wait()
        job.lacks_memory = False
        return False

    async def _in_process(self, job: PictureJob) -> Outcome | None:
        """Draw the pictures in a separate process; return its outcome if it did not save all of them, else None."""
        saved: list[PicturesSaved] = []
        life = secrets.token_hex(8)

        def hear(message: GeneratorMessage) -> None:
            match message:
                case PicturesProgress():
                    job.progress = message.progress
                case PicturesSaved():
                    saved.append(message)
                case Traffic():
                    self._processes.count_traffic(life, message)
            self._changed()

        program = self._processes.program(job.order)
        job.supervisor = HostedProcess(self._host).supervisor(program, FROM_GENERATOR, self._patience)
        self._changed()
        try:
            outcome = await job.supervisor.run(hear)
        finally:
            job.supervisor = None
        return None if saved else outcome

    def _cancel(self, job: PictureJob) -> None:
        job.is_cancelled = True
        self._turned.set()
        job.settle(None)
        if job.supervisor is not None:
            self._spawn(job.supervisor.stop(SECONDS_TO_STOP))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _lacks_memory(outcome: Outcome) -> bool:
    return outcome.failure is not None and outcome.failure.code == MemoryPlanError.code
