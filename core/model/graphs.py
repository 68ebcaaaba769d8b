"""Micro-steps that a GPU repeats from CUDA graphs: the processor then launches a sublayer at once, not each kernel.

To launch a kernel takes the processor about as long as a fast GPU needs to run it. Graphs free both: a micro-step of
one sample takes less than a third of the time, and the processor's core has nothing to do meanwhile. A graph ends
wherever training may stand still, so training stops as soon as without graphs. Only while a micro-step is recorded,
about a second once, it can't stop.
"""

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress

import torch
from torch import Tensor

from core.model.gradients import Gradients

_log = logging.getLogger(__name__)

_BEFORE_RECORDING = 2
"""Micro-steps of a size that are computed before one is recorded: libraries have their workspaces then."""
_MOST_OTHERS = 50
"""Micro-steps of other sizes in a row after which a recording is dropped: its own size may never come again."""

Between = Callable[[], None]
"""Called between sublayers."""
Inputs = Sequence[Tensor]
"""Tensors of samples that a loss is computed from, such as texts and codes; their first size is the samples'."""
ComputeMicroStep = Callable[[Inputs, Gradients, Between], Tensor]
"""Adds the gradients of samples, and returns their summed loss, a scalar; all on one GPU."""


class RecordedMicroStep:
    """A micro-step as CUDA graphs, one from each call of `between` to the next.

    The graphs share one pool of memory, because they run in the order in which they were recorded. The pool takes as
    much memory as the step itself, and keeps it. Parameters and gradients must stay where they are.
    """

    def __init__(self, compute: ComputeMicroStep, inputs: Inputs) -> None:
        """Record a micro-step on the current stream, which is not the default one; nothing is computed.

        Args:
            compute: The micro-step. It must not look at values, and must use the tensors that it changes in place.
            inputs: Samples of its shapes.

        Raises:
            RuntimeError: memory runs out, or the step does what cannot be recorded.
        """
        self._inputs = [item.clone() for item in inputs]
        self._pool, self._graphs = torch.cuda.graph_pool_handle(), list[torch.cuda.CUDAGraph]()
        self._done = list[int]()
        """Stages of the backward pass that are finished before each graph, and in the end."""
        gradients = Gradients()

        def cut() -> None:
            self._graphs[-1].capture_end()
            self._begin(gradients)

        try:
            self._begin(gradients)
            self._loss = compute(self._inputs, gradients, cut)
            self._graphs[-1].capture_end()
        except BaseException:
            self._give_up()
            raise
        self._done.append(gradients.done)

    def __call__(self, inputs: Inputs, gradients: Gradients, between: Between) -> Tensor:
        """Run the micro-step on the current stream, and return its loss, which the next call overwrites.

        Args:
            inputs: Samples of the recorded shapes.
            gradients: Gets to know the stages that are done; a graph that can't be launched adds nothing.
            between: Called between sublayers; if it raises, the gradients that were added are of no use.
        """
        for place, item in zip(self._inputs, inputs, strict=True):
            place.copy_(item)
        for index, graph in enumerate(self._graphs):
            if index:
                between()
            graph.replay()
            gradients.done = self._done[index + 1]
        return self._loss

    def _begin(self, gradients: Gradients) -> None:
        self._done.append(gradients.done)
        graph = torch.cuda.CUDAGraph()
        # Other threads of a trainer, such as one that draws, go on as they like.
        graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
        self._graphs.append(graph)

    def _give_up(self) -> None:
        """End a recording that failed, and the allocator's part in it, which torch forgets if CUDA refuses."""
        try:
            self._graphs[-1].capture_end()
        except (RuntimeError, IndexError):
            with suppress(RuntimeError, AttributeError):
                torch._C._cuda_endAllocateToPool(self._inputs[0].device.index, self._pool)


MakeRecording = Callable[[ComputeMicroStep, Inputs], ComputeMicroStep]
"""Records a micro-step with samples of its shapes."""


class Recordings:
    """Records the micro-steps of the first size that comes again and again.

    One size is recorded at a time, since its graphs hold memory.
    """

    def __init__(self, compute: ComputeMicroStep, record: MakeRecording = RecordedMicroStep) -> None:
        """Prepare to record ``compute``, by ``record``."""
        self._compute, self._record = compute, record
        self._kind: Hashable = None
        self._recorded: ComputeMicroStep | None = None
        self._samples, self._others, self._may_record = 0, 0, True
        self._seen = Counter[int]()

    def of(self, kind: Hashable, inputs: Inputs) -> ComputeMicroStep | None:
        """Return the recording of micro-steps like this one; None: there is none, and this one must be computed.

        Args:
            kind: Whatever, besides the number of samples, decides about how they are computed, and where.
            inputs: Samples.
        """
        if kind != self._kind or self._others > _MOST_OTHERS:
            self._forget()
            self._kind = kind
        samples = len(inputs[0])
        self._seen[samples] += 1
        if self._recorded is None and self._may_record and self._seen[samples] > _BEFORE_RECORDING:
            self._try_to_record(inputs)
        self._others = 0 if self._recorded is None or samples == self._samples else self._others + 1
        return self._recorded if samples == self._samples else None

    def drop(self) -> bool:
        """Drop the recording for its memory, and record no more of its kind; return true if there was one."""
        had_one = self._recorded is not None
        self._forget()
        self._may_record = not had_one
        return had_one

    def _forget(self) -> None:
        self._recorded = None
        self._samples, self._others, self._may_record = 0, 0, True
        self._seen.clear()

    def _try_to_record(self, inputs: Inputs) -> None:
        if inputs[0].is_cuda:
            torch.cuda.empty_cache()  # what is cached could not be used by the recording
        why = ""
        try:
            self._recorded = self._record(self._compute, inputs)
        except (RuntimeError, MemoryError) as error:
            why = str(error)  # the error itself would hold the tensors of the failed attempt
        if self._recorded is None:
            self._may_record = False
            _log.info("Micro-steps are not repeated from CUDA graphs: %s", why)
            return
        self._samples = len(inputs[0])
        _log.info("Micro-steps of %d samples are repeated from CUDA graphs.", self._samples)
