"""Looks at two joined runs, minute by minute: which is skipped, tried again, or goes on, without any trainer."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from client.api.errors import JoinError
from client.api.runs import RunHindrance
from client.joining.run_card import RunCard
from client.machine.survey import local_now
from client.policy.policy import Effect
from client.service.kept.joined_runs import MOST_RUNS, KeptRun
from client.service.run_turns import RunTurns
from client.service.session import Session
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State
from tests.client.service.contexts import context_in
from tests.moved_clock import MovedClock
from tests.waiting import DEADLINE

A, B = "a" * 64, "b" * 64


def card_of(digest: str) -> RunCard:
    return RunCard(name="tiny", title=f"Run {digest[0]}", digest=digest, fingerprint="f", total_epochs=10)


def folder_of(home: Path, digest: str) -> Path:
    """Make the folder of a run as joining leaves it."""
    folder = home / f"run-{digest[-2:]}"
    folder.mkdir(parents=True)
    card_of(digest).save(folder)
    return folder


@dataclass
class Looks:
    """A session whose run A is open and may train; no monitor looks, so that the test does."""

    session: Session
    clock: MovedClock[datetime]
    turns: RunTurns

    @property
    def run(self) -> ActiveRun:
        run = self.session.context.run
        assert run is not None
        return run

    def kept(self, digest: str) -> KeptRun:
        run = self.session.context.joined.of(digest)
        assert run is not None
        return run

    def hinder(self, *digests: str, hindrance: RunHindrance = RunHindrance.UNREACHABLE) -> None:
        for digest in digests:
            self.session.context.joined.hinder(digest, hindrance)

    def opened(self) -> None:
        """Begin to look, as after the run was opened."""
        self.turns = RunTurns(self.session.context, lambda: True, lambda: True)

    def minutes(self, count: int) -> None:
        """Look once a minute."""
        for _ in range(count):
            self.clock.now += timedelta(minutes=1)
            self.turns.look()


@asynccontextmanager
async def looks_at_two(home: Path) -> AsyncIterator[Looks]:
    """The looks within the context, before the first of them; pictures wait to be drawn all the time."""
    clock = MovedClock(local_now())
    context = context_in(home, now=clock)
    for digest in (A, B):
        context.joined.add(folder_of(home, digest), card_of(digest))
    context.choices.join(context.joined.all[0].folder)
    session = Session(context)
    session.open()
    context.decision = replace(context.decision, effect=Effect.RUN)
    try:
        yield Looks(session, clock, RunTurns(context, lambda: True, lambda: True))
    finally:
        await session.close(5.0)


def play(home: Path, script: Callable[[Looks], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with looks_at_two(home) as looks:
            await script(looks)

    asyncio.run(asyncio.wait_for(whole(), DEADLINE))


def test_a_run_that_was_to_make_way_goes_on_once_it_is_the_only_one(tmp_path: Path) -> None:
    async def script(looks: Looks) -> None:
        looks.session.context.joined.count(A, 3600.0)
        looks.turns = RunTurns(looks.session.context, lambda: True, lambda: False)
        looks.minutes(1)
        assert looks.run.makes_way
        looks.session.context.joined.remove(B)
        looks.minutes(1)
        assert not looks.run.makes_way

    play(tmp_path, script)


def test_a_run_that_has_made_way_while_pictures_are_drawn_is_not_skipped(tmp_path: Path) -> None:
    async def script(looks: Looks) -> None:
        looks.session.context.joined.count(A, 3600.0)
        looks.run.makes_way = True
        looks.minutes(20)
        assert looks.run.makes_way, "it waits for the pictures"
        assert looks.kept(A).hindrance is None

    play(tmp_path, script)


def test_a_skipped_run_that_fails_again_in_its_new_turn_is_skipped_after_the_same_time(
    tmp_path: Path,
) -> None:
    async def script(looks: Looks) -> None:
        looks.hinder(A)
        looks.clock.now += timedelta(minutes=10)
        looks.opened()
        looks.minutes(11)
        assert looks.kept(A).failures == 2
        assert not looks.kept(A).can_train(looks.clock.now)

    play(tmp_path, script)


@pytest.mark.parametrize("set_back", [timedelta(), timedelta(days=800)], ids=["right", "set back"])
def test_a_skipped_run_that_stays_is_tried_once_more_when_its_time_has_come(
    tmp_path: Path, set_back: timedelta
) -> None:
    async def script(looks: Looks) -> None:
        looks.hinder(A)
        looks.hinder(B, hindrance=RunHindrance.FINISHED)
        looks.opened()
        looks.clock.now -= set_back
        looks.minutes(12)
        assert looks.kept(A).failures == 1, "it is tried"
        looks.minutes(12)
        assert looks.kept(A).failures == 2

    play(tmp_path, script)


def test_one_run_that_is_reached_again_has_the_others_tried(tmp_path: Path) -> None:
    async def script(looks: Looks) -> None:
        looks.hinder(A, B)
        looks.run.training.state = State.TRAINING
        looks.minutes(1)
        looks.run.training.state = State.IDLE
        assert [run.hindrance for run in looks.session.context.joined.all] == [None, None]
        assert looks.kept(B).failures == 1, "one that fails again waits longer"

    play(tmp_path, script)


def test_of_two_runs_joined_at_once_the_one_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    async def script(looks: Looks) -> None:
        joined = looks.session.context.joined
        for number in range(2, MOST_RUNS - 1):
            joined.add(tmp_path / str(number), card_of(f"{number:064x}"))
        folders = [folder_of(tmp_path / "more", f"{number:064x}") for number in (70, 80)]
        ends = await asyncio.gather(*map(looks.session.join, folders), return_exceptions=True)
        assert [type(end) for end in ends] == [RunCard, JoinError]
        assert len(joined.all) == MOST_RUNS

    play(tmp_path, script)


def test_a_run_of_an_earlier_version_beyond_the_limit_is_told_of_and_keeps_its_files(tmp_path: Path) -> None:
    async def script(looks: Looks) -> None:
        context = looks.session.context
        for number in range(2, MOST_RUNS):
            context.joined.add(tmp_path / str(number), card_of(f"{number:064x}"))
        before, folder = context.joined.all, folder_of(tmp_path / "more", f"{70:064x}")
        context.choices.join(folder)
        await looks.run.coordination.close()
        context.run = None
        looks.session.open()
        assert context.run is None
        assert context.joined.all == before
        assert "20 runs are joined" in context.notices[-1].text
        assert RunCard.load(folder).digest == f"{70:064x}"
        following = looks.turns.look()
        assert following is not None, "another one is trained"

    play(tmp_path, script)
