"""Answers what front ends ask about what was and what is chosen; nothing changes by it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from client.api.answers import Done
from client.api.errors import JoinError
from client.api.history import ContributionHistory, EpochPoint, RankPoint
from client.api.questions import ShowBoard, ShowContribution, ShowEpochs, ShowPreferences, ShowRanks
from client.contribution.curve import merged, thinned
from client.contribution.database import Database
from client.contribution.history import history_of
from client.contribution.reading import ask
from client.contribution.tally import Calendar
from client.preferences.preferences import describe
from client.service.run import Run
from client.service.session import Session

T = TypeVar("T")


def no_run() -> JoinError:
    """A new one each time: an error that is raised again keeps every traceback that it ever had."""
    return JoinError("No run was joined.", "Join one with `idlebrush join`.")


class Questions:
    """`by_kind` has who answers each kind of request; what goes wrong is raised as a ClientError."""

    def __init__(self, session: Session, calendar: Calendar | None = None) -> None:
        self._session, self._calendar = session, calendar or Calendar()
        self.by_kind: dict[type[Any], Callable[[Any], Awaitable[Done]]] = {
            ShowBoard: self._board,
            ShowContribution: self._contribution,
            ShowEpochs: self._epochs,
            ShowRanks: self._ranks,
            ShowPreferences: self._preferences,
        }

    @property
    def _run(self) -> Run:
        if self._session.run is None:
            raise no_run()
        return self._session.run

    async def _board(self, request: ShowBoard) -> Done:
        return Done(id=request.id, board=await self._run.coordination.board(request.query))

    async def _contribution(self, request: ShowContribution) -> Done:
        run, now = None if request.all_runs else self._run.card.digest, self._session.now()

        def told(database: Database) -> ContributionHistory:
            return history_of(database.hours(run), request.by, request.periods, now, self._calendar)

        nothing = history_of((), request.by, request.periods, now, self._calendar)
        return Done(id=request.id, contribution=await self._read(told, nothing))

    async def _epochs(self, request: ShowEpochs) -> Done:
        run, nothing = self._run, list[EpochPoint]()
        told, trained = await run.coordination.told_epochs.newest(), run.card.trained
        own = await self._read(
            lambda database: database.epochs(trained.digest, trained.generation, trained.began_at), nothing
        )
        return Done(id=request.id, epochs=thinned(merged(told, own), request.points))

    async def _ranks(self, request: ShowRanks) -> Done:
        run, nothing = self._run.card.digest, list[RankPoint]()
        return Done(
            id=request.id, ranks=tuple(await self._read(lambda database: database.ranks(run), nothing))
        )

    async def _preferences(self, request: ShowPreferences) -> Done:
        self._session.consider()  # what somebody has just written into the file counts
        return Done(id=request.id, preferences=describe(self._session.preferences))

    async def _read(self, question: Callable[[Database], T], nothing: T) -> T:
        """Years of hours take some tenths of a second to read, which nobody else has to wait for."""
        self._session.books.contribution.settle(self._session.now())
        return await asyncio.to_thread(ask, self._session.paths.stats, question, nothing)
