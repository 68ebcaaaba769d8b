"""The stack of layers, forward and backward by hand: what each sublayer keeps is chosen, and gradients add in place.

RevNet (Gomez et al., 2017) as in Brügger et al. (2019): two streams, y1 = x1 + f(x2), y2 = x2 + g(y1), so
the inputs of a layer follow from its outputs, and memory does not grow with depth. Gradient checkpointing
(Chen et al., 2016) keeps inputs instead. Branches must be deterministic.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from torch import Tensor

from core.model.ends import boost
from core.model.gradients import Gradients
from core.model.techniques import Activations


class Branch(Protocol):
    """A residual branch: a function of one stream that is added to another, or to the same."""

    @property
    def scale(self) -> Tensor:
        """The LayerScale by which its output is multiplied, of shape (dim,)."""

    def add_to(self, stream: Tensor, x: Tensor, keep: bool) -> Any:
        """Add the branch's output for ``x`` to ``stream``, both of shape (batch, positions, dim).

        If ``keep``, return parts of the forward pass that `backward` can use.
        """

    def backward(
        self, stream: Tensor, x: Tensor, grad: Tensor, kept: Any, rebuild: bool, gradients: Gradients
    ) -> Tensor:
        """Compute the gradient of ``x`` through the branch, (batch, positions, dim).

        Args:
            stream: Stream behind the branch, (batch, positions, dim).
            x: Input of the branch, (batch, positions, dim).
            grad: Gradient of the branch's output, (batch, positions, dim).
            kept: Result of `add_to`; None: the parts are computed again.
            rebuild: True to turn ``stream`` back into the stream before the branch.
            gradients: Sums that the parameters' gradients are added to.
        """


class StackStep(NamedTuple):
    """Parts of a sublayer's forward pass for its backward pass."""

    before: Tensor | None
    """Stream before the sublayer added to it; None: it is rebuilt."""
    kept: Any


class Tape(NamedTuple):
    """The end of a forward pass, from which the backward pass starts."""

    streams: tuple[Tensor, ...]
    steps: list[StackStep]


class Stack:
    """Sublayers over one stream, or over two if it is reversible."""

    def __init__(
        self,
        branches: Sequence[Branch],
        activations: Sequence[Activations],
        *,
        reversible: bool,
        boosts: bool = False,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        """Put branches in a row.

        Args:
            branches: Sublayers, attention and feed-forward in turns.
            activations: Activations that each sublayer keeps.
            reversible: True for two streams that add to each other.
            boosts: True to multiply the gradient of each branch, as float16 has no small numbers.
            between: Called before each sublayer, forward and backward.
        """
        self._branches, self._activations, self._between = branches, activations, between
        self._count, self._boosts = 2 if reversible else 1, boosts

    def forward(self, x: Tensor, remember: bool) -> tuple[Tensor, Tape]:
        """Map ``x``, (batch, positions, dim), to the mean of the streams behind the last sublayer.

        The result has the same shape. All streams start at ``x``. The second result is the tape; `backward`
        needs one that was made with ``remember``.
        """
        streams = [x.clone() for _ in range(self._count)]
        steps = []
        for index, branch in enumerate(self._branches):
            self._between()
            stream, other = self._pair(streams, index)
            mode = self._activations[index]
            before = stream.clone() if remember and mode is not Activations.REVERSE else None
            source = before if stream is other and before is not None else other
            kept = branch.add_to(stream, source, remember and mode is Activations.KEEP)
            if remember:
                steps.append(StackStep(before, kept))
        out = streams[0] if self._count == 1 else (streams[0] + streams[1]).div_(2)
        return out, Tape(tuple(streams), steps)

    def backward(self, tape: Tape, grad: Tensor, gradients: Gradients) -> Tensor:
        """Compute the gradient of ``x``, (batch, positions, dim), and use the ``tape`` up.

        Args:
            tape: Second result of `forward`.
            grad: Gradient of the first result of `forward`, (batch, positions, dim).
            gradients: Sums that the parameters' gradients are added to.
        """
        streams = list(tape.streams)
        grads = [grad / self._count for _ in streams]
        for index in reversed(range(len(self._branches))):
            self._between()
            with gradients.stage():
                self._undo(index, tape.steps.pop(), streams, grads, gradients)
        return sum(grads[1:], start=grads[0])

    def _undo(
        self, index: int, step: StackStep, streams: list[Tensor], grads: list[Tensor], gradients: Gradients
    ) -> None:
        """Go back through a sublayer: rebuild its stream, and complete the gradient of its input."""
        own, other = index % self._count, (index + 1) % self._count
        if step.before is not None:
            streams[own] = step.before
        branch, grad = self._branches[index], grads[own]
        if self._boosts:
            factor = boost(grad * branch.scale)
            grad, gradients.factor = grad * factor, 1 / factor
        of_other = branch.backward(
            streams[own], streams[other], grad, step.kept, step.before is None, gradients
        )
        if gradients.factor is not None:
            of_other *= gradients.factor
            gradients.factor = None
        grads[other] += of_other

    def _pair(self, streams: list[Tensor], index: int) -> tuple[Tensor, Tensor]:
        """Return the stream that a sublayer adds to, and the one that it reads."""
        return streams[index % self._count], streams[(index + 1) % self._count]


def activations_by_sublayer(depth: int, base: Activations, checkpointed: int, kept: int) -> list[Activations]:
    """Return the activations that each sublayer keeps, attention and feed-forward in turns.

    Args:
        depth: Number of layers.
        base: Activations that layers keep unless the next two say otherwise.
        checkpointed: Layers before the ``kept`` ones that keep the stream their feed-forward adds to, if
            ``base`` is REVERSE: that saves its second product.
        kept: Last layers that keep everything.
    """
    modes = []
    for layer in range(depth):
        if layer >= depth - kept:
            modes += [Activations.KEEP] * 2
        elif base is Activations.REVERSE and layer >= depth - kept - checkpointed:
            modes += [Activations.REVERSE, Activations.CHECKPOINT]
        else:
            modes += [base] * 2
    return modes
