"""Progress of setting an environment up, as messages for the process that shows it."""

import time
from collections.abc import Callable
from typing import Literal

from client.environment.stages import SetupStage
from core.messages.lines import Message

_EVERY = 0.2
"""Seconds between two messages of the same stage."""


class SetupProgress(Message):
    """Message that says how far the set-up has come."""

    type: Literal["setup_progress"] = "setup_progress"
    stage: SetupStage
    name: str = ""
    """The package at hand; empty: the stage has none."""
    done: int = 0
    total: int = 0
    """Bytes of the stage, done and in all: of the wheels while they are fetched, of the unpacked packages while they
    are installed. Stages without bytes count their steps.
    """
    waiting: str = ""
    """A sentence that says why nothing happens at present, such as a metered connection; empty: something does."""


class SetupReporter:
    """Sends progress now and then, and each change of stage or of what it waits for at once."""

    def __init__(
        self,
        send: Callable[[SetupProgress], None],
        every: float = _EVERY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to report.

        Args:
            send: Called with each message, by the thread that sets up or by the one that gives orders.
            every: Least seconds between two messages of the same stage.
            clock: Monotonic time in seconds.
        """
        self._send, self._every, self._clock = send, every, clock
        self._latest = SetupProgress(stage=SetupStage.ABSENT)
        self._held = self._outage = ""
        self._sent = 0.0

    def show(self, stage: SetupStage, name: str = "", done: int = 0, total: int = 0) -> None:
        """Report how far ``stage`` has come."""
        is_new = stage is not self._latest.stage or bool(self._outage) or (done == total and total > 0)
        self._outage = ""
        self._latest = SetupProgress(stage=stage, name=name, done=done, total=total, waiting=self._held)
        if is_new or self._clock() - self._sent >= self._every:
            self._emit()

    def on_hold(self, why: str) -> None:
        """Report that an order holds the download, or, if ``why`` is empty, that it goes on."""
        self._held = why
        self._emit()

    def on_outage(self, sentence: str) -> None:
        """Report an outage of the network until bytes arrive."""
        self._outage = sentence
        self._emit()

    def _emit(self) -> None:
        self._sent = self._clock()
        self._send(self._latest.model_copy(update={"waiting": self._held or self._outage}))
