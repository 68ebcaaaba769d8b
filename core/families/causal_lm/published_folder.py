"""The folder of a published language model, written whole or not at all, and read back before it is used.

config.json, generation_config.json, tokenizer.json, tokenizer_config.json, model.safetensors
                 the model in GPT-2's layout (`core.families.causal_lm.gpt2_layout`)
idlebrush.json   where it comes from, and the digests of all files (`core.published.family_document`)
README.md        the model card
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from torch import Size, Tensor

from core.digest import digest
from core.errors import CheckpointError, ManifestError
from core.families.causal_lm.card import language_card
from core.families.causal_lm.config import KIND, CausalConfig
from core.families.causal_lm.gpt2_layout import (
    config_of,
    from_gpt2,
    generation_settings,
    gpt2_names,
    gpt2_settings,
    is_transposed,
    to_gpt2,
    tokenizer_settings,
)
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.tokens import TextTokenizer
from core.published.document import CARD, ModelOrigin, require_replaceable
from core.published.family_document import DOCUMENT, FamilyDocument, has_document, read_document
from core.run.describe import parameter_count
from core.skeletons import shapes_alone
from core.storage.disk import Disk
from core.storage.files import FileRef, read_bounded, resolve_file
from core.storage.parameter_file import read_parameters
from core.storage.replacement import clear_up, replace_directory

WEIGHTS, CONFIG, TOKENIZER = "model.safetensors", "config.json", "tokenizer.json"
_GENERATION, _TOKENIZER_CONFIG = "generation_config.json", "tokenizer_config.json"
_FILES = (WEIGHTS, CONFIG, _GENERATION, TOKENIZER, _TOKENIZER_CONFIG, CARD)
_LARGEST_CONFIG = 1 << 20
_DISK = Disk()
_AGAIN = "Get the model's folder again from where it was published."


@dataclass(frozen=True)
class LanguageModel:
    """A language model to publish."""

    config: CausalConfig
    parameters: Mapping[str, Tensor]
    """Parameters by our names."""
    tokenizer: Path
    """File of its tokenizer."""
    end_id: int
    """Token that ends a document."""
    origin: ModelOrigin


def parameter_shapes(config: CausalConfig) -> dict[str, Size]:
    """Return names and shapes of the parameters of a model of ``config``."""
    with shapes_alone():
        return {name: tensor.shape for name, tensor in CausalTransformer(config).state_dict().items()}


def write_language_model(
    folder: Path, model: LanguageModel, license_id: str | None = None, *, disk: Disk = _DISK
) -> FamilyDocument:
    """Write a model's folder and read it back; one that is there is replaced once the new one has proved sound.

    Args:
        folder: Folder to write.
        model: Model to publish.
        license_id: Licence that the card names, by the Hub's identifier; None: the card claims none.
        disk: Disk operations, which tests replace.

    Raises:
        CheckpointError: GPT-2's layout has no such model, it cannot be written, or the folder holds something else;
            what was there still is.
        TextError, MisfitError: The tokenizer does not fit.
    """
    folder = folder.resolve()
    try:
        clear_up(folder, disk)
        _refuse_foreign(folder)
        replace_directory(folder, lambda incoming: _write_sound(incoming, model, license_id, disk), disk)
    except (OSError, SafetensorError) as error:  # the latter is what a full disk is to safetensors
        raise CheckpointError(
            f"The model could not be written to {folder}: {getattr(error, 'strerror', None) or error}.",
            "Free space on that disk or choose another folder; what was there still is.",
        ) from error
    return read_document(folder)


def read_language_model(folder: Path) -> LanguageModel:
    """Return the model in a ``folder`` that `write_language_model` wrote, after a check of every byte.

    Raises:
        CheckpointError: It is damaged, or something else.
    """
    document = read_document(folder)
    _check_files(folder, document)
    try:
        settings = json.loads(read_bounded(folder / CONFIG, _LARGEST_CONFIG))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{folder / CONFIG} cannot be read: {error}.", _AGAIN) from error
    config = config_of(settings if isinstance(settings, dict) else {})
    return LanguageModel(
        config,
        _parameters(folder, config, document),
        folder / TOKENIZER,
        settings["eos_token_id"],
        document.origin,
    )


def _write_sound(incoming: Path, model: LanguageModel, license_id: str | None, disk: Disk) -> None:
    """Fill a new folder, and check that it can be read back; raises CheckpointError if not."""
    _write(incoming, model, license_id, disk)
    try:
        read_language_model(incoming)
    except CheckpointError as error:
        raise CheckpointError(
            f"The model that was written cannot be read back. {error.what}",
            "Check the disk; the folder is as it was.",
        ) from error


def _write(incoming: Path, model: LanguageModel, license_id: str | None, disk: Disk) -> None:
    config, end_id = model.config, model.end_id
    shutil.copyfile(model.tokenizer, incoming / TOKENIZER)
    disk.flush(incoming / TOKENIZER)
    end = TextTokenizer.load(incoming / TOKENIZER, config.vocab).token(end_id)
    settings = {
        CONFIG: gpt2_settings(config, end_id),
        _GENERATION: generation_settings(end_id),
        _TOKENIZER_CONFIG: tokenizer_settings(config, end),
    }
    for name, content in settings.items():
        disk.write_text(incoming / name, f"{json.dumps(content, indent=2)}\n")
    # Readers of other programs ask which library's tensors they are.
    disk.write_tensors(incoming / WEIGHTS, to_gpt2(model.parameters, config), {"format": "pt"})
    found = digest(model.parameters)
    disk.write_text(incoming / CARD, language_card(config, model.origin, found, license_id))
    files = tuple(FileRef.of(incoming / name, incoming) for name in _FILES)
    document = FamilyDocument(kind=KIND, origin=model.origin, parameter_digest=found, files=files)
    disk.write_text(incoming / DOCUMENT, document.sealed())


def _parameters(folder: Path, config: CausalConfig, document: FamilyDocument) -> dict[str, Tensor]:
    """Return the parameters by our names; no memory is taken before the file has proved to be large enough."""
    weights = folder / WEIGHTS
    if 4 * parameter_count(config.model_copy(update={"shared_layers": 0})) > weights.stat().st_size:
        raise CheckpointError(f"{weights} is too short for the model in {CONFIG}.", _AGAIN)
    shapes = parameter_shapes(config)
    expected = {
        theirs: Size(reversed(shape)) if is_transposed(name) else shape
        for name, shape in shapes.items()
        for theirs in gpt2_names(name, config)
    }
    parameters = from_gpt2(read_parameters(weights, expected), config, shapes)
    if digest(parameters) != document.parameter_digest:
        raise CheckpointError(
            f"{weights} is damaged: its parameters are not those it was saved with.", _AGAIN
        )
    return parameters


def _check_files(folder: Path, document: FamilyDocument) -> None:
    if document.kind != KIND or {ref.path for ref in document.files} != {*_FILES}:
        raise CheckpointError(f"The model in {folder} is not one of this kind.", _AGAIN)
    try:
        for ref in document.files:
            resolve_file(ref, folder)
    except ManifestError as error:
        raise CheckpointError(f"The model in {folder} is not whole. {error.what}", _AGAIN) from error


def _refuse_foreign(folder: Path) -> None:
    """Check that replacing the folder deletes no other files, and no card that was changed."""
    names = {path.name for path in folder.iterdir()} if folder.exists() else set[str]()
    foreign = names - {*_FILES, DOCUMENT} if has_document(folder) else names
    require_replaceable(folder, names, foreign, lambda: _is_card_ours(folder))


def _is_card_ours(folder: Path) -> bool:
    try:
        card = next(ref for ref in read_document(folder).files if ref.path == CARD)
        resolve_file(card, folder)
    except (CheckpointError, ManifestError, StopIteration):
        return False
    return True


def described(model: LanguageModel) -> dict[str, Any]:
    """Return the sizes and the origin of a model as values of JSON."""
    return {"model": model.config.model_dump(mode="json"), "origin": model.origin.model_dump(mode="json")}
