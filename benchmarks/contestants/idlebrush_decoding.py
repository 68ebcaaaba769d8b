"""The generation benchmark's worker for our model.

    python -m benchmarks.contestants.idlebrush_decoding OPTIONS.json WEIGHTS.safetensors

The options are a ``config`` (`core.model.config.ModelConfig`) and a ``device``. The weights are dalle-pytorch's, by
its names.
"""

import json
import sys
from pathlib import Path

import torch
from torch import Tensor

from benchmarks.contestants.decoding import TOP_K, Decoding
from benchmarks.contestants.idlebrush import load_weights
from benchmarks.contestants.protocol import serve
from core.generation.choice import choose, image_keys
from core.generation.decoder import Decoder
from core.messages.sampling import Sampling
from core.model.config import ModelConfig
from core.model.transformer import Transformer


class IdlebrushGeneration:
    """Decodes as `core.generation.drawing.Drawing` does, with given codes."""

    def __init__(self, model: Transformer) -> None:
        self._model, self._sampling = model, Sampling(top_k=TOP_K)

    def begin(self, text: Tensor, images: int) -> Tensor:
        self._decoder = Decoder(self._model, text, images)
        self._keys = image_keys(0, range(images * len(text))).to(text.device)
        return self._decoder.logits()

    def draw(self, logits: Tensor) -> Tensor:
        return choose(logits, self._sampling, self._keys, self._decoder.position)

    def append(self, codes: Tensor) -> Tensor:
        self._decoder.append(codes)
        return self._decoder.logits()


def main() -> None:
    options_file, weights_file = sys.argv[1:]
    torch.set_num_threads(1)
    options = json.loads(Path(options_file).read_text())
    config = ModelConfig.model_validate_json(json.dumps(options["config"]))
    model = Transformer(config)
    load_weights(model, weights_file)
    device = options["device"]
    serve(Decoding(IdlebrushGeneration(model.to(device)), config.image_vocab, device).verbs)


if __name__ == "__main__":
    main()
