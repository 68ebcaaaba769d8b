"""One side of the training benchmark: a model whose micro-steps are timed and whose memory is measured.

Both sides run this code, each in its environment: like the modules of `benchmarks.measuring` that it uses, it
needs only torch, safetensors and the standard library.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from benchmarks.measuring.tensor_memory import peak_bytes
from benchmarks.measuring.timing import timed

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"  # of the resident set size: proc(5)
_OUT_OF_MEMORY = ("out of memory", "ALLOC_FAILED")


class ContestantMicroSteps:
    """Runs forward and backward passes over batches from a file; gradients add up, as within an epoch.

    ``loss`` maps text, int64 (batch, text_length), and codes, int64 (batch, grid * grid), to a scalar.
    """

    def __init__(
        self,
        model: nn.Module,
        loss: Callable[[Tensor, Tensor], Tensor],
        device: str,
        autocast: str | None = None,
        on_gpu: Callable[[Tensor, Tensor], Tensor] | None = None,
    ) -> None:
        """Move ``model`` to ``device``, and give its parameters gradients of zeros.

        ``autocast`` names the 16-bit type of torch's automatic mixed precision; None turns it off. ``on_gpu`` makes a
        whole micro-step there in place of ``loss`` and its backward pass: it adds the gradients and returns the loss.
        """
        self._model, self._loss = model.to(device), loss
        self._device = torch.empty(0, device=device).device  # with its index: limits of memory need it
        self._autocast = getattr(torch, autocast) if autocast else None
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter, dtype=parameter.grad_dtype)
        self._whole = on_gpu if self._device.type == "cuda" else None
        self._batches: dict[str, Tensor] = {}
        self._next = 0

    @property
    def verbs(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that a driver may call (`benchmarks.contestants.protocol`)."""
        return {
            "batches": self.batches,
            "check": self.check,
            "step": self.step,
            "peak_rss": self.peak_rss,
            "memory": self.memory,
            "allow": self.allow,
            "rest": self.rest,
            "attempt": self.attempt,
        }

    def batches(self, path: str) -> None:
        """Read ``text`` and ``codes``, each (batches, batch, positions); steps take the batches in turns."""
        self._batches, self._next = load_file(path, device=str(self._device)), 0

    def check(self, precision: str, path: str) -> float:
        """Return the loss of the first batch, and save only its gradients."""
        torch.set_float32_matmul_precision(precision)
        self._model.zero_grad(set_to_none=False)
        self._next = 0
        loss = float(self._micro_step())
        grads = {name: item.grad for name, item in self._model.named_parameters()}
        save_file({name: grad.cpu().contiguous() for name, grad in grads.items() if grad is not None}, path)
        if _CLEAR.exists():
            _CLEAR.write_text(_FORGET_PEAK)
        return loss

    def step(self, precision: str) -> dict[str, float]:
        """Run one micro-step at a float32 matmul precision; return its wall-clock and CPU seconds."""
        torch.set_float32_matmul_precision(precision)
        duration = timed(self._micro_step)
        return {"wall": duration.wall, "cpu": duration.cpu}

    def allow(self, size: int) -> None:
        """Limit tensors to ``size`` bytes of the GPU, as if it were a smaller one."""
        if self._device.type == "cuda":
            torch.cuda.empty_cache()
            total = torch.cuda.get_device_properties(self._device).total_memory
            torch.cuda.set_per_process_memory_fraction(min(1.0, size / total), self._device)

    def rest(self) -> None:
        """Drop the batches and give back cached memory, so that another process on the same GPU has it."""
        self._batches, self._next = {}, 0
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def attempt(self, precision: str) -> dict[str, float] | None:
        """Run one micro-step; return its seconds, loss and peak of memory, or None if memory runs out."""
        torch.set_float32_matmul_precision(precision)
        if self._device.type == "cuda":
            torch.cuda.reset_peak_memory_stats()
        losses: list[Tensor] = []
        try:
            duration = timed(lambda: losses.append(self._micro_step()))
        except RuntimeError as error:
            if not any(words in str(error) for words in _OUT_OF_MEMORY):
                raise
        else:
            peak = torch.cuda.max_memory_allocated() if self._device.type == "cuda" else 0
            return {"wall": duration.wall, "loss": float(losses[0]), "peak": float(peak)}
        torch.cuda.empty_cache()  # outside the handler, where the error no longer holds tensors
        return None

    def peak_rss(self) -> int:
        """Return the peak resident memory since the last check, in bytes; 0 if it is not reported."""
        found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text()) if _STATUS.exists() else None
        return int(found[1]) * 1024 if found else 0

    def memory(self, precision: str) -> dict[str, int]:
        """Return the bytes of tensors before a micro-step (parameters, gradients), and the peak beyond them.

        On a CPU the profiler that counts them leaves the process larger: ask for `peak_rss` before.
        """
        torch.set_float32_matmul_precision(precision)
        if self._device.type == "cpu":
            held = 2 * sum(parameter.nbytes for parameter in self._model.parameters())
            return {"held": held, "peak": peak_bytes(self._micro_step)}
        torch.cuda.reset_peak_memory_stats()
        held = torch.cuda.memory_allocated()
        self._micro_step()
        return {"held": held, "peak": torch.cuda.max_memory_allocated() - held}

    def _micro_step(self) -> Tensor:
        index = self._next % len(self._batches["text"])
        self._next += 1
        text, codes = self._batches["text"][index], self._batches["codes"][index]
        if self._whole is not None:
            return self._whole(text, codes)
        with torch.autocast(self._device.type, dtype=self._autocast, enabled=self._autocast is not None):
            loss = self._loss(text, codes)
            loss.backward()  # what computes activations again is to do it as it did at first
        if self._device.type == "cuda":
            torch.cuda.synchronize()
        return loss.detach()
