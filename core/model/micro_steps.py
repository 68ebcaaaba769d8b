"""Runs micro-steps within the memory there is: where it ends, goes on with the same samples and leaner techniques."""

import logging
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache

import torch
from torch import Tensor

from core.errors import MemoryPlanError
from core.model.family.trainable import TrainableModel, do_nothing
from core.model.gradients import Gradients
from core.model.graphs import Between, Inputs, Recordings
from core.model.techniques import Techniques

_log = logging.getLogger(__name__)

_WORDS = (
    *("can't allocate memory", "could not create a primitive", "bad_alloc"),
    *("out of memory", "ALLOC_FAILED"),
)
"""Messages of failed allocations by torch's CPU allocator, oneDNN, C++, CUDA and its libraries without an error type.
"""


class MicroSteps:
    """Adds the gradients of samples to the model's ``.grad``, each sample exactly once.

    A backward pass that runs out of memory has added a part of its gradients: `core.model.gradients` knows which, and
    the repetition leaves just those out.
    """

    def __init__(
        self,
        model: TrainableModel,
        leaner: Iterable[Techniques],
        on_step_down: Callable[[], None] = lambda: None,
        between: Between = do_nothing,
    ) -> None:
        """Prepare micro-steps of a model; parameters without a ``.grad`` get one of zeros.

        Args:
            model: Model that is trained.
            leaner: Techniques to try, one after the other, when the model's own take too much memory.
            on_step_down: Called once the next techniques are in use.
            between: Called between sublayers; if it raises, the gradients that were added are of no use.
        """
        self._model, self._leaner, self._on_step_down = model, iter(leaner), on_step_down
        self._between = between
        self._recordings = Recordings(self._compute)
        self._parameters = list(model.parameters())
        for parameter in self._parameters:
            if parameter.grad is None:
                # An unfinished pass adds to what is there: what autograd has yet to store would be lost.
                parameter.grad = torch.zeros_like(parameter, dtype=parameter.grad_dtype)

    @property
    def micro_batch(self) -> int:
        """Samples that a micro-step takes now."""
        return self._model.techniques.micro_batch

    def add_gradients(self, *inputs: Tensor) -> float:
        """Add the gradients of the summed loss of any number of samples, and return their mean loss.

        Args:
            *inputs: The samples as the model's loss takes them, such as texts and codes; the first size of each is
                the number of samples.

        Raises:
            MemoryPlanError: the leanest techniques take too much memory; the gradients that were added are of
                no use.
        """
        return self._add(inputs, skip=0) / len(inputs[0])

    def _add(self, inputs: Inputs, skip: int) -> float:
        """Return the summed loss of samples, and add their gradients.

        The first ``skip`` stages of the backward pass have been added already.
        """
        if len(inputs[0]) > self.micro_batch:
            parts = zip(*(item.split(self.micro_batch) for item in inputs), strict=True)
            return sum(self._add(part, skip) for part in parts)
        gradients = Gradients(skip)
        try:
            return self._attempt(inputs, gradients)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
        # Outside the handler, where the error no longer holds the tensors of the failed attempt.
        if self.drop_recording():
            _log.info("Memory ran out beside a recorded micro-step: micro-steps are computed from now on.")
        else:
            self._step_down()
        return self._add(inputs, max(skip, gradients.done))

    def drop_recording(self) -> bool:
        """Give back the memory of the recorded micro-step; return false if there is none."""
        had_one = self._recordings.drop()
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()
        return had_one

    def _attempt(self, inputs: Inputs, gradients: Gradients) -> float:
        if not inputs[0].is_cuda:
            return self._compute(inputs, gradients, self._between).item()
        with _on_own_stream(inputs[0].device), torch.autograd.set_multithreading_enabled(False):
            recorded = self._recordings.of(self._kind(), inputs) if gradients.complete else None
            return (recorded or self._compute)(inputs, gradients, self._between).item()

    def _kind(self) -> Hashable:
        """Return what a recording depends on: the techniques, and the places of all that it reads and changes."""
        grads = (item.grad for item in self._parameters)
        places = (item.data_ptr() for item in (*self._parameters, *grads) if item is not None)
        return self._model.techniques, tuple(places)

    def _compute(self, inputs: Inputs, gradients: Gradients, between: Between) -> Tensor:
        self._model.between = between
        try:
            loss = self._model.loss(*inputs, gradients=gradients) * len(inputs[0])
            loss.backward()
            return loss.detach()
        finally:
            self._model.between = do_nothing  # other passes through the model must not wait

    def _step_down(self) -> None:
        instead = next(self._leaner, None)
        if instead is None:
            raise MemoryPlanError(
                "There is too little memory to train this model, even with all that saves memory.",
                "Close other programs that use the GPU or much memory, and start again.",
            )
        self._model.use(instead)
        self._on_step_down()


def stream_of(device: torch.device) -> torch.cuda.Stream:
    """Return the stream on which micro-steps run on the GPU ``device``: the default one can't be recorded."""
    return _stream(torch.cuda.current_device() if device.index is None else device.index)


@cache
def _stream(index: int) -> torch.cuda.Stream:
    return torch.cuda.Stream(index)


@contextmanager
def _on_own_stream(device: torch.device) -> Iterator[None]:
    here, own = torch.cuda.current_stream(device), stream_of(device)
    own.wait_stream(here)
    try:
        with torch.cuda.stream(own):
            yield
    finally:
        here.wait_stream(own)


def is_out_of_memory(error: BaseException) -> bool:
    """Return true if an error of torch says that an allocation failed, on a GPU or in RAM."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return any(words in str(error) for words in _WORDS)
