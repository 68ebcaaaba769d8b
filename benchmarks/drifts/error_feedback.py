"""Keeps what one peer wanted to contribute and no committed aggregate has taken yet: its error buffers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.errors import CheckpointError, SwarmError

_NAME = "error_feedback"


@dataclass
class _PartValues:
    """A part's values in the round that is under way."""

    wanted: Tensor
    sent: Tensor | None = None


class ErrorFeedback:
    """One peer's error buffers, part by part (Seide et al., 2014; Karimireddy et al., 2019; Shi et al., 2019).

    A round takes three calls a part: `prepare` adds the buffer to the drift, `sent` notes what a receiver decodes
    of it, `committed` takes off what the aggregate has in fact used. Until then the buffers are as they were
    before the round, so a round that fails costs no more than `abandon`.

    For ``decay`` 1 and equal weights nothing is lost on the way: all that was applied, the mean of all buffers, and
    the error with which aggregates were encoded where they are not zero, add up to the mean of all drifts. That
    last error can't be given back: a member knows the decoded aggregate and its own values, not the exact mean. Only
    the reducer knows that, and what it kept would be lost with it, or with a round that it doesn't reduce.

    Memory: one value in the buffer for each value of the model, and in a round the values of `prepare`, to which
    the caller's own reference is the same memory.
    """

    def __init__(
        self, lengths: Sequence[int], *, decay: float = 1.0, dtype: torch.dtype = torch.float32
    ) -> None:
        """Begin with buffers of zeros.

        Args:
            lengths: Number of values of each part.
            decay: Share of a buffer that the next round adds to its drift, in [0, 1]; SparseLoCo takes 0.95.
            dtype: Type of the buffers; bfloat16 halves their memory and rounds what they keep.

        Raises:
            ValueError: the decay is not in [0, 1].
        """
        if not 0 <= decay <= 1:
            raise ValueError(f"decay must be from 0 to 1, not {decay}")
        self._decay = decay
        self._buffers = [torch.zeros(length, dtype=dtype) for length in lengths]
        self._offers: dict[int, _PartValues] = {}

    def prepare(self, part: int, drift: Tensor) -> Tensor:
        """Return the values to encode: the drift and what earlier rounds have left, in memory of their own.

        The caller must not change them before the round has ended. A second call begins the part again.

        Args:
            part: Index of the part.
            drift: Values of the part, finite float32 of shape (values,).

        Raises:
            ValueError: the drift has another shape than the part.
        """
        buffer = self._buffers[part]
        if drift.shape != buffer.shape:
            raise ValueError(
                f"part {part} has {len(buffer)} values, and the drift has the shape {tuple(drift.shape)}"
            )
        wanted = torch.add(drift, buffer.float(), alpha=self._decay)
        self._offers[part] = _PartValues(wanted)
        return wanted

    def sent(self, part: int, decoded: Tensor) -> None:
        """Note what a receiver decodes of a part that `prepare` has returned.

        Args:
            part: Index of the part.
            decoded: Values, float32 of shape (values,).

        Raises:
            SwarmError: the part was not prepared.
        """
        self._offer(part).sent = decoded

    def committed(self, part: int, *, included: bool, aggregate: Tensor) -> None:
        """Keep what the committed aggregate of a part has not taken.

        Where the aggregate is zero, nothing was taken: what this peer sent there returns to its buffer. A peer that
        is not among the contributors keeps everything, its drift included, as it goes on from the committed
        parameters.

        Args:
            part: Index of the part.
            included: True if the aggregate contains what this peer sent.
            aggregate: Decoded committed values, float32 of shape (values,).

        Raises:
            SwarmError: the part was not prepared, or nothing of it was sent though it is included.
        """
        offer = self._offer(part)
        left = offer.wanted
        if included:
            if offer.sent is None:
                raise _out_of_order(part)
            left = left - offer.sent.where(aggregate != 0, 0.0)
        self._buffers[part].copy_(left)
        del self._offers[part]

    def abandon(self) -> None:
        """End a round that was not committed: the buffers stay as before it, and the drift is in the parameters."""
        self._offers.clear()

    def reset(self) -> None:
        """Forget everything, as a peer does that takes over another's state or an earlier checkpoint."""
        self.abandon()
        for buffer in self._buffers:
            buffer.zero_()

    def state_tensors(self) -> dict[str, Tensor]:
        """Return the buffers by name, each of shape (values,); they are not copies.

        A round that is under way is not part of it: a resumed peer's drift is in its parameters.
        """
        return {f"{_NAME}.{part}": buffer for part, buffer in enumerate(self._buffers)}

    def load_state_tensors(self, tensors: Mapping[str, Tensor]) -> None:
        """Replace the buffers, bit for bit, and abandon a round that is under way.

        Args:
            tensors: Buffers as `state_tensors` gives them, of the same names, types and shapes (values,).

        Raises:
            CheckpointError: names, types, shapes or values do not fit; nothing is changed.
        """
        own = self.state_tensors()
        if own.keys() != tensors.keys():
            raise _unfit("it has buffers for other parts")
        for name, buffer in own.items():
            given = tensors[name]
            if given.dtype != buffer.dtype or given.shape != buffer.shape:
                raise _unfit(
                    f"{name} is {given.dtype} {tuple(given.shape)}, not {buffer.dtype} {tuple(buffer.shape)}"
                )
            if not bool(given.isfinite().all()):
                raise _unfit(f"{name} holds values that are not finite")
        self.abandon()
        for name, buffer in own.items():
            buffer.copy_(tensors[name])

    def _offer(self, part: int) -> _PartValues:
        if part not in self._offers:
            raise _out_of_order(part)
        return self._offers[part]


def _out_of_order(part: int) -> SwarmError:
    return SwarmError(
        f"Part {part} of the round was neither prepared nor sent.", "Report this as a fault of the program."
    )


def _unfit(what: str) -> CheckpointError:
    return CheckpointError(
        f"The error buffers are unfit for this run: {what}.",
        "Use a checkpoint of this run, or go on without its buffers.",
    )
