"""The training benchmark's worker for our model.

    python -m benchmarks.contestants.idlebrush OPTIONS.json WEIGHTS.safetensors

The options are a ``config`` (`core.model.config.ModelConfig`), ``techniques`` (`core.memory.techniques.Techniques`)
and a ``device``. The weights are dalle-pytorch's, by its names.
"""

import json
import sys
from pathlib import Path

import torch
from pydantic import TypeAdapter
from safetensors.torch import load_file

from benchmarks.contestants.micro_step import MicroSteps
from benchmarks.contestants.protocol import serve
from core.memory.techniques import Techniques
from core.model.config import ModelConfig
from core.model.dalle_pytorch_names import our_name
from core.model.transformer import Transformer


def load_weights(model: Transformer, path: str) -> None:
    """Take over dalle-pytorch's parameters."""
    like = dict(model.named_parameters())
    theirs = {our_name(model.config, name): item for name, item in load_file(path).items()}
    model.load_state_dict({name: item.view_as(like[name]) for name, item in theirs.items()})


def main() -> None:
    options_file, weights_file = sys.argv[1:]
    torch.set_num_threads(1)
    options = json.loads(Path(options_file).read_text())
    config = ModelConfig.model_validate_json(json.dumps(options["config"]))
    techniques = TypeAdapter(Techniques).validate_python(options["techniques"])
    model = Transformer(config, techniques=techniques)
    load_weights(model, weights_file)
    serve(MicroSteps(model, model.loss, options["device"]).verbs)


if __name__ == "__main__":
    main()
