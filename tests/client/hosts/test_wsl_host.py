"""What a distribution adds to the contract of hosts: its lease, its leftovers, its refusals, and its memory."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from client.hosts.host import host_of_system
from client.hosts.wsl.child import WslAccess
from client.hosts.wsl.command import WslAnswer, WslCommand, run_wsl
from client.hosts.wsl.host import WslHost
from client.hosts.wsl.link import Lease
from core.children import processes
from core.children.agent.frames import GREETING, PROTOCOL
from core.children.outcome import Ending
from core.errors import ChildError
from tests.client.hosts.hosting import (
    LEASE,
    PATIENCE,
    ROOT,
    HostedRun,
    StandInWsl,
    agents,
    descended,
    program,
    relays,
)
from tests.waiting import COSTLY, DEADLINE, eventually, wait_until

pytestmark = pytest.mark.posix


@pytest.fixture
def wsl(tmp_path: Path) -> StandInWsl:
    """A Windows with the distribution of Idlebrush."""
    found = StandInWsl(tmp_path / "wsl")
    found.install()
    return found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "trainer.log"


def refusing(*words: str) -> WslCommand:
    """Return a wsl.exe that writes those lines of Python, and ends."""
    return WslCommand((sys.executable, "-S", "-c", "; ".join(words)))


async def start(host: WslHost, log: Path) -> None:
    await host.start(program(log, "finish"), PATIENCE)


# --- the lease ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_frozen", [False, True])
def test_a_lease_that_is_not_renewed_ends_everything(wsl: StandInWsl, log: Path, is_frozen: bool) -> None:
    never = Lease(seconds=6.0, renewal=1000.0)  # a busy machine takes seconds to greet

    async def scenario() -> None:
        run = HostedRun(wsl.host(lease=never), program(log, "silent", family=True))
        pid = await run.greeted()
        run.supervisor.hold(True)
        if is_frozen:
            os.kill(pid, signal.SIGSTOP)
        outcome = await run.outcome
        assert (outcome.ending, outcome.status) == (Ending.CRASHED, 137)

    asyncio.run(scenario())
    assert not descended(log)
    assert "has not renewed the lease" in log.read_text()


def test_a_lease_is_renewed_for_a_child_that_is_left_alone(wsl: StandInWsl, log: Path) -> None:
    async def scenario() -> None:
        run = HostedRun(wsl.host(lease=Lease(seconds=1.5, renewal=0.3)), program(log, "echo"))
        await run.greeted()
        await asyncio.sleep(3.0)
        assert not run.outcome.done()
        await run.supervisor.stop(20.0)
        assert (await run.outcome).ending is Ending.STOPPED

    asyncio.run(scenario())


def end_keepers(wsl: StandInWsl) -> None:
    """End what has kept the input of killed relays open."""
    for pid in (wsl.folder / "keepers").read_text().split():
        processes.kill(int(pid))


def test_the_lease_ends_what_a_killed_wsl_leaves_without_an_end_of_input(wsl: StandInWsl, log: Path) -> None:
    (wsl.folder / "keeps-input").touch()
    sweeps: list[Sequence[str]] = []

    async def refuse(command: Sequence[str], seconds: float) -> WslAnswer:
        sweeps.append(command)
        return WslAnswer(1, b"")

    async def scenario() -> None:
        host = WslHost(
            WslAccess(wsl.command, Lease(seconds=2.0, renewal=0.5), refuse), code=ROOT, grace=600.0
        )
        run = HostedRun(host, program(log, "silent", family=True))
        await run.greeted()
        for pid in relays(wsl.folder):
            processes.kill(pid)
        assert (await run.outcome).ending is Ending.STUCK  # as far as the host can see

    try:
        asyncio.run(scenario())
        assert len(sweeps) == 1
        wait_until(lambda: not descended(log), "a process is left", every=COSTLY)
    finally:
        end_keepers(wsl)


def test_a_killed_agent_is_missed_although_wsl_continues(wsl: StandInWsl, log: Path) -> None:
    (wsl.folder / "outlives").touch()

    async def scenario() -> None:
        run = HostedRun(wsl.host(lease=Lease(seconds=2.0, renewal=0.5)), program(log, "silent", family=True))
        await run.greeted()
        run.supervisor.hold(True)  # as while it is frozen: it is not expected to speak
        for pid in agents(log):
            processes.kill(pid)
        assert (await asyncio.wait_for(run.outcome, DEADLINE)).ending is Ending.CRASHED

    asyncio.run(scenario())
    assert not descended(log)


def test_a_second_agent_ends_what_the_first_one_leaves(wsl: StandInWsl, log: Path) -> None:
    (wsl.folder / "keeps-input").touch()

    async def scenario() -> None:
        run = HostedRun(wsl.host(), program(log, "silent", family=True))
        await run.greeted()
        for pid in relays(wsl.folder):
            processes.kill(pid)
        assert (await run.outcome).ending is Ending.CRASHED

    try:
        asyncio.run(scenario())
        assert not descended(log)
    finally:
        end_keepers(wsl)


def test_the_next_agent_ends_what_a_killed_agent_has_left_to_no_daemon(wsl: StandInWsl, log: Path) -> None:
    """Nothing was there to sweep up: agent, relay and daemon were killed together."""

    async def cannot(command: Sequence[str], seconds: float) -> WslAnswer:
        return WslAnswer(1, b"")

    async def scenario() -> None:
        host = WslHost(WslAccess(wsl.command, LEASE, cannot), code=ROOT, grace=600.0)
        run = HostedRun(host, program(log, "silent", family=True))
        await run.greeted()
        for pid in agents(log) + relays(wsl.folder):  # the agent first, which would sweep up
            processes.kill(pid)
        await run.outcome
        assert descended(log), "the process that has left its session should be there still"
        other = log.with_name("other") / "trainer.log"
        assert (await HostedRun(wsl.host(), program(other, "finish")).outcome).in_order

    asyncio.run(scenario())
    assert not descended(log)


# --- refusals -------------------------------------------------------------------------------------------------


def test_a_wsl_that_is_missing_says_how_to_turn_it_on(log: Path) -> None:
    host = WslHost(WslAccess(WslCommand(("/no/such/wsl.exe",)), LEASE))
    with pytest.raises(ChildError, match=r"is not installed\. Turn on WSL: `idlebrush doctor`"):
        asyncio.run(start(host, log))


def test_a_distribution_that_is_missing_is_named(wsl: StandInWsl, log: Path) -> None:
    host = WslHost(WslAccess(replace(wsl.command, distribution="Ubuntu"), LEASE))
    with pytest.raises(ChildError, match=r"runs in Windows' Subsystem for Linux is missing\. Start .* again"):
        asyncio.run(start(host, log))


def test_an_agent_that_is_missing_is_named(wsl: StandInWsl, log: Path) -> None:
    host = WslHost(WslAccess(replace(wsl.command, agent=("/no/such/agent",)), LEASE))
    with pytest.raises(ChildError, match="lacks a program of this version"):
        asyncio.run(start(host, log))


def test_an_agent_of_another_version_is_told_from_this_one(log: Path) -> None:
    other = GREETING.replace(str(PROTOCOL).encode(), b"99").decode().strip()
    host = WslHost(
        WslAccess(refusing(f"print('{other}', flush=True)", "import time", "time.sleep(60)"), LEASE)
    )
    with pytest.raises(ChildError, match="are of different versions"):
        asyncio.run(start(host, log))


def test_a_refusal_on_the_error_stream_is_read_as_well(log: Path) -> None:
    log.write_text("what an earlier trainer wrote: 0x80370102\n")
    words = "import sys", "sys.stderr.write('Error code: Wsl/Service/E_ACCESSDENIED')", "sys.exit(255)"
    with pytest.raises(ChildError, match="does not allow this user"):
        asyncio.run(start(WslHost(WslAccess(refusing(*words), LEASE)), log))


def test_an_unknown_refusal_is_quoted_with_its_status(log: Path) -> None:
    host = WslHost(WslAccess(refusing("print('Grundlegender Fehler')", "raise SystemExit(3)"), LEASE))
    with pytest.raises(ChildError, match=r"It wrote: “Grundlegender Fehler”.*wsl --update"):
        asyncio.run(start(host, log))
    with pytest.raises(ChildError, match="its exit status is 3"):
        asyncio.run(start(WslHost(WslAccess(refusing("raise SystemExit(3)"), LEASE)), log))


def test_a_silent_wsl_is_given_up(log: Path) -> None:
    host = WslHost(WslAccess(refusing("import time", "time.sleep(600)"), replace(LEASE, greeting=0.5)))
    with pytest.raises(ChildError, match=r"did not start the trainer within 0 s\. Run `wsl --shutdown`"):
        asyncio.run(start(host, log))


def test_an_agent_that_ends_before_it_has_started_the_child_is_an_error(log: Path) -> None:
    greeting = f"print('{GREETING.decode().strip()}', flush=True)"
    with pytest.raises(ChildError, match="its agent in Windows' Subsystem for Linux has ended"):
        asyncio.run(start(WslHost(WslAccess(refusing(greeting), LEASE)), log))


def test_reports_that_are_not_understood_end_the_child(log: Path) -> None:
    greeting = f"print('{GREETING.decode().strip()}', flush=True)"
    words = (
        greeting,
        "input()",
        "print('started NQ==', flush=True)",
        "print('nonsense', flush=True)",
        "input()",
    )

    async def clean(command: Sequence[str], seconds: float) -> WslAnswer:
        return WslAnswer(0, b"")

    async def scenario() -> None:
        host = WslHost(WslAccess(refusing(*words), LEASE, clean))
        child = await host.start(program(log, "finish"), PATIENCE)
        await eventually(lambda: child.has_ended, "the channel is open")
        assert await child.leave_nothing(in_order=False)
        assert child.status == 137
        await host.close()

    asyncio.run(scenario())


# --- memory ---------------------------------------------------------------------------------------------------


class Recorded:
    """Records the commands that run, each with that exit status."""

    def __init__(self, status: int = 0) -> None:
        self.status, self.commands = status, list[list[str]]()

    async def __call__(self, command: Sequence[str], seconds: float) -> WslAnswer:
        self.commands.append(list(command))
        return WslAnswer(self.status, b"")


def test_memory_is_given_back_after_the_last_child(wsl: StandInWsl, log: Path) -> None:
    recorded = Recorded()

    async def scenario() -> None:
        host = WslHost(WslAccess(wsl.command, LEASE, recorded), code=ROOT, grace=0.2)
        both = [HostedRun(host, program(log, "echo")) for _ in range(2)]
        for run in both:
            await run.greeted()
        await both[0].supervisor.stop(20.0)
        await asyncio.sleep(0.5)
        assert not recorded.commands
        await both[1].supervisor.stop(20.0)
        await eventually(lambda: len(recorded.commands) == 2, "memory is not given back")
        await host.close()

    asyncio.run(scenario())
    rest, terminate = recorded.commands
    assert rest[-2:] == ["core.children.agent", "rest"]
    assert rest[rest.index("--user") + 1] == "root", "who alone may drop cached files"
    assert terminate[-2:] == ["--terminate", "Idlebrush"]


def test_a_distribution_that_works_for_another_program_is_not_ended(wsl: StandInWsl, log: Path) -> None:
    recorded = Recorded(status=1)

    async def scenario() -> None:
        host = WslHost(WslAccess(wsl.command, LEASE, recorded), code=ROOT)
        assert (await HostedRun(host, program(log, "finish")).outcome).in_order
        await host.close()
        await host.close()

    asyncio.run(scenario())
    assert [command[-1] for command in recorded.commands] == ["rest"]


def test_a_child_of_another_program_is_seen_by_the_agent(wsl: StandInWsl, log: Path, tmp_path: Path) -> None:
    caches = tmp_path / "drop_caches"
    rest = (
        "import sys; from pathlib import Path; from core.children.agent.__main__ import main;"
        "sys.exit(main(['rest'], Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", rest, str(caches)]

    async def scenario() -> None:
        run = HostedRun(wsl.host(), program(log, "silent"))
        await run.greeted()
        assert (await run_wsl(command, 30.0)).status == 1
        assert not caches.exists()
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())


# --- what is started -------------------------------------------------------------------------------------------


def test_the_child_is_not_given_the_environment_of_this_system(
    wsl: StandInWsl, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")

    async def scenario() -> None:
        run = HostedRun(wsl.host(), program(log, "silent"))
        await run.greeted()
        for pid in {each.pid for each in descended(log)} | set(agents(log)) | set(relays(wsl.folder)):
            assert b"hf_secret" not in Path(f"/proc/{pid}/environ").read_bytes()
        await run.supervisor.stop(0.0)
        await run.outcome

    asyncio.run(scenario())


def test_the_distribution_is_reached_by_the_arguments_of_the_real_program(wsl: StandInWsl, log: Path) -> None:
    async def scenario() -> None:
        assert (await HostedRun(wsl.host(), program(log, "finish")).outcome).in_order

    asyncio.run(scenario())
    (command,) = wsl.commands()
    assert command[:5] == ["--distribution", "Idlebrush", "--exec", "/usr/bin/env", command[4]]
    assert command[4].startswith("IDLEBRUSH_CHILD=")
    assert command[-1] == "run"


def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ChildError, match=r"has not answered for 0 s"):
        asyncio.run(run_wsl([sys.executable, "-c", "import time; time.sleep(600)"], 0.3))


# --- our code ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_installed", [True, False])
def test_an_installation_hands_its_code_to_the_distribution(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, is_installed: bool
) -> None:
    """A folder named like a drive stands in for Windows' own."""
    monkeypatch.chdir(tmp_path)
    code = Path("C:/Idlebrush/tree/code")
    code.mkdir(parents=True)
    if is_installed:
        (code.parent / "installation.toml").write_text('channel = "nsis"\nversion = "0.1.0"\n')
    host = host_of_system("win32", code)
    assert isinstance(host, WslHost)
    handed = host._order(program(log, "finish")).environment.get("PYTHONPATH")
    assert (handed == "/mnt/c/Idlebrush/tree/code") is is_installed
