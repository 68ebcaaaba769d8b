"""Samples a peer until loss 2.0 in the embedded run by local steps, for every encoding of the drift.

All peers are in one process, and no swarm is: inner 8-bit LAMB of each peer under a schedule that is counted in
inner steps; the drift with error feedback, encoded for the wire and decoded; its mean by the reducer's own
functions, encoded once and decoded by all; the plain mean as the outer step. The loss is the mean over the last
samples of all peers, two batches of the run. Each row is added to the results as soon as it is measured, and is not
measured twice.
"""

import argparse
import itertools
import math
import re
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.error_feedback import ErrorFeedback
from benchmarks.measuring.report import RESULTS, measure_missing, rounded
from core.data.streaming.stream import CodeStream
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer
from core.optim.learning_rate import linear_schedule
from core.run.encodings import Encoding, TopK, WireFormat, wire_bytes
from core.run.manifest import RunManifest
from core.run.optimizer_rules import AnyOptimizerRules
from core.run.rules import ScheduleRules
from core.run.training.families import picture_rules
from core.signing import SigningKey
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.rounds.partition import Part, cut
from core.swarm.state.committed_update import optimizer_of, set_rate
from core.swarm.wire.encoding import decode, encode
from core.swarm.wire.top_k import SparseValues, sparse_mean_of_senders
from core.text import CaptionTokenizer

_NAME = "local_steps_simulation"
_EMBEDDED = Path(__file__).parents[2] / "assets" / "embedded"
_RUNS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "embedded": ("run.toml", {}),
    "middle": ("run-all.toml", {"dim": 256, "depth": 16, "heads": 4}),
    "small": ("run-all.toml", {"dim": 64, "depth": 4, "heads": 2}),
    "brief": ("run-all.toml", {"dim": 64, "depth": 4, "heads": 2}),
    "least": ("run.toml", {"dim": 32, "depth": 2, "heads": 1, "dim_head": 32}),
}
"""Manifests of the runs that can be simulated, and what their models have instead of what the manifest says.

The middle model, on all emoji, has 17.6 million parameters, and a sample takes six times as long. The small one, on
all emoji as well, has 0.53 million, and a sample takes a third. The brief run is the small one with a schedule that
ends after 160 batches of 96 samples. The least model has 0.14 million parameters, for many
rows, and learns the embedded run's pictures.
"""
_WANTED_LOSS = 2.0
_MOST_SAMPLES = 5_760
"""Samples a peer after which a row ends without the wanted loss."""
_LOSS_SAMPLES = 192
_MICRO_BATCH = 48
_SCHEDULE = ScheduleRules(peak_lr=1.5e-2, warmup_epochs=20, total_epochs=600)
"""Learning rates by inner step: those that the embedded run had by its epochs of 96 samples."""
_BRIEF_RUNS = ("brief", "least")
BRIEF_EPOCHS = 160
_BRIEF_SCHEDULE = ScheduleRules(peak_lr=1.5e-2, warmup_epochs=10, total_epochs=BRIEF_EPOCHS)
_SEED = 0
"""Seed of the initial parameters: all peers begin at the same ones, in all rows."""
_USUAL_SAMPLES = {1: 96, 2: 48, 4: 16, 8: 16}
"""Samples of an inner step by number of peers, where the name of a row says none."""


@dataclass(frozen=True)
class SimulationCase:
    """A row: a swarm, its rounds, and the forms in which drifts and means travel."""

    name: str
    """Name of the row, such as "k4-h4-top128b2-float32-b16-lr0.03": `case_named` reads it."""
    peers: int
    steps: int
    """Inner steps of a round."""
    samples: int
    """Samples of an inner step."""
    up: WireFormat
    down: WireFormat
    peak_lr: float | None = None
    """Highest learning rate of inner steps; None for the run's."""
    outer_lr: float = 1.0
    outer_momentum: float = 0.0
    decay: float = 1.0
    of_senders: bool = False
    """True for the mean of each value over those who sent it, instead of over all."""
    buffers: str = "none"
    """Type of the error buffers; "none" where the peers' own parameters hold the error, as in a real run."""
    run: str = "embedded"
    """The run that is simulated: "embedded", or another of `_RUNS`."""


_NAME_OF_A_CASE = re.compile(
    r"k(?P<peers>\d+)-h(?P<steps>\d+)-(?P<up>top\d+b\d|float32|blockwise\d)(?:-(?P<down>top\d+b\d|float32|blockwise\d))?"
    r"(?:-b(?P<samples>\d+))?(?:-lr(?P<peak_lr>[\d.]+))?(?:-outer(?P<outer_lr>[\d.]+))?"
    r"(?:-momentum(?P<outer_momentum>[\d.]+))?(?:-decay(?P<decay>[\d.]+))?(?:-(?P<buffers>bfloat16|buffers32))?"
)


def case_named(name: str) -> SimulationCase:
    """Return the row of that name; ValueError if it is none.

    Steps have 96 samples for one peer, 48 for two, and 16 for more, if the name does not say so. The mean travels in
    the form of the drift, if the name has one form. ``-buffers32`` and ``-bfloat16`` keep errors in buffers.
    """
    found = _NAME_OF_A_CASE.fullmatch(name)
    if found is None:
        raise ValueError(f"{name!r} is no row: see --list for some, and `SimulationCase` for the options.")
    said = {key: value for key, value in found.groupdict().items() if value is not None}
    peers, up = int(said.pop("peers")), _form(said.pop("up"))
    down = _form(said.pop("down")) if "down" in said else up
    samples = int(said.pop("samples", _USUAL_SAMPLES.get(peers, 16)))
    buffers = {"buffers32": "float32"}.get(kept := said.pop("buffers", "none"), kept)
    case = SimulationCase(name, peers, int(said.pop("steps")), samples, up, down, buffers=buffers)
    numbers: dict[str, Any] = {key: float(value) for key, value in said.items()}
    return replace(case, **numbers)


def _form(name: str) -> WireFormat:
    if found := re.fullmatch(r"top(\d+)b(\d)", name):
        return TopK(kept=int(found[1]), bits=int(found[2]))
    return Encoding(name)


def _usual_names() -> Iterator[str]:
    yield "k1-h1-float32"
    yield from (f"k1-h4-float32-b{samples}" for samples in (16, 24, 48))
    forms = ("float32", "blockwise8", "blockwise4", *(f"top{kept}b2" for kept in (64, 128, 512)))
    for peers, steps in itertools.product((2, 4), (4, 8)):
        yield from (f"k{peers}-h{steps}-{form}" for form in forms)
        yield from (f"k{peers}-h{steps}-top128b2-{down}" for down in ("top512b2", "float32", "blockwise4"))
        yield from (f"k{peers}-h{steps}-{form}-decay0.95" for form in forms[3:])
        yield from (f"k{peers}-h{steps}-{form}-buffers32" for form in forms[3:])


NAMES = tuple(_usual_names())
"""Rows that are measured if none is named."""


def _manifest(run: str) -> RunManifest:
    name, changes = _RUNS[run]
    manifest = RunManifest.load(_EMBEDDED / name)
    model = manifest.training.model.model_copy(update=changes)
    training = manifest.training.model_copy(update={"model": model})
    return RunManifest.create(training, manifest.contact, SigningKey.generate())


class InnerPeer:
    """One peer: its model, its optimizer, its samples and its error buffers."""

    def __init__(
        self,
        case: SimulationCase,
        number: int | str,
        optimizer: AnyOptimizerRules | None = None,
    ) -> None:
        """Begin as peer ``number`` of ``case``; the run's optimizer can be replaced."""
        manifest, base = _manifest(case.run), _EMBEDDED
        self._training, self._samples = picture_rules(manifest.training), case.samples
        techniques = Techniques(_MICRO_BATCH, activations=Activations.KEEP)
        self.model = Transformer(self._training.model, torch.Generator().manual_seed(_SEED), techniques)
        self.parameters = [item.data for item in self.model.parameters()]
        self._optimizer = optimizer_of(self.model.named_parameters(), optimizer or self._training.optimizer)
        self._schedule = _BRIEF_SCHEDULE if case.run in _BRIEF_RUNS else _SCHEDULE
        self._peak_lr = case.peak_lr or self._schedule.peak_lr
        self._tokenizer = CaptionTokenizer.of_run(self._training.text, base)
        self._stream = CodeStream.open(self._training, base, peer=str(number))
        self._micro_steps = MicroSteps(self.model, ())

    def step(self, number: float) -> float:
        """Take the inner step of that number, and return its mean loss."""
        loss = self.add_gradients()
        self.apply_gradients(number)
        return loss

    def apply_gradients(self, number: float) -> None:
        """Take the inner step of that ``number``, by which its learning rate is known, along ``gradients``."""
        rate = linear_schedule(
            number,
            peak=self._peak_lr,
            warmup=self._schedule.warmup_epochs,
            total=self._schedule.total_epochs,
        )
        set_rate(self._optimizer, rate)
        self._optimizer.step()
        for gradient in self.gradients:
            gradient.zero_()

    def gradient(self) -> Tensor:
        """Return the mean gradient of the next samples, of all parameters one after the other."""
        self.add_gradients()
        return torch.cat([item.reshape(-1) for item in self.gradients])

    @property
    def gradients(self) -> list[Tensor]:
        """Gradients of all parameters, in order."""
        return [item.grad for item in self.model.parameters() if item.grad is not None]

    def add_gradients(self) -> float:
        """Make ``gradients`` the mean gradient of the next samples, and return their mean loss."""
        return self.add_gradients_of(*self.samples())

    def add_gradients_of(self, tokens: Tensor, codes: Tensor) -> float:
        """Make ``gradients`` the mean gradient of samples with these ``tokens`` and ``codes``; return their loss."""
        loss = self._micro_steps.add_gradients(tokens, codes)
        for gradient in self.gradients:
            gradient.div_(self._samples)
        return loss

    def samples(self) -> tuple[Tensor, Tensor]:
        """Return the tokens and the codes of the next samples."""
        captions, codes, _ = self._stream.take(self._samples)
        return self._tokenizer.encode(captions), codes


class SimulatedSwarm:
    """All peers of a row, the committed parameters that they share, and the encoded rounds between them."""

    def __init__(self, case: SimulationCase, optimizer: AnyOptimizerRules | None = None) -> None:
        self._case = case
        self.peers = [InnerPeer(case, number, optimizer) for number in range(case.peers)]
        self.committed = [item.clone() for item in self.peers[0].parameters]
        self.parts = cut([(item.numel(), case.up) for item in self.committed])
        self._moments = [torch.zeros(part.values) for part in self.parts]
        self._keeps_error = case.buffers == "none"
        lengths, dtype = [part.values for part in self.parts], torch.float32
        if not self._keeps_error:
            dtype = getattr(torch, case.buffers)
        decay = 0.0 if self._keeps_error else case.decay
        self._feedback = [ErrorFeedback(lengths, decay=decay, dtype=dtype) for _ in self.peers]

    @property
    def round_bytes(self) -> tuple[int, int]:
        """Bytes of all values in a round, on the way to the reducers and back."""
        up = sum(part.wire_bytes for part in self.parts)
        return up, sum(wire_bytes(self._case.down, part.values) for part in self.parts)

    def round(self) -> None:
        """Average the drifts, and move all peers to the new committed parameters."""
        drifts = [
            [own - shared for own, shared in zip(peer.parameters, self.committed, strict=True)]
            for peer in self.peers
        ]
        for index, part in enumerate(self.parts):
            aggregate = self._reduce(index, part, drifts)
            moved = part.gather(self.committed) + self._outer_step(index, aggregate)
            part.scatter(moved, self.committed)
        for peer, feedback in zip(self.peers, self._feedback, strict=True):
            for own, shared in zip(peer.parameters, self.committed, strict=True):
                own.copy_(shared)
            if self._keeps_error:
                left = list(feedback.state_tensors().values())
                for part, values in zip(self.parts, left, strict=True):
                    own_values = part.gather(peer.parameters) + self._case.decay * values
                    part.scatter(own_values, peer.parameters)

    def _outer_step(self, index: int, aggregate: Tensor) -> Tensor:
        """Return the change of the committed parameters of a part, with Nesterov momentum as `OuterUpdate` has it."""
        moment = self._moments[index].mul_(self._case.outer_momentum).add_(aggregate)
        return self._case.outer_lr * (aggregate + self._case.outer_momentum * moment)

    def _reduce(self, index: int, part: Part, drifts: Sequence[Sequence[Tensor]]) -> Tensor:
        received = []
        for feedback, drift in zip(self._feedback, drifts, strict=True):
            wanted = feedback.prepare(index, part.gather(drift))
            received.append(over_the_wire(wanted, self._case.up))
            feedback.sent(index, received[-1])
        aggregate = over_the_wire(self._mean(received), self._case.down)
        for feedback in self._feedback:
            feedback.committed(index, included=True, aggregate=aggregate)
        return aggregate

    def _mean(self, received: Sequence[Tensor]) -> Tensor:
        weights = [1.0] * len(received)
        if not self._case.of_senders:
            return weighted_mean(received, weights)
        places = [values.nonzero().reshape(-1) for values in received]
        sparse = [
            SparseValues(at, values[at], len(values)) for at, values in zip(places, received, strict=True)
        ]
        return sparse_mean_of_senders(sparse, weights)


def over_the_wire(values: Tensor, form: WireFormat) -> Tensor:
    """Return ``values``, of shape (values,), as they are decoded after they travelled in ``form``."""
    return decode(encode(values, form), form, len(values))


def measure(case: SimulationCase) -> dict[str, Any]:
    """Return a row of the report: training until the wanted loss, or until too many samples."""
    started = time.process_time()
    swarm = SimulatedSwarm(case)
    losses: deque[float] = deque(maxlen=math.ceil(_LOSS_SAMPLES / case.samples))
    step = 0
    curve: list[float] = []
    while (step + 1) * case.samples <= _MOST_SAMPLES:
        losses += [peer.step(step) for peer in swarm.peers]
        step += 1
        if step % case.steps == 0:
            swarm.round()
            curve.append(rounded(sum(losses) / len(losses)))
        if len(losses) == losses.maxlen and sum(losses) / len(losses) <= _WANTED_LOSS:
            break
    rounds, (up, down) = math.ceil(step / case.steps), swarm.round_bytes
    values = sum(part.values for part in swarm.parts)
    loss = sum(losses) / len(losses)
    return {
        "case": case.name,
        "samples_a_peer": step * case.samples,
        "loss": rounded(loss),
        "reached": loss <= _WANTED_LOSS,
        "rounds": rounds,
        "round_kilobytes": rounded((up + down) / 2 / 1000),
        "bits_a_value_up": rounded(8 * up / values),
        "bits_a_value_down": rounded(8 * down / values),
        "cpu_seconds": rounded(time.process_time() - started, 3),
        "loss_after_each_round": curve,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help="rows, separated by commas, named as --list and `case_named` show")
    parser.add_argument("--list", action="store_true", help="show the names of all rows, and measure none")
    given = parser.parse_args()
    if given.list:
        print(*NAMES, sep="\n")
        return
    torch.set_num_threads(1)
    measure_missing(
        _NAME,
        __doc__ or "",
        given.only.split(",") if given.only else NAMES,
        lambda name: measure(case_named(name)),
        folder=given.out,
        threads=1,
        wanted_loss=_WANTED_LOSS,
    )


if __name__ == "__main__":
    main()
