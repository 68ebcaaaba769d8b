"""A reporter of nothing whose place is slow: it needs three seconds to end, and notes that it did."""

import time

from pydantic import TypeAdapter

from coordinator.messages import ReporterReady, StartReporter
from core.children import child
from core.messages.children import Admit
from core.messages.lines import Channel


def report(start: StartReporter, channel: Channel) -> None:
    channel.send(ReporterReady())
    while channel.receive(TypeAdapter(Admit)) is not None:
        pass
    time.sleep(3.0)
    (start.home / "start_reporter.ended").touch()


if __name__ == "__main__":
    child.live(TypeAdapter(StartReporter), report)
