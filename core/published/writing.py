"""Writes the folder of a published model: whole or not at all, the same bytes for the same model, and read back."""

import shutil
from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError

from core.codec.vqgan import load_codec
from core.digest import digest
from core.errors import CheckpointError
from core.published.card import is_as_written
from core.published.document import CARD, ModelDocument, require_replaceable
from core.published.model import CodecFiles, Model
from core.published.model_folder import CODEC, DOCUMENT, RANKER, TOKENIZER, WEIGHTS, open_model
from core.run.contact import ClipRanking, Ranking, ScorerRanking
from core.run.training.data_rules import CodecRules, TextRules
from core.storage.disk import Disk
from core.storage.files import FileRef, read_bounded
from core.storage.replacement import clear_up, replace_directory

_CODEC_CONFIG, _CODEC_WEIGHTS = "config.yaml", "vqgan.safetensors"
_OURS = {DOCUMENT, WEIGHTS, TOKENIZER, CODEC, RANKER, CARD}
_OURS_IN_CODEC = {_CODEC_CONFIG, _CODEC_WEIGHTS}
_LARGEST_CARD = 1 << 20
_DISK = Disk()

WriteCard = Callable[[ModelDocument], str]
"""Returns the model card, in Markdown."""


def write_model(
    folder: Path, model: Model, card: WriteCard | None = None, *, disk: Disk = _DISK
) -> ModelDocument:
    """Write a model's folder and read it back; the one that is there is replaced once the new one is complete.

    Args:
        folder: Folder to write.
        model: Model to publish.
        card: Returns the model card of a document; None: no card is written.
        disk: Disk operations, which tests replace.

    Raises:
        CheckpointError: it cannot be written, or the folder holds something else; what was there still is.
        CodecError: the codec is a published checkpoint that cannot be used.
    """
    folder = folder.resolve()
    try:
        clear_up(folder, disk)
        _refuse_foreign(folder)
        replace_directory(folder, lambda incoming: _write(incoming, model, card, disk), disk)
    except (OSError, SafetensorError) as error:  # the latter is what a full disk is to safetensors
        raise CheckpointError(
            f"The model could not be written to {folder}: {getattr(error, 'strerror', None) or error}.",
            "Free space on that disk or choose another folder; what was there still is.",
        ) from error
    written = open_model(folder)
    written.model()
    return written.document


def _write(incoming: Path, model: Model, card: WriteCard | None, disk: Disk) -> None:
    disk.write_tensors(incoming / WEIGHTS, model.parameters)
    document = ModelDocument(
        model=model.config,
        weights=FileRef.of(incoming / WEIGHTS, incoming),
        parameter_digest=digest(model.parameters),
        origin=model.origin,
        text=_write_tokenizer(incoming, model, disk),
        codec=_write_codec(incoming, model.codec, disk),
        ranking=_write_ranker(incoming, model.ranker, disk),
        usual_guidance=model.usual_guidance,
    )
    if card is not None:
        disk.write_text(incoming / CARD, card(document))
    disk.write_text(incoming / DOCUMENT, document.sealed())


def _write_tokenizer(incoming: Path, model: Model, disk: Disk) -> TextRules | None:
    if (tokenizer := model.tokenizer) is None:
        return None
    return TextRules(
        tokenizer=_copy(tokenizer.path, incoming / TOKENIZER, incoming, disk),
        length=model.config.text_length,
        vocab=model.config.text_vocab,
        eos_id=tokenizer.eos_id,
        pad_id=tokenizer.pad_id,
    )


def _write_codec(incoming: Path, codec: CodecFiles | None, disk: Disk) -> CodecRules | None:
    if codec is None:
        return None
    folder, weights = incoming / CODEC, incoming / CODEC / _CODEC_WEIGHTS
    disk.create_directory(folder)
    config = _copy(codec.config, folder / _CODEC_CONFIG, incoming, disk)
    if codec.weights.suffix == ".ckpt":  # a pickle, and none is to be in what is published
        disk.write_tensors(weights, load_codec(codec.config, codec.weights).weights())
    else:
        _copy(codec.weights, weights, incoming, disk)
    disk.flush(folder)
    return CodecRules(config=config, weights=FileRef.of(weights, incoming))


def _write_ranker(incoming: Path, ranker: ClipRanking | Path | None, disk: Disk) -> Ranking | None:
    if not isinstance(ranker, Path):
        return ranker
    return ScorerRanking(weights=_copy(ranker, incoming / RANKER, incoming, disk))


def _copy(source: Path, target: Path, incoming: Path, disk: Disk) -> FileRef:
    shutil.copyfile(source, target)
    disk.flush(target)
    return FileRef.of(target, incoming)


def _refuse_foreign(folder: Path) -> None:
    """Check that replacing the folder deletes no other files, such as those of a repository."""
    names, of_codec = _names_in(folder), _names_in(folder / CODEC)
    foreign = names - _OURS if DOCUMENT in names else names
    foreign |= {f"{CODEC}/{name}" for name in of_codec - _OURS_IN_CODEC}
    require_replaceable(folder, names, foreign, lambda: _is_card_ours(folder))


def _is_card_ours(folder: Path) -> bool:
    try:
        card = read_bounded(folder / CARD, _LARGEST_CARD).decode()
        return is_as_written(card, open_model(folder).document)
    except (ValueError, CheckpointError):  # too long, no text, or of a model that cannot be told any more
        return False


def _names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()
