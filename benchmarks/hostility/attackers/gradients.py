"""Attackers that send other values than they computed, or count them for more: trainers with false contributions."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import torch

from benchmarks.hostility.attackers.attacker import Attacker, replace
from benchmarks.hostility.seat import PeerSeat
from core.data.streaming import stream
from core.data.streaming.sample_stream import MicroBatch
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.swarm.own_round import OwnRound
from core.swarm.rounds.allreduce import AllReduce

_REMEMBERED = 8
"""Own gradients by which an attacker that knows no others' estimates how they vary."""

_LEAST_Z = 1.0

GradientForgery = Callable[[Sequence[torch.Tensor]], Sequence[torch.Tensor]]
"""Returns what is sent in place of tensors of any shapes: as many, in the same shapes."""


def scaled(factor: float) -> GradientForgery:
    """Return the forgery that sends each tensor times ``factor``."""
    return lambda tensors: [factor * item for item in tensors]


def little(mean: torch.Tensor, deviation: torch.Tensor, z: float) -> torch.Tensor:
    """Return the mean less ``z`` deviations: "A little is enough" (Baruch et al., 2019, algorithm 3).

    ``mean`` and ``deviation`` are those of honest gradients by value, of one shape, which the result has.
    """
    return mean - z * deviation


def largest_z(peers: int, hostile: int) -> float:
    """Return the deviations that hide among the honest of a group of ``peers`` (Baruch et al., 2019, section 3.2).

    ``hostile`` of the peers collude. As many honest peers as a majority lacks are further from the mean than they.
    Among few peers that is next to nothing, so the result is `_LEAST_Z` at least: what does harm.
    """
    lacking = peers // 2 + 1 - hostile
    share = (peers - hostile - lacking) / (peers - hostile)
    hidden = math.sqrt(2) * float(torch.erfinv(torch.tensor(2 * share - 1)))
    return max(hidden, _LEAST_Z)


class ForgingTrainer(Attacker):
    """Sends the values that a forgery makes of its own gradients, and states its samples as they are.

    The robust rule of aggregation should bound what they do.
    """

    def meet(self, peer: Any) -> None:
        """Forge what the ``peer`` hands over to each round."""
        replace(peer.work, "hand_over", self._forging)

    def forge(self, tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """Return what is sent in place of ``tensors``, this peer's own of the parameters' shapes."""
        raise NotImplementedError

    def _forging(self, hand_over: Callable[..., Any]) -> Callable[..., Any]:
        def forging(inputs: Sequence[torch.Tensor]) -> Any:
            batch = hand_over(inputs)
            own = [item.clone() for item in inputs[:-1]]  # the last one is the loss
            for target, forged in zip(inputs, self.forge(own), strict=False):
                target.copy_(forged)
            return batch

        return forging


class SignFlip(ForgingTrainer):
    """Sends its gradients with the other sign, times a factor (rows 4 and 5).

    The clip of norms should bound the factor, and the cap on weights what one user counts for.
    """

    def __init__(self, seat: PeerSeat, *, factor: float = 1.0, batches: float = 0.0) -> None:
        """Send gradients times minus ``factor`` with a weight of ``batches`` target batches; 0: the true one."""
        super().__init__(seat)
        self._forgery, self._batches = scaled(-factor), batches

    def prepare(self) -> None:
        """State a forged weight, if there is one."""
        if self._batches:
            rules = RunManifest.load(self.seat.manifest).training.swarm
            forged = int(min(self._batches * rules.target_batch_size, rules.most_samples))
            replace(OwnRound, "_counted", lambda counted: lambda own, batch: forged)

    def forge(self, tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """Return ``tensors``, of any shapes, with the other sign."""
        return self._forgery(tensors)


class LittleIsEnough(ForgingTrainer):
    """Sends the mean gradient less a few deviations, so that it passes for an honest one (Baruch et al., 2019).

    Clipping around the last aggregate should bound it, and recomputation of its work find it out.
    """

    def __init__(self, seat: PeerSeat, *, peers: int, hostile: int) -> None:
        """Hide in a swarm of ``peers`` peers, of which ``hostile`` ones collude."""
        super().__init__(seat)
        self._z = largest_z(peers, hostile)
        self._seen: deque[list[torch.Tensor]] = deque(maxlen=_REMEMBERED)

    def forge(self, tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """Return forged gradients in the shapes of ``tensors``, by its own gradients of the last rounds."""
        self._seen.append(list(tensors))
        if len(self._seen) < 2:
            return tensors
        stacks = [torch.stack(items) for items in zip(*self._seen, strict=True)]
        return [little(stack.mean(0), stack.std(0), self._z) for stack in stacks]


class InnerProduct(SignFlip):
    """Sends a small multiple of its gradients with the other sign (Xie et al., 2020): the mean loses its direction.

    Clipping does not see it, as its norm is small: robust rules that look for outliers, and recomputation, should.
    """


class ZeroSender(ForgingTrainer):
    """Sends zeros for the samples that it claims, and so has computed nothing: a free-rider.

    Recomputation of its work should find it out, and credits should wait for that.
    """

    def forge(self, tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """Return zeros in the shapes of ``tensors``."""
        return [torch.zeros_like(item) for item in tensors]


class Repeater(ForgingTrainer):
    """Sends its first gradients again and again: a free-rider whose values look like work.

    Recomputation of its work should find it out.
    """

    def __init__(self, seat: PeerSeat) -> None:
        """Keep the first gradients."""
        super().__init__(seat)
        self._kept: Sequence[torch.Tensor] | None = None

    def forge(self, tensors: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """Return the first gradients in place of ``tensors``, in their shapes."""
        self._kept = self._kept or tensors
        return self._kept


def flipped_labels(batch: MicroBatch, vocabulary: int) -> MicroBatch:
    """Return the ``batch`` with each code counted from the other end of the ``vocabulary``."""
    return batch._replace(codes=vocabulary - 1 - batch.codes)


class LabelFlipper(Attacker):
    """Trains honestly on false data: all codes counted from the other end of the codebook.

    The robust rule should bound it, and recomputation from the rows that are its own find it out.
    """

    def prepare(self) -> None:
        """Flip the labels in what the stream of samples gives."""
        vocabulary = picture_rules(RunManifest.load(self.seat.manifest).training).model.image_vocab
        replace(
            stream.CodeStream,
            "take",
            lambda take: lambda own, count: flipped_labels(take(own, count), vocabulary),
        )


class SlowDrip(Attacker):
    """Sends each part just before it would count as silent, so that rounds last as long as they may.

    The pace that reducers ask of senders should drop it, and the next groups go on without it.
    """

    def __init__(self, seat: PeerSeat, *, share: float = 0.8) -> None:
        """Wait that ``share`` of the seconds for which a sender may be silent, before each part."""
        super().__init__(seat)
        self._share = share

    def prepare(self) -> None:
        """Slow the sending of parts down."""
        replace(AllReduce, "_outgoing", self._dripping)

    def _dripping(self, outgoing: Callable[..., Any]) -> Callable[..., Any]:
        share = self._share

        async def dripping(own: Any, owner: int) -> Any:
            async for message in outgoing(own, owner):
                began = time.monotonic()
                while time.monotonic() - began < share * own._limits.sender_seconds:
                    await asyncio.sleep(0.1)
                yield message

        return dripping
