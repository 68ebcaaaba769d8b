"""Checks that the codec, the tokenizer and the shards of a run fit its model, before the run is used.

A run whose files do not fit could be created, signed and joined, but never trained.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import isqrt
from pathlib import Path

from safetensors import SafetensorError, safe_open
from tokenizers import Tokenizer

from core.codec.config import CodecConfig, read_config
from core.data.layout import BATCH_ROWS, MAX_VOCAB
from core.data.listing import Listing, Shard
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.rows import ShardRows, hub_rows
from core.errors import CodecError, DataError, MisfitError
from core.network.pause_token import Ended, PauseToken
from core.run.filters import DropReason, drop_reason
from core.run.rules import HubSource, TextRules, TrainingRules
from core.storage.files import FileRef
from core.tokenizer_file import read_tokenizer, vocabulary_size

_HUB_SECONDS = 60.0
"""Seconds in which the Hub must list a data set and send its first rows."""


def check_files(training: TrainingRules, folder: Path) -> None:
    """Check the files of a run in a folder, whose digests were verified before; the Hub is not asked.

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
    check_tokenizer(training.text, read_tokenizer(folder / training.text.tokenizer.path))
    heldout = (training.data.heldout,) if training.data.heldout else ()
    shards = [_local(ref, folder) for ref in (*training.data.shards, *heldout)]
    if shards:
        rows = ShardRows(shards)
        for number in range(len(shards)):
            check_shard(training, rows, number)
    if training.data.shards:
        check_filters(training, ShardRows([_local(ref, folder) for ref in training.data.shards]))


def check_hub(
    training: TrainingRules, source: HubSource, seconds: float = _HUB_SECONDS, hub: Listing | None = None
) -> None:
    """Check the first shard of a data set on the Hub.

    Args:
        training: Rules of the run.
        source: Data set that the rules name.
        seconds: Time after which the check is given up.
        hub: Lists the shards; None: the Hub that ``HF_ENDPOINT`` names.

    Raises:
        MisfitError: the shard does not fit the model; the remedy says what to change.
        DataError: the data set has no shard, the shard cannot be read, or the Hub does not answer in time.
    """
    token = PauseToken()
    timer = threading.Timer(seconds, token.end)
    timer.start()
    try:
        check_shard(training, hub_rows(source, token, lambda text: None, hub), 0)
    except Ended as error:
        raise DataError(
            f"The Hub did not give the data set {source.repo} within {seconds:.0f} seconds.",
            "Check the connection to the Hub and run the same command again.",
        ) from error
    finally:
        timer.cancel()


def check_codec(training: TrainingRules, config: CodecConfig) -> None:
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
    params, name = config.model.params, config.codebook_name
    try:
        with safe_open(weights, framework="np") as file:
            shape = file.get_slice(name).get_shape() if name in list(file.keys()) else []
    except (SafetensorError, OSError) as error:
        raise CodecError(
            f"The codec's weights {weights.name} are not a safetensors file, or are damaged.",
            "Name a .safetensors or .ckpt file with the weights of the codec.",
        ) from error
    if shape != [params.n_embed, params.embed_dim]:
        found = f"a codebook of {' x '.join(map(str, shape))}" if shape else "no codebook"
        raise MisfitError(
            f"The codec's weights {weights.name} hold {found}, but its configuration asks for "
            f"{params.n_embed} x {params.embed_dim}.",
            "Name the configuration that these weights were made with.",
        )


def check_tokenizer(text: TextRules, tokenizer: Tokenizer) -> None:
    """Check that the model knows all tokens, and the tokenizer has the tokens for the end and for padding.

    Args:
        text: Rules of the run for captions: the model's vocabulary and the two tokens.
        tokenizer: Tokenizer of the run.

    Raises:
        MisfitError: the vocabularies do not fit.
    """
    size, name = vocabulary_size(tokenizer), text.tokenizer.path
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


def check_shard(training: TrainingRules, rows: ShardRows, shard: int) -> None:
    """Check the first rows of a shard: the size of their images, and the range of their codes.

    Args:
        training: Rules of the run.
        rows: Rows of all shards.
        shard: Number of the shard.

    Raises:
        MisfitError: the model has another grid, or fewer codes.
        DataError: the shard cannot be read, or a row is malformed.
    """
    if rows.row_groups(shard):
        for where, row in islice(rows.read(shard, 0), BATCH_ROWS):
            _check_row(training, row, where)


def check_filters(training: TrainingRules, rows: ShardRows) -> None:
    """Check that the filters of the run keep a row; rows are read up to the first that they keep.

    Args:
        training: Rules of the run.
        rows: Rows of all shards.

    Raises:
        MisfitError: the filters drop every row, or there is none.
        DataError: a shard cannot be read, or a row is malformed.
    """
    dropped = Counter[DropReason]()
    for row in _all_rows(rows):
        size = row.original_width, row.original_height
        if (reason := drop_reason(row.caption, row.nsfw, *size, training.data.filters)) is None:
            return
        dropped[reason] += 1
    if not dropped:
        raise MisfitError("The shards hold no rows.", "Name shards with at least one row.")
    reasons = ", ".join(f"{count:,} for: {reason}" for reason, count in dropped.most_common())
    raise MisfitError(
        f"The filters of the run drop all {dropped.total():,} rows of its shards ({reasons}).",
        "Change the filters of the data, or name other shards.",
    )


def _all_rows(rows: ShardRows) -> Iterator[CodeRow]:
    for shard in range(len(rows.shards)):
        for group in range(rows.row_groups(shard)):
            yield from (row for _, row in rows.read(shard, group))


def _check_row(training: TrainingRules, row: CodeRow, where: str) -> None:
    grid, codes = training.model.grid, training.model.image_vocab
    side = isqrt(len(row.code) // 2)
    if side != grid and 2 * side**2 == len(row.code):
        raise MisfitError(
            f"The image of {where} has {side} x {side} codes, but the model draws {grid} x {grid}.",
            f"Set grid of the model to {side}, or build the shards with `idlebrush dataset build --grid {grid}`.",
        )
    largest = decode_codes(row.code, grid, MAX_VOCAB, where).max()
    if largest >= codes:
        raise MisfitError(
            f"The image of {where} holds the code {largest}, but the model draws with {codes:,} codes.",
            "Name the codec that the shards were built with, or build them with the one that is named.",
        )


def _local(ref: FileRef, folder: Path) -> Shard:
    return Shard(name=ref.path, url=str(folder / ref.path), identity=ref.sha256)
