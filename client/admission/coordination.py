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
    BoardFound,
    FetchSuccessor,
    FramesKept,
    HideNameTask,
    KeepFramesTask,
    KeepReceiptsTask,
    OpenPageTask,
    PageOpened,
    ReceiptsKept,
)
from client.api.board import Board, BoardQuery, BoardRow
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
    ) -> None:
        """Prepare the relations; nothing is asked before `open`.

        ``changed`` is called after each change, and ``renewed`` once a newer manifest is in the run's folder or
        `update_needed` has another value.
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
        )
        self.standing: StandingView | None = None
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
        if self._wanted and self.token and not timedelta() <= now - self._looked < self._rest:
            self._looked = now
            self._rest = LOOK_AT_BOARD_EVERY * (1 + _SPREAD * (random.random() - 0.5))
            self._spawn(self._look())

    async def board(self, query: BoardQuery) -> Board:
        """Return the leaderboard as the coordinator shows it.

        It has the volunteer's own row where the coordinator knows the volunteer.
        """
        membership = await self._membership() if self.admission and not self.problem else None
        task = AskBoard(coordinator=self._address, membership=membership, query=query)
        board = (await self._memberships.tasks.run(task, BoardFound, _SECONDS)).board
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
