"""Publishes weights as dalle-hivemind does, with what dalle-pytorch 1.6.6 computes with them; in its environment.

    python -m benchmarks.contestants.dalle_hivemind OPTIONS.json FOLDER

The options are ``sizes`` (as in benchmarks/goldens/dalle_hivemind.py) and ``for_inference``, which build it is to be.
Leaves ``model_state.pt`` and ``logits.safetensors``.
"""

import json
import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

from benchmarks.goldens.dalle_hivemind import build, record_logits, save_state


def main() -> None:
    options, folder = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
    torch.set_num_threads(1)
    model = build(options["sizes"], for_inference=options["for_inference"]).eval()
    save_state(model, folder / "model_state.pt", for_inference=options["for_inference"])
    save_file(record_logits(model, options["sizes"], 1), folder / "logits.safetensors")


if __name__ == "__main__":
    main()
