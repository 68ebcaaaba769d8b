"""The parts of a session beside training: candidate run, pictures on demand, time-lapse, trainer's environment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from client.generation.gallery import PictureGallery
from client.generation.queue import PictureQueue
from client.service.candidates.candidate import CandidateRun
from client.service.candidates.inspection import ProcessInspectors
from client.service.context import Context
from client.service.drawing import RunDrawingProcesses
from client.service.environment.setup import EnvironmentSetup
from client.service.time_lapse import TimeLapseFetcher


@dataclass(frozen=True)
class SessionParts:
    """Parts of the daemon that are made from its context, before the session."""

    candidate_run: CandidateRun
    pictures: PictureQueue
    time_lapse: TimeLapseFetcher
    environment: EnvironmentSetup

    @classmethod
    def of(
        cls, context: Context, consider: Callable[[], None], train: Callable[[Path], Awaitable[object]]
    ) -> "SessionParts":
        """Make all parts. ``consider`` has the policy decide again; ``train`` joins the run in a folder."""
        candidate = CandidateRun(ProcessInspectors(context, context.tasks, train), context.changed, consider)
        pictures = PictureQueue(
            RunDrawingProcesses(context),
            PictureGallery(context.paths.gallery),
            context.notice,
            context.changed,
            context.now,
            context.modules.patience,
        )
        environment = EnvironmentSetup(
            context, lambda: pictures.child is not None or candidate.is_measuring, consider
        )
        return cls(candidate, pictures, TimeLapseFetcher(context), environment)

    @property
    def use_the_line(self) -> bool:
        """True if any of them may be using the connection now."""
        return (
            self.pictures.child is not None
            or self.time_lapse.is_fetching
            or self.candidate_run.is_fetching
            or self.environment.is_fetching
        )

    async def open(self) -> None:
        """Clean up what an earlier daemon may have left."""
        await self.pictures.open()

    async def close(self) -> None:
        """End all that is under way, with its processes."""
        await self.pictures.close()
        await self.candidate_run.close()
        await self.time_lapse.close()
        await self.environment.close()
