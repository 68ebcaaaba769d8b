"""The reporter as a process that a coordinator keeps going: it reports what stands in the database."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from coordinator.database.connect import Database
from coordinator.database.tables import Epoch
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Programs, Secrets
from coordinator.serving.view import ServedProcess, ServingView, Stage
from coordinator.settings import ReportSettings
from tests.coordinator.homes import NOW, loopback_settings, make_home
from tests.coordinator.stand_in_serve import STAND_INS
from tests.waiting import eventually

PARTS = frozenset({ServedProcess.BOOTSTRAP, ServedProcess.REPORTER})


def test_a_coordinator_with_a_place_to_report_to_reports(tmp_path: Path) -> None:
    settings = loopback_settings().model_copy(update={"reports": ReportSettings(tensorboard="board")})
    home = make_home(tmp_path, settings)
    with closing(Database.open(home.database_url({}))) as database, database.session() as session:
        session.merge(
            Epoch(generation=0, epoch=1, time=NOW, loss=3.0, samples=8, peers=1, seconds=2.0, root="ab" * 32)
        )
    views: list[ServingView] = []

    def has_reported() -> bool:
        return any((home.root / "board").glob("events.*")) and home.reports.exists()

    async def scenario() -> None:
        programs = Programs(home, settings, Secrets(home.database_url({})), STAND_INS)
        coordinator = Coordinator(programs, views.append, parts=PARTS)
        running = asyncio.ensure_future(coordinator.run())
        coordinator.open_up()
        try:
            await eventually(has_reported, "nothing is reported")
            await eventually(
                lambda: views[-1].stage(ServedProcess.REPORTER) is Stage.RUNNING, "it is not ready"
            )
        finally:
            coordinator.stop()
            await running

    asyncio.run(scenario())
    (point,) = EventAccumulator(str(home.root / "board")).Reload().Scalars("epoch/loss")
    assert (point.step, point.value) == (1, 3.0)


def test_the_reporter_has_longer_to_end_than_the_others(tmp_path: Path) -> None:
    settings = loopback_settings().model_copy(update={"reports": ReportSettings(tensorboard="board")})
    home = make_home(tmp_path, settings)
    modules = replace(STAND_INS, reporter="tests.coordinator.stand_in_reporter")
    views: list[ServingView] = []

    def is_ready() -> bool:
        return bool(views) and views[-1].stage(ServedProcess.REPORTER) is Stage.RUNNING

    async def scenario() -> None:
        programs = Programs(home, settings, Secrets(home.database_url({})), modules)
        coordinator = Coordinator(programs, views.append, parts=PARTS, seconds_to_close=1.0)
        running = asyncio.ensure_future(coordinator.run())
        coordinator.open_up()
        try:
            await eventually(is_ready, "it is not ready")
        finally:
            coordinator.stop()
            await running

    asyncio.run(scenario())
    assert (home.root / "start_reporter.ended").exists(), "it was ended before it had sent all"


def test_without_a_place_there_is_no_reporter(tmp_path: Path) -> None:
    settings = loopback_settings()
    home = make_home(tmp_path, settings)

    async def stages() -> set[ServedProcess]:
        views: list[ServingView] = []
        programs = Programs(home, settings, Secrets(home.database_url({})), STAND_INS)
        coordinator = Coordinator(programs, views.append, parts=PARTS)
        coordinator.stop()
        with_nothing = asyncio.ensure_future(coordinator.run())
        await asyncio.wait({with_nothing})
        return {part for part, _ in views[0].stages}

    assert asyncio.run(stages()) == {ServedProcess.BOOTSTRAP}
