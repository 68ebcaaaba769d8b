"""Answers what front ends ask about what was, what is chosen, and which runs there are; no training changes by it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from client.api.answers import Done
from client.api.errors import NoRun
from client.api.history import ContributionHistory, EpochPoint, RankPoint
from client.api.questions import (
    ShowBoard,
    ShowContribution,
    ShowEpochs,
    ShowPreferences,
    ShowRanks,
    ShowTeams,
)
from client.api.runs import AddRunList, DirectoryRequest, FindRuns, RemoveRunList
from client.contribution.database import ContributionDatabase, ask
from client.contribution.history import by_run, history_of, merged, thinned
from client.contribution.tally import Calendar
from client.preferences.preferences import describe
from client.service.candidates.directory import read_lists
from client.service.context import Context
from client.service.trainer.run import ActiveRun

T = TypeVar("T")


class Questions:
    """`by_kind` maps each kind of request to the function that answers it, or raises a ClientError."""

    def __init__(self, context: Context, consider: Callable[[], None]) -> None:
        """Prepare to answer; ``consider`` has the preferences read and the policy decide again."""
        self._context, self._consider, self._calendar = context, consider, Calendar()
        self.by_kind: dict[type[Any], Callable[[Any], Awaitable[Done]]] = {
            ShowBoard: self._board,
            ShowTeams: self._teams,
            ShowContribution: self._contribution,
            ShowEpochs: self._epochs,
            ShowRanks: self._ranks,
            ShowPreferences: self._preferences,
            FindRuns: self._directory,
            AddRunList: self._directory,
            RemoveRunList: self._directory,
        }

    @property
    def _run(self) -> ActiveRun:
        if self._context.run is None:
            raise NoRun
        return self._context.run

    async def _board(self, request: ShowBoard) -> Done:
        return Done(id=request.id, board=await self._run.coordination.board(request.query))

    async def _teams(self, request: ShowTeams) -> Done:
        return Done(id=request.id, teams=await self._run.coordination.teams(request.query))

    async def _contribution(self, request: ShowContribution) -> Done:
        run, now = None if request.all_runs else self._run.card.digest, self._context.now()

        def read(database: ContributionDatabase) -> ContributionHistory:
            found = history_of(database.hours(run), request.by, request.periods, now, self._calendar)
            runs = by_run(database.totals()) if run is None else ()
            return found.model_copy(update={"runs": runs})

        nothing = history_of((), request.by, request.periods, now, self._calendar)
        found = await self._read(read, nothing)
        price = self._context.preferences.electricity_price
        found = found.model_copy(update={"currency": price.currency if price else ""})
        return Done(id=request.id, contribution=found)

    async def _epochs(self, request: ShowEpochs) -> Done:
        run, nothing = self._run, list[EpochPoint]()
        reported, trained = await run.coordination.run_epochs.newest(), run.card.trained
        own = await self._read(
            lambda database: database.epochs(trained.digest, trained.generation, trained.began_at), nothing
        )
        return Done(id=request.id, epochs=thinned(merged(reported, own), request.points))

    async def _ranks(self, request: ShowRanks) -> Done:
        run, nothing = self._run.card.digest, list[RankPoint]()
        return Done(
            id=request.id, ranks=tuple(await self._read(lambda database: database.ranks(run), nothing))
        )

    async def _preferences(self, request: ShowPreferences) -> Done:
        self._consider()  # a change that was just made in the file counts
        return Done(id=request.id, preferences=describe(self._context.preferences))

    async def _directory(self, request: DirectoryRequest) -> Done:
        return Done(id=request.id, directory=await read_lists(self._context, request))

    async def _read(self, question: Callable[[ContributionDatabase], T], nothing: T) -> T:
        """Read in a thread: years of hours take some tenths of a second, and the event loop must not wait for
        that.
        """
        self._context.accounting.contribution.settle(self._context.now())
        return await asyncio.to_thread(ask, self._context.paths.stats, question, nothing)
