"""The folder of a published model: weights, what they are, and what they need to draw, each checked before use.

model.json           what the model is, and the digests of the files (`core.published.document`)
model.safetensors    its parameters, each once, by our names
tokenizer.json       what makes tokens of prompts, and
codec/               what makes pictures of codes, if the publisher had them
ranker.safetensors   what picks the best of many, where its run trained one
README.md            the model card of an export (`core.published.card`)
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from core.codec.vqgan import ImageCodec, load_codec
from core.digest import digest
from core.errors import CheckpointError, CoreError, ManifestError
from core.generation.parts import DrawingDevice, DrawingParts, Origin
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.published.document import LARGEST, ModelDocument, RunOrigin, parse
from core.published.model import CodecFiles, Model, TokenizerFile, parameter_shapes
from core.ranking.arrival import Arrived
from core.ranking.choose import load_ranker
from core.ranking.ranker import Ranker
from core.run.contact import ClipRanking, ScorerRanking
from core.storage.files import FileRef, read_bounded, resolve_file
from core.storage.parameter_file import read_parameters
from core.storage.replacement import place
from core.text import CaptionTokenizer

DOCUMENT = "model.json"
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
CODEC = "codec"
RANKER = "ranker.safetensors"
_AGAIN = "Get the model's folder again from where it was published."


@dataclass(frozen=True)
class ModelFolder:
    """A model's folder and its document; its other files are read and checked when they are asked for.

    A file that is missing, or not as it was published, raises a CheckpointError.
    """

    path: Path
    document: ModelDocument

    @property
    def config(self) -> ModelConfig:
        """Sizes of the model."""
        return self.document.model

    @property
    def usual_guidance(self) -> float:
        """Factor by which its drawings are guided, without a unit; 1 if it cannot be guided."""
        return self.document.usual_guidance

    def parameters(self) -> dict[str, Tensor]:
        """Return the parameters by name, each in its shape and in memory of its own.

        The memory is taken once the file has proved to hold this model. Raises CheckpointError if it does
        not.
        """
        weights = self._file(self.document.weights)
        parameters = read_parameters(weights, parameter_shapes(self.config, self.document.weights.size))
        if digest(parameters) != self.document.parameter_digest:
            raise CheckpointError(
                f"{weights} is damaged: its parameters are not those it was saved with.", _AGAIN
            )
        return parameters

    def transformer(self) -> Transformer:
        """Return the model in float32 on the CPU."""
        parameters = self.parameters()
        model = Transformer(self.config)
        model.load_state_dict(parameters)
        return model

    def tokenizer(self) -> CaptionTokenizer:
        """Return the tokenizer of prompts; raises CoreError if it is missing or cannot be used."""
        if (text := self.document.text) is None:
            raise self._incomplete("tokenizer", "--tokenizer")
        return CaptionTokenizer.of_run(text, self.path)

    def codec(self) -> ImageCodec:
        """Return the codec; raises CoreError if it is missing or cannot be used."""
        if (codec := self.document.codec) is None:
            raise self._incomplete("image codec", "--codec")
        return load_codec(self._file(codec.config), self._file(codec.weights))

    def ranker(
        self,
        tokenizer: CaptionTokenizer,
        *,
        device: torch.device | str = "cpu",
        arrived: Arrived = lambda done, total: None,
    ) -> Ranker | None:
        """Return the ranker; None if the model names none. Raises CoreError as `load_ranker` does.

        Args:
            tokenizer: The model's own.
            device: Device that the ranker computes on.
            arrived: Called with the bytes of a download that have arrived and their total.
        """
        return load_ranker(self.document.ranking, self.path, tokenizer, device=device, arrived=arrived)

    def model(self) -> Model:
        """Return all parts of the model, to publish it again; raises CheckpointError if one is not sound."""
        text, codec = self.document.text, self.document.codec
        tokenizer = TokenizerFile(self._file(text.tokenizer), text.eos_id, text.pad_id) if text else None
        files = CodecFiles(self._file(codec.config), self._file(codec.weights)) if codec else None
        return Model(
            self.config,
            self.parameters(),
            self.document.origin,
            tokenizer,
            files,
            self._ranker_file(),
            self.document.usual_guidance,
        )

    def _ranker_file(self) -> ClipRanking | Path | None:
        ranking = self.document.ranking
        return self._file(ranking.weights) if isinstance(ranking, ScorerRanking) else ranking

    def _file(self, ref: FileRef) -> Path:
        try:
            return resolve_file(ref, self.path)
        except ManifestError as error:
            raise CheckpointError(f"The model in {self.path} is not whole. {error.what}", _AGAIN) from error

    def _incomplete(self, what: str, option: str) -> CheckpointError:
        return CheckpointError(
            f"The model in {self.path} has no {what}, and cannot draw without.",
            f"Import it again with {option}.",
        )


def is_model(folder: Path) -> bool:
    """Return True if a model, sound or not, was written to ``folder``."""
    return place(folder.resolve(), DOCUMENT) is not None


def open_model(folder: Path) -> ModelFolder:
    """Return the model that ``folder`` says it holds.

    Raises CheckpointError if that is no model, damaged or of a newer format.
    """
    found = place(folder.resolve(), DOCUMENT)
    if found is None:
        raise CheckpointError(
            f"There is no model in {folder}: {DOCUMENT} is missing.", "Give a model's folder."
        )
    path = found / DOCUMENT
    try:
        return ModelFolder(found, parse(read_bounded(path, LARGEST), str(path)))
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}.", _AGAIN) from error
    except ValueError as error:
        raise CheckpointError(f"{path} is too long to describe a model.", _AGAIN) from error


def load_published_parts(
    folder: ModelFolder,
    tokenizer: CaptionTokenizer,
    place: DrawingDevice,
    arrived: Arrived = lambda done, total: None,
) -> DrawingParts:
    """Load all parts but the tokenizer, which the caller has already used to check prompts.

    A ranker that cannot be loaded is left out; other errors are those of ``folder``, all of them CoreErrors.

    Args:
        folder: The model's folder.
        tokenizer: The model's own.
        place: Device and precision to compute in, and the bytes that drawing may take.
        arrived: Called with the bytes of a ranker's download that have arrived and their total.
    """
    model = folder.transformer().requires_grad_(False)
    model.compute_in(place.precision)
    codec = folder.codec().to(place.device)
    ranker, unranked = None, "The model names no ranker."
    try:
        ranker = folder.ranker(tokenizer, device=place.device, arrived=arrived)
    except CoreError as error:
        unranked = str(error)
    origin, guidance = origin_of(folder.document), folder.document.usual_guidance
    model = model.to(place.device)
    return DrawingParts(model, tokenizer, codec, ranker, origin, place.room, unranked, guidance)


def origin_of(document: ModelDocument) -> Origin:
    """Return the identity of the published model that ``document`` describes."""
    origin = document.origin
    if isinstance(origin, RunOrigin):
        return Origin(origin.run, origin.epoch, document.parameter_digest)
    return Origin(origin.name, 0, document.parameter_digest)  # a file does not tell how long it was trained
