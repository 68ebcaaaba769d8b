"""A process over all its lives: which ends are worth another try, and who may begin or end one."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from client.api.messages import FROM_TRAINER, TrainerMessage
from core.children.keeper import RESTARTS, Again, Keeper, at_once, worth_restarting
from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.errors import ChildError
from core.messages.children import Failed
from core.messages.events import Joined
from tests.client.stand_ins.trainer import Deed
from tests.processes.making_programs import MakeProgram


@pytest.mark.parametrize(
    ("ending", "code", "restarts", "worth"),
    [
        (Ending.CRASHED, None, 0, True),
        (Ending.CRASHED, None, RESTARTS, False),
        (Ending.HUNG, None, 1, True),
        (Ending.GARBLED, None, 0, False),
        (Ending.FAILED, "swarm", 0, True),
        (Ending.FAILED, "data", 0, False),
        (Ending.FAILED, "manifest", 0, False),
    ],
)
def test_worth_restarting(ending: Ending, code: str | None, restarts: int, worth: bool) -> None:
    failure = Failed(code=code, what="It broke.", remedy="Mend it.") if code else None
    assert worth_restarting(Outcome("trainer", ending, 1, Path("log"), failure), restarts) is worth


class KeptLives:
    """A keeper at work, and what it told of the lives of its process."""

    def __init__(self, program: Callable[[], Program], again: Again) -> None:
        self.joined = asyncio.Semaphore(0)
        self.lost: list[bool] = []
        self._keeper: Keeper[TrainerMessage] = Keeper(
            program, FROM_TRAINER, self._report, lambda _, again: self.lost.append(again), again
        )
        self.run = asyncio.ensure_future(self._keeper.run())
        self.renew, self.stop = self._keeper.renew, self._keeper.stop

    def _report(self, message: TrainerMessage) -> None:
        if isinstance(message, Joined):
            self.joined.release()


def test_a_process_that_is_renewed_lives_again_and_nothing_is_lost(make_program: MakeProgram) -> None:
    async def scenario() -> None:
        lives = KeptLives(lambda: make_program(Deed.UNTIL_STOPPED), at_once)
        await lives.joined.acquire()
        await lives.renew(5.0)
        await lives.joined.acquire()
        await lives.stop(5.0)
        await lives.run
        assert lives.lost == []

    asyncio.run(scenario())


def test_a_process_that_rests_between_two_lives_can_be_stopped(make_program: MakeProgram) -> None:
    async def scenario() -> None:
        rests = asyncio.Event()

        def for_ever(_: Outcome, ends: int) -> float:
            rests.set()
            return 1e6

        lives = KeptLives(lambda: make_program(Deed.CRASH), for_ever)
        await rests.wait()
        await lives.stop(5.0)
        await lives.run
        assert lives.lost == [True]

    asyncio.run(scenario())


def test_a_process_that_is_given_up_says_why(make_program: MakeProgram) -> None:
    async def scenario() -> None:
        lives = KeptLives(lambda: make_program(Deed.CRASH), lambda _, ends: 0.0 if ends < 2 else None)
        with pytest.raises(ChildError, match="ended unexpectedly"):
            await lives.run
        assert lives.lost == [True, False]

    asyncio.run(scenario())
