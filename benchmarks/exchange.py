"""Traffic, time and error of averaging the emoji preset's gradients in a swarm on loopback, by encoding.

Bytes are those of the averagers' messages, counted at each peer as it sends and receives them; what libp2p, TCP
and the DHT add is not in them. The formula is the butterfly's: each of N peers sends 2 (N - 1) / N times the
encoded gradient. Gradients are real ones: of the freshly initialised model, on other samples of the embedded
data at each peer.
"""

import argparse
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import torch
from torch import Tensor

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.subjects.swarm import AveragerSwarm, PeerRound
from core.data.streaming.stream import CodeStream
from core.model.family.trainable import TrainableModel
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules
from core.run.training.families import picture_rules
from core.storage.files import resolve_file
from core.swarm.initial_model import initial_model
from core.swarm.rounds.partition import Part, round_parts
from core.text import CaptionTokenizer

_MANIFEST = Path(__file__).parent.parent / "assets" / "embedded" / "run.toml"
_SWARMS = (2, 4)
_PASSES = 2
"""Number of times that every swarm is started."""
_ROUNDS = 4
"""Rounds of each start; the first is left out, as it runs before any time limit is derived from
experience."""
_SAMPLES = 32
_MATCHMAKING_SECONDS = 3.0
"""Seconds of matchmaking, as in the embedded run."""
_BASELINE = "float32"
RULES: Mapping[str, SwarmRules] = {
    "uniform8 + float16": SwarmRules(
        gradient_encoding=Encoding.UNIFORM8, matchmaking_seconds=_MATCHMAKING_SECONDS
    ),
    "blockwise8 + float16": SwarmRules(
        gradient_encoding=Encoding.BLOCKWISE8, matchmaking_seconds=_MATCHMAKING_SECONDS
    ),
    "float16": SwarmRules(gradient_encoding=Encoding.FLOAT16, matchmaking_seconds=_MATCHMAKING_SECONDS),
    _BASELINE: SwarmRules(
        gradient_encoding=Encoding.FLOAT32,
        small_tensor_encoding=Encoding.FLOAT32,
        matchmaking_seconds=_MATCHMAKING_SECONDS,
    ),
}


def gradients(peers: int) -> list[list[Tensor]]:
    """Return each peer's gradients and, as in a run, its mean loss; peers see different samples."""
    manifest = RunManifest.load(_MANIFEST)
    training, base = picture_rules(manifest.training), _MANIFEST.parent
    model = initial_model(manifest, base)
    tokenizer = CaptionTokenizer.load(
        resolve_file(training.text.tokenizer, base), length=training.text.length
    )
    return [
        _gradients_of(model, tokenizer, CodeStream.open(training, base, peer=str(peer)))
        for peer in range(peers)
    ]


def _gradients_of(model: TrainableModel, tokenizer: CaptionTokenizer, stream: CodeStream) -> list[Tensor]:
    captions, codes, _ = stream.take(_SAMPLES)
    loss = model.loss(tokenizer.encode(captions), codes)
    return [*torch.autograd.grad(loss, list(model.parameters())), loss.detach().reshape(1)]


def relative_error(
    averaged: Sequence[Tensor], given: Sequence[Sequence[Tensor]], weights: Sequence[float]
) -> float:
    """Return the relative error of all averaged gradients, against their weighted mean in float64."""
    square_error = square = 0.0
    for index, average in enumerate(averaged[:-1]):
        exact = sum(
            (w * peer[index].double() for w, peer in zip(weights, given, strict=True)), torch.zeros(())
        )
        exact = exact / sum(weights)
        square_error += float((average.double() - exact).square().sum())
        square += float(exact.square().sum())
    return math.sqrt(square_error / square)


class ExchangeCase:
    """A swarm of one size under one encoding rule, and the results of its rounds."""

    def __init__(self, encoding: str, given: Sequence[Sequence[Tensor]]) -> None:
        self.encoding, self._given = encoding, given
        self._rules = RULES[encoding]
        self._parts: tuple[Part, ...] = round_parts([g.shape for g in given[0][:-1]], self._rules)
        self._weights = [float(_SAMPLES * (1 + peer % 3)) for peer in range(len(given))]
        self._rounds: list[list[PeerRound]] = []
        self._errors: list[float] = []

    def run(self) -> None:
        """Start the swarm, run its rounds, and end it; raise RuntimeError if the peers' averages differ."""
        with (
            tempfile.TemporaryDirectory() as folder,
            AveragerSwarm(self._given, self._parts, self._rules, Path(folder)) as swarm,
        ):
            self._rounds += [swarm.average(self._weights) for _ in range(_ROUNDS)][1:]
            first, *others = (averager.outputs for averager in swarm.averagers)
            if not all(torch.equal(a, b) for other in others for a, b in zip(first, other, strict=True)):
                raise RuntimeError(f"Peers hold unlike averages under {self.encoding}.")
            self._errors.append(relative_error(first, self._given, self._weights))

    def row(self) -> dict[str, Any]:
        """Return means of bytes over peers, and medians over rounds of the slowest peer's seconds."""
        peers = len(self._given)
        sent, received = self._bytes("sent"), self._bytes("received")
        formula = 2 * (peers - 1) / peers * sum(part.wire_bytes for part in self._parts)
        return {
            "peers": peers,
            "encoding": self.encoding,
            "sent_bytes": round(mean(sent)),
            "received_bytes": round(mean(received)),
            "of_formula": rounded(mean(sent) / formula),
            "busiest_peer_of_mean": rounded(max(sent) / mean(sent), 3),
            "matchmaking_seconds": self._seconds("matchmaking"),
            "exchange_seconds": self._seconds("exchange"),
            "settle_seconds": self._seconds("settle"),
            "relative_error": rounded(max(self._errors), 2),
        }

    def _bytes(self, direction: str) -> list[int]:
        return [getattr(peer, direction) for peers in self._rounds for peer in peers]

    def _seconds(self, phase: str) -> float:
        return rounded(median(max(getattr(peer, phase) for peer in peers) for peers in self._rounds), 2)


def measure(peers: int) -> list[dict[str, Any]]:
    """Return one row for each encoding, run in turns, with its bytes as a fraction of float32's."""
    given = gradients(peers)
    cases = [ExchangeCase(encoding, given) for encoding in RULES]
    for _ in range(_PASSES):
        for case in cases:
            case.run()
    rows = [case.row() for case in cases]
    baseline = next(row for row in rows if row["encoding"] == _BASELINE)
    return [{**row, "of_float32": rounded(row["sent_bytes"] / baseline["sent_bytes"])} for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    report = BenchmarkReport("exchange", __doc__ or "")
    rows = [row for peers in _SWARMS for row in measure(peers)]
    values = sum(item.numel() for item in gradients(1)[0])
    report.write(rows, folder=out, values=values, rounds=_PASSES * (_ROUNDS - 1), manifest=_MANIFEST.name)


if __name__ == "__main__":
    main()
