"""The folder of a published model: weights, what they are, and what they need to draw, each checked before use.

model.json           what the model is, and the digests of the files (`core.published.document`)
model.safetensors    its parameters, each once, by our names
tokenizer.json       what makes tokens of prompts, and
codec/               what makes pictures of codes, if the publisher had them
README.md            the model card of an export (`core.published.card`)
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from safetensors import SafetensorError
from torch import Tensor

from core.codec.vqgan import ImageCodec, load_codec
from core.digest import digest
from core.disk import Disk
from core.errors import CheckpointError, ManifestError
from core.files import FileRef, read_bounded, resolve_file
from core.model.transformer import Transformer
from core.parameter_file import read_parameters
from core.published.document import LARGEST, ModelDocument, parse
from core.published.model import CodecFiles, Model, TokenizerFile
from core.published.shapes import parameter_shapes
from core.replacement import clear_up, place, replace_directory
from core.rules import CodecRules, TextRules
from core.text import CaptionTokenizer

DOCUMENT = "model.json"
_WEIGHTS = "model.safetensors"
_TOKENIZER = "tokenizer.json"
_CODEC = "codec"
_CARD = "README.md"
_OURS = {DOCUMENT, _WEIGHTS, _TOKENIZER, _CODEC, _CARD}
_AGAIN = "Get the model's folder again from where it was published."
_DISK = Disk()

Card = Callable[[ModelDocument], str]
"""Writes the model card, in Markdown."""


@dataclass(frozen=True)
class PublishedModel:
    """A model that was read from a folder, whose other files are checked when they are asked for."""

    folder: Path
    document: ModelDocument
    parameters: dict[str, Tensor]

    def transformer(self) -> Transformer:
        """The transformer with these parameters, in float32 on the CPU."""
        model = Transformer(self.document.model)
        model.load_state_dict(self.parameters)
        return model

    def tokenizer(self) -> CaptionTokenizer:
        """What makes tokens of prompts; CheckpointError if the folder has none, CoreError if it is unusable."""
        if (text := self.document.text) is None:
            raise self._incomplete("tokenizer", "--tokenizer")
        return CaptionTokenizer.of_run(text, self.folder)

    def codec(self) -> ImageCodec:
        """What makes pictures of codes; CheckpointError if the folder has none, CodecError if it is unusable."""
        if (codec := self.document.codec) is None:
            raise self._incomplete("image codec", "--codec")
        return load_codec(_resolve(codec.config, self.folder), _resolve(codec.weights, self.folder))

    def model(self) -> Model:
        """The same to publish again."""
        return Model(
            self.document.model,
            self.parameters,
            self.document.origin,
            self._tokenizer_file(),
            self._codec_files(),
        )

    def _tokenizer_file(self) -> TokenizerFile | None:
        if (text := self.document.text) is None:
            return None
        return TokenizerFile(_resolve(text.tokenizer, self.folder), text.eos_id, text.pad_id)

    def _codec_files(self) -> CodecFiles | None:
        if (codec := self.document.codec) is None:
            return None
        return CodecFiles(_resolve(codec.config, self.folder), _resolve(codec.weights, self.folder))

    def whole(self) -> Self:
        """This model, once its other files have proved right too; CheckpointError otherwise."""
        self.model()
        return self

    def _incomplete(self, what: str, option: str) -> CheckpointError:
        return CheckpointError(
            f"The model in {self.folder} has no {what}, and cannot draw without.",
            f"Import it again with {option}.",
        )


def is_model(folder: Path) -> bool:
    """Whether a model, sound or not, was written there."""
    return place(folder.resolve(), DOCUMENT) is not None


def load_model(folder: Path) -> PublishedModel:
    """Read a model's parameters into memory of their own, once its files have proved right.

    Raises:
        CheckpointError: there is none, or it is damaged, of a newer format, or beyond what a file may ask for.
    """
    found = place(folder.resolve(), DOCUMENT)
    if found is None:
        raise CheckpointError(
            f"There is no model in {folder}: {DOCUMENT} is missing.", "Give a model's folder."
        )
    document = _read_document(found / DOCUMENT)
    weights = _resolve(document.weights, found)
    parameters = read_parameters(weights, parameter_shapes(document.model, document.weights.size))
    if digest(parameters) != document.parameter_digest:
        raise CheckpointError(
            f"{weights} is damaged: its parameters are not those it was saved with.", _AGAIN
        )
    return PublishedModel(found, document, parameters)


def write_model(folder: Path, model: Model, card: Card | None = None, *, disk: Disk = _DISK) -> ModelDocument:
    """Write a model's folder, replacing the one that is there only once the new one is complete, and read it back.

    Raises:
        CheckpointError: it cannot be written, or the folder holds something else; what was there still is.
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
    return load_model(folder).document


def _write(incoming: Path, model: Model, card: Card | None, disk: Disk) -> None:
    disk.write_tensors(incoming / _WEIGHTS, model.parameters)
    document = ModelDocument(
        model=model.config,
        weights=FileRef.of(incoming / _WEIGHTS, incoming),
        parameter_digest=digest(model.parameters),
        origin=model.origin,
        text=_write_tokenizer(incoming, model, disk),
        codec=_write_codec(incoming, model.codec, disk),
    )
    if card is not None:
        disk.write_text(incoming / _CARD, card(document))
    disk.write_text(incoming / DOCUMENT, document.sealed())


def _write_tokenizer(incoming: Path, model: Model, disk: Disk) -> TextRules | None:
    if (tokenizer := model.tokenizer) is None:
        return None
    return TextRules(
        tokenizer=_copy(tokenizer.path, incoming / _TOKENIZER, incoming, disk),
        length=model.config.text_length,
        vocab=model.config.text_vocab,
        eos_id=tokenizer.eos_id,
        pad_id=tokenizer.pad_id,
    )


def _write_codec(incoming: Path, codec: CodecFiles | None, disk: Disk) -> CodecRules | None:
    if codec is None:
        return None
    folder = incoming / _CODEC
    disk.create_directory(folder)
    return CodecRules(
        config=_copy(codec.config, folder / "config.yaml", incoming, disk),
        weights=_copy(codec.weights, folder / f"vqgan{codec.weights.suffix}", incoming, disk),
    )


def _copy(source: Path, target: Path, incoming: Path, disk: Disk) -> FileRef:
    shutil.copyfile(source, target)
    disk.flush(target)
    return FileRef.of(target, incoming)


def _read_document(path: Path) -> ModelDocument:
    try:
        return parse(read_bounded(path, LARGEST), str(path))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.", _AGAIN) from error
    except ValueError as error:
        raise CheckpointError(f"{path} is too long to describe a model.", _AGAIN) from error


def _resolve(ref: FileRef, folder: Path) -> Path:
    try:
        return resolve_file(ref, folder)
    except ManifestError as error:
        raise CheckpointError(f"The model in {folder} is not whole. {error.what}", _AGAIN) from error


def _refuse_foreign(folder: Path) -> None:
    """A model replaces the folder: see that it takes nobody's files along, a repository's neither."""
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    foreign = sorted(names - _OURS if DOCUMENT in names else names)
    if foreign:
        raise CheckpointError(
            f"{folder} holds {foreign[0]}, which is no part of a model that was written there.",
            "Choose another folder by --out.",
        )
