"""Samples a peer until loss 2.0 in the embedded run by local steps, for every encoding of the drift.

All peers are in one process, and no swarm is: inner 8-bit LAMB of each peer under the run's own schedule, counted in
inner steps; the drift with error feedback, encoded for the wire and decoded; its mean by the reducer's own
functions, encoded once and decoded by all; the plain mean as the outer step. The loss is the mean over the last
samples of all peers, two batches of the run. Each row is added to the results as soon as it is measured, and is not
measured twice.
"""

import argparse
import json
import math
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.error_feedback import ErrorFeedback
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.data.streaming.stream import CodeStream
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer
from core.optim.lamb import Lamb8bit
from core.optim.rules import decay_groups, linear_schedule
from core.run.encodings import Encoding, TopK, WireFormat, wire_bytes
from core.run.manifest import RunManifest
from core.swarm.peer import initial_model_generator
from core.swarm.rounds.partition import Part, cut
from core.swarm.rounds.reduction import weighted_mean
from core.swarm.wire.encoding import decode, encode
from core.text import CaptionTokenizer

_NAME = "local_steps_simulation"
_MANIFEST = Path(__file__).parents[2] / "assets" / "embedded" / "run.toml"
_WANTED_LOSS = 2.0
_MOST_SAMPLES = 5_760
"""Samples a peer after which a row ends without the wanted loss."""
_LOSS_SAMPLES = 192
_MICRO_BATCH = 48
_USUAL_SAMPLES = {1: 96, 2: 48, 4: 16, 8: 16}
"""Samples of an inner step by number of peers, which the names of rows leave out."""


def _top_k(kept: int, bits: int) -> TopK:
    return TopK(kept=kept, bits=bits)


@dataclass(frozen=True)
class SimulationCase:
    """A row: a swarm, its rounds, and the forms in which drifts and means travel."""

    peers: int
    steps: int
    """Inner steps of a round."""
    samples: int
    """Samples of an inner step."""
    up: WireFormat
    down: WireFormat
    decay: float = 1.0
    buffers: str = "none"
    """Type of the error buffers; "none" where the peers' own parameters hold the error, as in a real run."""

    @property
    def name(self) -> str:
        """Name of the row, for ``--only``."""
        forms = _short(self.up) if self.up == self.down else f"{_short(self.up)}-{_short(self.down)}"
        options = f"-b{self.samples}" if self.samples != _USUAL_SAMPLES[self.peers] else ""
        options += f"-decay{self.decay:g}" if self.decay != 1 else ""
        options += f"-{self.buffers}" if self.buffers != "none" else ""
        return f"k{self.peers}-h{self.steps}-{forms}{options}"


def _short(form: WireFormat) -> str:
    return f"top{form.kept}b{form.bits}" if isinstance(form, TopK) else str(form)


def _cases() -> Iterator[SimulationCase]:
    forms: Mapping[str, WireFormat] = {
        **{item.value: item for item in (Encoding.FLOAT32, Encoding.BLOCKWISE8, Encoding.BLOCKWISE4)},
        **{f"{kept}/{bits}": _top_k(kept, bits) for kept in (64, 128, 512) for bits in (2, 3, 4)},
    }
    yield SimulationCase(1, 1, 96, Encoding.FLOAT32, Encoding.FLOAT32)
    for samples in (16, 24, 48):
        yield SimulationCase(1, 4, samples, Encoding.FLOAT32, Encoding.FLOAT32)
        for peers in (2, 4, 8):
            for steps in (2, 4, 8):
                yield SimulationCase(peers, steps, samples, forms["128/2"], forms["128/2"])
    for peers, samples in ((4, 16), (2, 48)):
        for steps in (4, 8):
            for form in forms.values():
                for decay in (1.0, 0.95):
                    yield SimulationCase(peers, steps, samples, form, form, decay)
            for up, down in (
                ("128/2", "512/2"),
                ("128/2", "float32"),
                ("128/2", "blockwise4"),
                ("128/2", "128/4"),
            ):
                yield SimulationCase(peers, steps, samples, forms[up], forms[down])
            for form in (forms["128/2"], forms["512/2"], forms["blockwise4"]):
                for buffers in ("float32", "bfloat16"):
                    yield SimulationCase(peers, steps, samples, form, form, buffers=buffers)


CASES: Mapping[str, SimulationCase] = {case.name: case for case in _cases()}


class InnerPeer:
    """One peer: its model, its optimizer, its samples and its error buffers."""

    def __init__(self, case: SimulationCase, number: int) -> None:
        manifest, base = RunManifest.load(_MANIFEST), _MANIFEST.parent
        self._training, self._samples = manifest.training, case.samples
        techniques = Techniques(_MICRO_BATCH, activations=Activations.KEEP)
        self.model = Transformer(self._training.model, initial_model_generator(manifest), techniques)
        self.parameters = [item.data for item in self.model.parameters()]
        optimizer = self._training.optimizer
        self._lamb = Lamb8bit(
            decay_groups(self.model.named_parameters(), optimizer.weight_decay),
            lr=self._training.schedule.peak_lr,
            betas=optimizer.betas,
            max_grad_norm=optimizer.max_grad_norm,
            min_8bit_size=optimizer.min_8bit_size,
        )
        self._tokenizer = CaptionTokenizer.of_run(self._training.text, base)
        self._stream = CodeStream.open(self._training, base, peer=str(number))
        self._micro_steps = MicroSteps(self.model, ())

    def step(self, number: int) -> float:
        """Take the inner step of that number, and return its mean loss."""
        schedule = self._training.schedule
        rate = linear_schedule(
            number, peak=schedule.peak_lr, warmup=schedule.warmup_epochs, total=schedule.total_epochs
        )
        loss = self._add_gradients()
        for group in self._lamb.param_groups:
            group["lr"] = rate
        self._lamb.step()
        for gradient in self._gradients:
            gradient.zero_()
        return loss

    def gradient(self) -> Tensor:
        """Return the mean gradient of the next samples, of all parameters one after the other."""
        self._add_gradients()
        return torch.cat([item.reshape(-1) for item in self._gradients])

    @property
    def _gradients(self) -> list[Tensor]:
        return [item.grad for item in self.model.parameters() if item.grad is not None]

    def _add_gradients(self) -> float:
        captions, codes = self._stream.take(self._samples)
        loss = self._micro_steps.add_gradients(self._tokenizer.encode(captions), codes)
        for gradient in self._gradients:
            gradient.div_(self._samples)
        return loss


class _SimulatedSwarm:
    """All peers of a row, the committed parameters that they share, and the encoded rounds between them."""

    def __init__(self, case: SimulationCase) -> None:
        self._case = case
        self.peers = [InnerPeer(case, number) for number in range(case.peers)]
        self.committed = [item.clone() for item in self.peers[0].parameters]
        self.parts = cut([(item.numel(), case.up) for item in self.committed])
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
            moved = part.gather(self.committed) + aggregate
            part.scatter(moved, self.committed)
        for peer, feedback in zip(self.peers, self._feedback, strict=True):
            for own, shared in zip(peer.parameters, self.committed, strict=True):
                own.copy_(shared)
            if self._keeps_error:
                left = list(feedback.state_tensors().values())
                for part, values in zip(self.parts, left, strict=True):
                    own_values = part.gather(peer.parameters) + self._case.decay * values
                    part.scatter(own_values, peer.parameters)

    def _reduce(self, index: int, part: Part, drifts: Sequence[Sequence[Tensor]]) -> Tensor:
        received = []
        for feedback, drift in zip(self._feedback, drifts, strict=True):
            wanted = feedback.prepare(index, part.gather(drift))
            received.append(_over_the_wire(wanted, self._case.up))
            feedback.sent(index, received[-1])
        mean = weighted_mean(received, [1.0] * len(received))
        aggregate = _over_the_wire(mean, self._case.down)
        for feedback in self._feedback:
            feedback.committed(index, included=True, aggregate=aggregate)
        return aggregate


def _over_the_wire(values: Tensor, form: WireFormat) -> Tensor:
    return decode(encode(values, form), form, len(values))


def measure(case: SimulationCase) -> dict[str, Any]:
    """Return a row of the report: training until the wanted loss, or until too many samples."""
    started = time.process_time()
    swarm = _SimulatedSwarm(case)
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


def _known(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text())["results"]) if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help=f"rows, separated by commas; of {len(CASES)}, as --list shows them")
    parser.add_argument("--list", action="store_true", help="show the names of all rows, and measure none")
    given = parser.parse_args()
    if given.list:
        print(*CASES, sep="\n")
        return
    torch.set_num_threads(1)
    path = given.out / f"{_NAME}.json"
    for name in given.only.split(",") if given.only else CASES:
        rows = _known(path)
        if any(row["case"] == name for row in rows):
            continue
        report = BenchmarkReport(_NAME, __doc__ or "")
        row = {**measure(CASES[name]), "commit": report.commit}
        shown = [{key: value for key, value in row.items() if not isinstance(value, list)}]
        report.show(shown)
        report.save([*rows, row], folder=given.out, threads=1, wanted_loss=_WANTED_LOSS)


if __name__ == "__main__":
    main()
