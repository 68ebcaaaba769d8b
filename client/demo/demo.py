"""The demo: a coordinator and several trainers on this machine train the embedded run.

Composition root of the command: it wires supervisors, state, files and display; what they do is theirs.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from client.api.errors import FolderError
from client.api.messages import FROM_TRAINER, SampleRequest, Start, TrainerMessage, TrainerOrder
from client.console.terminal import display, say
from client.demo.folder import DemoFolder, DemoMetrics, prepare
from client.demo.progress import DemoState, DemoVerdict, hear, judge, lose, see
from client.joining.embedded import EmbeddedSet
from core.children.keeper import Keeper
from core.children.priority import waiting_threads
from core.children.program import Program
from core.ending_signals import call_at_ending_signals
from core.messages.events import Command, SamplesDrawn, TrainingBudget
from core.storage.files import write_atomically

if TYPE_CHECKING:
    from coordinator.serving.coordinator import Coordinator
    from coordinator.serving.view import ServingView

LOOPBACK = "/ip4/127.0.0.1/tcp/0"
SECONDS_TO_STOP = 3.0
"""Seconds for the trainers to save and leave after an interruption; the whole demo then ends within five."""
SECONDS_TO_LEAVE = 15.0
"""Seconds for the trainers to save and leave when no user waits."""

Coordinate = Callable[[DemoFolder, Callable[["ServingView"], None]], "Coordinator"]
"""Makes the coordinator of the run in a demo's folder; the second argument receives its state."""


@dataclass(frozen=True)
class DemoModules:
    """Programs of the trainers' processes."""

    trainer: str = "client.trainer"
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DemoSettings:
    """Settings of a demo: its folder, run, trainers and length."""

    out: Path
    embedded: Path
    """The folder of the embedded runs."""
    peers: int = 2
    epochs: int | None = None
    """Epochs in all, those of earlier sessions included; None: continue to the schedule's end."""
    kind: EmbeddedSet = EmbeddedSet.STARTER
    threads: int | None = None
    """Threads of each trainer; None: the machine's cores are divided."""
    micro_batch: int = 16
    checkpoint_every: int = 2
    samples_every: int = 3
    budget: TrainingBudget = field(default_factory=TrainingBudget)
    """Limits of each trainer."""
    modules: DemoModules = DemoModules()

    @property
    def threads_each(self) -> int:
        return self.threads or max(1, (os.cpu_count() or 1) // self.peers)

    @property
    def draw_every(self) -> int:
        """Few epochs get their pictures at the end."""
        return min(self.samples_every, self.epochs or self.samples_every)


@dataclass(frozen=True)
class Result:
    """Result of a session."""

    verdict: DemoVerdict
    interrupted: bool


class Demo:
    """One session: from an empty or an earlier demo's folder to the last process gone."""

    def __init__(
        self,
        settings: DemoSettings,
        folder: DemoFolder,
        show: Callable[[DemoState], None],
        coordinate: Coordinate,
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._show = show
        self._metrics = DemoMetrics(folder.metrics)
        self._state = DemoState.begin(settings.peers, settings.epochs, self._metrics.epochs)
        loop = asyncio.get_running_loop()
        self._interrupted: asyncio.Future[None] = loop.create_future()
        self._finished: asyncio.Future[None] = loop.create_future()
        self._coordinator = coordinate(folder, self._see)
        self._entry: tuple[str, ...] = ()
        self._tasks: list[asyncio.Future[None]] = []
        self._trainers = [self._keeper_of(number) for number in range(settings.peers)]

    async def run(self) -> Result:
        """Train until the target, the schedule's end, or a signal; CoreError if it cannot be done."""
        call_at_ending_signals(self._interrupt)
        self._show(self._state)
        coordinating = asyncio.ensure_future(self._coordinator.run())
        training = asyncio.ensure_future(self._train())
        self._tasks += [coordinating, training]
        ends: set[asyncio.Future[Any]] = {coordinating, training, self._interrupted, self._finished}
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in done:
                end.result()
            verdict = judge(self._state)  # what goes wrong while they leave changes nothing
        finally:
            await self._stop_trainers()
            self._coordinator.stop()
            training.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        return Result(verdict, self._interrupted.done())

    async def _train(self) -> None:
        self._entry = await self._coordinator.entered
        await asyncio.gather(*(trainer.run() for trainer in self._trainers))

    async def _stop_trainers(self) -> None:
        """Stop the trainers in order, or quickly once the user interrupts."""
        leaving = asyncio.gather(*(trainer.stop(SECONDS_TO_LEAVE) for trainer in self._trainers))
        ends: set[asyncio.Future[Any]] = {leaving, self._interrupted}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(leaving, *(trainer.stop(SECONDS_TO_STOP) for trainer in self._trainers))

    async def _resume(self) -> None:
        """Resume all trainers together: otherwise the first to load would do the first epochs alone."""
        await asyncio.gather(
            *(trainer.send(TrainerOrder(command=Command.RESUME)) for trainer in self._trainers)
        )

    def _interrupt(self) -> None:
        if not self._interrupted.done():
            self._interrupted.set_result(None)

    def _keeper_of(self, number: int) -> Keeper[TrainerMessage]:
        return Keeper(
            lambda: self._trainer_program(number),
            FROM_TRAINER,
            lambda message: self._handle(number, message),
            lambda outcome, again: self._update(lose(self._state, number, outcome.sentence(), again)),
        )

    def _trainer_program(self, number: int) -> Program:
        settings = self._settings
        draws = number == 0
        start = Start(
            manifest=self._folder.manifest,
            state_dir=self._folder.peer(number),
            initial_peers=self._entry,
            listen=(LOOPBACK,),
            seed=number,
            threads=settings.threads_each,
            micro_batch=settings.micro_batch,
            stop_at_epoch=settings.epochs,
            paused=not self._state.all_joined,
            stay=True,
            checkpoint_every=settings.checkpoint_every,
            budget=settings.budget,
            samples=SampleRequest(every=settings.draw_every, path=self._folder.samples) if draws else None,
        )
        log, threads = self._folder.log(f"trainer-{number}"), waiting_threads(settings.threads_each)
        environment = {**threads, **settings.modules.environment}
        return Program("trainer", settings.modules.trainer, start, log, environment=environment)

    def _see(self, view: "ServingView") -> None:
        self._update(see(self._state, view.web, view.notices))

    def _handle(self, number: int, message: TrainerMessage) -> None:
        before = self._state
        self._update(hear(self._state, number, message))
        if self._state.session_epoch != before.session_epoch:
            self._metrics.add(self._state.epochs[-1])
        if self._state.all_joined and not before.all_joined:
            self._tasks.append(asyncio.ensure_future(self._resume()))
            self._coordinator.open_up()
        if isinstance(message, SamplesDrawn):
            self._keep_samples(message)

    def _keep_samples(self, drawn: SamplesDrawn) -> None:
        kept = self._folder.samples_of(drawn.epoch)
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(drawn.path, kept)

    def _update(self, state: DemoState) -> None:
        self._state = state
        self._show(state)
        if state.all_finished and not self._finished.done():
            self._finished.set_result(None)


def train_here(settings: DemoSettings, console: Console, coordinate: Coordinate) -> int:
    """Run a demo and report it; the exit status is 0 only if all that was requested was done."""
    with display(console, DemoFolder(settings.out)) as show:
        result = asyncio.run(run(settings, show, coordinate))
    if not result.interrupted or settings.epochs is not None:
        say(console, result.verdict.sentence)
    if result.interrupted:
        say(console, f"Stopped; the same command continues with what is in {settings.out}.")
    on_request = result.interrupted and settings.epochs is None
    return 0 if result.verdict.done or on_request else 1


async def run(settings: DemoSettings, show: Callable[[DemoState], None], coordinate: Coordinate) -> Result:
    """Run a demo in its folder, which no other may use meanwhile."""
    folder = DemoFolder(settings.out)
    with folder.locked():
        prepare(folder, settings.embedded, settings.kind)
        if (known := already_done(folder, settings.peers, settings.epochs)) is not None:
            return Result(known, interrupted=False)
        result = await Demo(settings, folder, show, coordinate).run()
        if result.verdict.done:
            write_atomically(folder.verdict, f"{result.verdict.model_dump_json()}\n".encode())
        return result


def already_done(folder: DemoFolder, peers: int, epochs: int | None) -> DemoVerdict | None:
    """Return the verdict of an earlier demo that did all that is requested now.

    Return None if it did not; raise FolderError if it did, but left no such verdict.
    """
    if epochs is None or not (done := DemoMetrics(folder.metrics).epochs) or done[-1].epoch < epochs:
        return None
    if folder.verdict.exists():
        known = DemoVerdict.model_validate_json(folder.verdict.read_bytes())
        if known.epoch >= epochs and known.peers == peers:
            return known
    raise FolderError(
        f"{folder.root} already has {done[-1].epoch} epochs, the last ones by fewer than {peers} trainers.",
        f"Set --epochs above {done[-1].epoch}, or choose another folder with --out.",
    )
