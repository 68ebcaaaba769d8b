"""A session with several joined runs over trainers that learn nothing: turns, skipped runs, restarts, leaving."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from client.api.runs import RunHindrance
from client.api.snapshot import Activity
from client.joining.run_card import RunCard
from client.machine.survey import local_now
from client.paths import HOME_VARIABLE, Paths
from client.service.channel.joined_view import joined_views
from client.service.channel.snapshots import what_it_does
from client.service.kept.choices import VolunteerChoices
from client.service.kept.joined_runs import JoinedRuns, KeptRun
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from client.service.trainer.state import State
from tests.client.service.contexts import context_in
from tests.client.stand_ins.trainer import Deed
from tests.integration.stand_in_learner import learner_settings
from tests.volunteer import ROOT
from tests.waiting import eventually

A, B = "a" * 64, "b" * 64


class MovableClock:
    """The real clock, which a test can move forward."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return local_now() + self.ahead


def make_run(home: Path, digest: str, **changes: object) -> Path:
    """Make the folder of a run as joining leaves it."""
    folder = home / f"run-{digest[0]}"
    folder.mkdir()
    card = RunCard(name="tiny", title=f"Run {digest[0]}", digest=digest, fingerprint="f", total_epochs=10)
    card.model_copy(update=changes).save(folder)
    return folder


@asynccontextmanager
async def session_at(home: Path, clock: MovableClock, deed: Deed = Deed.LEARN) -> AsyncIterator[Session]:
    """A daemon's session over what earlier ones have left in that folder."""
    trainer = learner_settings(deed)
    environment = {"PYTHONPATH": str(ROOT), **trainer["environment"]}
    session = Session(
        context_in(home, ChildModules(trainer["trainer"], environment=environment, is_idle=False), clock)
    )
    session.open()
    living = asyncio.create_task(session.live())
    try:
        yield session
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await session.close(5.0)


async def trains(session: Session, digest: str) -> None:
    """Wait until that run, and no other, is trained."""

    def is_trained() -> bool:
        session.context.monitor.look()
        run = session.context.run
        return run is not None and run.card.digest == digest and run.training.state is State.TRAINING

    await eventually(is_trained, f"run {digest[0]} is never trained", 60)


async def counted(session: Session, digest: str, seconds: float) -> None:
    """Wait until so many seconds were counted for a run."""

    def is_counted() -> bool:
        session.context.monitor.look()
        return kept(session, digest).trained >= seconds

    await eventually(is_counted, f"no time is counted for run {digest[0]}", 60)


def kept(session: Session, digest: str) -> KeptRun:
    run = session.context.joined.of(digest)
    assert run is not None
    return run


async def train_for(session: Session, clock: MovableClock, digest: str, minutes: int) -> None:
    """Have the clock show that the run was trained for that long; a look counts a minute at most."""
    for _ in range(minutes):
        before = kept(session, digest).trained
        clock.ahead += timedelta(minutes=1)
        await counted(session, digest, before + 60.0)


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), 120))


def prefer(home: Path, minutes: int) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(home)})
    paths.prepare()
    paths.preferences.write_text(f'switch-runs-minutes = "{minutes}"\n')


def test_two_runs_take_turns_at_the_end_of_an_epoch_and_go_on_so_after_a_restart(tmp_path: Path) -> None:
    prefer(tmp_path, 5)
    clock = MovableClock()

    async def script() -> None:
        async with session_at(tmp_path, clock) as session:
            await session.join(make_run(tmp_path, A))
            await trains(session, A)
            await session.join(make_run(tmp_path, B))
            await trains(session, B)
            run = session.context.run
            assert run is not None
            states: list[State] = []
            run.training._changed = lambda: states.append(run.training.state)
            await train_for(session, clock, B, 4)
            assert session.context.run is run, "its turn is not over"
            await train_for(session, clock, B, 1)
            await trains(session, A)
            assert states[0] is State.FINISHING, "it completes its epoch first"
            await train_for(session, clock, A, 2)
        async with session_at(tmp_path, clock) as later:
            await trains(later, A)
            assert kept(later, A).turn >= 120.0, "its turn goes on"
            assert kept(later, B).trained >= 300.0
            await train_for(later, clock, A, 3)
            await trains(later, B)

    play(script)


def test_a_daemon_that_is_killed_loses_a_minute_of_the_record_at_most(tmp_path: Path) -> None:
    clock = MovableClock()

    async def script() -> None:
        async with session_at(tmp_path, clock) as session:
            await session.join(make_run(tmp_path, A))
            await trains(session, A)
            await train_for(session, clock, A, 3)

            def lost() -> float:
                saved = JoinedRuns(session.context.paths.joined, lambda text: None, clock)
                return sum(run.trained for run in session.context.joined.all) - sum(
                    run.trained for run in saved.all
                )

            await eventually(lambda: lost() < 60.0, "a killed daemon would lose more")

    play(script)


def test_a_folder_of_an_earlier_version_with_one_joined_run_goes_on(tmp_path: Path) -> None:
    async def script() -> None:
        paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
        paths.prepare()
        earlier = VolunteerChoices(paths.state, lambda text: None, local_now)
        earlier.join(make_run(tmp_path, A))
        earlier.save()
        async with session_at(tmp_path, MovableClock()) as session:
            await trains(session, A)
            (view,) = joined_views(session.context.joined.all, earlier.run_folder, local_now())
            assert (view.title, view.share, view.is_current) == ("Run a", 100, True)

    play(script)


def test_a_run_whose_trainer_fails_for_good_is_skipped_and_tried_again_later(tmp_path: Path) -> None:
    clock = MovableClock()

    async def script() -> None:
        async with session_at(tmp_path, clock, Deed.REFUSE) as session:
            await session.join(make_run(tmp_path, A))
            await session.join(make_run(tmp_path, B))
            for digest in (B, A):
                await eventually(
                    lambda digest=digest: kept(session, digest).hindrance is RunHindrance.BROKEN,  # type: ignore[misc]
                    f"run {digest[0]} is never skipped",
                )
            await session.context.save()
        clock.ahead += timedelta(hours=2)
        async with session_at(tmp_path, clock) as later:
            await trains(later, A)
            assert kept(later, A).hindrance is None

    play(script)


def test_a_run_that_is_over_makes_way_for_good(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_at(tmp_path, MovableClock(), Deed.COMPLETE) as session:
            await session.join(make_run(tmp_path, A))
            await session.join(make_run(tmp_path, B))
            for digest in (B, A):
                await eventually(
                    lambda digest=digest: kept(session, digest).hindrance is RunHindrance.FINISHED,  # type: ignore[misc]
                    f"run {digest[0]} is never over",
                )
                assert kept(session, digest).retry_at is None
            assert what_it_does(session.context)[0] is Activity.COMPLETE, "the volunteer sees the last one"

    play(script)


def test_a_run_that_needs_a_newer_version_is_skipped_until_this_one_is_newer(tmp_path: Path) -> None:
    clock = MovableClock()

    async def script() -> None:
        folder = make_run(tmp_path, A, least_version="9999")
        async with session_at(tmp_path, clock) as session:
            await session.join(make_run(tmp_path, B))
            await session.join(folder)
            await trains(session, B)
            assert kept(session, A).hindrance is RunHindrance.UPDATE
        async with session_at(tmp_path, clock) as later:
            assert kept(later, A).hindrance is None, "the version may be another one now"

    play(script)


def test_a_run_whose_files_are_gone_is_skipped(tmp_path: Path) -> None:
    clock = MovableClock()

    async def script() -> None:
        folder = make_run(tmp_path, A)
        async with session_at(tmp_path, clock) as session:
            await session.join(make_run(tmp_path, B))
            await session.join(folder)
            await session.context.save()
        (folder / "card.json").unlink()
        async with session_at(tmp_path, clock) as later:
            await trains(later, B)
            assert kept(later, A).hindrance is RunHindrance.MISSING
            assert "does not hold a run" in later.context.notices[0].text
            assert later.context.notices[1].text == "Run a is skipped: its files are missing."

    play(script)


def test_leaving_the_trained_run_continues_with_another_and_keeps_its_files(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_at(tmp_path, MovableClock()) as session:
            first, second = make_run(tmp_path, A), make_run(tmp_path, B)
            await session.join(first)
            await session.join(second)
            await session.leave(B)
            await trains(session, A)
            assert second.is_dir()
            await session.leave(A)
            assert session.context.run is None
            assert session.context.choices.run_folder is None

    play(script)


def test_joining_instead_leaves_all_others(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_at(tmp_path, MovableClock()) as session:
            await session.join(make_run(tmp_path, A))
            await session.join(make_run(tmp_path, B), instead=True)
            assert [run.digest for run in session.context.joined.all] == [B]

    play(script)


def test_an_epoch_that_was_to_be_the_last_one_stays_so_though_another_run_has_its_turn(
    tmp_path: Path,
) -> None:
    prefer(tmp_path, 5)
    clock = MovableClock()

    async def script() -> None:
        async with session_at(tmp_path, clock) as session:
            await session.join(make_run(tmp_path, A))
            await session.join(make_run(tmp_path, B))
            await trains(session, B)
            run = session.context.run
            assert run is not None
            run.finish()
            await eventually(lambda: session.context.choices.finished, "it is never over")
            await train_for_nothing(session, clock)
            assert what_it_does(session.context)[1] == "Paused: the epoch that you wanted to finish is over."

    async def train_for_nothing(session: Session, clock: MovableClock) -> None:
        before = [run.trained for run in session.context.joined.all]
        clock.ahead += timedelta(hours=2)
        session.context.monitor.look()
        await eventually(lambda: session.context.run is not None, "no run is shown")
        assert [run.trained for run in session.context.joined.all] == before

    play(script)
