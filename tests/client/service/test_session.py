"""A session over a trainer that learns nothing: what it remembers of the trainer's ends, and what it sees of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage, CandidateView
from client.api.snapshot import Activity, WaitReason
from client.joining.embedded import embedded_run
from client.joining.run_card import RunCard
from client.joining.tasks import FetchedRun, FetchRun
from client.machine.survey import PATIENCE, local_now
from client.paths import HOME_VARIABLE, Paths
from client.policy.policy import PauseReason
from client.service.candidates.inspection import ProcessInspectors
from client.service.channel.snapshots import what_it_does
from client.service.deciding import budget_of_trainer
from client.service.kept.choices import VolunteerChoices
from client.service.monitor import LOOK_WHILE_COMPUTING, LOOK_WHILE_FROZEN_ON_GPU
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from client.service.trainer.state import SECONDS_TO_VANISH, State
from core.messages.pictures import GenerationRequest
from core.messages.waiting import SwarmWait
from core.run.join_link import JoinLink
from core.run.least_version import UpdateNeeded
from core.run.manifest import RunManifest
from tests.client.contribution.reports import progress
from tests.client.run_server import serve, serving, stalled
from tests.client.service.contexts import context_in
from tests.client.stand_ins.trainer import Deed
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import ROOT
from tests.waiting import eventually

Clock = Callable[[], datetime]
CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)


@asynccontextmanager
async def session_of(
    home: Path, deed: Deed, now: Clock = local_now, **preferences: str
) -> AsyncIterator[Session]:
    """A session that trains the run in the folder `run` by trainers that do ``deed``, and draws nothing."""
    paths = Paths.of_user({HOME_VARIABLE: str(home)})
    paths.prepare()
    if preferences:
        paths.preferences.write_text(
            "".join(f'{name.replace("_", "-")} = "{value}"\n' for name, value in preferences.items())
        )
    (home / "run").mkdir()
    CARD.save(home / "run")
    trainer = learner_settings(deed)
    environment = {"PYTHONPATH": str(ROOT), **trainer["environment"]}
    modules = ChildModules(
        trainer["trainer"],
        "tests.client.generation.stand_in_generator",
        local_swarm="tests.client.stand_ins.local_swarm",
        environment=environment,
        is_idle=False,  # other programs on a busy machine are not to keep the tests waiting
    )
    session = Session(context_in(home, modules, now))
    living = asyncio.create_task(session.live())
    try:
        await session.join(home / "run")
        yield session
    finally:
        living.cancel()
        await asyncio.gather(living, return_exceptions=True)
        await session.close(5.0)


async def reach(session: Session, state: State) -> None:
    run = session.context.run
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
            assert session.context.notices, "the volunteer is notified in either case"
        later = VolunteerChoices(session.context.paths.state, pytest.fail, session.context.now)
        assert len(later.crashes(session.context.now())) == crashes

    play(script)


def test_a_game_has_the_memory_within_two_seconds_from_a_trainer_that_does_not_listen() -> None:
    seconds = max(LOOK_WHILE_COMPUTING + SECONDS_TO_VANISH, LOOK_WHILE_FROZEN_ON_GPU)
    assert seconds + PATIENCE <= 1.75, "the system takes a moment, too, to end a process"


def test_the_trainers_memory_is_watched_though_the_clock_was_set_back(tmp_path: Path) -> None:
    late = timedelta()

    async def script() -> None:
        nonlocal late
        async with session_of(tmp_path, Deed.LEARN, lambda: local_now() - late) as session:
            await reach(session, State.TRAINING)
            late = timedelta(days=365)
            session.context.monitor.look()
            await eventually(
                lambda: session.context.accounting.memory_held > 0, "nobody looks at it for a year"
            )

    play(script)


def test_a_trainer_that_needs_more_memory_than_is_allowed_has_another_try_once_more_is_allowed(
    tmp_path: Path,
) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN, ram_limit="4 GiB") as session:
            await reach(session, State.TRAINING)
            run, kept = session.context.run, session.context.paths.preferences
            assert run is not None
            for _ in range(2):
                run.training.watch_memory(5 << 30, 4 << 30)
            await reach(session, State.FAILED)
            kept.write_text(kept.read_text().replace("4 GiB", "6 GiB"))
            session.context.monitor.look()
            await reach(session, State.TRAINING)

    play(script)


def test_a_run_that_was_joined_is_there_before_anybody_can_ask(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN) as session:
            await session.context.save()
        later = Session(context_in(tmp_path))
        later.open()
        assert later.context.run is not None
        assert what_it_does(later.context)[0] is Activity.STARTING
        await later.close(5.0)

    play(script)


def test_a_trainer_that_waits_for_others_says_why(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN) as session:
            await reach(session, State.TRAINING)
            run = session.context.run
            assert run is not None
            for reason in SwarmWait:
                run.progress = progress().model_copy(update={"waiting": reason})
                headline = WaitReason[reason.name].headline
                assert what_it_does(session.context) == (Activity.WAITING, headline)

    play(script)


def test_a_swarm_on_this_computer_that_has_ended_is_what_the_headline_names(tmp_path: Path) -> None:
    async def script() -> None:
        swarm = Paths.of_user({HOME_VARIABLE: str(tmp_path)}).swarm
        (swarm / "run").mkdir(parents=True)
        (swarm / "fails").touch()
        CARD.save(swarm / "run")
        async with session_of(tmp_path, Deed.LEARN) as session:
            local = session.parts.local_swarm
            await eventually(lambda: local.view.problem is not None, "it does not fail")
            assert local.is_trained
            ended = local.view.problem
            expected = (Activity.ATTENTION, "Attention: The folder is full of sand.")
            assert what_it_does(session.context, None, ended) == expected
            session.context.choices.pause(None)
            session.consider()
            assert what_it_does(session.context, None, ended)[0] is Activity.PAUSED

    play(script)


def test_a_trainer_that_is_too_old_for_its_run_completes_the_epoch_and_pauses_until_it_is_not(
    tmp_path: Path,
) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN) as session:
            await reach(session, State.TRAINING)
            run = session.context.run
            assert run is not None
            run.coordination.succession.needed = UpdateNeeded("9999", "0.1.0")
            session._on_new_manifest(run.folder)
            assert run.training.state is State.FINISHING
            assert not session.context.decision.reasons, "the epoch is completed first"
            assert "needs Idlebrush 9999 or newer; this is 0.1.0. Update" in session.context.notices[-1].text
            await reach(session, State.IDLE)
            session.consider()
            headline = "Paused: this run needs Idlebrush 9999 or newer; this is 0.1.0."
            assert what_it_does(session.context) == (Activity.PAUSED, headline)
            run.coordination.succession.needed = None
            session._on_new_manifest(run.folder)
            await eventually(lambda: session.context.run is not run, "it is not opened again")
            await reach(session, State.TRAINING)

    play(script)


def test_a_run_that_needed_a_newer_version_still_does_after_a_restart(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN) as session:
            await session.context.save()
        CARD.model_copy(update={"least_version": "9999"}).save(tmp_path / "run")
        later = Session(context_in(tmp_path))
        later.open()
        later.consider()
        assert {reason.code for reason in later.context.decision.reasons} >= {PauseReason.UPDATE_NEEDED}
        assert later.context.run is not None
        assert not later.context.run.coordination.may_start
        await later.close(5.0)

    play(script)


def test_a_trainer_and_a_process_that_draws_share_the_connection(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
            (tmp_path / "run" / "peer" / "checkpoint").mkdir(parents=True)
            await reach(session, State.TRAINING)
            assert budget_of_trainer(session.context, session.parts).download == 1_000_000
            session.context.choices.pause(timedelta(minutes=10))
            session.consider()
            await reach(session, State.FROZEN)
            session.parts.pictures.ask(GenerationRequest(prompt="wait for another cap"))
            await eventually(lambda: session.parts.pictures.child is not None, "nothing draws", 60)
            assert budget_of_trainer(session.context, session.parts).download == 500_000
            session.context.choices.resume()
            session.consider()
            await eventually(lambda: session.parts.pictures.child is None, "it gets no other cap", 60)
            assert budget_of_trainer(session.context, session.parts).download == 1_000_000

    play(script)


def test_a_trainer_and_the_files_of_another_run_share_the_connection(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "served"))

    async def script() -> None:
        with serving(tmp_path / "served") as server:
            # It is fetched once before consent, to see that it fits.
            server.instead("tokenizer.json", serve, stalled(after=100))
            async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
                await reach(session, State.TRAINING)
                joining = session.parts.candidate_run
                await joining.look(str(JoinLink(server.address(), manifest.fingerprint)), None)
                await at(session, CandidateStage.READY)
                await joining.join(manifest.training_digest)
                assert budget_of_trainer(session.context, session.parts).download == 500_000
                await joining.forget()
                assert budget_of_trainer(session.context, session.parts).download == 1_000_000

    play(script)


def test_the_files_of_another_run_leave_half_of_the_connection_to_the_trainer(tmp_path: Path) -> None:
    async def script() -> None:
        async with session_of(tmp_path, Deed.LEARN, download="1 MB/s") as session:
            tasks = Sent()
            inspectors = ProcessInspectors(
                session.context,
                tasks,  # type: ignore[arg-type]
                session.join,
                session.parts.local_swarm.enter,
            )
            training = RunManifest.load(embedded_run() / "run.toml").training
            seen = CandidateView(
                location="embedded", stage=CandidateStage.READY, fingerprint="f", digest="e" * 64
            )
            await reach(session, State.TRAINING)
            await inspectors.fetch_run(seen, training, lambda _: None)
            session.context.choices.pause(timedelta(minutes=10))
            session.consider()
            await reach(session, State.FROZEN)
            await inspectors.fetch_run(seen, training, lambda _: None)
            assert tasks.rates == [500_000, 1_000_000]

    play(script)


@dataclass
class Sent:
    """A task runner whose tasks are done at once."""

    rates: list[int | None] = field(default_factory=list)

    async def run(self, task: FetchRun, answer: type[FetchedRun], seconds: None, **_: object) -> FetchedRun:
        self.rates.append(task.allowed.download)
        return FetchedRun(folder=Path("/run"))


async def at(session: Session, stage: CandidateStage) -> None:
    def is_there() -> bool:
        view = session.parts.candidate_run.view
        return view is not None and view.stage is stage

    await eventually(is_there, f"it is never {stage}", 60)
