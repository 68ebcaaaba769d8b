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
from core.contact import ClipRanking, ScorerRanking
from core.digest import digest
from core.errors import CheckpointError, ManifestError
from core.files import FileRef, read_bounded, resolve_file
from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.parameter_file import read_parameters
from core.published.document import LARGEST, ModelDocument, parse
from core.published.model import CodecFiles, Model, TokenizerFile
from core.published.shapes import parameter_shapes
from core.ranking.choose import load_ranker
from core.ranking.ranker import Arrived, Ranker
from core.replacement import place
from core.text import CaptionTokenizer

DOCUMENT = "model.json"
WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"
CODEC = "codec"
RANKER = "ranker.safetensors"
CARD = "README.md"
_AGAIN = "Get the model's folder again from where it was published."


@dataclass(frozen=True)
class ModelFolder:
    """A model's folder and what it says it is; its other files are read and checked when they are asked for.

    What is not there or not as it was published is a CheckpointError.
    """

    path: Path
    document: ModelDocument

    @property
    def config(self) -> ModelConfig:
        return self.document.model

    def parameters(self) -> dict[str, Tensor]:
        """The parameters in memory of their own, taken once the file has proved to hold this model."""
        weights = self._file(self.document.weights)
        parameters = read_parameters(weights, parameter_shapes(self.config, self.document.weights.size))
        if digest(parameters) != self.document.parameter_digest:
            raise CheckpointError(
                f"{weights} is damaged: its parameters are not those it was saved with.", _AGAIN
            )
        return parameters

    def transformer(self) -> Transformer:
        """The model in float32 on the CPU."""
        parameters = self.parameters()
        model = Transformer(self.config)
        model.load_state_dict(parameters)
        return model

    def tokenizer(self) -> CaptionTokenizer:
        """What makes tokens of prompts; CoreError if it is unusable."""
        if (text := self.document.text) is None:
            raise self._incomplete("tokenizer", "--tokenizer")
        return CaptionTokenizer.of_run(text, self.path)

    def codec(self) -> ImageCodec:
        """What makes pictures of codes; CodecError if it is unusable."""
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
        """What picks the best pictures, None if none is named; CoreError as `load_ranker`."""
        return load_ranker(self.document.ranking, self.path, tokenizer, device=device, arrived=arrived)

    def model(self) -> Model:
        """All of it, checked, to publish again."""
        text, codec = self.document.text, self.document.codec
        tokenizer = TokenizerFile(self._file(text.tokenizer), text.eos_id, text.pad_id) if text else None
        files = CodecFiles(self._file(codec.config), self._file(codec.weights)) if codec else None
        return Model(
            self.config, self.parameters(), self.document.origin, tokenizer, files, self._ranker_file()
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
    """Whether a model, sound or not, was written there."""
    return place(folder.resolve(), DOCUMENT) is not None


def open_model(folder: Path) -> ModelFolder:
    """Read what a folder says it is; CheckpointError if that is no model, damaged or of a newer format."""
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
