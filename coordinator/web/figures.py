"""The run's data on the pages: its newest numbers, its pictures, and a summary of what is trained."""

from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from coordinator.database.tables import Frame, SwarmNow
from coordinator.ledger.history import may_be_shown
from coordinator.run_now import RunNow
from coordinator.web.wording import duration
from core.generation.records import columns_for
from core.run.describe import parameter_count
from core.run.encodings import LowRank
from core.run.manifest import RunManifest
from core.run.rules import DataRules, SwarmRules

_MOST_PROMPTS = 16
"""Largest number of prompts in a frame, as in `core.generation.timelapse`, which imports torch."""


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

    @property
    def columns(self) -> int:
        return columns_for(self.pictures)

    @property
    def rows(self) -> int:
        return -(-self.pictures // self.columns)


def sheets(session: Session, prompts: tuple[str, ...], most: int) -> list[Sheet]:
    """Return the newest frames and some evenly spaced older ones, newest first, ``most`` at most."""
    if not prompts:
        return []
    newest_first = Frame.generation.desc(), Frame.epoch.desc()
    frames = list(session.scalars(select(Frame).where(may_be_shown()).order_by(*newest_first)))
    return [_sheet(frame, len(prompts)) for frame in _thinned(frames, most)]


def prompts_of(manifest: RunManifest) -> tuple[str, ...]:
    """Return the prompts that frames show, in their order."""
    return manifest.contact.sample_prompts[:_MOST_PROMPTS]


def _sheet(frame: Frame, pictures: int) -> Sheet:
    address = f"/frames/{frame.generation}/{frame.epoch}/{frame.sha256[:16]}"
    return Sheet(frame.generation, frame.epoch, address, pictures)


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
        Fact("Model", f"{parameter_count(model):,} parameters in {model.depth} layers, {model.dim} wide"),
        Fact(
            "Pictures",
            f"{model.grid} × {model.grid} codes, each one of {model.image_vocab:,}, drawn from a caption",
        ),
        Fact("Learns from", _data(training.data)),
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


def _data(data: DataRules) -> str:
    if data.hub:
        return data.hub.repo
    files = len(data.shards)
    return f"{files} file{'s' if files != 1 else ''} of captions and codes, included in the run"
