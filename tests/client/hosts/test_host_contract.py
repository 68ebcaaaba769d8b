"""The contract of trainer hosts, with real processes: this system, and a distribution behind a stand-in wsl.exe."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from client.hosts.host import HostedChild, TrainerHost
from core.children import processes
from core.children.outcome import Ending
from core.children.program import Patience, Program
from core.errors import ChildError
from core.messages.lines import MAX_LINE, encode
from tests.client.hosts.hosting import (
    PATIENCE,
    HostedRun,
    StandInWsl,
    agents,
    descended,
    local_host,
    program,
    relays,
    with_module,
)
from tests.waiting import COSTLY, DEADLINE, eventually, wait_until

pytestmark = pytest.mark.posix


@pytest.fixture(params=["local", "wsl"])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> TrainerHost:
    if request.param == "local":
        return local_host()
    wsl = StandInWsl(tmp_path / "wsl")
    wsl.install()
    return wsl.host()


nearly_covered = pytest.mark.parametrize(
    "host", [pytest.param("local", marks=pytest.mark.exhaustive), "wsl"], indirect=True
)
"""Marks a test whose case of this system is nearly covered by those of the supervisor and of the freezer."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "trainer.log"


def states(pids: list[int]) -> set[str]:
    """Return the states of the processes, as the kernel names them."""
    found = set()
    for pid in pids:
        try:
            found.add(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0])
        except OSError:
            continue
    return found


def seconds_of(pids: list[int]) -> float:
    return sum(processes.cpu_seconds(pid) for pid in pids)


async def computes(pids: list[int]) -> None:
    """Wait until the processes use the processor."""
    before = seconds_of(pids)
    await eventually(lambda: seconds_of(pids) > before + 0.02, "nothing computes")


async def stands_still(pids: list[int], allowed: float = 0.0) -> None:
    """Wait until the processes have used next to nothing for half a second."""
    async with asyncio.timeout(DEADLINE):
        while True:
            before = seconds_of(pids)
            await asyncio.sleep(0.5)
            if seconds_of(pids) - before <= allowed:
                return


# --- starting, and messages ---------------------------------------------------------------------------------


def test_a_child_greets_and_ends_by_itself(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "finish"))
        outcome = await run.outcome
        assert (outcome.ending, outcome.status) == (Ending.FINISHED, 0), log.read_text()
        assert [message.type for message in run.messages] == ["hello"]

    asyncio.run(scenario())
    assert not descended(log)


@nearly_covered
@pytest.mark.parametrize(
    ("deed", "ending", "status"), [("fail", Ending.CRASHED, 7), ("crash", Ending.CRASHED, 134)]
)
def test_the_status_of_a_child_is_reported(
    host: TrainerHost, log: Path, deed: str, ending: Ending, status: int
) -> None:
    async def scenario() -> None:
        outcome = await HostedRun(host, program(log, deed, family=True)).outcome
        assert (outcome.ending, outcome.status) == (ending, status), log.read_text()

    asyncio.run(scenario())
    assert not descended(log)


@nearly_covered
def test_a_module_that_is_missing_leaves_its_name_in_the_log(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        outcome = await HostedRun(host, with_module(program(log, "finish"), "no_such_module")).outcome
        assert (outcome.ending, outcome.status) == (Ending.CRASHED, 1)

    asyncio.run(scenario())
    assert "no_such_module" in log.read_text()


@nearly_covered
def test_a_child_that_is_silent_is_ended(host: TrainerHost, log: Path) -> None:
    patience = replace(PATIENCE, first_message=60.0, silence=1.0)

    async def scenario() -> None:
        outcome = await HostedRun(host, program(log, "silent", family=True), patience).outcome
        assert outcome.ending is Ending.HUNG

    asyncio.run(scenario())
    assert not descended(log)


@nearly_covered
@pytest.mark.parametrize("size", [10, 4 * MAX_LINE])
def test_a_child_that_writes_no_messages_is_ended(host: TrainerHost, log: Path, size: int) -> None:
    async def scenario() -> None:
        patience = replace(PATIENCE, silence=2.0)
        outcome = await HostedRun(host, program(log, "garble", size=size), patience).outcome
        assert outcome.ending is (Ending.GARBLED if size > MAX_LINE else Ending.HUNG)

    asyncio.run(scenario())
    assert not descended(log)


@nearly_covered
def test_a_child_that_does_not_end_in_time_is_ended(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "silent", family=True))
        await run.greeted()
        await run.supervisor.stop(0.2)
        assert (await run.outcome).ending is Ending.FORCED

    asyncio.run(scenario())
    assert not descended(log)


def test_a_child_ends_in_order_at_the_end_of_its_input(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "echo"))
        await run.greeted()
        await run.supervisor.stop(DEADLINE)
        assert (await run.outcome).ending is Ending.STOPPED

    asyncio.run(scenario())
    assert not descended(log)


async def opened(host: TrainerHost, chosen: Program) -> HostedChild:
    """Start the program without a supervisor, and read its greeting."""
    child = await host.start(chosen, PATIENCE)
    child.contained.input.write(encode(chosen.start))
    assert json.loads(await child.contained.output.readline())["type"] == "hello"
    return child


def test_bytes_pass_unchanged_both_ways(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        contained = (await opened(host, program(log, "echo"))).contained
        for line in (
            bytes(set(range(256)) - {10}) + b"\n",
            b"\r\n",
            os.urandom(60_000).replace(b"\n", b"") + b"\n",
        ):
            contained.input.write(line)
            assert await contained.output.readline() == line
        contained.input.write(b"the end of a line is missing")
        contained.input.close()
        assert await contained.output.read() == b"the end of a line is missing"
        assert await contained.leave_nothing(in_order=True)
        assert contained.status == 0

    asyncio.run(scenario())


def test_much_passes_both_ways_at_once_whoever_reads_last(host: TrainerHost, log: Path) -> None:
    size = 1 << 20

    async def scenario() -> None:
        chosen = program(log, "flood", size=size >> 16)
        contained = (await opened(host, chosen)).contained
        contained.input.write(b"x" * size)
        contained.input.close()
        await asyncio.sleep(0.2)  # both directions are full by now
        output = await contained.output.readexactly(size)
        assert output == bytes(range(256)) * (size // 256)
        assert await contained.output.readline() == b"read %d\n" % size
        assert await contained.leave_nothing(in_order=True)
        assert contained.status == 0

    asyncio.run(scenario())


def test_orders_do_not_wait_behind_input_that_the_child_does_not_take(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        chosen = program(log, "compute")
        child = await opened(host, chosen)
        reading = asyncio.ensure_future(_read_all(child))
        child.contained.input.write(b"x" * (4 << 20))
        (computing,) = [
            each.pid for each in descended(log) if each.name.startswith("python") and _is_child(each.pid)
        ]
        freezer = child.freezer(computing)
        freezer.freeze()
        await eventually(lambda: states([computing]) == {"T"}, "it was not frozen")
        freezer.close()
        assert await child.contained.leave_nothing(in_order=False)
        await reading

    asyncio.run(scenario())
    assert not descended(log)


async def _read_all(child: HostedChild) -> None:
    while await child.contained.output.read(1 << 16):
        pass


def _is_child(pid: int) -> bool:
    return b"tests.client.hosts.stand_in_hosted" in Path(f"/proc/{pid}/cmdline").read_bytes() and (
        b"core.children.guard" not in Path(f"/proc/{pid}/cmdline").read_bytes()
    )


def test_a_secret_is_in_no_environment_and_no_argument(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "compute", family=True, secret="hf_very_secret"))
        await run.greeted()
        pids = {each.pid for each in descended(log)} | set(agents(log)) | set(relays(log.parent / "wsl"))
        for pid in pids:
            for name in ("environ", "cmdline"):
                assert b"hf_very_secret" not in Path(f"/proc/{pid}/{name}").read_bytes()
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())
    assert "hf_very_secret" not in log.read_text()


def test_one_child_after_another_and_two_at_once(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        for _ in range(2):
            assert (await HostedRun(host, program(log, "finish")).outcome).in_order
        both = [HostedRun(host, program(log, "echo")) for _ in range(2)]
        first, second = [await run.greeted() for run in both]
        assert first != second
        await both[0].supervisor.stop(DEADLINE)
        assert (await both[0].outcome).in_order
        assert not both[1].outcome.done()
        await both[1].supervisor.stop(DEADLINE)
        assert (await both[1].outcome).in_order

    asyncio.run(scenario())


# --- freezing -----------------------------------------------------------------------------------------------


@nearly_covered
def test_freezing_stops_the_computing_process_until_it_is_thawed(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "compute"))
        pid = await run.greeted()
        assert run.hosted.child is not None
        freezer = run.hosted.child.freezer(pid)
        await computes([pid])
        run.supervisor.hold(True)
        freezer.freeze()
        await stands_still([pid])
        assert states([pid]) == {"T"}
        freezer.thaw()
        run.supervisor.hold(False)
        await computes([pid])
        freezer.close()
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())


@nearly_covered
def test_a_settling_trainer_gets_a_tenth_of_a_core_and_a_quiet_one_next_to_nothing(
    host: TrainerHost, log: Path
) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "compute", family=True))
        pid = await run.greeted()
        assert run.hosted.child is not None
        freezer = run.hosted.child.freezer(pid)
        family = [each.pid for each in descended(log) if each.pid not in agents(log)]
        freezer.freeze()
        run.supervisor.hold(True)
        settled = asyncio.Event()
        settling = asyncio.ensure_future(freezer.settle(settled))
        await asyncio.sleep(0.5)
        before = seconds_of(family)
        await asyncio.sleep(2.0)
        assert 0 < seconds_of(family) - before < 0.6, "a tenth of two seconds, and what a busy machine adds"
        settled.set()
        await settling
        quiet = asyncio.ensure_future(freezer.keep_quiet())
        await eventually(lambda: states([pid]) == {"T"}, "it computes")
        await stands_still(family, allowed=0.1)
        quiet.cancel()
        freezer.thaw()
        run.supervisor.hold(False)
        await computes([pid])
        freezer.close()
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())
    assert not descended(log)


@nearly_covered
def test_a_frozen_child_can_leave_quietly(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "echo"))
        pid = await run.greeted()
        assert run.hosted.child is not None
        freezer = run.hosted.child.freezer(pid)
        freezer.freeze()
        run.supervisor.hold(True)
        leaving = asyncio.ensure_future(freezer.leave_quietly())
        await run.supervisor.stop(DEADLINE)
        assert (await run.outcome).ending is Ending.STOPPED
        leaving.cancel()
        freezer.thaw()
        freezer.close()

    asyncio.run(scenario())


@nearly_covered
def test_memory_of_all_processes_is_read(host: TrainerHost, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(host, program(log, "silent", family=True))
        await run.greeted()
        assert run.hosted.child is not None
        held = await run.hosted.child.memory_held()
        assert held.size > 5 << 20
        assert held.is_exact
        assert run.hosted.child.starved_seconds(run.supervisor.child or 0) >= 0
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())


# --- ends, whichever process dies ---------------------------------------------------------------------------

Victims = Callable[[HostedRun], list[int]]


def the_child(run: HostedRun) -> list[int]:
    assert run.supervisor.child is not None
    return [run.supervisor.child]


def the_agent(run: HostedRun) -> list[int]:
    return agents(run.log)


def the_relay(run: HostedRun) -> list[int]:
    return relays(run.log.parent / "wsl")


def agent_and_relay(run: HostedRun) -> list[int]:
    return the_relay(run) + the_agent(run)


def all_at_once(run: HostedRun) -> list[int]:
    return the_relay(run) + the_agent(run) + the_child(run)


async def run_on(run: HostedRun) -> None:
    """Let it compute."""


async def freeze(run: HostedRun) -> None:
    """Freeze the computing process, as a pause does at once."""
    assert run.hosted.child is not None
    run.hosted.child.freezer(the_child(run)[0]).freeze()
    run.supervisor.hold(True)
    await eventually(lambda: states(the_child(run)) == {"T"}, "it was not frozen")


async def freeze_all(run: HostedRun) -> None:
    """Stop all processes of the child, as one that has used up its share."""
    run.supervisor.hold(True)
    inside = [each.pid for each in descended(run.log) if each.pid not in agents(run.log)]
    for pid in inside:
        os.kill(pid, signal.SIGSTOP)
    await eventually(lambda: states(inside) == {"T"}, "one was not frozen")


@pytest.mark.parametrize("state", [run_on, pytest.param(freeze, marks=pytest.mark.exhaustive), freeze_all])
@pytest.mark.parametrize(
    "victims",
    [
        the_child,
        the_agent,
        the_relay,
        agent_and_relay,
        pytest.param(all_at_once, marks=pytest.mark.exhaustive),
    ],
)
def test_nothing_is_left_whichever_link_is_killed(
    host: TrainerHost,
    log: Path,
    victims: Victims,
    state: Callable[[HostedRun], Awaitable[None]],
) -> None:
    if host.shares_process_ids and victims in (the_relay, agent_and_relay):
        pytest.skip("this system has no relay")

    async def scenario() -> None:
        run = HostedRun(host, program(log, "silent", family=True))
        await run.greeted()
        await state(run)
        killed = victims(run)
        assert killed
        for pid in killed:
            processes.kill(pid)
        async with asyncio.timeout(DEADLINE):
            outcome = await run.outcome
        assert outcome.ending is Ending.CRASHED
        assert outcome.status == 128 + signal.SIGKILL

    asyncio.run(scenario())
    assert not descended(log)
    assert not relays(log.parent / "wsl")


@pytest.mark.parametrize("is_frozen", [False, True])
@pytest.mark.parametrize("kind", ["local", "wsl"])
def test_nothing_is_left_of_a_daemon_that_is_killed(
    kind: str, is_frozen: bool, tmp_path: Path, log: Path
) -> None:
    daemon = subprocess.Popen(
        [sys.executable, "-m", "tests.client.hosts.stand_in_daemon", kind, str(log)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert daemon.stdout
    assert json.loads(daemon.stdout.readline())
    if is_frozen:
        for each in descended(log):
            if each.pid not in agents(log):
                os.kill(each.pid, signal.SIGSTOP)
    daemon.kill()
    daemon.wait()
    daemon.stdout.close()
    wait_until(lambda: not descended(log), "a process is left", every=COSTLY)
    wait_until(lambda: not relays(tmp_path / "wsl"), "the relay is left", every=COSTLY)


def test_the_temporary_folder_goes_with_a_child_whose_agent_is_killed(host: TrainerHost, log: Path) -> None:
    def folders() -> set[str]:
        return {path.name for path in Path(tempfile.gettempdir()).glob("idlebrush-[0-9]*")}

    async def scenario() -> None:
        before = folders()
        run = HostedRun(host, program(log, "compute"))
        await run.greeted()
        assert len(folders() - before) == 1
        for pid in agents(log):
            processes.kill(pid)
        await run.outcome
        assert folders() == before

    asyncio.run(scenario())


def test_a_log_that_cannot_be_written_is_an_error_in_words(host: TrainerHost, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def scenario() -> None:
        await host.start(program(tmp_path / "file" / "log", "finish"), Patience())

    with pytest.raises(ChildError, match=r"The trainer cannot be started: .*\. See that"):
        asyncio.run(scenario())
