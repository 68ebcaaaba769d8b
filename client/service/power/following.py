"""Keeps one setting of the machine as it is wanted, in a thread of its own: what sets it may block or refuse."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from client.api.errors import ClientError
from client.side_thread import SideThread

S = TypeVar("S")
R = TypeVar("R")
CHECK_EVERY = 60.0
"""Seconds after which a setting is made again, in case that it is gone, as after sleep or a driver's restart."""
RETRY_AFTER = 60.0
"""Seconds before a system that refused is asked again."""
PATIENCE = 5.0
"""Seconds that the end of the daemon waits for a system that may hang."""
_log = logging.getLogger(__name__)


def seconds_with_sleep() -> float:
    """Return monotonic seconds, which go on while the computer sleeps where the system has such a clock."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


class SettingFollower(Generic[S, R]):
    """Follows what is wanted; all methods belong to the event loop's thread.

    The thread lives for as long as the setting is not at rest, because some systems undo it when the thread ends.
    """

    def __init__(
        self,
        name: str,
        carry_out: Callable[[S], R],
        rest: S,
        changed: Callable[[], None],
        *,
        is_at_rest: bool = True,
        clock: Callable[[], float] = seconds_with_sleep,
    ) -> None:
        """Prepare; nothing is asked of the system yet.

        Args:
            name: Name of the thread.
            carry_out: Brings the system to a setting, in the thread; raises ClientError if it refuses. It is called
                again with the same setting every `CHECK_EVERY` seconds, and sets only what is gone then.
            rest: Setting while nothing is wanted.
            changed: Called after the setting was changed or refused.
            is_at_rest: False if an earlier process may have left another setting.
            clock: Returns monotonic seconds; better those that go on during sleep.
        """
        self.result: R | None = None
        """Latest result of `carry_out`; None: nothing is set."""
        self.problem: ClientError | None = None
        """Error for which the system is not as it is wanted."""
        self._name, self._carry_out, self._rest, self._changed, self._clock = (
            name,
            carry_out,
            rest,
            changed,
            clock,
        )
        self._wanted, self._set_to = rest, rest
        self._is_known = is_at_rest
        self._thread: SideThread | None = None
        self._changing: asyncio.Task[None] | None = None
        self._refused_at = self._checked_at = float("-inf")

    def want(self, setting: S) -> None:
        """Bring the system to a setting if it is not there; called at every look at the machine."""
        if setting != self._wanted:
            self._wanted, self._refused_at, self.problem = setting, float("-inf"), None
        if self._set_to != self._rest and self._clock() >= self._checked_at + CHECK_EVERY:
            self._is_known = False
        if self._is_set or self.is_changing or self._clock() < self._refused_at + RETRY_AFTER:
            return
        self._changing = asyncio.create_task(self._change())

    async def close(self, patience: float = PATIENCE) -> None:
        """Bring the system to rest, and end the thread, but wait for at most ``patience`` seconds."""
        self.want(self._rest)
        if self._changing is not None:
            await asyncio.wait([self._changing], timeout=patience)
            self._changing.cancel()
        self._end_thread()

    @property
    def is_changing(self) -> bool:
        """True while the system is asked for a setting."""
        return self._changing is not None and not self._changing.done()

    @property
    def _is_set(self) -> bool:
        return self._is_known and self._set_to == self._wanted

    async def _change(self) -> None:
        """Follow until the system is as it is wanted, or refuses: while training is paused, no look may come soon."""
        while not self._is_set:
            setting = self._wanted
            self._thread = self._thread or SideThread(self._name)
            try:
                self.result = await self._thread.do(partial(self._carry_out, setting))
            except ClientError as error:
                _log.warning("%s", error)
                self.problem, self._refused_at = error, self._clock()
                self.result, self._is_known = None, False  # the attempt may have undone the setting before
                self._changed()
                if setting == self._wanted:
                    return
                continue
            self._set_to, self._is_known, self.problem = setting, True, None
            self._checked_at = self._clock()
            self._changed()
        if self._set_to == self._rest:
            self._end_thread()

    def _end_thread(self) -> None:
        if self._thread is not None:
            self._thread.close()
            self._thread = None
