"""Handles a run's relations with its coordinator, for the daemon: admission, newest manifest, leaderboard."""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from client.account.tasks import CarriedOut
from client.admission.admission import JoinedGate, RunAdmission
from client.admission.membership import RunMembership
from client.admission.memberships import Memberships
from client.admission.run_epochs import RunEpochs
from client.admission.succession import Succession
from client.admission.tasks import (
    AskBoard,
    AskTeams,
    BoardFound,
    ChangeTeamTask,
    FetchSuccessor,
    FramesKept,
    HideNameTask,
    KeepFramesTask,
    KeepReceiptsTask,
    OpenPageTask,
    PageOpened,
    ReceiptsKept,
    TeamChanged,
    TeamsFound,
)
from client.api.board import Board, BoardQuery, BoardRow, TeamBoard, TeamQuery, UncreditedWork
from client.api.commands import TeamAction
from client.api.connection import COORDINATOR_SECONDS
from client.api.errors import ClientError, JoinError, SetAsideByEvidence
from client.api.messages import Traffic
from client.api.snapshot import MembershipView, StandingView, WaitReason
from client.joining.run_card import RunCard
from core.run.least_version import UpdateNeeded, update_needed

_log = logging.getLogger(__name__)
_SECONDS = COORDINATOR_SECONDS - 30.0
"""Time limit for one answer; the rest of `COORDINATOR_SECONDS` is for reading the keyring first."""
LOOK_AT_BOARD_EVERY = timedelta(hours=1)
"""Mean interval between two looks; it is randomised, so that a run's clients do not look at the same time."""
_FIRST_REST = timedelta(minutes=1)
"""Interval between the first two looks; it doubles until the volunteer is on the leaderboard."""
_SPREAD = 0.4
_FRAMES_SECONDS = 3_600.0
"""Time limit for fetching hundreds of pictures over a slow line."""


class Coordination:
    """Relations with one coordinator, for one run; from `open` to `close`."""

    def __init__(
        self,
        card: RunCard,
        folder: Path,
        memberships: Memberships,
        changed: Callable[[], None],
        renewed: Callable[[], None],
        now: Callable[[], datetime],
        refreshed: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare the relations; nothing is asked before `open`.

        Args:
            card: Card of the run.
            folder: Folder of the run.
            memberships: The volunteer's memberships.
            changed: Called after each change.
            renewed: Called once a newer manifest is in the run's folder or `update_needed` has another value.
            now: Clock with a time zone.
            refreshed: Called once a newer manifest is there that differs in news or addresses alone.
        """
        self._card, self._memberships, self._changed, self._now = card, memberships, changed, now
        self.admission: RunAdmission | None = None
        if card.gate is not None:
            identity = memberships.places.identity(card.digest)
            gate = JoinedGate(card.digest, card.coordinator or "", card.gate, identity)
            self.admission = RunAdmission(gate, memberships, self._on_change, now)
        self.succession = Succession(
            memberships.tasks,
            _successor(card, folder),
            renewed,
            now,
            needed=update_needed(card.least_version),
            refreshed=refreshed,
        )
        self.standing: StandingView | None = None
        self.uncredited: UncreditedWork | None = None
        """The volunteer's work that was not credited, as of the last look at the leaderboard."""
        self.run_epochs = RunEpochs(memberships.tasks, card.coordinator, now)
        self._wanted = False
        self._looked, self._rest = now() - LOOK_AT_BOARD_EVERY, timedelta()
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        if self.admission is not None:
            self._spawn(self.admission.run())
        self._spawn(self.succession.run())

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, self.run_epochs.close(), return_exceptions=True)

    # --- training -----------------------------------------------------------------------------------------------

    @property
    def may_start(self) -> bool:
        """True if a trainer that is started now will be admitted, and to the run's present generation."""
        is_current = not self.succession.is_superseded and self.update_needed is None
        return is_current and (self.admission is None or self.token is not None)

    @property
    def update_needed(self) -> UpdateNeeded | None:
        """The update without which no trainer of the run is started; None: none is needed."""
        return self.succession.needed

    @property
    def token(self) -> SecretStr | None:
        return self.admission.token if self.admission else None

    @property
    def problem(self) -> ClientError | None:
        """Error that needs the volunteer; one who is set aside may appeal, and the gate is asked meanwhile."""
        if self.admission is None:
            return None
        trouble = self.admission.trouble
        return self.admission.problem or (trouble if isinstance(trouble, SetAsideByEvidence) else None)

    @property
    def waits_for(self) -> str:
        """Sentence about what training waits for; empty: it waits for nothing."""
        if self.succession.is_superseded:
            trouble = self.succession.trouble
            return trouble.what if trouble else WaitReason.EARLIER_CHECKPOINT
        if self.admission is None or self.token is not None:
            return ""
        trouble = self.admission.trouble
        return trouble.what if trouble else WaitReason.ADMISSION

    def want(self, wanted: bool) -> None:
        """Set whether training is wanted now."""
        self._wanted = wanted
        if self.admission is not None:
            self.admission.want(wanted)

    def refused(self) -> None:
        """React to a token that the swarm refused: look for a newer manifest, and ask for another token.

        Either the token ran out while the computer slept, the run has another gate, or the volunteer is excluded.
        """
        self.succession.lost()
        if self.admission is not None:
            self.admission.refused()

    def again(self) -> None:
        """Try again, as the volunteer has signed in or asks for it."""
        if self.admission is not None:
            self.admission.again()

    # --- what the volunteer sees --------------------------------------------------------------------------------

    @property
    def membership_view(self) -> MembershipView | None:
        return self.admission.view if self.admission else None

    def look_at_board(self) -> None:
        """Look up the own place on the leaderboard in the background, if that was not done lately."""
        now = self._now()
        has_board = self.token is not None if self.admission else self._card.coordinator is not None
        if self._wanted and has_board and not timedelta() <= now - self._looked < self._rest:
            self._looked = now
            spread = 1 + _SPREAD * (random.random() - 0.5)
            self._rest = self._next_rest(self._rest) * spread
            self._spawn(self._look())

    def _next_rest(self, rest: timedelta) -> timedelta:
        """Return the interval to the next look; a volunteer who is on no board yet is to see the first place soon."""
        if self.standing is not None:
            return LOOK_AT_BOARD_EVERY
        return min(LOOK_AT_BOARD_EVERY, max(_FIRST_REST, 2 * rest))

    async def board(self, query: BoardQuery) -> Board:
        """Return the leaderboard as the coordinator shows it.

        It has the volunteer's own row where the coordinator knows the volunteer.
        """
        membership = await self._membership() if self.admission and not self.problem else None
        identity = self._memberships.places.identity(self._card.digest) if self.admission is None else None
        task = AskBoard(coordinator=self._address, membership=membership, identity=identity, query=query)
        board = (await self._memberships.tasks.run(task, BoardFound, _SECONDS)).board
        if membership is not None and board.withheld != self.uncredited:
            self.uncredited = board.withheld
            self._changed()
        if board.own is not None and (query.by, query.since) == ("samples", "all"):
            self._note(board.own, board.total)
        return board

    async def page(self) -> str:
        """Return a link to the volunteer's own page; it is good once."""
        task = OpenPageTask(coordinator=self._address, membership=await self._membership())
        opened = await self._memberships.tasks.run(task, PageOpened, _SECONDS)
        return opened.address.get_secret_value()

    async def hide_name(self, hidden: bool) -> None:
        membership = await self._membership()
        task = HideNameTask(coordinator=self._address, membership=membership, hidden=hidden)
        await self._memberships.tasks.run(task, CarriedOut, _SECONDS)

    async def teams(self, query: TeamQuery) -> TeamBoard:
        """Return the leaderboard of teams, with the volunteer's own one where the coordinator knows the volunteer."""
        membership = await self._membership() if self.admission and not self.problem else None
        task = AskTeams(coordinator=self._address, membership=membership, query=query)
        return (await self._memberships.tasks.run(task, TeamsFound, _SECONDS)).board

    async def change_team(self, action: TeamAction, name: str | None) -> str:
        """Found, join, leave or change a team; return its name, or an empty text if it was closed."""
        membership = await self._membership()
        task = ChangeTeamTask(coordinator=self._address, membership=membership, action=action, name=name)
        return (await self._memberships.tasks.run(task, TeamChanged, _SECONDS)).name

    async def keep_receipts(self, folder: Path) -> int:
        """Fetch the signed receipts into a folder; returns how many there are."""
        membership = await self._membership()
        task = KeepReceiptsTask(
            coordinator=self._address, membership=membership, gate=self._card.gate or "", folder=folder
        )
        return (await self._memberships.tasks.run(task, ReceiptsKept, _SECONDS)).count

    async def keep_frames(
        self,
        folder: Path,
        own: Path,
        download: int | None,
        may_fetch: int | None,
        count: Callable[[Traffic], None],
    ) -> FramesKept:
        """Fetch the missing frames of the run's time-lapse, at ``download`` bytes a second, ``may_fetch`` in all."""
        task = KeepFramesTask(
            coordinator=self._address, folder=folder, own=own, download=download, may_fetch=may_fetch
        )
        return await self._memberships.tasks.run(task, FramesKept, _FRAMES_SECONDS, passed=count)

    @property
    def _address(self) -> str:
        if self._card.coordinator is None:
            raise JoinError(
                "This run has no coordinator.", "The run has no leaderboard and no contribution records."
            )
        return self._card.coordinator

    async def _membership(self) -> RunMembership:
        if self.admission is None:
            raise no_gate()
        return await self.admission.membership()

    async def _look(self) -> None:
        try:
            await self.board(BoardQuery(limit=1))
        except ClientError as error:
            _log.info("The leaderboard cannot be read: %s", error)

    def _note(self, own: BoardRow, total: int) -> None:
        self.standing = StandingView(rank=own.rank, of=total, samples=own.samples, looked=self._now())
        self._changed()

    def _on_change(self) -> None:
        self._changed()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("A part of the daemon failed by an unexpected error.", exc_info=error)


def no_gate() -> JoinError:
    return JoinError(
        "This run has no gate. Anyone can train it without signing in.",
        "`idlebrush stats` shows what this computer has contributed to it.",
    )


def _successor(card: RunCard, folder: Path) -> FetchSuccessor | None:
    if card.coordinator is None:
        return None
    return FetchSuccessor(coordinator=card.coordinator, folder=folder, fingerprint=card.fingerprint)
