"""Compiles and launches our own kernels on an NVIDIA GPU: passes over memory that PyTorch makes in several.

`kernels.cu` has them. CUDA's run-time compiler (NVRTC) and its bindings for Python come with PyTorch for CUDA, so the
machine needs no C compiler. Where they are missing or fail, and on every other device, PyTorch's own kernels do.
"""

import ctypes
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

_log = logging.getLogger(__name__)

SOURCE = Path(__file__).with_name("kernels.cu")
NAMES = ("geglu", "geglu_backward", "split_heads", "split_heads_backward", "shift", "shift_backward")
VALUES = {torch.float32: 0, torch.bfloat16: 1, torch.float16: 2}
"""Types of a branch's values, and the source's numbers for them."""
CHANNELS = 8
"""Neighbouring channels that a thread handles."""
_ALIGNMENT = 16
"""Alignment of the tensors in bytes, which is the size of a load."""
_BLOCK = 256
"""Threads of a block."""
_MOST_DEVIATION = {torch.float32: 1e-5, torch.bfloat16: 2e-2, torch.float16: 4e-3}
"""Relative deviation from PyTorch's results that `are_right` allows."""

KernelArgument = Tensor | int | float
"""A kernel's argument: the place of a tensor, a C int or a C float."""
LaunchKernel = Callable[[str, int, Sequence[KernelArgument]], None]
"""Launches the kernel of a name for a number of threads, with its arguments."""


class Kernels:
    """The kernels for values of one type; tensors must be contiguous and aligned, channels multiples of eight."""

    def __init__(self, launch: LaunchKernel) -> None:
        """Use the kernels that ``launch`` launches."""
        self._launch = launch

    def geglu(self, hidden: Tensor) -> Tensor:
        """Compute `core.model.feed_forward.geglu` of ``hidden``, (rows, 2 * inner): (rows, inner)."""
        rows, inner = hidden.shape[0], hidden.shape[1] // 2
        out = hidden.new_empty(rows, inner)
        self._launch("geglu", out.numel() // CHANNELS, (hidden, out, rows, inner))
        return out

    def geglu_backward_(self, grad: Tensor, hidden: Tensor) -> Tensor:
        """Compute the gradient of ``hidden``, (rows, 2 * inner), in its memory, and return it.

        ``grad`` is the gradient of ``geglu(hidden)``, (rows, inner).
        """
        self._launch("geglu_backward", grad.numel() // CHANNELS, (grad, hidden, *grad.shape))
        return hidden

    def split_heads(
        self, qkv: Tensor, table: Tensor, parts: Sequence[Tensor], sizes: tuple[int, int, bool]
    ) -> None:
        """Compute `core.model.heads.split_heads` into the ``parts`` of `Heads`.

        Args:
            qkv: Queries, keys and values, (batch, positions, 3 * heads * dim_head).
            table: Rotations, float32 (positions, dim_head / 2, 2).
            parts: Queries, keys and values of the text, then those of the codes, as in `Heads`.
            sizes: Text positions, codes along one side of an image, and whether lines are columns.
        """
        arguments = self._of_heads(qkv, table, parts, sizes)
        self._launch("split_heads", qkv.numel() // CHANNELS, arguments)

    def split_heads_backward(
        self, of_qkv: Tensor, table: Tensor, grads: Sequence[Tensor], sizes: tuple[int, int, bool]
    ) -> None:
        """Compute the gradient of `split_heads`.

        Args:
            of_qkv: Place of the result, (batch, positions, 3 * heads * dim_head).
            table: Rotations of the forward pass, float32 (positions, dim_head / 2, 2).
            grads: Gradients of the parts, in their order.
            sizes: Sizes of the forward pass.
        """
        arguments = self._of_heads(of_qkv, table, grads, sizes)
        self._launch("split_heads_backward", of_qkv.numel() // CHANNELS, arguments)

    def _of_heads(
        self, qkv: Tensor, table: Tensor, parts: Sequence[Tensor], sizes: tuple[int, int, bool]
    ) -> tuple[KernelArgument, ...]:
        batch, positions, channels = qkv.shape
        width, (words, grid, by_columns) = 2 * table.shape[1], sizes
        shape = (batch, positions, channels // 3 // width, width, min(words, positions), grid)
        return qkv, table, width**-0.5, *parts, *shape, int(by_columns)

    def shift(self, x: Tensor, dtype: torch.dtype, words: int, grid: int) -> Tensor:
        """Compute `core.model.ends.token_shift` of ``x``, float32 (batch, positions, dim), in the type ``dtype``.

        ``words`` is the number of text positions, ``grid`` that of codes along one side of an image.
        """
        out = torch.empty_like(x, dtype=dtype)
        words = min(words, x.shape[1])
        self._launch("shift", x.numel() // CHANNELS, (x, out, *x.shape, words, grid))
        return out

    def shift_backward(self, grad: Tensor, words: int, grid: int) -> Tensor:
        """Compute the gradient of the input of `shift`, float32 (batch, positions, dim).

        ``grad`` is that of its result, in the same shape; ``words`` and ``grid`` are those of the forward pass.
        """
        out = torch.empty_like(grad, dtype=torch.float32)
        words = min(words, grad.shape[1])
        self._launch("shift_backward", grad.numel() // CHANNELS, (grad, out, *grad.shape, words, grid))
        return out


def kernels_for(*tensors: Tensor, dtype: torch.dtype, channels: int) -> Kernels | None:
    """Return the kernels that can compute with ``tensors``; None: PyTorch's own have to.

    Args:
        tensors: All tensors that are read or written, on one device.
        dtype: Type of the branches' values.
        channels: Number of channels that stay neighbours.
    """
    device = tensors[0].device
    if device.type != "cuda" or dtype not in VALUES or channels % CHANNELS:
        return None
    if not all(item.is_contiguous() and item.data_ptr() % _ALIGNMENT == 0 for item in tensors):
        return None
    place = (torch.cuda.current_device() if device.index is None else device.index, dtype)
    if place not in _compiled:
        if torch.cuda.is_current_stream_capturing():  # nothing can be loaded meanwhile
            return None
        _compiled[place] = _compile(*place)
    return _compiled[place]


_compiled = dict[tuple[int, torch.dtype], Kernels | None]()
"""Kernels by the device's index and the type of values; None where they can't be had."""


def _compile(index: int, dtype: torch.dtype) -> Kernels | None:
    began = time.monotonic()
    try:
        kernels = Kernels(CudaModule(index, dtype))
        if not are_right(kernels, torch.device("cuda", index), dtype):
            raise RuntimeError("their results are wrong")
    except Exception as error:  # noqa: BLE001 - whatever is missing or refused, PyTorch's own kernels do
        _log.info("PyTorch's kernels are used in place of our own: %s: %s", type(error).__name__, error)
        return None
    _log.info("Kernels for %s were compiled in %.1f s.", dtype, time.monotonic() - began)
    return kernels


def are_right(kernels: Kernels, device: torch.device, dtype: torch.dtype) -> bool:
    """Return true if the kernels compute what PyTorch does, for a few values of the type ``dtype`` on a ``device``.

    There are more GPUs, drivers and compilers than anyone has tried, and a wrong gradient would harm the run.
    """
    x = torch.randn(2, 9, 96, generator=torch.Generator().manual_seed(0)).to(device, dtype)
    probes = (
        *_probes_of_geglu(kernels, x.flatten(0, 1)),
        *_probes_of_heads(kernels, x),
        *_probes_of_shift(kernels, x),
    )
    return all(
        bool((found.float() - expected).norm() <= _MOST_DEVIATION[dtype] * expected.norm())
        for found, expected in probes
    )


def _probes_of_geglu(kernels: Kernels, hidden: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield results of the kernels with ``hidden``, (rows, 2 * inner), and what they must be, in float32."""
    wide = hidden.float().requires_grad_()
    with torch.enable_grad():
        value, gate = wide.chunk(2, dim=-1)
        expected = value * F.gelu(gate)
        (of_hidden,) = torch.autograd.grad(expected, wide, value)
    yield kernels.geglu(hidden), expected.detach()
    yield kernels.geglu_backward_(hidden.chunk(2, dim=-1)[0].contiguous(), hidden.clone()), of_hidden


def _probes_of_heads(kernels: Kernels, qkv: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield results of the kernels with ``qkv``, of two heads with five words and four codes, as above."""
    sizes = words, grid, _ = 5, 2, True
    angles = torch.arange(9 * 8, device=qkv.device).view(9, 8).sin()
    rotations = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(qkv.float().unflatten(2, (3, 2, 8, 2))) * rotations[:, None, None]
    text, image = (
        torch.view_as_real(pairs).flatten(4).permute(2, 0, 3, 1, 4).split([words, grid * grid], dim=3)
    )
    by_columns = image.unflatten(3, (grid, grid)).transpose(3, 4)
    expected = [
        part * scale
        for part_of in (text, by_columns)
        for part, scale in zip(part_of, (0.25, 1, 1), strict=True)
    ]
    parts = [torch.zeros_like(item, dtype=qkv.dtype).flatten(0, 1) for item in expected]
    table = torch.view_as_real(rotations)
    kernels.split_heads(qkv, table, parts, sizes)
    yield from zip(parts, (item.flatten(0, 1) for item in expected), strict=True)
    back = torch.zeros_like(qkv)
    kernels.split_heads_backward(back, table, parts, sizes)
    scaled = torch.cat([qkv[..., :32] / 16, qkv[..., 32:]], dim=2)  # queries, both ways
    yield back, scaled.float()


def _probes_of_shift(kernels: Kernels, x: Tensor) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield results of the kernels with ``x``, of nine words, as above."""
    wide, half = x.float(), x.shape[2] // 2
    from_before, unshifted = wide.clone(), wide.clone()
    from_before[:, 1:, :half], from_before[:, 0, :half] = wide[:, :-1, :half], 0
    unshifted[:, :-1, :half], unshifted[:, -1, :half] = wide[:, 1:, :half], 0
    yield kernels.shift(wide, x.dtype, 9, 1), from_before
    yield kernels.shift_backward(x, 9, 1), unshifted


class CudaModule:
    """The kernels as a module of CUDA's, loaded on one GPU."""

    def __init__(self, index: int, dtype: torch.dtype) -> None:
        """Compile the kernels for values of the type ``dtype``, and load them on the GPU number ``index``.

        Raises:
            ImportError: CUDA's bindings are not installed.
            RuntimeError: the compiler or the driver refuses.
        """
        from cuda.bindings import driver

        self._index, self._driver = index, driver
        major, minor = torch.cuda.get_device_capability(index)
        options = [f"--gpu-architecture=sm_{major}{minor}", f"-DVALUE={VALUES[dtype]}"]
        program = compiled(SOURCE.read_text(), options)
        with torch.cuda.device(index):
            self._module = _checked(driver.cuModuleLoadData(program))
            self._functions = {
                name: _checked(driver.cuModuleGetFunction(self._module, name.encode())) for name in NAMES
            }

    def __call__(self, name: str, threads: int, arguments: Sequence[KernelArgument]) -> None:
        """LaunchKernel the kernel ``name`` on the current stream, for ``threads`` threads and a part of a block."""
        values = tuple(item.data_ptr() if isinstance(item, Tensor) else item for item in arguments)
        types = tuple(map(_c_type, arguments))
        with torch.cuda.device(self._index):
            stream = torch.cuda.current_stream().cuda_stream
            blocks = -(-threads // _BLOCK)
            launched = self._driver.cuLaunchKernel(
                self._functions[name], blocks, 1, 1, _BLOCK, 1, 1, 0, stream, (values, types), 0
            )
        _checked(launched)


def compiled(source: str, options: Sequence[str]) -> bytes:
    """Compile CUDA's ``source`` with ``options`` of NVRTC; return machine code (cubin).

    Raises:
        ImportError: CUDA's bindings are not installed.
        RuntimeError: the compiler is missing or refuses.
    """
    from cuda.bindings import nvrtc

    program = _checked(nvrtc.nvrtcCreateProgram(source.encode(), b"kernels.cu", 0, [], []))
    try:
        status, *_ = nvrtc.nvrtcCompileProgram(program, len(options), [item.encode() for item in options])
        if int(status):
            log = b" " * _checked(nvrtc.nvrtcGetProgramLogSize(program))
            nvrtc.nvrtcGetProgramLog(program, log)
            raise RuntimeError(log.decode().strip(" \n\0"))
        code = bytes(_checked(nvrtc.nvrtcGetCUBINSize(program)))
        _checked(nvrtc.nvrtcGetCUBIN(program, code))
        return code
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _checked(answer: tuple[Any, ...]) -> Any:
    """Return the result of a call of CUDA's, which comes behind its status; raise RuntimeError for a failure."""
    status, *found = answer
    if int(status):
        raise RuntimeError(f"CUDA answers {status!s}.")
    return found[0] if found else None


def _c_type(argument: KernelArgument) -> Any:
    if isinstance(argument, Tensor):
        return ctypes.c_void_p
    return ctypes.c_int if isinstance(argument, int) else ctypes.c_float
