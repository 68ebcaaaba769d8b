"""One side of the generation benchmark: draws images code by code, and keeps the logits of every code.

Both sides run this code, each in its environment: like `benchmarks.measuring.timing`, it needs only torch,
safetensors and the standard library.
"""

from collections.abc import Callable
from typing import Any, Protocol

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from benchmarks.measuring.timing import timed

TOP_K = 256


class Decodes(Protocol):
    """A decoder of images. Logits are (images, classes); the last classes are the codes of the image."""

    def begin(self, text: Tensor, images: int) -> Tensor:
        """Read prompts, int64 (prompts, text_length), for ``images`` each; return the first code's logits."""

    def draw(self, logits: Tensor) -> Tensor:
        """Return a code for each image, int64 (images), of the likeliest `TOP_K`."""

    def append(self, codes: Tensor) -> Tensor:
        """Take the next code of each image; return the logits of the code after it."""


class Decoding:
    """Decodes given codes, so that both sides decode the same ones; the drawn codes are discarded."""

    def __init__(self, side: Decodes, image_vocab: int, device: str) -> None:
        self._side, self._image_vocab, self._device = side, image_vocab, torch.device(device)
        self._codes = self._logits = torch.empty(0)
        self._position = 0

    @property
    def verbs(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that a driver may call (`benchmarks.contestants.protocol`)."""
        return {"ready": lambda: None, "begin": self.begin, "decode": self.decode}

    @torch.no_grad()
    def begin(self, path: str, precision: str) -> dict[str, float]:
        """Read a file's ``text``, (prompts, text_length), and ``codes``, (images, grid * grid); time it."""
        torch.set_float32_matmul_precision(precision)
        given = load_file(path, device=str(self._device))
        text, self._codes, self._position = given["text"], given["codes"], 0

        def read() -> None:
            self._logits = self._side.begin(text, len(self._codes) // len(text))
            self._wait()

        return vars(timed(read))

    @torch.no_grad()
    def decode(self, count: int, path: str | None = None) -> dict[str, float]:
        """Draw ``count`` more codes of each image; return the seconds. Save the logits, given a path."""
        seen = []

        def draw() -> None:
            for codes in self._codes[:, self._position : self._position + count].unbind(1):
                seen.append(self._logits.clone())
                self._side.draw(self._logits)
                self._logits = self._side.append(codes)
            self._wait()

        duration = timed(draw)
        self._position += count
        if path is not None:
            save_file({"logits": torch.stack(seen)[..., -self._image_vocab :].cpu().contiguous()}, path)
        return vars(duration)

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize()
