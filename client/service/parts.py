"""The parts of a session beside training: candidate run, pictures on demand, time-lapse, environment, local swarm."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from client.generation.gallery import PictureGallery
from client.generation.queue import PictureQueue
from client.joining.embedded import shipped_model
from client.service.candidates.candidate import CandidateRun
from client.service.candidates.inspection import ProcessInspectors
from client.service.context import Context
from client.service.drawing import RunDrawingProcesses
from client.service.environment.setup import EnvironmentSetup
from client.service.local_swarm import LocalSwarm
from client.service.time_lapse import TimeLapseFetcher


@dataclass(frozen=True)
class SessionParts:
    """Parts of the daemon that are made from its context, before the session."""

    candidate_run: CandidateRun
    pictures: PictureQueue
    time_lapse: TimeLapseFetcher
    environment: EnvironmentSetup
    local_swarm: LocalSwarm

    @classmethod
    def of(
        cls,
        context: Context,
        consider: Callable[[], None],
        train: Callable[[Path], Awaitable[object]],
        renewed: Callable[[Path], None],
    ) -> "SessionParts":
        """Make all parts.

        Args:
            context: State of the daemon.
            consider: Has the policy decide again.
            train: Joins the run in a folder.
            renewed: Called with the folder of the joined run once another manifest is in it.
        """
        swarm = LocalSwarm(context, renewed, consider)
        inspectors = ProcessInspectors(context, context.tasks, train, swarm.enter)
        candidate = CandidateRun(inspectors, context.changed, consider)
        pictures = PictureQueue(
            RunDrawingProcesses(context, shipped_model),
            PictureGallery(context.paths.gallery),
            context.notice,
            context.changed,
            context.now,
            context.modules.patience,
            context.modules.trainer_host,
        )
        environment = EnvironmentSetup(
            context,
            lambda: pictures.child is not None or candidate.is_measuring or swarm.is_running,
            consider,
        )
        return cls(candidate, pictures, TimeLapseFetcher(context), environment, swarm)

    @property
    def use_the_line(self) -> bool:
        """True if any of them may be using the connection now."""
        return (
            self.pictures.child is not None
            or self.time_lapse.is_fetching
            or self.candidate_run.is_fetching
            or self.environment.is_fetching
        )

    @property
    def are_waited_for(self) -> bool:
        """True if a person waits for pictures, or looks at a run before joining it."""
        return self.pictures.child is not None or self.candidate_run.is_under_way

    async def open(self) -> None:
        """Clean up what an earlier daemon may have left."""
        await self.pictures.open()

    async def close(self) -> None:
        """End all that is under way, with its processes."""
        await self.pictures.close()
        await self.candidate_run.close()
        await self.time_lapse.close()
        await self.environment.close()
