"""The training benchmark's worker for dalle-pytorch; runs in an environment of its own (benchmarks/environments).

    python -m benchmarks.contestants.dalle_pytorch OPTIONS.json WEIGHTS.safetensors

The options are those of ``DALLE``, with ``grid`` and ``image_vocab`` in place of the codec, ``device``, and where
it is wanted ``autocast``. Random weights are written to the second file, by dalle-pytorch's names.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from benchmarks.contestants.micro_step import ContestantMicroSteps
from benchmarks.contestants.protocol import serve
from benchmarks.goldens.dalle_pytorch import Codes, load_model_class

SEED = 20220715


def build(options: dict[str, Any]) -> nn.Module:
    """Return a model of ``options`` as dalle-pytorch initialises it, the same each time."""
    torch.manual_seed(SEED)
    codec = Codes(options.pop("grid"), options.pop("image_vocab"))
    model: nn.Module = load_model_class()(vae=codec, share_input_output_emb=True, **options)
    return model


def main() -> None:
    options_file, weights_file = sys.argv[1:]
    torch.set_num_threads(1)
    options = json.loads(Path(options_file).read_text())
    device, autocast = options.pop("device"), options.pop("autocast", None)
    model = build(options)
    save_file({name: item.detach() for name, item in model.named_parameters()}, weights_file)

    def loss(text: Tensor, codes: Tensor) -> Tensor:
        of_batch: Tensor = model(text, codes, return_loss=True)
        return of_batch

    serve(ContestantMicroSteps(model, loss, device, autocast).verbs)


if __name__ == "__main__":
    main()
