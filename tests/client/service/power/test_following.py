"""A setting of the machine follows what is wanted, whatever the system answers and however late."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from client.api.errors import WakeLockError
from client.service.power.following import CHECK_EVERY, RETRY_AFTER, SettingFollower
from tests.waiting import DEADLINE, eventually


@dataclass
class CountedSystem:
    """Notes what it is set to, and refuses as often as it is told to."""

    refusals: int = 0
    settings: list[str] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    def carry_out(self, setting: str) -> str:
        self.settings.append(setting)
        assert self.gate.wait(DEADLINE)
        if self.refusals:
            self.refusals -= 1
            raise WakeLockError("The system refuses.", "Ask it.")
        return f"{setting} by a test"


def following(
    system: CountedSystem, clock: Callable[[], float] = lambda: 0.0, *, is_at_rest: bool = True
) -> SettingFollower[str, str]:
    return SettingFollower(
        "a test", system.carry_out, "rest", lambda: None, is_at_rest=is_at_rest, clock=clock
    )


def test_the_system_is_set_once_and_brought_to_rest_in_the_end() -> None:
    async def body() -> None:
        system = CountedSystem()
        follower = following(system)
        follower.want("rest")
        follower.want("on")
        follower.want("on")
        await eventually(lambda: follower.result == "on by a test", "it is not set")
        follower.want("on")
        await follower.close()
        assert system.settings == ["on", "rest"]
        assert follower.result == "rest by a test"

    asyncio.run(body())


def test_what_is_wanted_while_the_system_is_slow_is_done_without_another_look() -> None:
    async def body() -> None:
        system = CountedSystem()
        system.gate.clear()
        follower = following(system)
        follower.want("on")
        await eventually(lambda: system.settings == ["on"], "it is not set")
        follower.want("off")
        follower.want("rest")
        system.gate.set()
        await eventually(lambda: system.settings == ["on", "rest"], "it stays set")
        await follower.close()
        assert system.settings == ["on", "rest"]

    asyncio.run(body())


def test_what_an_earlier_process_left_is_brought_to_rest() -> None:
    async def body() -> None:
        system = CountedSystem()
        follower = following(system, is_at_rest=False)
        follower.want("rest")
        await eventually(lambda: system.settings == ["rest"], "it stays as it was left")
        await follower.close()

    asyncio.run(body())


def test_a_follower_that_was_never_used_asks_nothing_of_the_system() -> None:
    async def body() -> None:
        system = CountedSystem()
        await following(system).close()
        assert system.settings == []

    asyncio.run(body())


def test_a_system_that_refuses_is_asked_again_after_a_while() -> None:
    async def body() -> None:
        system, now = CountedSystem(refusals=2), [0.0]
        follower = following(system, lambda: now[0])
        follower.want("on")
        await eventually(lambda: follower.problem is not None, "no refusal")
        follower.want("on")
        assert system.settings == ["on"]
        now[0] = RETRY_AFTER
        follower.want("on")
        await eventually(lambda: len(system.settings) == 2, "it is not asked again")
        await eventually(lambda: not follower.is_changing, "it goes on for ever")
        follower.want("rest")
        assert follower.problem is None
        follower.want("on")  # which is worth an attempt at once
        await eventually(lambda: follower.result == "on by a test", "it is not set")
        await follower.close()
        assert system.settings == ["on", "on", "on", "rest"]

    asyncio.run(body())


def test_a_setting_that_a_refused_change_may_have_undone_is_made_again() -> None:
    async def body() -> None:
        system = CountedSystem()
        follower = following(system)
        follower.want("on")
        await eventually(lambda: follower.result == "on by a test", "it is not set")
        system.refusals = 1
        follower.want("other")
        await eventually(lambda: follower.problem is not None, "no refusal")
        assert follower.result is None
        follower.want("on")
        await eventually(lambda: system.settings == ["on", "other", "on"], "it is not made again")
        await follower.close()
        assert system.settings == ["on", "other", "on", "rest"]

    asyncio.run(body())


def test_a_system_that_hangs_does_not_hold_up_the_end() -> None:
    async def body() -> None:
        system = CountedSystem()
        system.gate.clear()
        follower = following(system)
        follower.want("on")
        await eventually(lambda: system.settings == ["on"], "it is not set")
        await follower.close(patience=0.01)
        assert system.settings == ["on"]
        system.gate.set()

    asyncio.run(body())


def test_a_setting_is_made_again_now_and_then_while_it_is_wanted() -> None:
    async def body() -> None:
        system, now = CountedSystem(), [0.0]
        follower = following(system, lambda: now[0])
        follower.want("on")
        await eventually(lambda: follower.result == "on by a test", "it is not set")
        now[0] = CHECK_EVERY - 1
        follower.want("on")
        await asyncio.sleep(0)
        assert system.settings == ["on"]
        now[0] = CHECK_EVERY  # as after a sleep
        follower.want("on")
        await eventually(lambda: system.settings == ["on", "on"], "it is not made again")
        await eventually(lambda: not follower.is_changing, "it goes on for ever")
        follower.want("rest")
        await eventually(lambda: system.settings[2:] == ["rest"], "it stays set")
        now[0] += 10 * CHECK_EVERY
        follower.want("rest")
        await follower.close()
        assert system.settings == ["on", "on", "rest"]

    asyncio.run(body())


def test_a_setting_that_cannot_be_made_again_is_shown_no_longer() -> None:
    async def body() -> None:
        system, now = CountedSystem(), [0.0]
        follower = following(system, lambda: now[0])
        follower.want("on")
        await eventually(lambda: follower.result == "on by a test", "it is not set")
        system.refusals, now[0] = 1, CHECK_EVERY
        follower.want("on")
        await eventually(lambda: follower.problem is not None, "no refusal")
        assert follower.result is None
        await follower.close()

    asyncio.run(body())
