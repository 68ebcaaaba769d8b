"""A child in a Job Object of a fake Windows: it runs only within the job, and nothing of it is left."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from core.children.program import Patience, Program
from core.children.windows.job import JobChild, tie_children
from core.errors import ChildError
from core.messages.children import Hello
from tests.core.children.windows.fake_windows import FakeProcess, FakeSystem

PID = 4
SUSPENDED, IDLE, NEW_GROUP, BELOW_NORMAL, NO_WINDOW = 0x4, 0x40, 0x200, 0x4000, 0x0800_0000
PATIENCE = Patience(leaving=0.2, unkillable=0.2)


class FakePipe:
    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


class Spawned:
    """A process as asyncio shows it, which is one of the fake system's."""

    def __init__(self, process: FakeProcess) -> None:
        self._process = process
        self.pid = process.pid
        self.stdin, self.stdout = FakePipe(), FakePipe()

    @property
    def returncode(self) -> int | None:
        return self._process.ended

    def kill(self) -> None:
        self._process.ended = 1


class Spawner:
    """Starts processes of the fake system, and keeps how it was called."""

    def __init__(self, system: FakeSystem, **traits: Any) -> None:
        self._system, self._traits = system, traits
        self.command: tuple[str, ...] = ()
        self.options: dict[str, Any] = {}

    async def __call__(self, *command: str, **options: Any) -> asyncio.subprocess.Process:
        self.command, self.options = command, options
        suspended = 1 if options["creationflags"] & SUSPENDED else 0
        started = self._system.start(PID, suspensions=suspended, **self._traits)
        return cast(asyncio.subprocess.Process, Spawned(started))


@pytest.fixture
def system() -> FakeSystem:
    return FakeSystem()


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "temporary").mkdir()
    return Program("task", "some.module", Hello(pid=1), tmp_path / "log", environment={"OURS": "1"})


def temporary(program: Program) -> Path:
    """Return the folder for temporary files."""
    return program.log.parent / "temporary"


async def started(system: FakeSystem, program: Program, **traits: Any) -> tuple[JobChild, Spawner]:
    spawner = Spawner(system, **traits)
    return await JobChild.start(program, PATIENCE, system.win32, spawner, temporary(program)), spawner


def test_a_child_runs_once_it_is_in_the_job(system: FakeSystem, program: Program) -> None:
    async def scenario() -> None:
        child, _ = await started(system, program)
        process = system.processes[PID]
        assert process.is_running()
        assert process.job is not None
        assert child.family() == [PID]
        assert len(system.handles) == 1, "the job's alone"
        await child.leave_nothing(in_order=False)

    asyncio.run(scenario())


def test_a_child_is_started_without_a_window_and_with_a_folder_and_no_token(
    system: FakeSystem, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")

    async def scenario() -> None:
        child, spawner = await started(system, program)
        assert spawner.options["creationflags"] == SUSPENDED | NO_WINDOW | NEW_GROUP
        assert spawner.command[1:] == ("-P", "-m", "some.module")
        environment = spawner.options["env"]
        assert environment["OURS"] == "1"
        assert "HF_TOKEN" not in environment
        folder = Path(environment["TEMP"])
        assert environment["TEMP"] == environment["TMP"] == environment["TMPDIR"]
        assert folder.is_dir()
        await child.leave_nothing(in_order=False)
        assert not folder.exists()

    asyncio.run(scenario())
    assert not list(temporary(program).iterdir())


@pytest.mark.parametrize(
    ("is_idle", "niceness", "flag"),
    [(True, 0, IDLE), (True, 5, IDLE), (False, 5, BELOW_NORMAL), (False, 0, 0)],
)
def test_a_priority_is_a_flag(
    system: FakeSystem, program: Program, is_idle: bool, niceness: int, flag: int
) -> None:
    lowered = Program(
        program.name, program.module, program.start, program.log, is_idle=is_idle, niceness=niceness
    )

    async def scenario() -> int:
        child, spawner = await started(system, lowered)
        await child.leave_nothing(in_order=False)
        return int(spawner.options["creationflags"])

    assert asyncio.run(scenario()) & (IDLE | BELOW_NORMAL) == flag


def test_what_a_child_has_started_is_its_family_and_ends_with_it(
    system: FakeSystem, program: Program
) -> None:
    async def scenario() -> None:
        child, _ = await started(system, program)
        grandchild = system.start_below(system.processes[PID], 8)
        stranger = system.start(12, suspensions=0)
        system.start(16, is_foreign=True)
        assert child.family() == [PID, 8]
        owned = {pid: child.owns(pid) for pid in (PID, 8, 12, 16, 20)}
        assert owned == {PID: True, 8: True, 12: False, 16: False, 20: None}
        system.processes[PID].ended = 0
        assert child.family() == [8]
        assert await child.leave_nothing(in_order=True)
        assert child.status == 0
        assert grandchild.ended is not None
        assert stranger.is_running()
        assert child.family() == []

    asyncio.run(scenario())
    assert not system.handles


def _finishes(process: FakeProcess) -> None:
    process.ended = 7


def _does_nothing(process: FakeProcess) -> None:
    pass


def _is_suspended(process: FakeProcess) -> None:
    process.suspensions = 1


@pytest.mark.parametrize(
    ("does", "in_order", "status"),
    [
        (_finishes, True, 7),
        (_finishes, False, 7),
        (_does_nothing, False, 137),
        (_does_nothing, True, 137),
        (_is_suspended, True, 137),
    ],
)
def test_the_exit_status_is_the_childs_or_that_of_one_that_was_killed(
    system: FakeSystem, program: Program, does: Callable[[FakeProcess], None], in_order: bool, status: int
) -> None:
    async def scenario() -> int:
        child, _ = await started(system, program)
        does(system.processes[PID])
        assert await child.leave_nothing(in_order=in_order)
        return child.status

    assert asyncio.run(scenario()) == status


def test_what_the_system_cannot_end_is_left_in_the_end(system: FakeSystem, program: Program) -> None:
    async def scenario() -> None:
        child, _ = await started(system, program, is_unkillable=True)
        assert not await child.leave_nothing(in_order=False)
        assert child.status == 137

    asyncio.run(asyncio.wait_for(scenario(), 20))
    assert not system.handles


def test_the_end_of_this_process_ends_the_job(system: FakeSystem, program: Program) -> None:
    async def scenario() -> None:
        await started(system, program)
        system.start_below(system.processes[PID], 8)

    asyncio.run(scenario())
    (job,) = system.handles
    system.win32.close(job)  # as the system does with all handles of a process that ends
    assert all(process.ended is not None for process in system.processes.values())


@pytest.mark.parametrize(
    "refused", ["CreateJobObjectW", "SetInformationJobObject", "OpenProcess", "AssignProcessToJobObject"]
)
def test_a_child_that_cannot_be_contained_is_ended_before_it_begins(
    system: FakeSystem, program: Program, refused: str
) -> None:
    system.refuses.add(refused)
    with pytest.raises(ChildError, match="cannot be started"):
        asyncio.run(started(system, program))
    assert not any(process.is_running() for process in system.processes.values())
    assert all(process.ended is not None for process in system.processes.values())
    assert not system.handles
    assert not list(temporary(program).iterdir())


def test_what_a_process_starts_is_tied_to_it_before_it_is_in_a_job_of_its_own() -> None:
    system = FakeSystem()
    own = system.start(os.getpid(), suspensions=0)
    tie_children(system.win32)
    child = system.start_below(own, PID)
    assert own.ended is child.ended is None
    (job,) = system.handles
    assert system.job(job).flags & 0x0800, "an installer may leave it"
    system.win32.close(job)  # as the system does at the end of the process
    assert child.ended is not None


def test_a_system_that_ties_nothing_says_so() -> None:
    system = FakeSystem()
    system.refuses = {"AssignProcessToJobObject"}
    system.start(os.getpid(), suspensions=0)
    with pytest.raises(OSError, match="AssignProcessToJobObject"):
        tie_children(system.win32)
