"""The swarm on this computer as the daemon keeps it, served by a stand-in: started, ended, refused and removed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage, CandidateView
from client.api.errors import FolderInUse, JoinError
from client.api.runs import LOCAL_SWARM, LocalSwarmStage, SwarmObstacle
from client.machine.readings import Known, Readings
from client.policy.policy import Effect
from client.service.local_swarm import LocalSwarm
from client.service.swarm_conditions import FREE_RAM, limits_of, obstacle
from client.service.trainer.launching import ChildModules
from core.storage.file_lock import alone
from tests.client.service.contexts import context_in
from tests.client.snapshots import NOW
from tests.volunteer import ROOT
from tests.waiting import eventually

MODULES = ChildModules(
    local_swarm="tests.client.stand_ins.local_swarm", environment={"PYTHONPATH": str(ROOT)}, is_idle=False
)
LOOKED_AT = CandidateView(location=LOCAL_SWARM, stage=CandidateStage.READY)


@asynccontextmanager
async def swarm_in(home: Path, cores: int = 2) -> AsyncIterator[LocalSwarm]:
    swarm = LocalSwarm(context_in(home, MODULES), lambda folder: None, lambda: None, cores)
    try:
        yield swarm
    finally:
        await swarm.close()


def play(home: Path, script: Callable[[LocalSwarm], Awaitable[None]], cores: int = 2) -> None:
    async def whole() -> None:
        async with swarm_in(home, cores) as swarm:
            await script(swarm)

    asyncio.run(whole())


@pytest.mark.parametrize(
    ("free", "cores", "is_local", "has_packages", "found"),
    [
        (FREE_RAM, 2, True, True, None),
        (FREE_RAM - 1, 2, True, True, SwarmObstacle.RAM),
        (None, 2, True, True, None),
        (FREE_RAM, 1, True, True, SwarmObstacle.CORES),
        (FREE_RAM, 8, True, False, SwarmObstacle.PACKAGES),
        (FREE_RAM, 8, False, True, SwarmObstacle.SYSTEM),
    ],
)
def test_a_computer_needs_room_for_two_trainers_and_a_coordinator(
    free: int | None, cores: int, is_local: bool, has_packages: bool, found: SwarmObstacle | None
) -> None:
    readings = Readings(now=NOW)
    if free is not None:
        readings = replace(readings, free_ram=Known(free, "a test"))
    assert obstacle(readings, cores, is_local=is_local, has_packages=has_packages) is found


def test_the_second_trainer_keeps_to_the_policy_with_one_thread(tmp_path: Path) -> None:
    decision = context_in(tmp_path).decision
    allowed = replace(decision, effect=Effect.RUN, budget=replace(decision.budget, threads=7, share=0.25))
    assert (limits_of(allowed).is_paused, limits_of(allowed).budget.threads) == (False, 1)
    assert limits_of(allowed).budget.share == 0.25
    assert limits_of(replace(allowed, effect=Effect.PAUSE)).is_paused


def test_it_is_entered_and_ends_once_nobody_looks_at_its_run(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        assert swarm.view.stage is LocalSwarmStage.OFF
        entering = asyncio.create_task(swarm.enter())
        await asyncio.sleep(0)
        swarm.look(LOOKED_AT)
        assert (await entering).name == "run.toml"
        assert (swarm.view.stage, swarm.view.web) == (LocalSwarmStage.SERVING, "http://127.0.0.1:8080")
        swarm.look(LOOKED_AT.model_copy(update={"stage": CandidateStage.FAILED}))
        await eventually(lambda: swarm.view.stage is LocalSwarmStage.OFF, "it does not end")
        assert swarm.view.web is None

    play(tmp_path, script)


def test_its_trainer_hears_of_another_decision(tmp_path: Path) -> None:
    context = context_in(tmp_path, MODULES)

    async def script() -> None:
        swarm = LocalSwarm(context, lambda folder: None, lambda: None, 2)
        await swarm.enter()
        assert context.decision.effect >= Effect.PAUSE, "nothing may be done before the first look"
        context.decision = replace(context.decision, effect=Effect.RUN)
        swarm.look(LOOKED_AT)
        await eventually(lambda: any("False" in seen.text for seen in context.notices), "it hears nothing")
        await swarm.close()

    asyncio.run(script())
    assert any("paused at first: True" in seen.text for seen in context.notices)


def test_what_keeps_it_from_being_served_is_told_until_it_is_asked_for_again(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        folder = tmp_path / "data" / "swarm"
        folder.mkdir(parents=True)
        (folder / "fails").touch()
        with pytest.raises(JoinError, match="full of sand"):
            await swarm.enter()
        problem = swarm.view.problem
        assert swarm.view.stage is LocalSwarmStage.FAILED
        assert problem is not None
        assert (problem.code, problem.remedy) == ("folder", "Empty it.")
        (folder / "fails").unlink()
        await swarm.enter()
        assert swarm.view.problem is None

    play(tmp_path, script)


def test_a_computer_that_cannot_have_one_is_told_what_to_do_instead(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        with pytest.raises(JoinError, match="needs 2 processor cores") as refused:
            await swarm.enter()
        assert "embedded" in refused.value.remedy
        assert swarm.view.obstacle is SwarmObstacle.CORES

    play(tmp_path, script, cores=1)


def test_removing_it_leaves_no_file(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        await swarm.enter()
        folder = tmp_path / "data" / "swarm"
        (folder / "run").mkdir(parents=True, exist_ok=True)
        (folder / "run" / "run.toml").touch()
        await swarm.require_removable()
        await swarm.remove()
        assert not folder.exists()
        assert (swarm.view.stage, swarm.view.is_kept) == (LocalSwarmStage.OFF, False)
        await swarm.remove()

    play(tmp_path, script)


def test_a_folder_that_another_process_serves_is_not_removed(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        folder = tmp_path / "data" / "swarm"
        folder.mkdir(parents=True)
        with alone(folder / ".lock"), pytest.raises(FolderInUse, match="in a terminal"):
            await swarm.require_removable()
        await swarm.require_removable()

    play(tmp_path, script)


def test_removing_waits_for_an_end_that_has_begun(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        await swarm.enter()
        (tmp_path / "data" / "swarm").mkdir(parents=True, exist_ok=True)
        swarm.look(None)
        await swarm.require_removable()
        swarm.look(LOOKED_AT)
        assert not swarm.is_running, "it does not come back meanwhile"
        await swarm.remove()

    play(tmp_path, script)


def test_it_makes_way_for_another_environment_and_comes_back_for_who_looks_at_it(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        await swarm.enter()
        swarm.look(LOOKED_AT, makes_way=True)
        await eventually(lambda: not swarm.is_running, "it stays")
        swarm.look(LOOKED_AT, makes_way=True)
        assert not swarm.is_running
        swarm.look(LOOKED_AT)
        await eventually(lambda: swarm.view.stage is LocalSwarmStage.SERVING, "it does not come back")

    play(tmp_path, script)


def test_a_daemon_that_ends_starts_no_swarm(tmp_path: Path) -> None:
    async def script(swarm: LocalSwarm) -> None:
        await swarm.enter()
        assert swarm.local_child is not None, "its processes are none of other programs"
        await swarm.close()
        swarm.look(LOOKED_AT)
        assert not swarm.is_running

    play(tmp_path, script)
