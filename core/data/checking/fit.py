"""Checks that the codec, the tokenizer and the shards of a run fit its model, by what the heads of its files tell.

A run whose files do not fit could be created, signed and joined, but never trained. Here it is refused before it is
joined, without the libraries that read rows, tensors and tokens; `core.data.checking.fit_rows` looks at the rows.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from core.codec.config import CodecConfig, read_config
from core.data.shard_head import ShardHead, open_shard
from core.errors import CodecError, MisfitError
from core.run.training.data_rules import TextRules
from core.storage.files import FileRef
from core.tokenizer_file import read_content, vocabulary_size

if TYPE_CHECKING:
    from core.families.text_to_image.rules import TextToImageRules

_HEADER_BYTES = 1 << 20
"""Longest header of a codec's weights that is read, in bytes; that of the embedded codec has 15,456."""


def check_files(training: "TextToImageRules", folder: Path) -> None:
    """Check the files of a run in a folder, whose digests were verified before; no row is read.

    Args:
        training: Rules of the run.
        folder: Folder relative to which the rules name files.

    Raises:
        MisfitError: a file does not fit the model; the remedy says what to change.
        CoreError: a file cannot be read.
    """
    config = read_config(folder / training.codec.config.path)
    check_codec(training, config)
    check_weights(config, folder / training.codec.weights.path)
    tokenizer = folder / training.text.tokenizer.path
    check_tokenizer(training.text, vocabulary_size(read_content(tokenizer), str(tokenizer)))
    rows = {ref for ref in local_shards(training) if _has_rows(training, ref, folder)}
    if training.data.shards and rows.isdisjoint(training.data.shards):
        raise no_rows()


def _has_rows(training: "TextToImageRules", ref: FileRef, folder: Path) -> bool:
    """Check the shard of a file in a folder; return true if it has a row group."""
    with open_shard(folder / ref.path, ref.path) as file:
        shard = ShardHead(file, ref.path)
        check_shard(training, shard)
        return bool(shard.row_groups)


def local_shards(training: "TextToImageRules") -> tuple[FileRef, ...]:
    """Return the shards that ``training`` names beside the manifest, that of the held-out rows last."""
    return (*training.data.shards, *((training.data.heldout,) if training.data.heldout else ()))


def check_codec(training: "TextToImageRules", config: CodecConfig) -> None:
    """Check that the codec of ``config`` has as many codes as the model of ``training`` draws with.

    The grid of the configuration may differ: a codec encodes images of any size.

    Raises:
        MisfitError: the numbers of codes differ.
    """
    codes, drawn = config.model.params.n_embed, training.model.image_vocab
    if codes != drawn:
        raise MisfitError(
            f"The codec has {codes:,} codes, but the model draws with {drawn:,}.",
            f"Set image_vocab of the model to {codes}, or name a codec whose n_embed is {drawn}.",
        )


def check_weights(config: CodecConfig, weights: Path) -> None:
    """Check that the safetensors file ``weights`` holds a codebook of the shape that ``config`` states.

    A .ckpt file is not opened, and no other tensor is looked at: that takes PyTorch, which the organiser's check
    (``core.codec.vqgan.check_codec_files``) loads, and the process that joins for the app must not.

    Raises:
        MisfitError: the codebook is missing, or has another shape.
        CodecError: the file is not safetensors, or is damaged.
    """
    if weights.suffix == ".ckpt":
        return
    params = config.model.params
    try:
        shape = _shape_in(weights, config.codebook_name)
    except (OSError, ValueError, RecursionError, LookupError, TypeError) as error:
        raise CodecError(
            f"The codec's weights {weights.name} are not a safetensors file, or are damaged.",
            "Name a .safetensors or .ckpt file with the weights of the codec.",
        ) from error
    if shape != (params.n_embed, params.embed_dim):
        found = f"a codebook of {' x '.join(map(str, shape))}" if shape else "no codebook"
        raise MisfitError(
            f"The codec's weights {weights.name} hold {found}, but its configuration asks for "
            f"{params.n_embed} x {params.embed_dim}.",
            "Name the configuration that these weights were made with.",
        )


def check_tokenizer(text: TextRules, size: int) -> None:
    """Check that the model knows all tokens, and the tokenizer has the tokens for the end and for padding.

    Args:
        text: Rules of the run for captions: the model's vocabulary and the two tokens.
        size: Smallest number that is above the ids of all tokens of the run's tokenizer.

    Raises:
        MisfitError: the vocabularies do not fit.
    """
    name = text.tokenizer.path
    if size > text.vocab:
        raise MisfitError(
            f"The tokenizer {name} has {size:,} tokens, but the model knows {text.vocab:,}.",
            f"Set vocab of the text and text_vocab of the model to {size} or more, or name a smaller tokenizer.",
        )
    if max(text.eos_id, text.pad_id) >= size:
        raise MisfitError(
            f"The tokenizer {name} has {size:,} tokens,"
            f" so eos_id {text.eos_id} or pad_id {text.pad_id} is out of range.",
            "Set eos_id and pad_id of the text to ids that the tokenizer has.",
        )


def check_shard(training: "TextToImageRules", shard: ShardHead) -> None:
    """Check the size of the images of ``shard``, which ``training`` names, as far as its head tells.

    Raises:
        MisfitError: the model has another grid.
        DataError: the shard cannot be read.
    """
    grid = training.model.grid
    side = shard.image_side(grid)
    if side is not None:
        check_image(training, side, f"row 0 of row group 0 of {shard.name}")


def check_image(training: "TextToImageRules", side: int, where: str) -> None:
    """Check that the model of ``training`` draws ``side`` by ``side`` codes, as the image of the row ``where`` has.

    Raises:
        MisfitError: the model has another grid.
    """
    grid = training.model.grid
    if side != grid:
        raise MisfitError(
            f"The image of {where} has {side} x {side} codes, but the model draws {grid} x {grid}.",
            f"Set grid of the model to {side}, or build the shards with `idlebrush dataset build --grid {grid}`.",
        )


def no_rows() -> MisfitError:
    """Return the error of a run whose shards hold no rows."""
    return MisfitError("The shards hold no rows.", "Name shards with at least one row.")


def _shape_in(weights: Path, name: str) -> tuple[int, ...]:
    """Return the shape of a tensor by the header of a safetensors file: its length in eight bytes, then JSON.

    It is empty if there is no such tensor; one of several errors is raised if the file has another form.
    """
    with weights.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > _HEADER_BYTES:
            raise ValueError(f"its header would take {length} bytes")
        tensors = json.loads(file.read(length))
    return tuple(tensors[name]["shape"]) if name in tensors else ()
