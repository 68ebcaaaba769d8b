"""Fetching a run's frames as front ends see it: briefly waited for, within what the volunteer allows, and counted."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client.admission.tasks import FramesKept
from client.api.errors import CoordinatorAway
from client.api.messages import Traffic
from client.joining.run_card import RunCard
from client.policy.policy import PauseReason
from client.policy.reasons import Effect, Reason
from client.preferences.preferences import Preferences
from client.service.time_lapse import AGAIN_AFTER, FRAMES, TimeLapseFetcher
from client.service.trainer.run import ActiveRun
from tests.client.service.contexts import context_in, decided
from tests.client.snapshots import NOW

CARD = RunCard(
    name="tiny",
    title="Tiny",
    digest="d" * 64,
    fingerprint="f",
    total_epochs=10,
    coordinator="https://run.example",
)
METERED = Reason(PauseReason.METERED, "the connection is metered", Effect.PAUSE)


@dataclass
class Fetching:
    """A coordination that fetches frames once it may."""

    outcome: FramesKept | CoordinatorAway = field(default_factory=lambda: FramesKept(count=3, missing=0))
    asked: list[tuple[int | None, int | None]] = field(default_factory=list)
    """Bytes a second, and in all."""
    may: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep_frames(
        self,
        folder: Path,
        own: Path,
        download: int | None,
        may_fetch: int | None,
        count: Callable[[Traffic], None],
    ) -> FramesKept:
        self.asked.append((download, may_fetch))
        count(Traffic(bytes_received=700))
        await self.may.wait()
        if isinstance(self.outcome, CoordinatorAway):
            raise self.outcome
        return self.outcome


def time_lapse_in(folder: Path, now: Callable[[], datetime] = lambda: NOW) -> TimeLapseFetcher:
    return TimeLapseFetcher(context_in(folder, now=now))


def run(folder: Path, fetching: Any, card: RunCard = CARD) -> ActiveRun:
    nobody: Any = None
    return ActiveRun(folder, card, nobody, fetching)


def play(script: Callable[[], Awaitable[None]]) -> None:
    async def scene() -> None:
        await asyncio.wait_for(script(), 30)

    asyncio.run(scene())


def test_whoever_asks_waits_only_so_long_and_two_fetch_once(tmp_path: Path) -> None:
    async def script() -> None:
        context, fetching = context_in(tmp_path, now=lambda: NOW), Fetching()
        time_lapse, joined = TimeLapseFetcher(context, patience=0.2), run(tmp_path, fetching)
        for _ in range(2):
            folder, says = await time_lapse.keep(joined)
            assert (folder, says) == (
                tmp_path / FRAMES,
                "The pictures of more epochs are still on their way.",
            )
        assert time_lapse.is_fetching
        fetching.may.set()
        assert (await time_lapse.keep(joined))[1] == "Epochs with pictures here: 3."
        assert len(fetching.asked) == 1
        assert context.accounting.contribution.month_bytes(NOW) == 700
        assert not time_lapse.is_fetching

    play(script)


def test_frames_are_looked_for_once_a_minute_at_most(tmp_path: Path) -> None:
    late = timedelta()

    async def script() -> None:
        nonlocal late
        fetching = Fetching()
        fetching.may.set()
        time_lapse = time_lapse_in(tmp_path, now=lambda: NOW + late)
        joined = run(tmp_path, fetching)
        for passed, asked in ((timedelta(), 1), (AGAIN_AFTER / 2, 1), (AGAIN_AFTER, 2), (-AGAIN_AFTER, 3)):
            late = passed
            await time_lapse.keep(joined)
            assert len(fetching.asked) == asked

    play(script)


@pytest.mark.parametrize(
    ("month", "quota", "cap", "reasons", "asked"),
    [
        (0, None, None, (), (None, None)),
        (0, None, 50_000, (), (50_000, None)),
        (300, 10**9, None, (), (None, 10**9 - 300)),
        (3 * 10**9, 10**9, None, (), (None, 0)),
        (0, None, None, (METERED,), (None, 0)),
    ],
)
def test_what_protects_the_bill_holds_for_frames(
    tmp_path: Path,
    month: int,
    quota: int | None,
    cap: int | None,
    reasons: tuple[Reason, ...],
    asked: tuple[int | None, int | None],
) -> None:
    async def script() -> None:
        fetching = Fetching()
        fetching.may.set()
        calm = context_in(tmp_path, now=lambda: NOW)
        context = decided(calm, Preferences(monthly_quota=quota), reasons, caps=(None, cap))
        context.accounting.contribution.heard(CARD.trained, "earlier", Traffic(bytes_received=month), NOW)
        await TimeLapseFetcher(context).keep(run(tmp_path, fetching))
        assert fetching.asked == [asked]

    play(script)


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        (FramesKept(count=1, missing=4), "Epochs with pictures here: 1. Still missing: 4."),
        (CoordinatorAway("It does not answer.", "Wait."), "Only what is here can be shown. It does not answer."),
    ],
    ids=["some are missing", "the coordinator is away"],
)  # fmt: skip
def test_what_could_not_be_fetched_is_reported(
    tmp_path: Path, outcome: FramesKept | CoordinatorAway, says: str
) -> None:
    async def script() -> None:
        fetching = Fetching(outcome)
        fetching.may.set()
        assert (await time_lapse_in(tmp_path).keep(run(tmp_path, fetching)))[1] == says

    play(script)


def test_a_run_without_a_coordinator_has_what_was_drawn_here(tmp_path: Path) -> None:
    async def script() -> None:
        joined = run(tmp_path, None, CARD.model_copy(update={"coordinator": None}))
        folder, _ = await time_lapse_in(tmp_path).keep(joined)
        assert folder == joined.timelapse

    play(script)


def test_who_leaves_while_frames_are_fetched_waits_for_none(tmp_path: Path) -> None:
    async def script() -> None:
        time_lapse, joined = time_lapse_in(tmp_path), run(tmp_path, Fetching())
        asking = asyncio.create_task(time_lapse.keep(joined))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert time_lapse.is_fetching
        await time_lapse.close()
        assert (await asking)[0] == tmp_path / FRAMES
        assert not time_lapse.is_fetching

    play(script)
