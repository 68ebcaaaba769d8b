"""One side of the training benchmark: a model whose micro-steps are timed and whose memory is measured.

Both sides run this code, each in its environment: like `benchmarks.memory` and `benchmarks.timing`, it needs torch,
safetensors and the standard library alone.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from benchmarks.memory import peak_bytes
from benchmarks.timing import timed

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_FORGET_PEAK = "5"  # of the resident set size: proc(5)


class MicroSteps:
    """Forward and backward passes of a model over batches from a file; gradients add up, as within an epoch.

    ``loss`` maps text, int64 (batch, text_length), and codes, int64 (batch, grid * grid), to a scalar. On a GPU
    both sides compute under autocast, in bfloat16 where it can and in float16 elsewhere.
    """

    def __init__(self, model: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], device: str) -> None:
        self._model, self._loss, self._device = model.to(device), loss, torch.device(device)
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self._batches: dict[str, Tensor] = {}
        self._next = 0

    @property
    def verbs(self) -> dict[str, Callable[..., Any]]:
        """What a driver may ask for (`benchmarks.contestants.protocol`)."""
        return {
            "batches": self.batches,
            "check": self.check,
            "step": self.step,
            "peak_rss": self.peak_rss,
            "memory": self.memory,
        }

    def batches(self, path: str) -> None:
        """Read ``text`` and ``codes``, each (batches, batch, positions); steps take the batches in turns."""
        self._batches, self._next = load_file(path, device=str(self._device)), 0

    def check(self, precision: str, path: str) -> float:
        """The loss of the first batch; its gradients alone are saved."""
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
        """One micro-step at a float32 matmul precision: seconds by both clocks."""
        torch.set_float32_matmul_precision(precision)
        duration = timed(self._micro_step)
        return {"wall": duration.wall, "cpu": duration.cpu}

    def peak_rss(self) -> int:
        """The most bytes this process has held in RAM since its last check; 0 where nothing tells."""
        found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text()) if _STATUS.exists() else None
        return int(found[1]) * 1024 if found else 0

    def memory(self, precision: str) -> dict[str, int]:
        """Bytes of tensors held before a micro-step (parameters, gradients), and at its peak beyond those.

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
        with torch.autocast("cuda", dtype=gpu_dtype(), enabled=self._device.type == "cuda"):
            loss = self._loss(self._batches["text"][index], self._batches["codes"][index])
        loss.backward()
        if self._device.type == "cuda":
            torch.cuda.synchronize()
        return loss.detach()


def gpu_dtype() -> torch.dtype:
    """bfloat16 where the GPU computes with it, else float16."""
    capable = torch.cuda.is_available() and torch.cuda.get_device_capability() >= (8, 0)
    return torch.bfloat16 if capable else torch.float16
