"""Measures the cosines and lengths by which a peer objects to an aggregate, for honest and hostile ones.

Ten peers of a small model of the embedded run train in one process. At some rounds, the contribution of one is held
against aggregates: the mean of seven others, that of two others, that of three with the other sign (a group of
hostile users alone), and that of all ten of which three have the other sign and twice the weight. The length is that
of the mean of two, as a multiple of the peer's own. Gradients are of eight samples, and drifts of four steps of as
many.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import InnerPeer, SimulationCase
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from core.run.encodings import Encoding

_NAME = "agreement"
_PEERS, _HOSTILE, _SAMPLES = 10, 3, 8
_PROCEDURES = {"gradients": (1, 200), "local_steps": (4, 40)}
"""Steps of a round, and rounds, of each procedure."""
_SHOWN = 6


class ComparedContributors:
    """Peers at common parameters, and their contributions to one round."""

    def __init__(self, steps: int) -> None:
        """Make rounds of that many ``steps``."""
        case = SimulationCase("row", _PEERS, steps, _SAMPLES, Encoding.FLOAT32, Encoding.FLOAT32, run="least")
        self.peers = [InnerPeer(case, number) for number in range(_PEERS)]
        self._steps, self._made = steps, 0

    def contributions(self) -> Tensor:
        """Return the contributions to a round, one in each row, after which all peers take their mean."""
        if self._steps == 1:
            found = torch.stack([peer.gradient() for peer in self.peers])
            self._take(found.mean(0))
            return found
        begin = [_flat(peer.parameters) for peer in self.peers]
        for step in range(self._steps):
            for peer in self.peers:
                peer.step(self._made + step)
        self._made += self._steps
        found = torch.stack([_flat(peer.parameters) - at for peer, at in zip(self.peers, begin, strict=True)])
        common = begin[0] + found.mean(0)
        for peer in self.peers:
            _fill(peer.parameters, common)
        return found

    def _take(self, mean: Tensor) -> None:
        for peer in self.peers:
            _fill(peer.gradients, mean)
            peer.apply_gradients(self._made)
        self._made += 1


def _flat(tensors: Sequence[Tensor]) -> Tensor:
    return torch.cat([item.reshape(-1) for item in tensors])


def _fill(tensors: Sequence[Tensor], values: Tensor) -> None:
    offset = 0
    for item in tensors:
        item.copy_(values[offset : offset + item.numel()].view(item.shape))
        offset += item.numel()


def aggregates(found: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Yield the names and values of aggregates of the contributions ``found``, without that of the first peer.

    ``found`` has a contribution in each row, of shape (peers, values).
    """
    others, hostile = found[1 : 1 + _PEERS - _HOSTILE], found[-_HOSTILE:]
    yield "of others", others.mean(0)
    yield "of two", found[1:3].mean(0)
    yield "three with the other sign", -hostile.mean(0)
    all_honest = others[:-1].sum(0) + found[0]
    yield "twice the weight among ten", (all_honest - 2 * hostile.sum(0)) / (_PEERS + _HOSTILE)


def rows(procedure: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a ``procedure``: the rounds in equal steps, with the cosine and length of each aggregate."""
    steps, rounds = _PROCEDURES[procedure]
    peers = ComparedContributors(steps)
    every = rounds // _SHOWN
    for number in range(rounds):
        found = peers.contributions()
        if number % every == 0:
            row: dict[str, Any] = {"procedure": procedure, "round": number}
            for name, aggregate in aggregates(found):
                cosines = torch.nn.functional.cosine_similarity(found[:1], aggregate[None])
                row[name] = rounded(float(cosines[0]), 3)
            lengths = found.norm(dim=1)
            row["length of two"] = rounded(float(found[1:3].mean(0).norm() / lengths[0]), 3)
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    torch.set_num_threads(1)
    report = BenchmarkReport(_NAME, __doc__ or "")
    found = [row for procedure in _PROCEDURES for row in rows(procedure)]
    report.write(found, folder=given.out, samples=_SAMPLES, peers=_PEERS)


if __name__ == "__main__":
    main()
