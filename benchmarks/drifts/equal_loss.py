"""Loss at equal samples of the swarm, and bytes a peer, for `gradients` and for `local_steps`.

Rows train the embedded run, or, where their names begin with "middle", a model of 17.6 million parameters on all
emoji. Where their names begin with "small", a model of 0.53 million parameters trains on all emoji for eight times as
many samples: sparse drifts need many rounds until most of what was left out has travelled. These rows end while the
learning rate is still high. Where names begin with "brief", the small model trains on 15,360 samples, until the
learning rate is back at zero.

All peers are in one process, and no swarm is: nothing overlaps, and no peer is late. In most rows the swarm computes
96 samples for each step that a peer makes. With `gradients` they are one update, of the mean gradient that all peers
encode. With `local_steps` each peer makes a step of its own share, and the drifts of several steps are averaged
(`benchmarks.drifts.simulation`). The learning rate is that of the same number of samples in all rows of a run, unless
``--peak-lr`` gives another peak.

The loss is measured in the forward pass on the same captions and codes in all rows, with the committed parameters. It
is compared with that of float32 gradients of as many peers, at equal samples. The float32 rows differ only in the
draws of samples, so what they differ by among themselves is the noise of a row. Bytes are those that a peer sends and
receives in an all-reduce, relative to float32 gradients, at equal samples. Each row is added to the results as soon
as it is measured, and is not measured twice.
"""

import argparse
import itertools
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import (
    BRIEF_EPOCHS,
    InnerPeer,
    SimulatedSwarm,
    SimulationCase,
    over_the_wire,
)
from benchmarks.measuring.report import RESULTS, BenchmarkReport, known_rows, rounded
from core.run.encodings import Encoding, LowRank, TopK, WireFormat
from core.run.optimizer_rules import AdamWRules
from core.run.rules import SwarmRules
from core.swarm.aggregation.rule import weighted_mean
from core.swarm.rounds.partition import Part, round_parts, round_tensors
from core.swarm.state.low_rank import Bases

_NAME = "equal_loss"
_PEERS = (1, 2, 4, 8)
_BATCH = 96
"""Samples of the swarm in an update, and in a step of all peers where a row does not say another number."""
_SMALL_STEP = 24
"""Samples of the swarm in a small step of all peers."""
_MOST_SAMPLES = {"embedded": 5_760, "middle": 5_760, "small": 46_080, "brief": BRIEF_EPOCHS * _BATCH}
"""Samples of the swarm by run."""
_MEASUREMENTS = 6
_TEST_SAMPLES = 192
_TESTER = "test"
_ADAMW_RATE = 3e-3
_FLOAT32_BYTES = 4


@dataclass(frozen=True)
class EqualLossCase:
    """A row: a number of peers, and a procedure with the form in which its values travel."""

    peers: int
    form: WireFormat | LowRank
    """Form of large tensors with `gradients`, and of all with `local_steps`."""
    steps: int | None = None
    """Local steps of a round; None for `gradients`."""
    adamw: bool = False
    """True for AdamW instead of the run's LAMB."""
    samples: int = _BATCH
    """Samples of the swarm in a step of all peers."""
    outer_lr: float = 1.0
    """Learning rate of the outer step of `local_steps`."""
    of_senders: bool = False
    """True for the mean of each value over those who sent it, instead of over all peers."""
    peak_lr: float | None = None
    """Peak learning rate; None for the simulation's, or for AdamW's own."""
    run: str = "embedded"
    """The run that is simulated, as `SimulationCase` has it."""

    @property
    def name(self) -> str:
        """Name of the row, for ``--only``."""
        match self.form:
            case TopK(kept=kept, bits=bits):
                form = f"top{kept}b{bits}"
            case LowRank(rank=rank):
                form = f"rank{rank}"
            case Encoding():
                form = self.form.value
        rate = "" if self.peak_lr is None else f"-lr{self.peak_lr:g}"
        procedure = "gradients" if self.steps is None else f"local{self.steps}"
        options = f"-b{self.samples}" if self.samples != _BATCH else ""
        options += f"-outer{self.outer_lr:g}" if self.outer_lr != 1 else ""
        options += "-senders" if self.of_senders else ""
        options += "-adamw" if self.adamw else ""
        run = f"{self.run}-" if self.run != "embedded" else ""
        return f"{run}m{self.peers}-{procedure}-{form}{options}{rate}"

    @property
    def reference(self) -> str:
        """Name of the row of float32 gradients that this one is compared with."""
        return EqualLossCase(self.peers, Encoding.FLOAT32, adamw=self.adamw, run=self.run).name


def _cases() -> Iterator[EqualLossCase]:
    sparse, denser = TopK(), TopK(kept=512)
    for peers in _PEERS:
        yield EqualLossCase(peers, Encoding.FLOAT32)
        yield EqualLossCase(peers, Encoding.UNIFORM8)
        yield EqualLossCase(peers, LowRank(rank=4))
        yield EqualLossCase(peers, LowRank(rank=16))
        for steps in (2, 5, 10):
            yield from (EqualLossCase(peers, form, steps) for form in (sparse, denser, Encoding.FLOAT32))
        yield EqualLossCase(peers, Encoding.BLOCKWISE4, 8, samples=48)  # as the embedded run
        yield from _long_rounds(peers, "embedded")
        yield EqualLossCase(peers, Encoding.FLOAT32, adamw=True)
        yield EqualLossCase(peers, denser, 5, adamw=True)
    for peers in _PEERS:
        yield EqualLossCase(peers, Encoding.FLOAT32, run="middle")
        yield EqualLossCase(peers, Encoding.UNIFORM8, run="middle")
        yield from (EqualLossCase(peers, sparse, steps, run="middle") for steps in (2, 5, 10))
        yield from _long_rounds(peers, "middle")
        yield EqualLossCase(peers, Encoding.FLOAT32, run="small")
        yield EqualLossCase(peers, Encoding.UNIFORM8, run="small")
        for steps in (2, 5, 10):
            for form, of_senders in itertools.product((sparse, denser), (False, True)):
                yield EqualLossCase(peers, form, steps, of_senders=of_senders, run="small")
        yield EqualLossCase(peers, Encoding.BLOCKWISE4, 8, samples=48, run="small")
        yield from _long_rounds(peers, "small")
        yield from _to_the_end(peers)


def _to_the_end(peers: int) -> Iterator[EqualLossCase]:
    """Yield rows of a run whose learning rate has gone back to zero at their end."""
    yield EqualLossCase(peers, Encoding.FLOAT32, run="brief")
    yield EqualLossCase(peers, Encoding.UNIFORM8, run="brief")
    yield EqualLossCase(peers, TopK(kept=512), 5, of_senders=True, run="brief")
    for kept in (128, 512):
        yield EqualLossCase(peers, TopK(kept=kept), 20, samples=_SMALL_STEP, of_senders=True, run="brief")
    yield EqualLossCase(peers, Encoding.BLOCKWISE4, 40, samples=48, run="brief")
    yield from _long_rounds(peers, "brief")


def _long_rounds(peers: int, run: str) -> Iterator[EqualLossCase]:
    """Yield dense drifts of many small steps, of 10, 20 and 40 batches a round, and gradients of as small a batch."""
    yield EqualLossCase(peers, Encoding.FLOAT32, samples=_SMALL_STEP, run=run)
    for steps in (40, 80, 160):
        yield EqualLossCase(peers, Encoding.BLOCKWISE4, steps, samples=_SMALL_STEP, run=run)


CASES: Mapping[str, EqualLossCase] = {case.name: case for case in _cases()}


class _TrainedSwarm(ABC):
    """A simulated swarm that trains in steps of all peers together."""

    @abstractmethod
    def step(self, number: int) -> None:
        """Compute a step of all peers together."""

    @abstractmethod
    def parameters(self) -> Sequence[Tensor]:
        """Return the committed parameters, in order."""

    @abstractmethod
    def bytes_a_step(self) -> float:
        """Return the bytes of all values for a step, on the way to the reducers and back."""


def _inner(case: EqualLossCase) -> tuple[SimulationCase, AdamWRules | None]:
    form = Encoding.FLOAT32 if isinstance(case.form, LowRank) else case.form
    usual, optimizer = (_ADAMW_RATE, AdamWRules(kind="adamw")) if case.adamw else (None, None)
    rate = case.peak_lr or usual
    samples = case.samples // case.peers
    simulated = SimulationCase(
        case.name,
        case.peers,
        case.steps or 1,
        samples,
        form,
        form,
        rate,
        outer_lr=case.outer_lr,
        of_senders=case.of_senders,
        run=case.run,
    )
    return simulated, optimizer


class _ByGradients(_TrainedSwarm):
    """Peers that average gradients as real ones do: 16 bits for small tensors, and equal parameters for all.

    What does not travel of a gradient of low rank stays with its peer (`core.swarm.state.low_rank_work`).
    """

    def __init__(self, case: EqualLossCase) -> None:
        assert not isinstance(case.form, TopK)
        self._batches_a_step = case.samples / _BATCH
        simulated, optimizer = _inner(case)
        self._peers = [InnerPeer(simulated, number, optimizer) for number in range(case.peers)]
        small = Encoding.FLOAT32 if case.form is Encoding.FLOAT32 else Encoding.FLOAT16
        rules = SwarmRules(gradient_encoding=case.form, small_tensor_encoding=small)
        shapes = [item.shape for item in self.parameters()]
        self._parts = round_parts(shapes, rules)[:-1]
        self._bases = Bases(self._peers[0].model.named_parameters(), rules)
        self._inputs = [round_tensors(shapes, rules)[:-1] for _ in self._peers]
        self._left = [[torch.zeros(shape) for shape in shapes] for _ in self._peers]

    def step(self, number: int) -> None:
        """Make one update along the mean gradient of all peers."""
        for peer, inputs, left in zip(self._peers, self._inputs, self._left, strict=True):
            peer.add_gradients()
            self._hand_over(peer.gradients, inputs, left)
        first, *others = self._peers
        aggregate = [torch.zeros_like(item) for item in self._inputs[0]]
        for part in self._parts:
            self._reduce(part, aggregate)
        for inputs, left in zip(self._inputs, self._left, strict=True):
            for index, basis in self._bases.items():
                left[index].sub_(basis.matrix_of(inputs[index]))
        for gradient, mean in zip(first.gradients, self._bases.gradients_of(aggregate), strict=True):
            gradient.copy_(mean)
        self._bases.advance(aggregate)
        first.apply_gradients(number * self._batches_a_step)
        for peer in others:
            for own, new, gradient in zip(peer.parameters, first.parameters, peer.gradients, strict=True):
                own.copy_(new)
                gradient.zero_()

    def _hand_over(
        self, gradients: Sequence[Tensor], inputs: Sequence[Tensor], left: Sequence[Tensor]
    ) -> None:
        compressed = dict(self._bases.items())
        for index, (gradient, target) in enumerate(zip(gradients, inputs, strict=True)):
            if index in compressed:
                left[index].add_(gradient)
                target.copy_(compressed[index].factors_of(left[index]))
            else:
                target.copy_(gradient)

    def _reduce(self, part: Part, aggregate: Sequence[Tensor]) -> None:
        """Write the mean of a part into ``aggregate``, and what travelled into each peer's inputs."""
        sent = [over_the_wire(part.gather(inputs), part.encoding) for inputs in self._inputs]
        for values, inputs in zip(sent, self._inputs, strict=True):
            part.scatter(values, inputs)
        mean = weighted_mean(sent, [1.0] * len(sent))
        part.scatter(over_the_wire(mean, part.aggregate_encoding), aggregate)

    def parameters(self) -> Sequence[Tensor]:
        """Return the parameters that all peers have."""
        return self._peers[0].parameters

    def bytes_a_step(self) -> float:
        """Return the bytes of all values of an update, both ways."""
        return float(sum(part.wire_bytes + part.aggregate_bytes for part in self._parts))


class _ByLocalSteps(_TrainedSwarm):
    """Peers that make steps of their own, and average their drifts."""

    def __init__(self, case: EqualLossCase) -> None:
        assert case.steps is not None
        self._steps, self._batches_a_step = case.steps, case.samples / _BATCH
        self._swarm = SimulatedSwarm(*_inner(case))

    def step(self, number: int) -> None:
        """Make a step of each peer, and a round once it is due."""
        for peer in self._swarm.peers:
            peer.step(number * self._batches_a_step)
        if (number + 1) % self._steps == 0:
            self._swarm.round()

    def parameters(self) -> Sequence[Tensor]:
        """Return the committed parameters, which lag behind the peers' own between two rounds."""
        return self._swarm.committed

    def bytes_a_step(self) -> float:
        """Return a step's share of the bytes of a round, both ways."""
        return sum(self._swarm.round_bytes) / self._steps


class TestSet:
    """The captions and codes on which all rows are measured, and a model to measure with."""

    __test__ = False  # to pytest, by its name

    def __init__(self, run: str) -> None:
        case = SimulationCase(_TESTER, 1, 1, _TEST_SAMPLES, Encoding.FLOAT32, Encoding.FLOAT32, run=run)
        self._peer = InnerPeer(case, _TESTER)
        self._tokens, self._codes = self._peer.samples()

    @torch.no_grad()
    def loss(self, parameters: Sequence[Tensor]) -> float:
        """Return the mean loss with ``parameters``."""
        for own, given in zip(self._peer.parameters, parameters, strict=True):
            own.copy_(given)
        return float(self._peer.model.loss(self._tokens, self._codes))


def measure(case: EqualLossCase) -> dict[str, Any]:
    """Return a row of the report but for what is relative to another row."""
    started, test = time.process_time(), TestSet(case.run)
    swarm = _ByGradients(case) if case.steps is None else _ByLocalSteps(case)
    losses: dict[int, float] = {}
    most = _MOST_SAMPLES[case.run]
    for number in range(most // case.samples):
        swarm.step(number)
        if (samples := (number + 1) * case.samples) % (most // _MEASUREMENTS) == 0:
            losses[samples] = rounded(test.loss(swarm.parameters()))
    values = sum(item.numel() for item in swarm.parameters())
    bytes_a_batch = swarm.bytes_a_step() * _BATCH / case.samples
    return {
        "case": case.name,
        "compared_with": case.reference,
        "peers": case.peers,
        "loss": losses[most],
        "share_of_bytes": rounded(bytes_a_batch / (2 * _FLOAT32_BYTES * values)),
        "kilobytes_a_batch": rounded(bytes_a_batch / 2 / 1000),
        "cpu_seconds": rounded(time.process_time() - started, 3),
        "loss_by_samples": {str(samples): loss for samples, loss in losses.items()},
    }


def with_ratios(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with their loss relative to that of float32 gradients, by samples, where that is measured."""
    known = {row["case"]: row["loss_by_samples"] for row in rows}
    found = []
    for row in rows:
        base = known.get(row["compared_with"], {})
        ratios = {
            samples: rounded(loss / base[samples]) for samples, loss in row["loss_by_samples"].items() if base
        }
        last = max(row["loss_by_samples"], key=int)
        found.append({**row, "relative_loss": ratios.get(last), "relative_by_samples": ratios})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help=f"rows, separated by commas; of {len(CASES)}, as --list shows them")
    parser.add_argument("--list", action="store_true", help="show the names of all rows, and measure none")
    parser.add_argument(
        "--peak-lr", type=float, help="peak learning rate of all rows, which is in their names"
    )
    given = parser.parse_args()
    if given.list:
        print(*CASES, sep="\n")
        return
    torch.set_num_threads(1)
    path = given.out / f"{_NAME}.json"
    for name in given.only.split(",") if given.only else CASES:
        case = replace(CASES[name], peak_lr=given.peak_lr)
        if any(row["case"] == case.name for row in known_rows(path)):
            continue
        report = BenchmarkReport(_NAME, __doc__ or "")
        row = {**measure(case), "commit": report.commit}
        rows = with_ratios([*known_rows(path), row])
        report.show([{key: value for key, value in rows[-1].items() if not isinstance(value, dict)}])
        report.save(rows, folder=given.out, threads=1, samples=_MOST_SAMPLES, test_samples=_TEST_SAMPLES)


if __name__ == "__main__":
    main()
