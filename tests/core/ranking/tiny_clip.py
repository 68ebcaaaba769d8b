"""A CLIP model of some thousand random weights, saved as the Hub's are: to test with, not to rank by."""

from pathlib import Path

import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import CLIPConfig, CLIPModel, CLIPTokenizer

TEXT = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "max_position_embeddings": 12,
}
VISION = {
    "hidden_size": 16,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": 32,
    "patch_size": 8,
}


def write_tiny_clip(folder: Path, seed: int = 0) -> Path:
    """Save model and tokenizer to the folder, and return it."""
    letters = sorted(ByteLevel.alphabet())
    tokens = [*letters, *(f"{letter}</w>" for letter in letters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {token: index for index, token in enumerate(tokens)}
    CLIPTokenizer(vocab=vocabulary, merges=[]).save_pretrained(folder)
    torch.manual_seed(seed)
    text = {**TEXT, "vocab_size": len(tokens), "eos_token_id": len(tokens) - 1}
    model = CLIPModel(CLIPConfig(text_config=text, vision_config=VISION, projection_dim=8))
    model.save_pretrained(folder, safe_serialization=True)
    return folder
