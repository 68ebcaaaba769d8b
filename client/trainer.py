"""Entry point of the trainer process: reads its start message, runs the training loop, reports its events."""

import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from client.api.messages import ORDERS, STARTS, Start, from_event
from core import leash
from core.errors import CoreError
from core.events import Command, Event, Progress
from core.lines import Channel, LineError
from core.messages import Failed, Heartbeat, Hello

REFUSED = 2
"""Exit status of a trainer that said why it cannot go on."""
_HEARTBEAT_SECONDS = 2.0


class Commands:
    """The orders that arrived; the end of the input is one to stop. Each look at them is a sign of life."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._orders: queue.Queue[Command] = queue.Queue()
        self._looked = clock()

    def poll(self) -> Command | None:
        return self._take(self._orders.get_nowait)

    def wait(self, seconds: float) -> Command | None:
        return self._take(lambda: self._orders.get(timeout=seconds))

    def put(self, command: Command) -> None:
        self._orders.put(command)

    @property
    def idle_seconds(self) -> float:
        """Since the training loop last looked."""
        return self._clock() - self._looked

    def _take(self, get: Callable[[], Command]) -> Command | None:
        self._looked = self._clock()
        try:
            return get()
        except queue.Empty:
            return None


Train = Callable[[Start, Callable[[Event], None], Commands], None]


def main(train: Train) -> int:
    """Run one training loop between a start message and the end of the input; the exit status."""
    leash.tie_forks()
    channel = Channel.claim()
    try:
        start = channel.receive(STARTS)
        if start is None:
            return 0
        channel.send(Hello(pid=os.getpid()))
        commands = Commands()
        _in_background(lambda: _listen(channel, commands))
        _in_background(lambda: _beat(channel, commands))
        train(start, lambda event: _report(channel, event), commands)
    except CoreError as error:
        channel.send(Failed.of(error))
        return REFUSED
    finally:
        channel.close()
    return 0


def train_for_real(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    from core import train  # only once the channel is ours, since importing it prints

    settings = train.TrainerSettings(
        manifest=start.manifest,
        state_dir=start.state_dir,
        initial_peers=start.initial_peers,
        listen=start.listen,
        seed=start.seed,
        threads=start.threads,
        micro_batch=start.micro_batch,
        stop_at_epoch=start.stop_at_epoch,
        checkpoint_every=start.checkpoint_every,
        samples_every=start.samples.every if start.samples else None,
        samples_path=start.samples.path if start.samples else None,
        deterministic=start.deterministic,
    )
    train.run(settings, report, commands)


def end_process(run: Callable[[], int]) -> NoReturn:
    """Run, and exit without waiting for hivemind's threads and children, which the guard collects."""
    status = 1
    try:
        status = run()
    except BaseException:  # the top of the process: whatever it is belongs in the log
        logging.getLogger(__name__).exception("The trainer ended by an error that it did not expect.")
    sys.stderr.flush()
    os._exit(status)


def _report(channel: Channel, event: Event) -> None:
    channel.send(from_event(event), replaceable=isinstance(event, Progress))


def _listen(channel: Channel, commands: Commands) -> None:
    try:
        while order := channel.receive(ORDERS):
            commands.put(order.command)
    except LineError as error:
        channel.send(Failed.of(error))
    commands.put(Command.STOP)


def _beat(channel: Channel, commands: Commands) -> None:
    while True:
        channel.send(Heartbeat(idle_seconds=commands.idle_seconds), replaceable=True)
        time.sleep(_HEARTBEAT_SECONDS)


def _in_background(work: Callable[[], None]) -> None:
    threading.Thread(target=work, daemon=True).start()


if __name__ == "__main__":
    end_process(lambda: main(train_for_real))
