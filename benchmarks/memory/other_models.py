"""Models of other families, built from ``transformers`` with random weights: nothing is downloaded."""

import os
from collections.abc import Callable, Sequence
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import torch
from torch import nn
from transformers.models.bert.modeling_bert import BertConfig, BertForMaskedLM
from transformers.models.gpt2.modeling_gpt2 import GPT2Config, GPT2LMHeadModel
from transformers.models.gptj.modeling_gptj import GPTJConfig, GPTJForCausalLM
from transformers.models.t5.modeling_t5 import T5Config, T5ForConditionalGeneration

from benchmarks.memory.cases import MemoryCase
from core.memory.models import GPT2, GPTJ, T5, AnyModel, Bert
from core.model.techniques import Activations


def build(model: AnyModel, case: MemoryCase, device: str = "cpu") -> tuple[nn.Module, Callable[[], object]]:
    """Return a model in training mode and the case's precision, and what adds up the gradients of its micro-batch."""
    module = make(model)
    if case.shared_layers:
        for blocks in _stacks(module):
            _share(blocks, case.shared_layers)
    module.to(device, getattr(torch, case.techniques.precision.value)).train()
    _checkpoint(module, case)
    shape = case.techniques.micro_batch, case.length or 1
    tokens = torch.randint(0, module.config.vocab_size, shape).to(device)
    # As transformers' own Trainer does; BERT has no cache.
    options: dict[str, Any] = {} if isinstance(model, Bert) else {"use_cache": False}

    def micro_step() -> None:
        module(input_ids=tokens, labels=tokens, **options).loss.backward()

    return module, micro_step


def make(model: AnyModel) -> Any:
    """Return the model that ``core.memory.models`` describes, as ``transformers`` makes it.

    Raises:
        TypeError: transformers has no such model.
    """
    match model:
        case Bert():
            return BertForMaskedLM(_bert(model))
        case T5():
            return T5ForConditionalGeneration(_t5(model))
        case GPT2():
            return GPT2LMHeadModel(_gpt2(model))
        case GPTJ():
            return GPTJForCausalLM(_gptj(model))
        case _:
            raise TypeError(f"transformers has no {type(model).__name__}")


def count(model: AnyModel) -> int:
    """Count the parameters of the model that ``make`` makes, without memory for them, and tied ones once."""
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in make(model).parameters())


def _bert(model: Bert) -> Any:
    return BertConfig(
        num_hidden_layers=model.layers,
        hidden_size=model.width,
        num_attention_heads=model.heads,
        intermediate_size=model.hidden,
        vocab_size=model.vocabulary,
        max_position_embeddings=model.positions,
        type_vocab_size=model.token_types,
    )


def _t5(model: T5) -> Any:
    return T5Config(
        num_layers=model.layers,
        d_model=model.width,
        d_ff=model.hidden,
        num_heads=model.heads,
        d_kv=model.head_width,
        vocab_size=model.vocabulary,
        relative_attention_num_buckets=model.buckets,
        decoder_start_token_id=0,
    )


def _gpt2(model: GPT2) -> Any:
    return GPT2Config(
        n_layer=model.layers,
        n_embd=model.width,
        n_head=model.heads,
        vocab_size=model.vocabulary,
        n_positions=model.positions,
    )


def _gptj(model: GPTJ) -> Any:
    return GPTJConfig(
        n_layer=model.layers,
        n_embd=model.width,
        n_head=model.heads,
        rotary_dim=model.rotary,
        vocab_size=model.vocabulary,
        n_positions=model.positions,
    )


def _stacks(module: Any) -> Sequence[nn.ModuleList]:
    """Return the stacks of layers of ``module``, in the order in which they run."""
    if hasattr(module, "encoder"):
        return module.encoder.block, module.decoder.block
    return (module.bert.encoder.layer,) if hasattr(module, "bert") else (module.transformer.h,)


def _share(blocks: nn.ModuleList, sets: int) -> None:
    for index in range(len(blocks)):
        blocks[index] = blocks[index % sets]


def _checkpoint(module: Any, case: MemoryCase) -> None:
    if case.techniques.activations is not Activations.CHECKPOINT:
        return
    module.gradient_checkpointing_enable()
    layers: list[Any] = [block for blocks in _stacks(module) for block in blocks]
    for block in layers[len(layers) - case.techniques.kept :]:
        block.gradient_checkpointing = False
