"""Float32 master copies of a model's parameters on the CPU, where the optimizer works away from the model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import torch
from torch import Tensor, nn

from core.errors import CheckpointError

_CHUNK = 1 << 20  # elements on the way at once: bounds what a change of type or device takes on the side


class Masters:
    """The own parameters of a model, each once however often it is tied, as float32 on the CPU.

    The optimizer gets ``named_parameters()``, gradients arrive by ``set_gradients``, and ``copy_to_model``
    hands the result to the model, wherever it is and in whatever type it computes. Pinned if it is on a GPU.
    """

    def __init__(self, model_parameters: Iterable[tuple[str, nn.Parameter]]) -> None:
        """Copy the values of ``model_parameters``, the model's names and parameters, to the CPU.

        Raises:
            ValueError: two different parameters share memory.
        """
        self._model = _own(model_parameters)
        self._masters = {name: nn.Parameter(_host_copy(p)) for name, p in self._model.items()}

    def named_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Yield names and master copies, in the model's order."""
        yield from self._masters.items()

    def model_parameters(self) -> list[nn.Parameter]:
        """Return the model's own parameters, in the order of the masters."""
        return list(self._model.values())

    def let_go_of_model(self) -> None:
        """Hold the model no longer: the values are for others, and nothing computes with them here."""
        self._model = {}

    def tensors(self) -> dict[str, Tensor]:
        """Return the masters by name, each in its parameter's shape, to digest or write; not copies."""
        return {name: master.detach() for name, master in self._masters.items()}

    @torch.no_grad()
    def set_gradients(self, gradients: Sequence[Tensor]) -> None:
        """Take a gradient for each master; float32 on the CPU is not copied.

        Args:
            gradients: One for each master, in its order and of its shape.

        Raises:
            ValueError: their number or shapes differ; nothing is taken.
        """
        shapes = [master.shape for master in self._masters.values()]
        if [gradient.shape for gradient in gradients] != shapes:
            raise ValueError(f"needs {len(shapes)} gradients of the parameters' shapes, in their order")
        for master, gradient in zip(self._masters.values(), gradients, strict=True):
            master.grad = gradient.detach().to("cpu", torch.float32)

    def drop_gradients(self) -> None:
        """Forget the gradients and free their memory."""
        for master in self._masters.values():
            master.grad = None

    @torch.no_grad()
    def copy_to_model(self) -> None:
        """Copy the masters' values to the model, chunk by chunk, and return when they have arrived."""
        for name, parameter in self._model.items():
            if not parameter.is_contiguous():
                parameter.copy_(self._masters[name])
                continue
            source, target = self._masters[name].view(-1), parameter.view(-1)
            for start in range(0, source.numel(), _CHUNK):
                piece = slice(start, start + _CHUNK)
                target[piece].copy_(source[piece], non_blocking=True)
        for device in {parameter.device for parameter in self._model.values() if parameter.is_cuda}:
            # Of the GPU where the model is, which need not be the current one. To wait for the whole device would be
            # an error while any thread captures a CUDA graph there.
            torch.cuda.current_stream(device).synchronize()

    @torch.no_grad()
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Take the values of a checkpoint or a state download; ``copy_to_model`` passes them on.

        Args:
            tensors: Values by name, float32.

        Raises:
            CheckpointError: names, shapes, types or values do not fit; nothing is changed.
        """
        self.check(tensors)
        for name, master in self.tensors().items():
            master.copy_(tensors[name])

    def check(self, tensors: Mapping[str, Tensor]) -> None:
        """Raise the CheckpointError that ``load`` would raise for ``tensors``.

        They must be float32, in the shapes of the parameters.
        """
        own = self.tensors()
        if own.keys() != tensors.keys():
            raise _unfit(f"{min(own.keys() ^ tensors.keys())} is in one of them only")
        for name, master in own.items():
            given = tensors[name]
            if not given.isfinite().all():
                raise _unfit(f"{name} holds values that are not finite")
            if given.shape != master.shape or given.dtype != torch.float32:
                raise _unfit(
                    f"{name} is {given.dtype} {tuple(given.shape)}, not float32 {tuple(master.shape)}"
                )


def _own(model_parameters: Iterable[tuple[str, nn.Parameter]]) -> dict[str, nn.Parameter]:
    """Return each parameter under the first of its names."""
    own: dict[str, nn.Parameter] = {}
    names: dict[int, str] = {}
    for name, parameter in model_parameters:
        if names.setdefault(id(parameter), name) == name:
            own[name] = parameter
    _check_apart(own)
    return own


def _check_apart(parameters: Mapping[str, nn.Parameter]) -> None:
    names: dict[int, str] = {}
    for name, parameter in parameters.items():
        if parameter.numel() and names.setdefault(parameter.data_ptr(), name) != name:
            raise ValueError(
                f"{name} and {names[parameter.data_ptr()]} are two parameters over the same memory"
            )


def _host_copy(parameter: nn.Parameter) -> Tensor:
    copy = torch.empty(parameter.shape, dtype=torch.float32, pin_memory=parameter.is_cuda)
    return copy.copy_(parameter.detach())


def _unfit(what: str) -> CheckpointError:
    return CheckpointError(
        f"The parameters are unfit for this model: {what}.",
        "Use a checkpoint of the run that this model belongs to.",
    )
