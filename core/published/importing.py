"""Importing: a model's folder from whatever file its weights were published in."""

from dataclasses import replace
from pathlib import Path

from core.codec.vqgan import load_codec
from core.errors import CheckpointError
from core.files import sha256_of
from core.model.config import ModelConfig
from core.published.dalle_hivemind import import_state
from core.published.document import LONGEST_NAME, FileOrigin, ModelDocument
from core.published.model import CodecFiles, Model, TokenizerFile
from core.published.model_folder import WEIGHTS, is_model, open_model
from core.published.state_file import read_state_file
from core.published.writing import write_model
from core.text import CaptionTokenizer, clean


def import_model(
    source: Path,
    out: Path,
    *,
    like: ModelConfig | None = None,
    tokenizer: TokenizerFile | None = None,
    codec: CodecFiles | None = None,
) -> ModelDocument:
    """Write a model's folder from dalle-hivemind's state dict, or from a folder that was exported.

    Args:
        source: the file, or the folder, or its ``model.safetensors``.
        like: what the model is, where the file does not tell; without, the paper's in the sizes that it tells.
        tokenizer: to go with the model, instead of one that the folder has.
        codec: the same.

    Raises:
        CheckpointError: the source is unsafe, damaged or no such model, or the folder cannot be written.
        TextError, CodecError: the tokenizer or the codec cannot be used.
    """
    folder = source.parent if source.name == WEIGHTS else source
    if is_model(folder):
        model = open_model(folder).model()
        if like not in (None, model.config):
            raise CheckpointError(
                f"The model in {folder} is another than it should be like.", "Leave out --like."
            )
    else:
        config, parameters = import_state(read_state_file(source), like)
        model = Model(
            config, parameters, FileOrigin(name=clean(source.name)[:LONGEST_NAME], sha256=sha256_of(source))
        )
    _check_fit(model.config, tokenizer, codec)
    return write_model(
        out, replace(model, tokenizer=tokenizer or model.tokenizer, codec=codec or model.codec)
    )


def _check_fit(config: ModelConfig, tokenizer: TokenizerFile | None, codec: CodecFiles | None) -> None:
    """Whether what is to go with a model can be used, and is made for one of its sizes."""
    if tokenizer is not None:
        CaptionTokenizer.load(
            tokenizer.path,
            length=config.text_length,
            eos_id=tokenizer.eos_id,
            pad_id=tokenizer.pad_id,
            vocab=config.text_vocab,
        )
    if codec is not None:
        codes = load_codec(codec.config, codec.weights).codebook_size
        if codes != config.image_vocab:
            raise CheckpointError(
                f"The codec has {codes} codes, and the model draws with {config.image_vocab}.",
                "Use the codec that the model was trained with.",
            )
