"""The run's data on the pages: its newest numbers, its pictures, and a summary of what is trained."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.tables import Frame, SwarmNow
from coordinator.ledger.history import may_be_shown
from coordinator.run_now import RunNow
from coordinator.web.context import WebContext
from coordinator.web.wording import duration
from core.generation.frame_texts import MOST_TEXTS, texts_in, texts_in_frames
from core.generation.records import FRAME_BYTES, columns_for
from core.run.describe import parameter_count
from core.run.encodings import LowRank
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules, TrainingRules
from core.storage.files import read_bounded


def run_now(session: Session) -> RunNow | None:
    """Return the recorder's newest state; None if there is none, or this version cannot read it."""
    row = session.get(SwarmNow, 1)
    if row is None:
        return None
    try:
        return RunNow.model_validate(row.content)
    except ValidationError:
        return None


def epochs_made(session: Session, manifest: RunManifest) -> int:
    """Return the number of epochs that the run has made, as far as the recorder has seen it."""
    now = run_now(session)
    return now.epoch if now else manifest.state.epoch


@dataclass(frozen=True)
class Sheet:
    """A frame of the time-lapse: one picture of all prompts, side by side."""

    generation: int
    epoch: int
    address: str
    pictures: int
    texts: tuple[str, ...] = ()
    """Continuations of the prompts by the model; none where it makes pictures."""

    @property
    def columns(self) -> int:
        return columns_for(self.pictures)

    @property
    def rows(self) -> int:
        return -(-self.pictures // self.columns)

    def download(self, number: int) -> str:
        """Return the address of the picture of one prompt, by its ``number`` from 0, as a PNG."""
        return f"{self.address.replace('/frames/', '/pictures/', 1)}/{number}.png"


def sheets(context: WebContext, session: Session, most: int) -> list[Sheet]:
    """Return the newest frames and some evenly spaced older ones, newest first, ``most`` at most."""
    manifest = context.manifest
    if not (pictures := len(prompts_of(manifest))):
        return []
    texts, folder = texts_in_frames(manifest), context.home.frames
    newest_first = Frame.generation.desc(), Frame.epoch.desc()
    frames = list(session.scalars(select(Frame).where(may_be_shown()).order_by(*newest_first)))
    return [_sheet(frame, pictures, folder, texts) for frame in _thinned(frames, most)]


def prompts_of(manifest: RunManifest) -> tuple[str, ...]:
    """Return the prompts that frames show, in their order."""
    return manifest.contact.sample_prompts[:MOST_TEXTS]


def _sheet(frame: Frame, pictures: int, folder: Path, texts: int) -> Sheet:
    address = f"/frames/{frame.generation}/{frame.epoch}/{frame.sha256[:16]}"
    try:
        written = _texts_of(folder / frame.file, frame.sha256, texts) if texts else ()
    except (OSError, ValueError):  # it is away, or a copy is not complete yet: the next page looks again
        written = ()
    return Sheet(frame.generation, frame.epoch, address, pictures, written)


@lru_cache(maxsize=512)
def _texts_of(file: Path, sha256: str, number: int) -> tuple[str, ...]:
    """Return the texts of a frame, and keep them.

    Raises:
        OSError: Its file cannot be read.
        ValueError: The file is not the one that was hung.
    """
    content = read_bounded(file, FRAME_BYTES)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ValueError(f"{file} is not the frame {sha256}")
    return texts_in(content, number)


def _thinned(frames: list[Frame], most: int) -> list[Frame]:
    if len(frames) <= most:
        return frames
    apart = (len(frames) - 1) / max(1, most - 1)
    return [frames[round(number * apart)] for number in range(most)]


@dataclass(frozen=True)
class Fact:
    name: str
    value: str


@dataclass(frozen=True)
class RunFacts:
    """A summary of a run in words."""

    description: str
    total_epochs: int
    target: int
    """Number of samples in an epoch, unless the clock decides."""
    round_seconds: float | None
    """Seconds of an epoch where the clock decides; None where samples do."""
    facts: tuple[Fact, ...]


def run_facts(manifest: RunManifest) -> RunFacts:
    training = manifest.training
    model, swarm, schedule = training.model, training.swarm, training.schedule
    facts = (
        Fact(
            "Model", f"{parameter_count(model):,} parameters in {model.depth} layers, {training.width} wide"
        ),
        Fact(training.product.name, training.product.fact),
        Fact("Learns from", _data(training)),
        Fact("An epoch", _epoch(swarm)),
        Fact("Goal", f"{schedule.total_epochs:,} epochs"),
        _travel(swarm),
    )
    return RunFacts(
        manifest.contact.description,
        schedule.total_epochs,
        swarm.target_batch_size,
        swarm.round_seconds,
        facts,
    )


def _epoch(swarm: SwarmRules) -> str:
    if swarm.round_seconds is not None:
        return f"What all volunteers compute in {duration(swarm.round_seconds)}, then one step"
    return f"{swarm.target_batch_size:,} samples of all volunteers together, then one step"


def _travel(swarm: SwarmRules) -> Fact:
    groups = f"in groups of up to {swarm.group_size} computers"
    if swarm.most_groups > 1:
        groups += f", up to {swarm.most_groups} of which combine"
    if (local := swarm.local_steps) is not None:
        return Fact(
            "Drifts travel as", f"{local.drift_encoding}, their mean as {local.mean_encoding}, {groups}"
        )
    encoding = swarm.gradient_encoding
    if isinstance(encoding, LowRank):
        return Fact("Gradients travel as", f"factors of {encoding}, {groups}")
    return Fact("Gradients travel as", f"{encoding.bits_per_value} bits a value ({encoding}), {groups}")


def _data(training: TrainingRules) -> str:
    if training.hub_data is not None:
        return training.hub_data
    files = len(training.data_files)
    return f"{files} file{'s' if files != 1 else ''} of {training.product.data}, included in the run"
