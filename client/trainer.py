"""Entry point of the trainer process: runs the training loop that it is told to, and reports its events."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from client.api import messages
from client.api.messages import ORDERS, STARTS, Order, Start, from_event
from core import child
from core.events import Budget, Command, Event, Progress
from core.lines import Channel, LineError
from core.messages import Failed

if TYPE_CHECKING:
    from core.placement import Resources

_PRESSING = (Command.PAUSE, Command.STOP)


class Commands:
    """The orders that arrived; the end of the input is one to stop. Each look at them is a sign of life."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._orders: deque[Command] = deque()
        self._news = threading.Condition()
        self._looked = clock()
        self.budget = Budget()
        self.begun = False
        """Whether the training loop has looked at all."""

    def poll(self) -> Command | None:
        return self.wait(0.0)

    def wait(self, seconds: float) -> Command | None:
        with self._news:
            self._await(lambda: bool(self._orders), seconds)
            return self._orders.popleft() if self._orders else None

    def pressing(self, seconds: float = 0.0) -> bool:
        with self._news:
            return self._await(lambda: bool(self._orders) and self._orders[0] in _PRESSING, seconds)

    def put(self, command: Command) -> None:
        with self._news:
            self._orders.append(command)
            self._news.notify_all()

    def idle_seconds(self) -> float:
        """Since the training loop last looked."""
        return self._clock() - self._looked

    def _await(self, condition: Callable[[], bool], seconds: float) -> bool:
        self.begun = True
        self._looked = self._clock()
        return condition() or (seconds > 0 and self._news.wait_for(condition, seconds))


Train = Callable[[Start, Callable[[Event], None], Commands], None]


def main(train: Train) -> NoReturn:
    """Be a trainer process around that training loop."""
    commands = Commands()

    def work(start: Start, channel: Channel) -> None:
        commands.budget = _budget(start.budget)
        if start.paused:
            commands.put(Command.PAUSE)
        threading.Thread(target=_listen, args=(channel, commands), daemon=True).start()
        train(start, lambda event: _report(channel, event), commands)

    child.live(STARTS, work, commands.idle_seconds)


def train_for_real(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    """Run `core.train`, which is imported only once the channel is ours, since importing it prints."""
    from core.train import TrainerSettings, run

    settings = TrainerSettings(
        manifest=start.manifest,
        state_dir=start.state_dir,
        initial_peers=start.initial_peers,
        listen=start.listen,
        client_mode=start.client_mode,
        relay=start.relay,
        seed=start.seed,
        threads=start.threads,
        resources=_resources(start),
        upload=start.budget.upload,
        download=start.budget.download,
        stop_at_epoch=start.stop_at_epoch,
        stay=start.stay,
        checkpoint_every=start.checkpoint_every,
        samples_every=start.samples.every if start.samples else None,
        samples_path=start.samples.path if start.samples else None,
        deterministic=start.deterministic,
    )
    run(settings, report, commands)


def _resources(start: Start) -> "Resources":
    """What to plan memory with; where runs must repeat exactly, nothing of what happens to be free."""
    from client.machine.reading import read_machine
    from core.memory.machine import Allowance
    from core.memory.search import Choices
    from core.placement import Resources

    if start.deterministic:
        return Resources(choices=Choices((start.micro_batch,)))
    allowance = Allowance(start.gpu_memory, start.ram)
    return Resources(read_machine(gpus=start.gpus), allowance, Choices.up_to(start.micro_batch))


def _budget(told: messages.Budget) -> Budget:
    return Budget(told.threads, told.share, told.upload, told.download)


def _report(channel: Channel, event: Event) -> None:
    channel.send(from_event(event), replaceable=isinstance(event, Progress))


def _listen(channel: Channel, commands: Commands) -> None:
    try:
        while order := channel.receive(ORDERS):
            if isinstance(order, Order):
                commands.put(order.command)
            else:
                commands.budget = _budget(order.budget)
    except LineError as error:
        channel.send(Failed.of(error))
    commands.put(Command.STOP)
    if not commands.begun:
        os._exit(0)  # it still loads, which may take long, and has nothing to save


if __name__ == "__main__":
    main(train_for_real)
