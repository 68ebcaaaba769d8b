"""The supervisor with real processes: whatever a child does, its end is named and nothing of it is left."""

import asyncio
import contextlib
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from stat import S_IMODE

import psutil
import pytest

from client.api.messages import FROM_TRAINER, TrainerMessage, TrainerOrder
from core.children import processes
from core.children.guard_folder import folders_of
from core.children.guarded import GuardedChild
from core.children.outcome import Ending, Outcome
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.errors import ChildError
from core.messages.children import Heartbeat, Hello
from core.messages.events import Command, Finished, Joined
from tests.client.stand_ins.trainer import Deed
from tests.processes.making_programs import MakeProgram

BABBLER = "tests.client.stand_ins.babbler"
SLUGGISH = "tests.client.stand_ins.sluggish"
IMPATIENT = Patience(first_message=60.0, silence=3.0, leaving=1.0, tick=0.1)


class SupervisedChild:
    """A supervisor at work, and the messages it has reported so far."""

    def __init__(self, program: Program, patience: Patience = IMPATIENT) -> None:
        self.supervisor: Supervisor[TrainerMessage] = Supervisor(program, FROM_TRAINER, patience)
        self.messages: list[TrainerMessage] = []
        self._news = asyncio.Event()
        self.run = asyncio.ensure_future(self.supervisor.run(self._report))

    def _report(self, message: TrainerMessage) -> None:
        self.messages.append(message)
        self._news.set()

    async def seen_more(self) -> None:
        """Wait for the next message."""
        self._news.clear()
        await self._news.wait()

    async def seen(self, kind: type[TrainerMessage]) -> TrainerMessage:
        while True:
            for message in self.messages:
                if isinstance(message, kind):
                    return message
            await self.seen_more()


@pytest.mark.parametrize(
    ("deed", "ending"),
    [
        (Deed.FINISH, Ending.FINISHED),
        (Deed.PRINT, Ending.FINISHED),
        (Deed.FAIL, Ending.FAILED),
        (Deed.CRASH, Ending.CRASHED),
        (Deed.FREEZE, Ending.HUNG),
    ],
)
def test_the_end_of_a_child_is_named(make_program: MakeProgram, deed: Deed, ending: Ending) -> None:
    async def scenario() -> tuple[Outcome, list[TrainerMessage]]:
        watched = SupervisedChild(make_program(deed))
        return await watched.run, watched.messages

    outcome, messages = asyncio.run(scenario())
    assert outcome.ending is ending
    hello = next(iter(messages), None)
    # A crash takes along what was not written yet.
    assert isinstance(hello, Hello) or deed is Deed.CRASH
    assert not (isinstance(hello, Hello) and _alive(hello.pid))


def test_a_failure_speaks_for_itself(make_program: MakeProgram) -> None:
    outcome = asyncio.run(_run(make_program(Deed.FAIL)))
    assert outcome.sentence() == "No peer answers. Check the address."


def test_a_crash_names_signal_and_log(make_program: MakeProgram) -> None:
    program = make_program(Deed.CRASH)
    sentence = asyncio.run(_run(program)).sentence()
    assert "SIGSEGV" in sentence
    assert str(program.log) in sentence


def test_what_libraries_print_goes_to_the_log(make_program: MakeProgram) -> None:
    program = make_program(Deed.PRINT)
    asyncio.run(_run(program))
    log = program.log.read_text()
    assert "a library talks" in log
    assert "so does native code" in log


@pytest.mark.parametrize(
    ("says", "times"), [("nonsense\n", 1), ('{"type": "joined"}\n', 1), ("{}\n", 1), ("x" * 1000, 100)]
)
def test_a_child_that_babbles_is_ended(make_program: MakeProgram, says: str, times: int) -> None:
    program = make_program(Deed.FINISH, module=BABBLER, says=says, threads=times)
    assert asyncio.run(_run(program)).ending is Ending.GARBLED


def test_a_module_that_is_missing_is_a_crash(make_program: MakeProgram) -> None:
    outcome = asyncio.run(_run(make_program(Deed.FINISH, module="no_such_module")))
    assert (outcome.ending, outcome.status) == (Ending.CRASHED, 1)


async def _by_order(watched: SupervisedChild) -> None:
    await watched.supervisor.send(TrainerOrder(command=Command.STOP))


async def _by_stop(watched: SupervisedChild) -> None:
    await watched.supervisor.stop(timeout=20)


@pytest.mark.parametrize(("leave", "ending"), [(_by_order, Ending.FINISHED), (_by_stop, Ending.STOPPED)])
def test_a_child_leaves_by_order(
    make_program: MakeProgram, leave: Callable[[SupervisedChild], "asyncio.Future[None]"], ending: Ending
) -> None:
    async def scenario() -> Outcome:
        watched = SupervisedChild(make_program(Deed.UNTIL_STOPPED))
        await watched.seen(Joined)
        await leave(watched)
        outcome = await watched.run
        assert isinstance(watched.messages[-1], Finished)
        return outcome

    assert asyncio.run(scenario()).ending is ending


def test_a_child_that_ignores_the_request_is_ended_in_time(make_program: MakeProgram) -> None:
    async def scenario() -> tuple[Outcome, float]:
        watched = SupervisedChild(make_program(Deed.IGNORE_STOP))
        await watched.seen(Joined)
        began = asyncio.get_running_loop().time()
        await watched.supervisor.stop(timeout=0.5)
        return await watched.run, asyncio.get_running_loop().time() - began

    outcome, seconds = asyncio.run(scenario())
    assert outcome.ending is Ending.FORCED
    assert seconds < 5


def test_cancelling_leaves_nothing(make_program: MakeProgram) -> None:
    async def scenario() -> int:
        watched = SupervisedChild(make_program(Deed.UNTIL_STOPPED))
        hello = await watched.seen(Hello)
        assert isinstance(hello, Hello)
        await watched.seen(Joined)
        watched.run.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watched.run
        return hello.pid

    assert not _alive(asyncio.run(scenario()))


SHORT_OF_PATIENCE = Patience(first_message=20.0, silence=2.0, idle=2.0, leaving=1.0, tick=0.1)
FROZEN_SECONDS = 3.0
FOREVER = 10**9


async def _frozen_for_long(watched: SupervisedChild) -> None:
    """Stop its child for longer than anything is waited for, and let it go on."""
    hello = await watched.seen(Hello)
    assert isinstance(hello, Hello)
    assert watched.supervisor.child == hello.pid
    watched.supervisor.hold(True)
    os.kill(hello.pid, signal.SIGSTOP)
    await asyncio.sleep(FROZEN_SECONDS)
    os.kill(hello.pid, signal.SIGCONT)
    watched.supervisor.hold(False)
    watched.messages.clear()


async def _beats(watched: SupervisedChild, is_idle: bool) -> None:
    """Wait for a heartbeat of a child that has been idle for long, or has not."""
    while True:
        for message in watched.messages:
            if isinstance(message, Heartbeat) and (message.idle_seconds > FROZEN_SECONDS) is is_idle:
                return
        await watched.seen_more()


def test_a_child_that_was_frozen_for_long_is_not_taken_for_hung(make_program: MakeProgram) -> None:
    async def scenario() -> Outcome:
        watched = SupervisedChild(make_program(Deed.FINISH, module=SLUGGISH, threads=1), SHORT_OF_PATIENCE)
        await _frozen_for_long(watched)
        await _beats(watched, is_idle=True)
        await _beats(watched, is_idle=False)
        await asyncio.sleep(3 * SHORT_OF_PATIENCE.tick)
        await watched.supervisor.stop(timeout=0.1)
        return await watched.run

    assert asyncio.run(scenario()).ending is Ending.FORCED


def test_a_child_that_hangs_after_it_was_frozen_is_found(make_program: MakeProgram) -> None:
    async def scenario() -> Outcome:
        watched = SupervisedChild(
            make_program(Deed.FINISH, module=SLUGGISH, threads=FOREVER), SHORT_OF_PATIENCE
        )
        await _frozen_for_long(watched)
        return await watched.run

    assert asyncio.run(scenario()).ending is Ending.HUNG


@pytest.mark.parametrize(("waits", "is_patient"), [(0.2, True), (0.0, False)])
def test_a_child_that_others_leave_no_processor_is_given_more_time(
    make_program: MakeProgram, waits: float, is_patient: bool
) -> None:
    patience = replace(IMPATIENT, silence=0.6)
    waited = itertools.count()

    async def scenario() -> Outcome:
        supervisor: Supervisor[TrainerMessage] = Supervisor(
            make_program(Deed.FREEZE), FROM_TRAINER, patience, starved=lambda pid: waits * next(waited)
        )
        return await supervisor.run(lambda message: None)

    assert asyncio.run(scenario()).ending is Ending.HUNG
    assert (next(waited) > 2 * patience.silence / patience.tick) is is_patient


def test_the_end_of_a_child_that_is_held_is_noticed_at_once(make_program: MakeProgram) -> None:
    async def scenario() -> Outcome:
        watched = SupervisedChild(make_program(Deed.UNTIL_STOPPED))
        hello = await watched.seen(Hello)
        assert isinstance(hello, Hello)
        watched.supervisor.hold(True)
        os.kill(hello.pid, signal.SIGSTOP)
        os.kill(psutil.Process(hello.pid).ppid(), signal.SIGKILL)
        return await asyncio.wait_for(watched.run, 20)

    assert asyncio.run(scenario()).ending is Ending.CRASHED


@contextlib.contextmanager
def _exit_statuses_lost() -> Iterator[None]:
    """Have the kernel collect every child that ends, as another part of this process could do at any time."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.mark.parametrize(
    ("deed", "ending", "status"),
    [(Deed.FINISH, Ending.FINISHED, 0), (Deed.FAIL, Ending.FAILED, 2), (Deed.CRASH, Ending.CRASHED, 139)],
)
def test_the_end_of_a_child_is_named_although_another_part_of_this_process_collects_its_exit_status(
    make_program: MakeProgram, deed: Deed, ending: Ending, status: int
) -> None:
    with _exit_statuses_lost():
        outcome = asyncio.run(_run(make_program(deed)))
    assert (outcome.ending, outcome.status) == (ending, status)


@pytest.mark.parametrize("lost", [contextlib.nullcontext, _exit_statuses_lost])
def test_a_guard_that_is_killed_leaves_no_folder(
    make_program: MakeProgram, lost: Callable[[], contextlib.AbstractContextManager[None]]
) -> None:
    async def scenario() -> int:
        watched = SupervisedChild(make_program(Deed.UNTIL_STOPPED))
        hello = await watched.seen(Hello)
        assert isinstance(hello, Hello)
        guard = psutil.Process(hello.pid).ppid()
        assert folders_of(guard)
        os.kill(guard, signal.SIGKILL)
        await watched.run
        return guard

    with lost():
        guard = asyncio.run(scenario())
    assert not folders_of(guard)


def _hello(pid: int) -> str:
    return Hello(pid=pid).model_dump_json() + "\n"


@pytest.mark.parametrize("pid", [1, os.getpid()], ids=("init", "ours"))
def test_a_child_that_gives_itself_out_for_another_process_is_ended(
    make_program: MakeProgram, pid: int
) -> None:
    async def scenario() -> tuple[Outcome, SupervisedChild]:
        watched = SupervisedChild(make_program(Deed.FINISH, module=BABBLER, says=_hello(pid)))
        return await watched.run, watched

    outcome, watched = asyncio.run(scenario())
    assert outcome.ending is Ending.GARBLED
    assert watched.supervisor.child is None
    assert not watched.messages


def test_a_child_that_has_ended_by_the_time_it_is_heard_is_no_stranger(make_program: MakeProgram) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()

    async def scenario() -> tuple[Outcome, int | None]:
        watched = SupervisedChild(make_program(Deed.FINISH, module=BABBLER, says=_hello(gone.pid)))
        await watched.seen(Hello)
        await watched.supervisor.stop(timeout=20)
        return await watched.run, watched.supervisor.child

    outcome, child = asyncio.run(scenario())
    assert outcome.ending is Ending.STOPPED
    assert child is None


def test_what_the_system_cannot_end_is_left_with_a_word(make_program: MakeProgram) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    looks: list[str] = []

    def marked(variable: str, value: str) -> list[processes.Process]:
        looks.append(value)
        return [processes.Process(gone.pid, parent=1, session=0)]

    async def scenario() -> Outcome:
        patience = replace(IMPATIENT, unkillable=2.0)
        supervisor = Supervisor(
            make_program(Deed.FINISH), FROM_TRAINER, patience, partial(GuardedChild.start, marked=marked)
        )
        return await asyncio.wait_for(supervisor.run(lambda _: None), 40)

    outcome = asyncio.run(scenario())
    assert outcome.ending is Ending.STUCK
    assert "Restart the computer" in outcome.sentence()
    assert not outcome.in_order
    assert len(looks) < 10, "all processes are looked through time and again"


async def _run(program: Program) -> Outcome:
    return await SupervisedChild(program).run


def _alive(pid: int) -> bool:
    return any(process.pid == pid for process in processes.running())


def test_a_log_that_cannot_be_written_is_an_error_in_words(make_program: MakeProgram, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    program = replace(make_program(Deed.FINISH), log=tmp_path / "file" / "log")
    with pytest.raises(ChildError, match="cannot be started"):
        asyncio.run(_run(program))


def test_a_log_and_its_folder_are_their_owners_alone(make_program: MakeProgram, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "trainer.log"
    asyncio.run(_run(replace(make_program(Deed.PRINT), log=log)))
    assert log.read_text()
    assert [S_IMODE(path.stat().st_mode) for path in (log.parent, log)] == [0o700, 0o600]
