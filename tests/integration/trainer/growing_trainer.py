"""The real trainer, which holds much more memory after its first samples, as one that leaks does after hours."""

from collections.abc import Callable

from client.api.messages import Start
from client.trainer import Commands, main, train_for_real
from core.messages.events import Event, Progress

GROWTH = 600 << 20
"""Bytes: more than a trainer of the tiny run leaves of 1 GiB."""


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    held = bytearray()

    def grow_then_report(event: Event) -> None:
        if isinstance(event, Progress) and event.samples and not held:
            held.extend(b"\1" * GROWTH)
        report(event)

    train_for_real(start, grow_then_report, commands)


if __name__ == "__main__":
    main(loop)
