"""How far recomputed gradients are from those that were sent, for honest peers on unlike machines and for liars.

A small model of the embedded run trains in one process. At some updates, one peer's gradient is computed again from
its rows: with two threads, in micro-batches of another size, and in bfloat16. Its values are held against lies:
zeros, the gradient of the update before, the rows of another peer, false labels, the other sign, and the mean of the
peers less one deviation ("a little is enough"). "Same rows, an update later" is what a peer could send again if rows
did not follow from the head. Each number is the difference that an audit finds, as a share of the gradient's length,
after the 8 and 16 bits in which values travel. Costs are shares of the time of a micro-step of 16 samples.
"""

import argparse
import copy
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import InnerPeer, SimulationCase
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.data.streaming.assignment import epoch_order
from core.model.elsewhere import Elsewhere
from core.model.micro_steps import MicroSteps
from core.run.encodings import Encoding
from core.run.rules import SwarmRules
from core.swarm.auditing.recomputed import difference, rms_of
from core.swarm.rounds.partition import as_received, round_parts
from core.trainer.recomputation import LEAST_SHARE

_NAME = "recomputation"
_SAMPLES, _PEERS = 16, 3
_UPDATES = (0, 1, 2, 4, 8, 12)
"""Updates before which the differences are taken."""
_WINDOW_ROWS = 8192


class ComparedPeers:
    """Peers at the same parameters, and the gradients of one of them computed in several ways."""

    def __init__(self) -> None:
        case = SimulationCase("row", 1, 1, _SAMPLES, Encoding.FLOAT32, Encoding.FLOAT32, run="least")
        self.peers = [InnerPeer(case, number) for number in range(_PEERS)]
        self._shapes = [item.shape for item in self.peers[0].parameters]
        self.parts = round_parts(self._shapes, SwarmRules(large_tensor_elements=4096))
        self._before: list[Tensor] | None = None

    def difference(self, sent: list[Tensor], due: list[Tensor]) -> float:
        """Return the difference that an audit finds between two gradients in the parameters' shapes."""
        received = {index: as_received(part, part.gather(sent)) for index, part in enumerate(self.parts[:-1])}
        return rounded(difference(self.parts, received, due), 3)

    def worst_part(self, sent: list[Tensor], due: list[Tensor]) -> float:
        """Return the largest difference of a single part of two gradients, as an audit finds it in a foreign one."""
        indices = range(len(self.parts) - 1)
        least = LEAST_SHARE * rms_of(self.parts, indices, due)
        found = [
            difference(
                self.parts,
                {at: as_received(self.parts[at], self.parts[at].gather(sent))},
                due,
                least_rms=least,
            )
            for at in indices
        ]
        return rounded(max(found), 3)

    def row(self, update: int) -> dict[str, Any]:
        """Return the differences at the present parameters, and make the update."""
        drawn = [peer.samples() for peer in self.peers]
        own = [self._gradient(peer, *samples) for peer, samples in zip(self.peers, drawn, strict=True)]
        tokens, codes = drawn[0]
        first = self.peers[0]
        torch.set_num_threads(2)
        two_threads = self._gradient(first, tokens, codes)
        torch.set_num_threads(1)
        halves = [self._gradient(first, tokens[at::2], codes[at::2], scale=0.5) for at in (0, 1)]
        stacks = [torch.stack(items) for items in zip(*own, strict=True)]
        before = self._before or [torch.zeros_like(item) for item in own[0]]
        self._before = own[0]
        in_bfloat16 = _in_bfloat16(first, tokens, codes)
        found = {
            "update": update,
            "two threads": self.difference(two_threads, own[0]),
            "other micro-batches": self.difference([a + b for a, b in zip(*halves, strict=True)], own[0]),
            "bfloat16": self.difference(in_bfloat16, own[0]),
            "worst part in bfloat16": self.worst_part(in_bfloat16, own[0]),
            "zeros": self.difference([torch.zeros_like(item) for item in own[0]], own[0]),
            "of the update before": self.difference(before, own[0]),
            "rows of another": self.difference(own[1], own[0]),
            "false labels": self.difference(
                self._gradient(first, tokens, first.model.config.image_vocab - 1 - codes), own[0]
            ),
            "other sign": self.difference([-item for item in own[0]], own[0]),
            "a little": self.difference([item.mean(0) - item.std(0) for item in stacks], own[0]),
        }
        for peer in self.peers:
            for gradient, mean in zip(peer.gradients, stacks, strict=True):
                gradient.copy_(mean.mean(0))
            peer.apply_gradients(update)
        found["same rows, an update later"] = self.difference(own[0], self._gradient(first, tokens, codes))
        for gradient in first.gradients:
            gradient.zero_()
        return found

    def _gradient(self, peer: InnerPeer, tokens: Tensor, codes: Tensor, scale: float = 1.0) -> list[Tensor]:
        for gradient in peer.gradients:
            gradient.zero_()
        MicroSteps(peer.model, ()).add_gradients(tokens, codes)
        return [scale * item / len(tokens) for item in peer.gradients]


def _in_bfloat16(peer: InnerPeer, tokens: Tensor, codes: Tensor) -> list[Tensor]:
    model = copy.deepcopy(peer.model).to(torch.bfloat16)
    for parameter in model.parameters():
        parameter.grad = None
    MicroSteps(model, ()).add_gradients(tokens, codes)
    return [item.grad.float() / len(tokens) for item in model.parameters() if item.grad is not None]


def costs() -> dict[str, Any]:
    """Return what an audit costs beside the micro-steps that it repeats, as shares of a micro-step of 16 samples."""
    peer = ComparedPeers().peers[0]
    tokens, codes = peer.samples()
    parameters = list(peer.model.parameters())
    steps = MicroSteps(peer.model, ())
    step = _seconds(lambda: steps.add_gradients(tokens, codes))
    place = Elsewhere(parameters, peer.parameters)

    def enter() -> None:
        with place.entered():
            pass

    return {
        "micro-step": 1.0,
        "parameters kept": rounded(_seconds(lambda: [item.clone() for item in peer.parameters]) / step),
        "change of places": rounded(_seconds(enter) / step),
        "order of 8,192 rows": rounded(_seconds(lambda: epoch_order("a", 1, bytes(32), _WINDOW_ROWS)) / step),
    }


def _seconds(work: Callable[[], object]) -> float:
    """Return the least processor time of ``work`` in seconds."""
    found = []
    for _ in range(5):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    report = BenchmarkReport(_NAME, __doc__ or "")
    compared = ComparedPeers()
    rows = [compared.row(update) for update in range(_UPDATES[-1] + 1)]
    shown = [row for row in rows if row["update"] in _UPDATES]
    report.write([*shown, {"update": "cost", **costs()}], folder=given.out, samples=_SAMPLES, peers=_PEERS)


if __name__ == "__main__":
    main()
