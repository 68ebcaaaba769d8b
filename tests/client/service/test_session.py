"""A session over a trainer that learns nothing: what it remembers of the trainer's ends, and what it sees of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from client.api.prospect import ProspectStage, ProspectView
from client.api.snapshot import Activity
from client.autostart.null import NoAutostart
from client.contribution.stats import Contribution
from client.joining.embedded import embedded_run
from client.joining.errands import Bring, Brought
from client.joining.run_card import RunCard
from client.machine.readings import Known, Reading, Readings
from client.machine.survey import PATIENCE, local_now
from client.paths import HOME_VARIABLE, Paths
from client.service.allowance import budget_of_trainer
from client.service.choices import Choices
from client.service.farewell import SECONDS_TO_VANISH
from client.service.launching import Modules
from client.service.lookout import LOOK_WHILE_COMPUTING, LOOK_WHILE_FROZEN_ON_GPU
from client.service.scouting import SessionScouts
from client.service.session import Session
from client.service.snapshots import what_it_does
from client.service.state import State
from core.generation.request import GenerationRequest
from core.join_link import JoinLink
from core.run import RunManifest
from tests.client.run_server import serving, stalled
from tests.client.stand_in_trainer import Deed
from tests.integration.stand_in_learner import told
from tests.tiny_run import write_tiny_run
from tests.volunteer import ROOT
from tests.waiting import eventually

Clock = Callable[[], datetime]
CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)


@dataclass
class CalmMachine:
    """Nobody touches it, and it has no GPU."""

    async def read(self) -> Readings:
        now = local_now()
        return Readings(now=now, idle_seconds=Known(3600.0, "a test"), gpus=Known((), "a test"))

    async def until_active(self) -> Reading[float]:
        never: asyncio.Future[Reading[float]] = asyncio.get_running_loop().create_future()
        return await never


@asynccontextmanager
async def session_of(
    home: Path, deed: Deed, now: Clock = local_now, **preferences: str
) -> AsyncIterator[Session]:
    """It trains the run in the folder `run`, by trainers that do that, and draws nothing."""
    paths = Paths.of_user({HOME_VARIABLE: str(home)})
    paths.prepare()
    if preferences:
        paths.preferences.write_text("".join(f'{name} = "{value}"\n' for name, value in preferences.items()))
    (home / "run").mkdir()
    CARD.save(home / "run")
    trainer = told(deed)
    environment = {"PYTHONPATH": str(ROOT), **trainer["environment"]}
    modules = Modules(
        trainer["trainer"], "tests.client.generation.stand_in_generator", environment=environment
    )
    contribution = Contribution(paths.stats, lambda problem: pytest.fail(str(problem)))
    session = Session(paths, CalmMachine(), contribution, lambda: None, modules, NoAutostart(), now)
    living = asyncio.create_task(session.live())
    try:
        await session.join(home / "run")
        yield session
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await session.close(5.0)


async def reach(session: Session, state: State) -> None:
    run = session.run
    assert run is not None
    await eventually(lambda: run.training.state is state, f"it is never {state}", 60)


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), 90))


@pytest.mark.parametrize(
    ("deed", "crashes"),
    [(Deed.CRASH, 1), (Deed.FAIL, 0)],
    ids=["the trainer's own crash", "a swarm that does not answer"],
)
def test_only_what_another_try_may_not_cure_is_held_against_the_trainers_of_later_daemons(
    tmp_path: Path, deed: Deed, crashes: int
) -> None:
    async def script() -> None:
        async with session_of(tmp_path, deed) as session:
            await reach(session, State.BACKING_OFF)
            assert session.notices, "the volunteer is told in either case"
        later = Choices(session.paths.state, pytest.fail, session.now)
        assert len(later.crashes(session.now())) == crashes

    play(script)


def test_a_game_has_the_memory_within_two_seconds_from_a_trainer_that_does_not_listen() -> None:
    told = max(LOOK_WHILE_COMPUTING + SECONDS_TO_VANISH, LOOK_WHILE_FROZEN_ON_GPU)
    assert told + PATIENCE <= 1.75, "the system takes a moment, too, to end a process"


def test_the_trainers_memory_is_watched_though_the_clock_was_set_back(tmp_path: Path) -> None:
    late = timedelta()

    async def script() -> None:
        nonlocal late
        async with session_of(tmp_path, Deed.LEARN, lambda: local_now() - late) as session:
            await reach(session, State.TRAINING)
            late = timedelta(days=365)
            session.look()
            await eventually(lambda: session.books.memory_held > 0, "nobody looks at it for a year")

    play(script)


def test_a_run_that_was_joined_is_there_before_anybody_can_ask(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN) as session:
            await session.save()
            paths = session.paths
        contribution = Contribution(paths.stats, lambda problem: pytest.fail(str(problem)))
        later = Session(paths, CalmMachine(), contribution, lambda: None, Modules(), NoAutostart())
        later.open()
        assert later.run is not None
        assert what_it_does(later)[0] is Activity.STARTING
        await later.close(5.0)

    play(script)


def test_a_trainer_and_a_process_that_draws_share_the_connection(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
            (tmp_path / "run" / "peer" / "checkpoint").mkdir(parents=True)
            await reach(session, State.TRAINING)
            assert budget_of_trainer(session).download == 1_000_000
            session.choices.pause(timedelta(minutes=10))
            session.consider()
            await reach(session, State.FROZEN)
            session.pictures.ask(GenerationRequest(prompt="wait for another cap"))
            await eventually(lambda: session.pictures.child is not None, "nothing draws", 60)
            assert budget_of_trainer(session).download == 500_000
            session.choices.resume()
            session.consider()
            await eventually(lambda: session.pictures.child is None, "it is told of no other cap", 60)
            assert budget_of_trainer(session).download == 1_000_000

    play(script)


def test_a_trainer_and_the_files_of_another_run_share_the_connection(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "served"))

    async def script() -> None:
        with serving(tmp_path / "served") as server:
            server.instead("tokenizer.json", stalled(after=100))
            async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
                await reach(session, State.TRAINING)
                joining = session.prospecting
                await joining.look(str(JoinLink(server.address(), manifest.fingerprint)), None)
                await at(session, ProspectStage.READY)
                await joining.join(manifest.training_digest)
                assert budget_of_trainer(session).download == 500_000
                await joining.forget()
                assert budget_of_trainer(session).download == 1_000_000

    play(script)


def test_the_files_of_another_run_leave_half_of_the_connection_to_the_trainer(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
            errands = Sent()
            scouts = SessionScouts(session, errands, "https://hub.example")  # type: ignore[arg-type]
            training = RunManifest.load(embedded_run() / "run.toml").training
            seen = ProspectView(
                location="embedded", stage=ProspectStage.READY, fingerprint="f", digest="e" * 64
            )
            await reach(session, State.TRAINING)
            await scouts.bring(seen, training, lambda _: None)
            session.choices.pause(timedelta(minutes=10))
            session.consider()
            await reach(session, State.FROZEN)
            await scouts.bring(seen, training, lambda _: None)
            assert errands.rates == [500_000, 1_000_000]

    play(script)


@dataclass
class Sent:
    """Errands that are done at once."""

    rates: list[int | None] = field(default_factory=list)

    async def run(self, errand: Bring, answer: type[Brought], seconds: None, **_: object) -> Brought:
        self.rates.append(errand.allowed.download)
        return Brought(folder=Path("/run"))


async def at(session: Session, stage: ProspectStage) -> None:
    def is_there() -> bool:
        view = session.prospecting.view
        return view is not None and view.stage is stage

    await eventually(is_there, f"it is never {stage}", 60)
