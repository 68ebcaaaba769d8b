"""The generation benchmark's worker for dalle-pytorch, as fast as it comes, with its cache repaired.

    python -m benchmarks.contestants.dalle_pytorch_decoding OPTIONS.json WEIGHTS.safetensors

Options and weights are those of `benchmarks.contestants.dalle_pytorch`. The model is built with
``optimize_for_inference``, which gives row and column layers a cache; ``generate_images`` never hands the cache on
at ``cond_scale=1``, so here it is handed to ``forward``, which is all that ``generate_images`` calls besides.
"""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from benchmarks.contestants.dalle_pytorch import build
from benchmarks.contestants.decoding import TOP_K, Decoding
from benchmarks.contestants.protocol import serve


class DallePytorchGeneration:
    """Decodes as dalle-pytorch's ``generate_images`` does, one code at a time."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model.eval()
        self._means: Any = importlib.import_module("dalle_pytorch.dalle_pytorch")
        self._cache: dict[str, Any] = {}
        self._text = self._codes = torch.empty(0)

    def begin(self, text: Tensor, images: int) -> Tensor:
        self._text = text.repeat_interleave(images, dim=0)
        self._codes, self._cache = self._text[:, :0], {}
        return self._forward()

    def draw(self, logits: Tensor) -> Tensor:
        likeliest = self._means.top_k(logits, thres=max(0.0, 1 - TOP_K / logits.shape[-1]))
        drawn: Tensor = self._means.gumbel_sample(likeliest)
        return drawn

    def append(self, codes: Tensor) -> Tensor:
        self._codes = torch.cat([self._codes, codes[:, None]], dim=1)
        return self._forward()

    def _forward(self) -> Tensor:
        logits: Tensor = self._model(self._text, self._codes, cache=self._cache)
        return logits[:, -1]


def main() -> None:
    options_file, weights_file = sys.argv[1:]
    torch.set_num_threads(1)
    options = json.loads(Path(options_file).read_text())
    device, image_vocab = options.pop("device"), options["image_vocab"]
    model = build({**options, "optimize_for_inference": True})
    save_file({name: item.detach() for name, item in model.named_parameters()}, weights_file)
    serve(Decoding(DallePytorchGeneration(model.to(device)), image_vocab, device).verbs)


if __name__ == "__main__":
    main()
