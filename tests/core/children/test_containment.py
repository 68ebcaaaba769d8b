"""The contract of a containment, with real processes, on the system that runs the tests.

Nothing here is of one system alone: processes are ended and looked for through psutil.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from core.children.containment import ContainedChild, containment
from core.children.program import Patience, Program
from core.errors import ChildError
from core.messages.lines import encode
from tests.core.children.stand_in_supervisor import program
from tests.waiting import DEADLINE, wait_until

PATIENCE = Patience(leaving=5.0)


@dataclass(frozen=True)
class ChildReport:
    """What the child says of itself."""

    pid: int
    started: int
    """The process that it has started; 0 if it has not."""
    folder: Path
    """Its temporary folder."""

    @classmethod
    def of(cls, line: bytes) -> "ChildReport":
        said = json.loads(line)
        return cls(said["pid"], said["started"], Path(said["folder"]))

    @property
    def pids(self) -> set[int]:
        return {self.pid, self.started} - {0}


Scenario = Callable[[ContainedChild, ChildReport], Awaitable[None]]


def is_there(pid: int) -> bool:
    """Return true if the process runs, or is stopped; one that waits to be collected has ended."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def run(deed: str, tmp_path: Path, scenario: Scenario) -> tuple[ContainedChild, ChildReport]:
    """Start a child that does the deed, go through the scenario, and check that nothing of the child is left."""

    async def contained() -> tuple[ContainedChild, ChildReport]:
        chosen = program(deed, tmp_path / "log")
        child = await containment()(chosen, PATIENCE)
        child.input.write(encode(chosen.start))
        report = ChildReport.of(await asyncio.wait_for(child.output.readline(), DEADLINE))
        await scenario(child, report)
        return child, report

    child, report = asyncio.run(contained())
    assert not any(map(is_there, report.pids)), "a process is left"
    assert not report.folder.exists(), "its folder is left"
    assert child.family() == []
    return child, report


async def in_order(child: ContainedChild, report: ChildReport) -> None:
    """Wait for the child to close its side, and clean up."""
    await asyncio.wait_for(child.output.read(), DEADLINE)
    assert await child.leave_nothing(in_order=True)


async def at_once(child: ContainedChild, report: ChildReport) -> None:
    """End the child, whatever it does."""
    assert await child.leave_nothing(in_order=False)


async def by_killing_it(child: ContainedChild, report: ChildReport) -> None:
    """Kill the child, and clean up."""
    psutil.Process(report.pid).kill()
    assert await child.leave_nothing(in_order=False)


async def while_it_is_stopped(child: ContainedChild, report: ChildReport) -> None:
    """End a child that the system has stopped with all that it has started."""
    for pid in report.pids:
        psutil.Process(pid).suspend()
    assert await child.leave_nothing(in_order=False)


@pytest.mark.parametrize(("deed", "status"), [("finish", 0), ("fail", 7)])
def test_a_child_that_ends_has_its_own_exit_status(deed: str, status: int, tmp_path: Path) -> None:
    child, _ = run(deed, tmp_path, in_order)
    assert child.has_ended
    assert child.status == status


def test_a_child_ends_in_order_at_the_end_of_its_input(tmp_path: Path) -> None:
    async def obey(child: ContainedChild, report: ChildReport) -> None:
        assert not child.has_ended
        child.input.close()
        await in_order(child, report)

    child, _ = run("obey", tmp_path, obey)
    assert child.status == 0


def test_a_child_that_ignores_the_end_of_its_input_is_ended(tmp_path: Path) -> None:
    async def ignore(child: ContainedChild, report: ChildReport) -> None:
        child.input.close()
        await at_once(child, report)

    child, _ = run("sleep", tmp_path, ignore)
    assert child.status not in (0, 7)


@pytest.mark.parametrize("deed", ["sleep", "parent, sleep"])
@pytest.mark.parametrize("end", [at_once, by_killing_it, while_it_is_stopped])
def test_a_child_that_is_ended_leaves_nothing(deed: str, end: Scenario, tmp_path: Path) -> None:
    child, _ = run(deed, tmp_path, end)
    assert child.status not in (0, 7)


@pytest.mark.parametrize(("deed", "status"), [("parent, finish", 0), ("parent, fail", 7)])
def test_what_a_child_has_started_ends_with_it(deed: str, status: int, tmp_path: Path) -> None:
    async def ended(child: ContainedChild, report: ChildReport) -> None:
        assert await child.leave_nothing(in_order=True)

    child, _ = run(deed, tmp_path, ended)
    assert child.status == status


def test_the_family_is_the_child_and_what_it_has_started(tmp_path: Path) -> None:
    async def look(child: ContainedChild, report: ChildReport) -> None:
        assert report.pids <= set(child.family())
        assert all(child.owns(pid) for pid in report.pids)
        own = psutil.Process()
        assert child.owns(own.pid) is False
        assert own.pid not in child.family()
        gone = subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        if not psutil.pid_exists(gone.pid):
            assert child.owns(gone.pid) is None
        await at_once(child, report)

    run("parent, sleep", tmp_path, look)


def test_each_child_has_a_temporary_folder_of_its_own(tmp_path: Path) -> None:
    folders = {run("finish", tmp_path, in_order)[1].folder for _ in range(2)}
    assert len(folders) == 2


@pytest.mark.parametrize("deed", ["sleep", "parent, sleep"])
@pytest.mark.parametrize("is_stopped", [False, True])
def test_nothing_outlives_the_process_that_started_it(deed: str, is_stopped: bool, tmp_path: Path) -> None:
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "tests.core.children.stand_in_supervisor", deed, str(tmp_path / "log")],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert supervisor.stdout
    report = ChildReport.of(supervisor.stdout.readline())
    if is_stopped:
        for pid in report.pids:
            psutil.Process(pid).suspend()
    supervisor.kill()
    supervisor.wait()
    supervisor.stdout.close()
    wait_until(lambda: not any(map(is_there, report.pids)), "a process is left")


def test_a_log_is_kept_of_what_a_child_says(tmp_path: Path) -> None:
    log = tmp_path / "folder" / "log"
    missing = replace(program("finish", log), module="tests.core.children.no_such_module")

    async def start() -> None:
        child = await containment()(missing, PATIENCE)
        await asyncio.wait_for(child.output.read(), DEADLINE)
        assert await child.leave_nothing(in_order=True)
        assert child.status == 1

    asyncio.run(start())
    assert "no_such_module" in log.read_text(encoding="utf-8")


def test_a_child_that_cannot_be_started_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def start(chosen: Program) -> None:
        await containment()(chosen, PATIENCE)

    with pytest.raises(ChildError, match="cannot be started"):
        asyncio.run(start(program("finish", tmp_path / "file" / "log")))
