"""Training loops in processes of their own, watched through their events, and killed where a test wants it."""

import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TypeVar

import hivemind
import psutil

from client.trainer import Commands
from core.children import logs
from core.errors import CoreError
from core.memory.search import PlanChoices
from core.messages.events import Command, EpochCommitted, Event, Finished, Notice, TrainingBudget
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from core.trainer.placement import Resources
from core.trainer.settings import TrainerSettings
from tests.gate.run_gate import RunGate
from tests.swarms.hivemind_locks import own_locks, semaphores

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    ["core.trainer.train"]
)  # whose import takes most of the time in which a trainer starts
Kind = TypeVar("Kind")


SHARE = 0.2
"""Share of the time in which a trainer of tests computes: what it would do beside waiting for rounds slows others.

A micro-step of the tiny model takes hardly longer with 16 samples than with 4, so that is what they take.
"""


class _QueuedCommands(Commands):
    """Commands, and access tokens, that arrive through a queue."""

    def __init__(self, orders: "multiprocessing.Queue[Command | str]") -> None:
        super().__init__()
        self.budget = TrainingBudget(share=SHARE)
        threading.Thread(target=self._listen, args=(orders,), daemon=True).start()

    def _listen(self, orders: "multiprocessing.Queue[Command | str]") -> None:
        while True:
            match orders.get():
                case Command() as command:
                    self.put(command)
                case token:
                    self.admission = token


def _main(
    settings: TrainerSettings,
    events: "multiprocessing.Queue[tuple[float, Event | CoreError]]",
    orders: "multiprocessing.Queue[Command | str]",
    environment: dict[str, str],
    prepare: Callable[[], None],
) -> None:
    from core.trainer.train import run

    os.environ.update(environment)  # the server that forks has that of the first test
    with _log_of(settings).open("ab") as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
    logs.to_standard_error()  # as in the product, whose supervisor has the file
    prepare()
    own_locks()  # one that is killed leaves the others' alone, as in the product
    try:
        run(settings, lambda event: events.put((time.monotonic(), event)), _QueuedCommands(orders))
    except CoreError as error:
        events.put((time.monotonic(), error))


def _as_it_is() -> None:
    """Exchange nothing."""


def _log_of(settings: TrainerSettings) -> Path:
    """Return the log file of a trainer, which lies beside the folder of its state."""
    return settings.state_dir.with_name(f"{settings.state_dir.name}.log")


class TrainerProcess:
    """A trainer process and what it has reported so far."""

    def __init__(self, settings: TrainerSettings, prepare: Callable[[], None] = _as_it_is) -> None:
        """Start a trainer; ``prepare`` is called in its process, and may exchange parts of it."""
        self.settings = settings
        self.seen: list[Event | CoreError] = []
        settings.state_dir.parent.mkdir(parents=True, exist_ok=True)
        self.reported: list[float] = []
        """Time of each report of an epoch, in monotonic seconds of the machine."""
        self._events: multiprocessing.Queue[tuple[float, Event | CoreError]] = _CONTEXT.Queue()
        self._orders: multiprocessing.Queue[Command | str] = _CONTEXT.Queue()
        self.process = _CONTEXT.Process(
            target=_main, args=(settings, self._events, self._orders, dict(os.environ), prepare)
        )
        self.process.start()

    def send(self, command: Command) -> None:
        self._orders.put(command)

    def admit(self, token: str) -> None:
        """Give it a new access token."""
        self._orders.put(token)

    def wait_for(
        self, kind: type[Kind], *, seconds: float = 240.0, epoch: int = 0, step: type[Event] | None = None
    ) -> Kind:
        """The next event of a kind (at or past an epoch); a CoreError is raised unless it is waited for.

        Each event of the kind, or of the kind ``step``, may take so many ``seconds``: many epochs take long on a busy
        machine.
        """
        deadline = time.monotonic() + seconds
        while True:
            event = self._next(deadline)
            self.seen.append(event)
            if isinstance(event, kind) and getattr(event, "epoch", epoch) >= epoch:
                return event
            if isinstance(event, (kind, step or kind)):
                deadline = time.monotonic() + seconds
            if isinstance(event, CoreError):
                raise event

    def _next(self, deadline: float) -> Event | CoreError:
        while True:
            try:
                at, event = self._events.get(timeout=0.5)
            except queue.Empty:
                state = f"its messages: {self.seen}\n{self.log[-4000:]}"
                assert self.process.is_alive(), f"the trainer died; {state}"
                assert time.monotonic() < deadline, f"nothing came in time; {state}"
                continue
            if isinstance(event, EpochCommitted):
                self.reported.append(at)
            return event

    def finish(self, seconds: float = 200.0) -> list[EpochCommitted]:
        """Wait for the orderly end; returns the epochs that this peer went through.

        Each epoch may take so many ``seconds``: a trainer that commits one does not hang.
        """
        self.wait_for(Finished, seconds=seconds, step=EpochCommitted)
        self.process.join(90)  # taking Python down takes long on a busy machine
        assert self.process.exitcode == 0
        return self.epochs

    @property
    def log(self) -> str:
        """The trainer's log file, with that of trainers before it in the same folder."""
        file = _log_of(self.settings)
        return file.read_text(errors="replace") if file.exists() else ""

    @property
    def epochs(self) -> list[EpochCommitted]:
        return [event for event in self.seen if isinstance(event, EpochCommitted)]

    @property
    def notices(self) -> list[str]:
        return [event.text for event in self.seen if isinstance(event, Notice)]

    def family(self) -> list[psutil.Process]:
        process = psutil.Process(self.process.pid)
        return [process, *process.children(recursive=True)]

    def semaphores(self) -> set[str]:
        """The semaphores that any of the trainer's processes has."""
        return set().union(*(semaphores(process.pid) for process in self.family()))

    def kill(self) -> None:
        """SIGKILL to the trainer and all that it started, as the guard would see to."""
        if self.process.exitcode is not None:  # another process may have its id by now
            return
        try:
            family = self.family()
        except psutil.NoSuchProcess:
            return
        for process in family:
            try:
                process.send_signal(signal.SIGKILL)
            except psutil.NoSuchProcess:
                continue
        self.process.join(10)


class TrainerSwarm:
    """A bootstrap node on loopback and any number of trainers; ``gate`` is the run's, where it has one.

    The trainers do not look for a copy of their identity, which takes another libp2p daemon each: those of the demo
    and of the daemons do.
    """

    def __init__(self, manifest: Path, folder: Path, gate: RunGate | None = None) -> None:
        self._folder, self._gate = folder, gate
        loaded = RunManifest.load(manifest)
        identity = PeerIdentity.load_or_create(folder / "bootstrap")
        self._dht = start_dht(
            Network(check_identity=False, checks_others=True),
            identity,
            prefix=loaded.dht_prefix,
            total_epochs=loaded.training.schedule.total_epochs,
            admission=gate.admit(identity, "coordinator") if gate else None,
        )
        self._settings = TrainerSettings(
            manifest=manifest,
            state_dir=folder,
            network=Network(initial_peers=self.addresses, check_identity=False),
            resources=Resources(choices=PlanChoices(micro_batches=(16,))),
            checkpoint_every=2,
        )
        self.trainers: list[TrainerProcess] = []

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(map(str, self._dht.get_visible_maddrs()))

    @property
    def dht(self) -> "hivemind.DHT":
        return self._dht

    def token(self, name: str, *, seconds: float = 600) -> str:
        """An access token for the trainer of that name."""
        assert self._gate is not None
        identity = PeerIdentity.load_or_create(self._folder / name / "identity")
        return self._gate.token(identity, name, seconds=seconds)

    def start(
        self, name: str, prepare: Callable[[], None] = _as_it_is, /, **changes: object
    ) -> TrainerProcess:
        """Start a trainer with changed settings; ``prepare`` is called in its process before."""
        return self._start(name, prepare, changes)

    def start_hostile(self, name: str, prepare: Callable[[], None]) -> TrainerProcess:
        """Start a trainer of which ``prepare`` exchanges a part, in its own process."""
        return self._start(name, prepare, {})

    def _start(self, name: str, prepare: Callable[[], None], changes: Mapping[str, object]) -> TrainerProcess:
        token = self.token(name) if self._gate else None
        own = {"state_dir": self._folder / name, "seed": len(self.trainers), "admission": token, **changes}
        settings = replace(self._settings, **own)  # type: ignore[arg-type]
        self.trainers.append(TrainerProcess(settings, prepare))
        return self.trainers[-1]

    def close(self) -> None:
        for trainer in self.trainers:
            trainer.kill()
        self._dht.shutdown()
        self._dht.join(5)


@contextmanager
def trainer_swarm(manifest: Path, folder: Path, gate: RunGate | None = None) -> Iterator[TrainerSwarm]:
    swarm = TrainerSwarm(manifest, folder, gate)
    try:
        yield swarm
    finally:
        swarm.close()


def digests(trainer: TrainerProcess) -> dict[int, str]:
    """Return the digests of this peer's parameters by epoch."""
    return {event.epoch: event.parameter_digest for event in trainer.epochs}


def assert_never_apart(*trainers: TrainerProcess) -> None:
    """Assert that the parameters of any two are identical, bit by bit, at all epochs that both completed."""
    for one in trainers:
        for other in trainers:
            common = digests(one).keys() & digests(other).keys()
            assert {epoch: digests(one)[epoch] for epoch in common} == {
                epoch: digests(other)[epoch] for epoch in common
            }


def assert_trained_together(fast: TrainerProcess, slow: TrainerProcess, *, until: int, samples: int) -> None:
    """Assert that both held the same parameters, learned, and made the last epoch together.

    Most epochs of two have at least ``samples``. Peers estimate the others' samples by their speed, and on a busy
    machine one of them may stand still for an epoch.
    """
    assert_never_apart(fast, slow)
    last = fast.epochs[-1]
    assert (last.epoch, last.peers) == (until, 2)
    assert last.loss < fast.epochs[0].loss
    together = [event for event in fast.epochs if event.peers == 2]
    assert median(event.samples for event in together) >= samples, together
    # What passes is measured once a second, so an epoch that is shorter may have none of it.
    told = [event for event in together[1:] if event.bytes_sent > 0 and event.bytes_received > 0]
    seconds = sum(event.seconds for event in together[1:])
    assert len(told) >= min(len(together) - 1, int(seconds)) / 2


def epoch_of_two(trainer: TrainerProcess, *, contributing: bool = False) -> int:
    """Wait until this trainer went through an epoch of two peers (with its own samples in it)."""
    while True:
        event = trainer.wait_for(EpochCommitted)
        if event.peers == 2 and (event.own_samples or not contributing):
            return event.epoch
