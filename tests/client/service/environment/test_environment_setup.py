"""The daemon's part for the trainer's environment: real tasks, a loopback list, readings that a test decides on."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from client.api.errors import ClientError, SetupError
from client.api.messages import Traffic
from client.api.snapshot import Activity
from client.environment.interpreter import TrainerPython
from client.environment.kept_setup import KeptSetup
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, python_of, record_of, write_record
from client.environment.stages import SetupStage
from client.joining.run_card import RunCard
from client.machine.readings import Known, Readings
from client.machine.survey import local_now
from client.service.channel.snapshots import what_it_does
from client.service.environment.process import PACKAGES, SetupProcess
from client.service.environment.setup import EnvironmentSetup
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from client.service.trainer.restarts import EndCause
from client.service.trainer.state import State
from core.errors import PackagesError
from core.signing import SigningKey
from tests.client.environment.offered import OfferedPackages, offered_packages
from tests.client.environment.packages import lock_of
from tests.client.run_server import missing, other, stalled
from tests.client.service.contexts import CalmMachine, context_in
from tests.client.stand_ins.trainer import Deed
from tests.integration.stand_in_learner import learner_settings
from tests.volunteer import ROOT
from tests.waiting import eventually

CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)


@dataclass
class ToldMachine(CalmMachine):
    """No user touches it; whether its line is metered is told by the test."""

    metered: bool = False

    async def read(self) -> Readings:
        return replace(await super().read(), metered=Known(self.metered, "a test"))


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfferedPackages]:
    with offered_packages(tmp_path_factory.mktemp("offered") / "served", runs_trainers=True) as offered:
        yield offered


@pytest.fixture(autouse=True)
def _good_list(offered: OfferedPackages) -> None:
    offered.offer(lock_of(offered.variant))
    offered.server.deeds.clear()
    offered.server.asked.clear()


@asynccontextmanager
async def session_of(
    home: Path, offered: OfferedPackages, machine: ToldMachine | None = None, **preferences: str
) -> AsyncIterator[Session]:
    """A session with a joined run, whose trainers have to run in an environment."""
    trainer = learner_settings(Deed.LEARN)
    modules = ChildModules(
        trainer["trainer"], environment={"PYTHONPATH": str(ROOT), **trainer["environment"]}, is_idle=False
    )
    places = EnvironmentPlaces(home / "environment")
    context = context_in(
        home,
        modules,
        local_now,
        TrainerPython(places, is_own=False, code=ROOT),
        lambda: offered.source,
        machine or ToldMachine(),
    )
    lines = [f'{name.replace("_", "-")} = "{value}"\n' for name, value in preferences.items()]
    context.paths.preferences.write_text("".join(lines))
    (home / "run").mkdir(exist_ok=True)
    CARD.save(home / "run")
    session = Session(context)
    living = asyncio.create_task(session.live())
    try:
        await session.join(home / "run")
        yield session
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await session.close(5.0)


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), 200))


def environment_of(session: Session) -> EnvironmentSetup:
    return session.parts.environment


async def shows(session: Session, stage: SetupStage) -> None:
    def shown() -> bool:
        view = environment_of(session).view
        return view is not None and view.stage is stage and not view.is_working

    await eventually(shown, f"it is never {stage}: {environment_of(session).view}", 120)


async def waits(session: Session, words: str) -> None:
    """Wait until the set-up says that it waits for that."""

    def says() -> bool:
        view = environment_of(session).view
        return view is not None and words in view.waiting

    await eventually(says, f"it never waits: {words!r}")


def test_from_nothing_to_a_trainer_in_the_environment(tmp_path: Path, offered: OfferedPackages) -> None:
    """On the way the line is metered, the volunteer pauses, and the cap is lifted."""

    async def script() -> None:
        machine = ToldMachine()
        async with session_of(tmp_path, offered, machine, download="150kB/s") as session:
            setup, run = environment_of(session), session.context.run
            assert run is not None
            await eventually(lambda: session.context.monitor.has_looked, "nothing is read")
            view = setup.view
            assert (
                what_it_does(session.context, view)[1] == "Attention: what training needs is not installed."
            )
            plan = await setup.plan()
            assert (plan.is_needed, plan.download_bytes) == (True, offered.variant.size)
            assert run.training.state is State.IDLE, "a trainer would crash"
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.done), "nothing arrives")
            view = setup.view
            assert view is not None
            assert (view.stage, view.total) == (SetupStage.FETCHING, offered.variant.size)
            machine.metered = True
            session.context.monitor.look()
            await waits(session, "metered")
            setup.pause(True)
            machine.metered = False
            session.context.monitor.look()
            await waits(session, "You paused it.")
            done = setup.view and setup.view.done
            await asyncio.sleep(0.5)
            assert done == (setup.view and setup.view.done)
            session.context.paths.preferences.write_text("")
            setup.pause(False)
            await shows(session, SetupStage.ON_TRIAL)
            await eventually(lambda: run.training.state is State.TRAINING, "it does not train", 90)
            assert run.training.trainer is not None
            child = run.training.trainer.supervisor.child
            assert child is not None
            assert psutil.Process(child).cmdline()[0] == str(python_of(session.context.python.places.current))
            assert session.context.accounting.contribution.month_bytes(local_now()) >= offered.variant.size
            setup.made_epoch()
            await shows(session, SetupStage.READY)
            assert await setup.plan() == plan.model_copy(
                update={"is_needed": False, "disk_bytes": offered.variant.size + offered.variant.unpacked}
            )

    play(script)


@pytest.mark.exhaustive
def test_newer_packages_are_exchanged_between_two_lives_of_the_trainer(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            setup, run, places = environment_of(session), session.context.run, session.context.python.places
            assert run is not None
            setup.begin()
            await eventually(lambda: run.training.state is State.TRAINING, "it does not train", 120)
            setup.made_epoch()
            await shows(session, SetupStage.READY)
            first = run.training.trainer
            newer = offered.variant.model_copy(update={"imports": ("torch",)})
            offered.offer(lock_of(newer, serial=2))
            assert (await setup.plan()).is_needed
            setup.begin()
            await shows(session, SetupStage.ON_TRIAL)
            assert run.training.trainer is not first, "it ran while its modules were exchanged"
            await eventually(lambda: run.training.state is State.TRAINING, "it does not go on", 120)
            records = [record_of(place) for place in (places.current, places.previous)]
            assert [record.digest for record in records if record] == [newer.digest, offered.variant.digest]

    play(script)


def test_a_list_by_another_key_is_refused_and_not_asked_for_again(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    offered.offer(lock_of(offered.variant), SigningKey.generate())

    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            setup = environment_of(session)
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.problem), "it is used")
            view = setup.view
            assert view is not None
            assert view.problem is not None
            assert "was not signed by the developers of Idlebrush" in view.problem.what
            assert (view.retry_at, view.stage, view.is_usable) == (None, SetupStage.ABSENT, False)
            asked = len(offered.server.asked)
            session.consider()
            assert not (setup.view and setup.view.is_planning)
            assert len(offered.server.asked) == asked
            activity, headline = what_it_does(session.context, view)
            assert (activity, headline) == (Activity.ATTENTION, f"Attention: {view.problem.what}")
            offered.offer(lock_of(offered.variant))
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.plan), "it is not tried again")

    play(script)


def test_a_bad_list_does_not_trouble_who_has_an_environment(tmp_path: Path, offered: OfferedPackages) -> None:
    offered.offer(lock_of(offered.variant), SigningKey.generate())
    place(EnvironmentPlaces(tmp_path / "environment").current, made_epoch=True, name="old")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup = environment_of(session)
            session.context.choices.want_environment(True)
            session.context.monitor.look()
            await eventually(lambda: bool(setup.view and setup.view.problem), "the list is used")
            assert not session.context.notices
            asked = len(offered.server.asked)
            session.consider()
            assert not (setup.view and setup.view.is_planning)
            assert len(offered.server.asked) == asked, "it is asked for again the next day"

    play(script)


@pytest.mark.exhaustive
def test_a_list_that_is_older_than_one_that_was_seen_is_refused(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            offered.offer(lock_of(offered.variant, serial=2))
            await environment_of(session).plan()
            offered.offer(lock_of(offered.variant, serial=1))
            with pytest.raises(SetupError, match="older than the one that was seen before"):
                await environment_of(session).plan()

    play(script)


def test_a_server_that_is_away_is_asked_again_later(tmp_path: Path, offered: OfferedPackages) -> None:
    offered.server.instead("packages.json", missing)

    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            setup = environment_of(session)
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.retry_at), "it is given up")
            assert what_it_does(session.context, setup.view)[0] is Activity.WAITING

    play(script)


@pytest.mark.exhaustive
def test_a_wheel_that_is_not_what_was_signed_waits_for_the_volunteer(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    offered.server.instead(offered.torch, other(lambda data: data[:-1] + b"!"))

    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            setup = environment_of(session)
            setup.begin()
            await shows(session, SetupStage.FAILED)
            view = setup.view
            assert view is not None
            assert view.problem is not None
            assert "is not the file that was signed" in view.problem.what
            assert view.retry_at is None
            session.consider()
            assert not (setup.view and setup.view.is_working)
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.is_working), "it is not tried again")

    play(script)


def test_a_used_quota_keeps_the_list_from_being_fetched(tmp_path: Path, offered: OfferedPackages) -> None:
    async def script() -> None:
        async with session_of(tmp_path, offered, monthly_quota="100 MB") as session:
            setup = environment_of(session)
            taken = Traffic(bytes_received=100_000_000)
            session.context.accounting.contribution.heard(PACKAGES, "a life", taken, local_now())
            with pytest.raises(SetupError, match="quota is used up"):
                await setup.plan()
            setup.begin()
            await waits(session, "quota is used up")

    play(script)


def test_what_was_fetched_is_removed_when_the_volunteer_cancels(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    offered.server.instead(offered.torch, stalled(100_000))

    async def script() -> None:
        async with session_of(tmp_path, offered) as session:
            setup, places = environment_of(session), session.context.python.places
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.done), "nothing arrives")
            await setup.cancel()
            assert not list((places.root / "wheels").glob("*"))
            view = setup.view
            assert view is not None
            assert (view.stage, view.is_wanted, view.is_working) == (SetupStage.ABSENT, False, False)
            session.consider()
            assert not (setup.view and setup.view.is_working)

    play(script)


def place(folder: Path, made_epoch: bool, name: str) -> EnvironmentRecord:
    """Put a whole environment without packages into a folder."""
    folder.mkdir(parents=True)
    record = EnvironmentRecord(variant="cpu", digest=name, serial=1, why="A test.", has_made_epoch=made_epoch)
    write_record(folder, record)
    return record


def test_an_environment_whose_trainers_crash_is_taken_back_for_the_one_before(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    places = EnvironmentPlaces(tmp_path / "environment")
    old = place(places.previous, made_epoch=True, name="old")
    place(places.current, made_epoch=False, name="new")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup = environment_of(session)
            for _ in range(3):
                setup.trial.ended(EndCause.CRASH, ClientError("It crashed.", "Look at its log."))
            assert not setup.may_start, "no trainer may start in what is about to be removed"
            session.consider()
            await eventually(lambda: record_of(places.current) == old, "it is not taken back")
            await eventually(lambda: setup.may_start, "nothing may start afterwards")
            assert not places.previous.exists()
            assert "crashed 3 times" in session.context.notices[-1].text
            assert KeptSetup(places).state.taken_back == "new"

    play(script)


def lacking_packages() -> ClientError:
    """The error of a trainer that missed a package, as the daemon has it from the process."""
    return ClientError.of(PackagesError("A package is missing.", "Set it up."))


def test_missing_packages_are_set_up_again_by_itself_once(tmp_path: Path, offered: OfferedPackages) -> None:
    """What was set up again and still lacks some is set up once more only on request: it would never end."""
    places = EnvironmentPlaces(tmp_path / "environment")
    place(places.current, made_epoch=True, name=offered.variant.digest)

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup, run = environment_of(session), session.context.run
            assert run is not None
            session.context.choices.want_environment(True)
            assert not (await setup.plan()).is_needed
            run.training.problem = lacking = ClientError("It crashed.", "Look at its log.")
            setup.trial.ended(EndCause.LASTING, lacking_packages())
            session.consider()
            await shows(session, SetupStage.ON_TRIAL)
            assert run.training.problem is not lacking, "the trainer is not tried again"
            offered.server.asked.clear()
            setup.trial.ended(EndCause.LASTING, lacking_packages())
            session.consider()
            await eventually(lambda: offered.server.asked != [], "no plan is made")
            await eventually(
                lambda: bool(setup.view and setup.view.plan and setup.view.plan.is_needed),
                "they are not missed",
            )
            session.consider()
            assert not (setup.view and setup.view.is_working)
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.is_working), "it is not tried again")

    play(script)


def test_a_list_that_has_expired_is_not_used_and_what_is_in_use_stays(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    offered.offer(lock_of(offered.variant, serial=2, expires=datetime(2026, 3, 1, tzinfo=UTC)))
    old = place(EnvironmentPlaces(tmp_path / "environment").current, made_epoch=True, name="old")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup, places = environment_of(session), session.context.python.places
            with pytest.raises(SetupError, match="expired on 2026-03-01"):
                await setup.plan()
            assert (record_of(places.current), setup.may_start) == (old, True)
            assert not places.list.exists()

    play(script)


def test_nothing_starts_in_an_environment_that_is_being_exchanged(tmp_path: Path) -> None:
    context = context_in(tmp_path)
    process = SetupProcess(context, lambda: None)
    context.interpreter()
    process.place()
    with pytest.raises(SetupError, match="being replaced"):
        context.interpreter()


def test_an_environment_without_another_before_it_is_kept_whatever_its_trainers_do(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    places = EnvironmentPlaces(tmp_path / "environment")
    new = place(places.current, made_epoch=False, name="new")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            for _ in range(9):
                environment_of(session).trial.ended(EndCause.CRASH, ClientError("It crashed.", ""))
            session.consider()
            assert environment_of(session).may_start
        assert record_of(places.current) == new

    play(script)


@pytest.mark.exhaustive
def test_packages_that_were_taken_back_are_set_up_only_on_request(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    places = EnvironmentPlaces(tmp_path / "environment")
    place(places.previous, made_epoch=True, name="old")
    place(places.current, made_epoch=False, name=offered.variant.digest)
    KeptSetup(places).take_back("It crashed.")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup = environment_of(session)
            session.context.choices.want_environment(True)
            session.context.monitor.look()
            await eventually(lambda: bool(setup.view and setup.view.plan), "it is not planned")
            assert setup.view
            assert setup.view.plan
            assert setup.view.plan.is_needed
            session.consider()
            assert not setup.view.is_working
            setup.begin()
            await eventually(lambda: bool(setup.view and setup.view.is_working), "it is not tried again")

    play(script)


def test_nothing_is_done_where_the_packages_are_beside_the_app(tmp_path: Path) -> None:
    async def script() -> None:
        session = Session(context_in(tmp_path))
        setup = environment_of(session)
        assert (setup.view, setup.may_start, setup.needs_looks) == (None, True, False)
        with pytest.raises(SetupError, match="installed beside the app"):
            setup.begin()
        await session.close(1.0)
        shutil.rmtree(tmp_path)

    play(script)


def test_an_environment_that_another_program_has_removed_is_missed(
    tmp_path: Path, offered: OfferedPackages
) -> None:
    places = EnvironmentPlaces(tmp_path / "environment")
    place(places.current, made_epoch=True, name="new")

    async def script() -> None:
        async with session_of(tmp_path, offered, run_mode="never") as session:
            setup = environment_of(session)
            session.consider()
            assert setup.may_start
            shutil.rmtree(places.current)
            session.consider()
            view = setup.view
            assert view is not None
            assert (view.is_usable, view.stage, setup.may_start) == (False, SetupStage.ABSENT, False)

    play(script)
