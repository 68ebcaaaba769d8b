"""The run that is trained: where it lies, its trainer, and how far that is."""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from client.admission.coordination import Coordination
from client.joining.run_card import RunCard
from client.machine.readings import GpuReading, Known, Readings
from client.service.trainer.running_trainer import RunningTrainer
from client.service.trainer.state import is_alive
from client.service.trainer.training import Training
from core.generation.records import TIMELAPSE
from core.messages.events import Progress
from core.messages.reach import ReachFound

_SPAN = timedelta(seconds=10)
"""Shortest span of a rate, once there are enough messages."""
_SHORTEST = 0.5
"""Shortest time of a measurement in seconds: a delayed daemon receives several messages at once."""


@dataclass
class TrainingPace:
    """Measures the trainer's speed from its progress messages, however unevenly they come."""

    rate: float = 0.0
    """Speed in samples a second."""
    _life: str = ""
    _heard: deque[tuple[datetime, int]] = field(default_factory=lambda: deque(maxlen=1000))

    def hear(self, life: str, samples: int, now: datetime) -> None:
        """Take in a progress message; ``samples`` counts from the beginning of that ``life`` of the trainer."""
        if life != self._life or (self._heard and now < self._heard[-1][0]):  # or the clock was set back
            self._life = life
            self._heard.clear()
        self._heard.append((now, samples))
        while len(self._heard) > 1 and self._heard[1][0] <= now - _SPAN:
            self._heard.popleft()
        since, before = self._heard[0]
        seconds = (now - since).total_seconds()
        if seconds >= _SHORTEST:
            self.rate = (samples - before) / seconds


PEER = "peer"
CHECKPOINT = "checkpoint"


@dataclass
class ActiveRun:
    """The run that is trained."""

    folder: Path
    card: RunCard
    training: Training
    coordination: Coordination
    progress: Progress | None = None
    reach: ReachFound | None = None
    """Finding of the trainer about how other peers reach this computer."""
    pace: TrainingPace = field(default_factory=TrainingPace)
    gpu: int | None = None
    """The GPU that the trainer was given, by its index; None: it computes on the processor."""
    is_last_epoch: bool = False
    """True if the volunteer asked to stop once the epoch is over."""
    makes_way: bool = False
    """True if another run is to be trained once the epoch is over, so that no trainer of this one starts."""

    def hear(self, trainer: RunningTrainer, progress: Progress, now: datetime) -> None:
        """Take note of where the trainer stands, and of how fast it has become so."""
        self.progress = progress
        if trainer.planned is not None:
            self.pace.hear(trainer.id, progress.micro_steps * trainer.planned.micro_batch, now)

    def finish(self) -> bool:
        """Stop once the epoch is over; whether there is an epoch to complete."""
        if not self.alive:
            return False
        self.is_last_epoch = True
        self.training.finish()
        return True

    @property
    def peer(self) -> Path:
        """Folder of the files that belong to this peer's trainer."""
        return self.folder / PEER

    @property
    def timelapse(self) -> Path:
        """The frames that this peer has drawn."""
        return self.peer / TIMELAPSE

    @property
    def alive(self) -> bool:
        """True if there is a trainer process."""
        return is_alive(self.training.state)

    def computes_on_gpu(self) -> bool:
        """Return true if the trainer computes on a GPU; it may have planned otherwise than it was offered."""
        trainer = self.training.trainer
        planned = trainer.planned if trainer else None
        return planned.gpu_bytes > 0 if planned else self.gpu is not None

    @property
    def gpu_memory(self) -> int:
        """Bytes that the trainer holds of its GPU; while it is not known how many, at least that there are some."""
        trainer = self.training.trainer
        if trainer is None or not self.computes_on_gpu():
            return 0
        return max(1, trainer.planned.gpu_bytes if trainer.planned else 0)

    def ram(self, seen: int) -> int:
        """Return the bytes of RAM that the trainer holds, or is about to: ``seen`` at the last look."""
        trainer = self.training.trainer
        if trainer is None:
            return 0
        return max(seen, trainer.planned.ram_bytes if trainer.planned else 0)


def usable_gpus(readings: Readings, allowed: tuple[int, ...] | None) -> tuple[GpuReading, ...]:
    """Return the GPUs that train, or that a trainer may be given."""
    found = readings.gpus.value if isinstance(readings.gpus, Known) else ()
    return tuple(gpu for gpu in found if allowed is None or gpu.index in allowed)
