"""Write a small ``model_state.pt`` as dalle-hivemind publishes it, and what dalle-pytorch 1.6.6 computes with it.

It runs in the environment that `make bench` makes from benchmarks/environments/dalle_pytorch.txt:

    .venv-dalle-pytorch/bin/python -m benchmarks.goldens.dalle_hivemind tests/core/published/goldens

dalle-hivemind saves the state dict of a module that has the model as ``model``. The build that it trained with wraps
layers less often than 1.6.6 does, so that their names have fewer ``fn``: a file of each kind is written.
"""

import argparse
import importlib.metadata
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from benchmarks.goldens.dalle_pytorch import Codes, load_model_class

SEED = 20220715
SMALL: dict[str, Any] = {
    "dim": 8,
    "depth": 7,
    "heads": 2,
    "dim_head": 16,
    "text_seq_len": 5,
    "num_text_tokens": 11,
    "grid": 4,
    "image_vocab": 9,
}
BATCH = 2


class ModelWrapper(nn.Module):
    """dalle-hivemind's wrapper around its model, which determines the parameters' names."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model


def build(sizes: dict[str, Any], *, for_inference: bool) -> nn.Module:
    """Return a model of that size, with dalle-hivemind's options and random parameters.

    LayerScales start at 1e-6 in deep layers; here they are far enough from zero that every layer counts.
    """
    torch.manual_seed(SEED)
    rest, depth = dict(sizes), sizes["depth"]
    shared = [*islice(cycle(range(4)), depth - 1), "w_conv"]
    patterns = ["axial_row", "axial_col", "axial_row", "axial_row"]
    model: nn.Module = load_model_class()(
        vae=Codes(rest.pop("grid"), rest.pop("image_vocab")),
        attn_types=[*islice(cycle(patterns), depth - 1), "conv_like"],
        shared_attn_ids=shared,
        shared_ff_ids=shared,
        rotary_emb=True,
        reversible=True,
        share_input_output_emb=True,
        optimize_for_inference=for_inference,
        **rest,
    )
    for name, parameter in model.named_parameters():
        if name.endswith(".scale"):
            parameter.data.fill_(0.1)
        parameter.data += 0.3 * sizes["dim"] ** -0.5 * torch.randn_like(parameter)
    return model


def training_names(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the same tensors by the names of the build that dalle-hivemind trained with."""
    replaced = (("net.fn.fn.fn", "net.fn.fn"), ("fn.to_qkv", "to_qkv"), ("fn.to_out", "to_out"))
    names = {name: name for name in state}
    for inference, training in replaced:
        names = {name: renamed.replace(inference, training) for name, renamed in names.items()}
    return {renamed: state[name] for name, renamed in names.items()}


def save_state(model: nn.Module, path: Path, *, for_inference: bool) -> None:
    """Write ``model_state.pt`` by the names of one build or the other."""
    state = ModelWrapper(model).state_dict()
    torch.save(state if for_inference else training_names(state), path)


@torch.no_grad()
def record_logits(model: nn.Module, sizes: dict[str, Any], size: int) -> dict[str, Tensor]:
    """Return random captions, the first half padding, and codes; and each position's predicted logits."""
    generator = torch.Generator().manual_seed(SEED)
    length, text_vocab, image_vocab = sizes["text_seq_len"], sizes["num_text_tokens"], sizes["image_vocab"]
    text = torch.randint(1, text_vocab, (size, length), generator=generator)
    text[0, length // 2 :] = 0
    codes = torch.randint(image_vocab, (size, sizes["grid"] ** 2), generator=generator)
    found, classes = model(text, codes), text_vocab + length
    return {
        "text": text,
        "codes": codes,
        "text_logits": found[:, :length, :classes].contiguous(),
        "image_logits": found[:, length:, classes:].contiguous(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    model = build(SMALL, for_inference=True)
    save_state(model, folder / "model_state.pt", for_inference=False)
    save_state(model, folder / "model_state_inference.pt", for_inference=True)
    packages = ("dalle-pytorch", "rotary-embedding-torch", "torch")
    metadata = {name: importlib.metadata.version(name) for name in packages} | {"seed": str(SEED)}
    save_file(record_logits(model.double(), SMALL, BATCH), folder / "logits.safetensors", metadata)


if __name__ == "__main__":
    main()
