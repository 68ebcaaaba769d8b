"""The training benchmark's worker for our model.

    python -m benchmarks.contestants.idlebrush OPTIONS.json [WEIGHTS.safetensors]

The options are a ``config`` (`core.model.config.ModelConfig`), ``techniques`` (`core.model.techniques.Techniques`)
and a ``device``. The weights are dalle-pytorch's, by its names; without, they are random.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from pydantic import TypeAdapter
from safetensors.torch import load_file
from torch import Tensor

from benchmarks.contestants.micro_step import ContestantMicroSteps
from benchmarks.contestants.protocol import serve
from core.errors import MemoryPlanError
from core.model.config import ModelConfig
from core.model.dalle_pytorch_names import our_name
from core.model.micro_steps import MicroSteps
from core.model.techniques import Techniques
from core.model.transformer import Transformer


def load_weights(model: Transformer, path: str) -> None:
    """Take over dalle-pytorch's parameters."""
    like = dict(model.named_parameters())
    theirs = {our_name(model.config, name): item for name, item in load_file(path).items()}
    model.load_state_dict({name: item.view_as(like[name]) for name, item in theirs.items()})


def main() -> None:
    options_file, *weights_file = sys.argv[1:]
    torch.set_num_threads(1)
    options = json.loads(Path(options_file).read_text())
    config = ModelConfig.model_validate_json(json.dumps(options["config"]))
    of_techniques = TypeAdapter(Techniques)
    model = Transformer(config, techniques=of_techniques.validate_python(options["techniques"]))
    for file in weights_file:
        load_weights(model, file)

    def use(techniques: dict[str, Any]) -> None:
        model.use(of_techniques.validate_python(techniques))

    def step(text: Tensor, codes: Tensor) -> Tensor:
        try:
            return torch.tensor(steps.add_gradients(text, codes))
        except MemoryPlanError:
            raise torch.OutOfMemoryError("out of memory") from None

    contestant = ContestantMicroSteps(model, model.loss, options["device"], on_gpu=step)
    steps = MicroSteps(model, ())

    def rest() -> None:
        steps.drop_recording()
        contestant.rest()

    serve({**contestant.verbs, "use": use, "rest": rest})


if __name__ == "__main__":
    main()
