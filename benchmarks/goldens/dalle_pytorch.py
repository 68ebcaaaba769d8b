"""Write what dalle-pytorch 1.6.6 computes at a small size, for the tests of core.model to compare with.

It runs in the environment that `make bench` makes from benchmarks/environments/dalle_pytorch.txt:

    .venv-dalle-pytorch/bin/python -m benchmarks.goldens.dalle_pytorch tests/core/model/goldens
"""

import argparse
import importlib
import importlib.metadata
import sys
import types
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

SEED = 20220715
TEXT_VOCAB, IMAGE_VOCAB, BATCH = 11, 9, 2

# The paper's options at a small size, and a plain stack without what the paper added.
PAPER: dict[str, Any] = {
    "dim": 16,
    "depth": 7,
    "heads": 2,
    "dim_head": 16,
    "text_seq_len": 5,
    "reversible": True,
    "attn_types": ("axial_row", "axial_col", "axial_row", "axial_row", "axial_row", "axial_col", "conv_like"),
    "shared_attn_ids": (0, 1, 2, 3, 0, 1, "last"),
    "shared_ff_ids": (0, 1, 2, 3, 0, 1, "last"),
}
PLAIN: dict[str, Any] = {
    "dim": 8,
    "depth": 3,
    "heads": 1,
    "dim_head": 8,
    "text_seq_len": 3,
    "reversible": False,
    "rotary_emb": False,
    "shift_tokens": False,
    "attn_types": ("axial_row", "axial_col", "conv_like"),
}
GRIDS = {"paper": 6, "plain": 4}


class Codes(nn.Module):
    """Stands for the image codec, of which the transformer needs the sizes alone."""

    def __init__(self, grid: int, image_vocab: int) -> None:
        super().__init__()
        self.image_size, self.num_layers, self.num_tokens = grid, 0, image_vocab


def load_model_class() -> Any:
    """Return the DALLE class, imported without its codecs, which need torchvision and lightning."""
    codecs = types.ModuleType("dalle_pytorch.vae")
    vars(codecs).update(VQGanVAE=Codes, OpenAIDiscreteVAE=Codes)
    resources = types.ModuleType("pkg_resources")
    vars(resources).update(get_distribution=importlib.metadata.distribution)
    sys.modules |= {"dalle_pytorch.vae": codecs, "pkg_resources": resources}
    return importlib.import_module("dalle_pytorch").DALLE


def build(options: dict[str, Any], grid: int) -> nn.Module:
    """Return a float64 model whose parameters, all of them random, are exact in float32."""
    model: nn.Module = load_model_class()(
        vae=Codes(grid, IMAGE_VOCAB), num_text_tokens=TEXT_VOCAB, share_input_output_emb=True, **options
    )
    for parameter in model.parameters():
        parameter.data += 0.3 * torch.randn_like(parameter)
    return model.double()


def record(options: dict[str, Any], grid: int) -> dict[str, Tensor]:
    """Return the inputs, parameters, logits, loss, and gradients of all parameters of a model, by name.

    Without rotary embeddings there are no gradients: today's torch refuses dalle-pytorch's in-place scaling.
    """
    torch.manual_seed(SEED)
    model = build(options, grid)
    length = options["text_seq_len"]
    text = torch.randint(1, TEXT_VOCAB, (BATCH, length))
    text[0, length - 2 :] = 0
    codes = torch.randint(IMAGE_VOCAB, (BATCH, grid * grid))
    with torch.set_grad_enabled(options.get("rotary_emb", True)):
        logits = model(text, codes).detach()
        loss = model(text, codes, return_loss=True)
    if loss.requires_grad:
        loss.backward()
    tensors = {"text": text, "codes": codes, "loss": loss.detach()}
    tensors["text_logits"] = logits[:, :length, : TEXT_VOCAB + length]
    tensors["image_logits"] = logits[:, length:, TEXT_VOCAB + length :]
    for name, parameter in model.named_parameters():
        tensors[f"parameter/{name}"] = parameter.detach().float()
        if parameter.grad is not None:
            tensors[f"gradient/{name}"] = parameter.grad.float()
    return {name: tensor.clone().contiguous() for name, tensor in tensors.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    packages = ("dalle-pytorch", "rotary-embedding-torch", "axial_positional_embedding", "torch")
    metadata = {name: importlib.metadata.version(name) for name in packages} | {"seed": str(SEED)}
    for name, options in {"paper": PAPER, "plain": PLAIN}.items():
        save_file(record(options, GRIDS[name]), folder / f"{name}.safetensors", metadata)


if __name__ == "__main__":
    main()
