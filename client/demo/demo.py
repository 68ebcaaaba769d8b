"""The demo: a coordinator and several trainers on this machine train the embedded run.

Composition root of the command: it wires supervisors, state, files and display; what they do is theirs.
"""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from client.api.errors import FolderError, FolderInUse
from client.api.messages import FROM_TRAINER, SampleRequest, SetBudget, Start, TrainerMessage, TrainerOrder
from client.console.terminal import display, say
from client.demo.folder import DemoFolder, DemoMetrics, prepare
from client.demo.messages import SwarmLimits
from client.demo.progress import DemoState, DemoVerdict, hear, judge, lose, note, see
from client.joining.embedded import EmbeddedSet
from core.children import logs
from core.children.keeper import Keeper, at_once
from core.children.outcome import Ending, Outcome
from core.children.priority import waiting_threads
from core.children.program import Program
from core.ending_signals import call_at_ending_signals
from core.errors import ChildError
from core.messages.events import Command, Joined, SamplesDrawn
from core.run.manifest import RunManifest
from core.storage.files import write_atomically

if TYPE_CHECKING:
    from coordinator.serving.coordinator import Coordinator
    from coordinator.serving.view import ServingView

LOOPBACK = "/ip4/127.0.0.1/tcp/0"
_FIRST_PAUSE, _LONGEST_PAUSE = 5.0, 600.0
"""Seconds before a trainer that nobody waits for starts again, at first and at most; they double each time."""
_LOOK_SECONDS = 1.0
"""Seconds between two looks at a folder that another process works in."""
SECONDS_TO_STOP = 3.0
"""Seconds for the trainers to save and leave after an interruption; the whole demo then ends within five."""
RULE = "\n\n--------\n\n"
"""Line between two texts of a text run in one file."""
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
    limits: SwarmLimits = field(default_factory=SwarmLimits)
    """Limits of each trainer at the start."""
    is_idle: bool = False
    """True if the trainers run only while no other program wants the processor."""
    keeps_rules: bool = False
    """True if a run that is in the folder goes on though the embedded one has other rules by now."""
    serves_on: bool = False
    """True if the coordinator serves on once the trainers are finished, until it is interrupted."""
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


def patiently(outcome: Outcome, ends: int) -> float | None:
    """Return the seconds until a trainer starts again that nobody waits for, or None if that would not help.

    ``outcome`` is that of the last life; ``ends`` is the number of lives that ended in the last hour.
    """
    if outcome.in_order or outcome.ending is Ending.GARBLED:
        return None
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (ends - 1))


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
        self._limits = settings.limits
        self._trainers = [self._keeper_of(number) for number in range(settings.peers)]

    async def run(self) -> Result:
        """Train until the target, the schedule's end, a signal or `interrupt`; CoreError if it cannot be done."""
        call_at_ending_signals(self.interrupt)
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
        await asyncio.gather(*(self._keep(trainer) for trainer in self._trainers))

    async def _keep(self, trainer: Keeper[TrainerMessage]) -> None:
        """Keep a trainer running; where the coordinator serves on, it does so without one that was given up."""
        try:
            await trainer.run()
        except ChildError:
            if not self._settings.serves_on:
                raise
            await self._interrupted

    async def _stop_trainers(self) -> None:
        """Stop the trainers in order, or quickly once the user interrupts."""
        leaving = asyncio.gather(*(trainer.stop(SECONDS_TO_LEAVE) for trainer in self._trainers))
        ends: set[asyncio.Future[Any]] = {leaving, self._interrupted}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.gather(leaving, *(trainer.stop(SECONDS_TO_STOP) for trainer in self._trainers))

    def interrupt(self) -> None:
        """End `run`, quickly if it is ending already."""
        if not self._interrupted.done():
            self._interrupted.set_result(None)

    async def limit(self, limits: SwarmLimits) -> None:
        """Set other limits for the trainers; the coordinator goes on in any case."""
        was_paused, self._limits = self._limits.is_paused, limits
        await asyncio.gather(*(trainer.send(SetBudget(budget=limits.budget)) for trainer in self._trainers))
        if self._state.all_joined and limits.is_paused != was_paused:
            await self._order(Command.PAUSE if limits.is_paused else Command.RESUME)

    async def _begin_together(self) -> None:
        """Resume all trainers at once: otherwise the first to load would do the first epochs alone."""
        if not self._limits.is_paused:
            await self._order(Command.RESUME)

    async def _catch_up(self, number: int) -> None:
        """Tell a trainer that was started again what was decided while it loaded."""
        command = Command.PAUSE if self._limits.is_paused else Command.RESUME
        await self._trainers[number].send(SetBudget(budget=self._limits.budget))
        await self._trainers[number].send(TrainerOrder(command=command))

    async def _order(self, command: Command) -> None:
        await asyncio.gather(*(trainer.send(TrainerOrder(command=command)) for trainer in self._trainers))

    def _keeper_of(self, number: int) -> Keeper[TrainerMessage]:
        return Keeper(
            lambda: self._trainer_program(number),
            FROM_TRAINER,
            lambda message: self._handle(number, message),
            lambda outcome, again: self._update(lose(self._state, number, outcome.sentence(), again)),
            patiently if self._settings.serves_on else at_once,
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
            paused=self._limits.is_paused or not self._state.all_joined,
            stay=True,
            checkpoint_every=settings.checkpoint_every,
            ram=self._limits.ram,
            budget=self._limits.budget,
            samples=SampleRequest(every=settings.draw_every, path=self._folder.samples) if draws else None,
        )
        log, threads = self._folder.log(f"trainer-{number}"), waiting_threads(settings.threads_each)
        logs.rotate(log)
        environment = {**threads, **settings.modules.environment}
        return Program(
            "trainer", settings.modules.trainer, start, log, settings.is_idle, environment=environment
        )

    def _see(self, view: "ServingView") -> None:
        self._update(see(self._state, view.web, view.notices, has_entry=bool(view.entry)))

    def _handle(self, number: int, message: TrainerMessage) -> None:
        before = self._state
        self._update(hear(self._state, number, message))
        if isinstance(message, Joined) and before.all_joined:
            self._tasks.append(asyncio.ensure_future(self._catch_up(number)))
        if self._state.session_epoch != before.session_epoch:
            self._write(lambda: self._metrics.add(self._state.epochs[-1]))
        if self._state.all_joined and not before.all_joined:
            self._tasks.append(asyncio.ensure_future(self._begin_together()))
            self._coordinator.open_up()
        if isinstance(message, SamplesDrawn):
            self._write(lambda: self._keep_samples(message))

    def _write(self, work: Callable[[], None]) -> None:
        """Write into the folder; a full disk costs what was to be written, and no process."""
        try:
            work()
        except OSError as error:
            text = f"{self._folder.root} cannot be written to: {error.strerror or error}."
            if text not in self._state.notices:
                self._update(note(self._state, text))

    def _keep_samples(self, drawn: SamplesDrawn) -> None:
        kept = self._folder.samples_of(drawn.epoch)
        kept.parent.mkdir(exist_ok=True)
        shutil.copyfile(drawn.path, kept)
        if drawn.texts:
            prompts = RunManifest.load(self._folder.manifest).contact.sample_prompts
            texts = [prompt + text for prompt, text in zip(prompts, drawn.texts, strict=False)]
            write_atomically(self._folder.texts_of(drawn.epoch), f"{RULE.join(texts)}\n".encode())

    def _update(self, state: DemoState) -> None:
        self._state = state
        self._show(state)
        if state.all_finished and not self._settings.serves_on and not self._finished.done():
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
    """Run a demo in its folder, which no other may use meanwhile.

    A demo without a target shows what another process does there, such as the app's daemon, until that ends.
    """
    folder = DemoFolder(settings.out)
    if settings.epochs is None and not await FolderWatch(settings, folder, show).until_free():
        return Result(judge(DemoState.begin(settings.peers, None)), interrupted=True)
    with folder.locked():
        prepare(folder, settings.embedded, settings.kind, keeps_rules=settings.keeps_rules)
        if (known := already_done(folder, settings.peers, settings.epochs)) is not None:
            return Result(known, interrupted=False)
        result = await Demo(settings, folder, show, coordinate).run()
        if result.verdict.done:
            write_atomically(folder.verdict, f"{result.verdict.model_dump_json()}\n".encode())
        return result


class FolderWatch:
    """Shows the swarm that another process serves in a demo's folder."""

    def __init__(self, settings: DemoSettings, folder: DemoFolder, show: Callable[[DemoState], None]) -> None:
        """Prepare to look at ``folder``; ``show`` receives the state that is found in it."""
        self._settings, self._folder, self._show = settings, folder, show
        self._shown = DemoState.begin(settings.peers, None)

    async def until_free(self) -> bool:
        """Return true once no other process works in the folder, and false if the user ends the watch before."""
        interrupted = asyncio.Event()
        call_at_ending_signals(interrupted.set)
        self._show(self._shown)
        while not interrupted.is_set():
            try:
                with self._folder.locked():
                    return True
            except FolderInUse:
                self._look()
            with suppress(TimeoutError):
                await asyncio.wait_for(interrupted.wait(), _LOOK_SECONDS)
        return False

    def _look(self) -> None:
        epochs = DemoMetrics(self._folder.metrics).epochs
        text = (
            f"Another process serves the swarm in {self._folder.root}, such as the app's. Its epochs are shown here. "
            "Ctrl-C ends this display and nothing else."
        )
        state = note(DemoState.begin(self._settings.peers, None, epochs), text)
        if epochs:
            state = replace(state, session_epoch=epochs[-1].epoch)
        if state != self._shown:
            self._shown = state
            self._show(state)


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
