"""A process that trains, and gets no more memory from the system than it has plus too little."""

import json
import resource
from dataclasses import asdict
from pathlib import Path

import torch

from core.model.config import ModelConfig
from core.model.micro_steps import MicroSteps
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer

CONFIG = ModelConfig(dim=256, depth=6, heads=4, text_length=32, text_vocab=500, grid=8, image_vocab=500)
SAMPLES = 8
KEEPS = Techniques(SAMPLES, activations=Activations.KEEP)
LEANER = [Techniques(size, activations=Activations.REVERSE) for size in (SAMPLES, 2, 1)]
ROOM = 30 << 20
"""Free memory in bytes: keeping needs twice as many, reversing a third."""


def gradients(
    techniques: Techniques, leaner: list[Techniques], room: int | None
) -> tuple[torch.Tensor, Techniques]:
    """All gradients of a micro-step in a row, and the techniques that it ended with."""
    model = Transformer(CONFIG, torch.Generator().manual_seed(0), techniques)
    generator = torch.Generator().manual_seed(1)
    text = torch.randint(CONFIG.text_vocab, (SAMPLES, CONFIG.text_length), generator=generator)
    codes = torch.randint(CONFIG.image_vocab, (SAMPLES, CONFIG.image_length), generator=generator)
    micro_steps = MicroSteps(model, leaner)
    if room is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(
            resource.RLIMIT_AS, (pages * resource.getpagesize() + room, resource.RLIM_INFINITY)
        )
    micro_steps.add_gradients(text, codes)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    found = [item.grad.flatten() for item in model.parameters() if item.grad is not None]
    return torch.cat(found), model.techniques


def main() -> None:
    torch.set_num_threads(1)
    for techniques in (KEEPS, *LEANER):  # which prepares the products of all their shapes
        expected, _ = gradients(techniques, [], None)
    found, ended_with = gradients(KEEPS, LEANER, ROOM)
    difference = float((found - expected).norm() / expected.norm())
    print(json.dumps({"first": asdict(KEEPS), "techniques": asdict(ended_with), "difference": difference}))


if __name__ == "__main__":
    main()
