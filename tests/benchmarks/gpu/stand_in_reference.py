"""Stands in for dalle-pytorch: our own tiny model, which writes its weights by the names of dalle-pytorch."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import save_file

from benchmarks.contestants.micro_step import ContestantMicroSteps
from benchmarks.contestants.protocol import serve
from benchmarks.contests.cases import TINY
from core.model.dalle_pytorch_names import our_name
from core.model.transformer import Transformer


def their_names() -> Iterator[str]:
    """Names of dalle-pytorch's parameters; some that its layers share occur several times."""
    yield from ("to_logits.0.weight", "to_logits.0.bias", "to_logits.1.weight", "to_logits.1.bias")
    yield from ("text_pos_emb.weight", "image_pos_emb.weights.0", "image_pos_emb.weights.1")
    for layer in range(TINY.depth):
        for branch, modules in (("f", ("norm", "to_qkv", "to_out.0")), ("g", ("norm", "net.0", "net.3"))):
            place = f"transformer.layers.blocks.{layer}.{branch}.net"
            yield f"{place}.scale"
            yield from (f"{place}.fn.{module}.{kind}" for module in modules for kind in ("weight", "bias"))


def main() -> None:
    options_file, weights_file = sys.argv[1:]
    options = json.loads(Path(options_file).read_text())
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = Transformer(TINY)
    ours = dict(model.named_parameters())
    named = {our_name(TINY, theirs): theirs for theirs in their_names()}
    assert ours.keys() <= named.keys(), ours.keys() - named.keys()
    save_file({named[name]: item.detach().clone() for name, item in ours.items()}, weights_file)
    assert options["autocast"] == "bfloat16"  # it computes in float32: our backward pass is none for autocast
    serve(ContestantMicroSteps(model, model.loss, options["device"]).verbs)


if __name__ == "__main__":
    main()
