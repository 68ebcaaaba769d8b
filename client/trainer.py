"""Entry point of the trainer process: runs the training loop of its start message, and reports the loop's events."""

import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from client.api.messages import ORDERS, STARTS, DropPictures, Start, TrainerOrder
from core.children import child
from core.generation.records import TIMELAPSE
from core.messages.children import Admit, Failed
from core.messages.events import Command, Event, PictureOrder, PicturesProgress, Progress, TrainingBudget
from core.messages.lines import Channel, LineError

if TYPE_CHECKING:
    from core.trainer.pictures import Samples
    from core.trainer.placement import Resources

_PRESSING = (Command.PAUSE, Command.STOP)
_OBSOLETE: dict[Command, tuple[Command, ...]] = {
    Command.PAUSE: (Command.PAUSE, Command.RESUME),
    Command.RESUME: (Command.PAUSE, Command.RESUME),
    Command.FINISH: (Command.FINISH,),
    Command.STOP: tuple(Command),
}
"""Orders that a later one makes pointless, as long as the training loop has not read them."""


def supersede(queue: tuple[TrainerOrder, ...], order: TrainerOrder) -> tuple[TrainerOrder, ...]:
    """Return the orders that still matter once ``order`` has arrived; none matters after an order to stop.

    An order to resume stays even if it drops the pause that it ends: an earlier pause may be under way.
    """
    if any(item.command is Command.STOP for item in queue):
        return queue
    return (*(item for item in queue if item.command not in _OBSOLETE[order.command]), order)


class Commands:
    """The orders that arrived; the end of the input is one to stop. Each look at them is a sign of life."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._orders: tuple[TrainerOrder, ...] = ()
        self._news = threading.Condition()
        self._looked = clock()
        self._budget = TrainingBudget()
        self.admission: str | None = None
        """The newest access token that has come since the start."""
        self.pictures: PictureOrder | None = None
        """Pictures that are wanted now."""
        self.pause_number = 0
        """Number of the last order to pause that was read."""
        self.begun = False
        """True once the training loop has read orders."""

    @property
    def budget(self) -> TrainingBudget:
        """Newest budget; a change wakes up the thread that waits in `pressing`."""
        return self._budget

    @budget.setter
    def budget(self, budget: TrainingBudget) -> None:
        with self._news:
            self._budget = budget
            self._news.notify_all()

    def poll(self) -> Command | None:
        return self.wait(0.0)

    def wait(self, seconds: float) -> Command | None:
        with self._news:
            self._await(lambda: bool(self._orders), seconds)
            return self._take() if self._orders else None

    def pressing(self, seconds: float = 0.0) -> bool:
        with self._news:
            before = self._budget
            self._await(lambda: self._is_pressing() or self._budget != before, seconds)
            return self._is_pressing()

    def put(self, command: Command, number: int = 0) -> None:
        with self._news:
            self._orders = supersede(self._orders, TrainerOrder(command=command, number=number))
            self._news.notify_all()

    def idle_seconds(self) -> float:
        """Return the seconds since the training loop last read orders."""
        return self._clock() - self._looked

    def _take(self) -> Command:
        order, *rest = self._orders
        self._orders = tuple(rest)
        if order.command is Command.PAUSE:
            self.pause_number = order.number
        return order.command

    def _is_pressing(self) -> bool:
        return any(order.command in _PRESSING for order in self._orders)

    def _await(self, condition: Callable[[], bool], seconds: float) -> None:
        self.begun = True
        self._looked = self._clock()
        if seconds > 0:
            self._news.wait_for(condition, seconds)


Train = Callable[[Start, Callable[[Event], None], Commands], None]


def main(train: Train) -> NoReturn:
    """Run ``train`` as a trainer process: it gets the start message, a reporter of events, and the commands."""
    commands = Commands()

    def work(start: Start, channel: Channel) -> None:
        commands.budget = start.budget
        if start.paused:
            commands.put(Command.PAUSE)
        threading.Thread(target=_listen, args=(channel, commands), daemon=True).start()
        train(start, lambda event: _report(channel, event), commands)

    child.live(STARTS, work, commands.idle_seconds)


def train_for_real(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    """Run `core.trainer.train`, which is imported only once the channel is ours, since importing it prints."""
    with child.importing():
        from core.swarm.dht import Network
        from core.trainer.settings import TrainerSettings
        from core.trainer.train import run

    settings = TrainerSettings(
        manifest=start.manifest,
        state_dir=start.state_dir,
        network=Network(listen=start.listen, initial_peers=start.initial_peers, upnp=start.upnp),
        finds_reach=start.finds_reach,
        admission=start.admission,
        seed=start.seed,
        threads=start.threads,
        resources=_resources(start),
        upload=start.budget.upload,
        download=start.budget.download,
        stop_at_epoch=start.stop_at_epoch,
        stay=start.stay,
        checkpoint_every=start.checkpoint_every,
        samples=_samples(start),
        deterministic=start.deterministic,
    )
    run(settings, report, commands)


def _samples(start: Start) -> "Samples | None":
    from core.trainer.pictures import Samples

    wanted = start.samples
    return Samples(wanted.every, start.state_dir / TIMELAPSE, wanted.path) if wanted else None


def _resources(start: Start) -> "Resources":
    """Return the resources to plan memory with; if runs must repeat exactly, what happens to be free is ignored."""
    from client.machine.capacity import read_machine
    from core.memory.machine import Allowance
    from core.memory.search import PlanChoices
    from core.trainer.placement import Resources

    if start.deterministic:
        return Resources(choices=PlanChoices((start.micro_batch,)))
    allowance = Allowance(start.gpu_memory, start.ram)
    return Resources(read_machine(gpus=start.gpus), allowance, PlanChoices.up_to(start.micro_batch))


def _report(channel: Channel, event: Event) -> None:
    channel.send(event, replaceable=isinstance(event, Progress | PicturesProgress))


def _listen(channel: Channel, commands: Commands) -> None:
    try:
        while order := channel.receive(ORDERS):
            match order:
                case TrainerOrder():
                    commands.put(order.command, order.number)
                case PictureOrder():
                    commands.pictures = order
                case DropPictures():
                    commands.pictures = None
                case Admit():
                    commands.admission = order.token
                case _:
                    commands.budget = order.budget
    except LineError as error:
        channel.send(Failed.of(error))
    commands.put(Command.STOP)
    if not commands.begun:
        os._exit(0)  # it still loads, which may take long, and has nothing to save


if __name__ == "__main__":
    main(train_for_real)
