"""The real trainer, which holds much more memory after its first samples, as one that leaks does after hours."""

from collections.abc import Callable

from client.api.messages import Start
from client.trainer import Commands, main, train_for_real
from core.messages.events import Event, Progress

GROWTH = 1100 << 20
"""Bytes: more than 1 GiB by itself, as what the trainer's libraries take depends on who else has them in memory."""


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    held = bytearray()

    def grow_then_report(event: Event) -> None:
        if isinstance(event, Progress) and event.samples and not held:
            held.extend(b"\1" * GROWTH)
        report(event)

    train_for_real(start, grow_then_report, commands)


if __name__ == "__main__":
    main(loop)
