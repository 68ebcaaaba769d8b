"""Trains the models of text-to-image runs: the family behind `core.model.family.interface.ModelFamily`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self, cast

import torch
from torch import Tensor

from core.codec.vqgan import check_codec_files
from core.data.checking.fit_rows import check_hub, check_rows
from core.data.listing import Listing
from core.data.shard_file import iterate_codes
from core.data.streaming.sample_stream import MicroBatch
from core.data.streaming.stream import CodeStream
from core.families.text_to_image.codebook import codebook, sketched
from core.families.text_to_image.rules import TextToImageRules
from core.families.text_to_image.specimens import PictureSpecimens
from core.generation.evaluate import image_losses
from core.generation.requested_pictures import RequestedPictures
from core.messages.events import Event
from core.model.config import ModelConfig
from core.model.family.interface import ModelFamily
from core.model.family.trainable import TrainableModel
from core.model.graphs import Inputs
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodesBegin
from core.run.training.families import picture_rules
from core.skeletons import shapes_alone
from core.storage.files import resolve_file
from core.text import CaptionTokenizer

_ROWS = 8, 256
"""Smallest number of rows that gives a meaningful loss, and largest number that is needed."""
_BATCH = 4


@dataclass(frozen=True)
class CaptionReader:
    """Makes tokens of captions; codes are there already."""

    tokenizer: CaptionTokenizer

    def inputs(self, batch: MicroBatch) -> Inputs:
        """Return tokens, int64 (samples, text_length), and codes, int64 (samples, grid * grid), of a ``batch``."""
        return self.tokenizer.encode(batch.captions), batch.codes


class HeldOutPictures:
    """The first rows of a shard of the run's, always the same ones."""

    def __init__(self, text: Tensor, codes: Tensor) -> None:
        """Hold the rows.

        Args:
            text: Tokens, int64 (rows, text_length).
            codes: Codes, int64 (rows, grid * grid).
        """
        self._text, self._codes = text, codes

    @classmethod
    def of_run(cls, training: TextToImageRules, base: Path, operations: float) -> Self | None:
        """Read the held-out rows of a run, or else the first of its own; None if its data are on the Hub alone.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            operations: Operations that a measurement may take, about.
        """
        shards = (training.data.heldout, *training.data.shards)
        if (first := next(filter(None, shards), None)) is None:
            return None
        model, shard = training.model, resolve_file(first, base)
        rows = list(islice(iterate_codes(shard, model.grid, model.image_vocab), _rows(model, operations)))
        if not rows:
            return None
        text = CaptionTokenizer.of_run(training.text, base).encode([row.caption for row, _ in rows])
        return cls(text, torch.stack([torch.from_numpy(codes) for _, codes in rows]))

    def loss(self, model: TrainableModel) -> float:
        """Return the mean cross-entropy of ``model`` in nats per code, which may be NaN or infinite."""
        ours = cast(Transformer, model)
        return float(image_losses(ours.eval(), self._text, self._codes, _BATCH).mean())


class TextToImage:
    """The family of the transformer of Training Transformers Together."""

    def model(self, config: Any, generator: torch.Generator | None = None) -> Transformer:
        """Return a model of the sizes ``config``, with initial parameters that ``generator`` draws."""
        return Transformer(config, generator)

    def initial_model(self, manifest: RunManifest, folder: Path, generator: torch.Generator) -> Transformer:
        """Return the model with which all peers begin, float32 on the CPU.

        Args:
            manifest: Manifest of the run.
            folder: Folder of the run's files.
            generator: Source of the draws.

        Raises:
            CodecError: The run begins with its codec's codebook, which is damaged, zero or of another shape.
            ManifestError: The codec is missing.
        """
        training = picture_rules(manifest.training)
        model = Transformer(training.model, generator)
        if training.codes_begin is CodesBegin.CODEBOOK:
            vectors = codebook(training, folder)
            with torch.no_grad():
                of_codes = model.vocabulary.weight[training.model.text_classes :]
                of_codes.copy_(sketched(vectors, training.model.dim, generator))
        return model

    def samples(
        self, training: Any, base: Path, *, peer: str, notify: Callable[[str], None] = lambda text: None
    ) -> tuple[CaptionReader, CodeStream]:
        """Open captions and codes in the order of a peer; nothing is read yet.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            peer: Name from which the order is drawn.
            notify: Called with notices for the user.
        """
        tokenizer = CaptionTokenizer.of_run(training.text, base)
        return CaptionReader(tokenizer), CodeStream.open(training, base, peer=peer, notify=notify)

    def random_inputs(self, config: Any, samples: int, generator: torch.Generator) -> Inputs:
        """Return random tokens, int64 (samples, text_length), and codes, int64 (samples, grid * grid).

        Args:
            config: Sizes of the model.
            samples: Number of samples.
            generator: Source of the draws.
        """
        text = torch.randint(1, config.text_vocab, (samples, config.text_length), generator=generator)
        codes = torch.randint(1, config.image_vocab, (samples, config.image_length), generator=generator)
        return text, codes

    def check_rows(
        self, training: Any, folder: Path, *, hub_seconds: float, hub: Listing | None = None
    ) -> None:
        """Check that rows of the run's data fit its model.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.
            hub_seconds: Seconds that the Hub has to give rows.
            hub: Lists files of a data set; None: the Hub that ``HF_ENDPOINT`` names.

        Raises:
            MisfitError: They do not fit.
            DataError: They cannot be read now.
        """
        check_rows(training, folder)
        if (source := training.data.hub) is not None:
            check_hub(training, source, hub_seconds, hub)

    def check_parts(self, training: Any, folder: Path) -> None:
        """Check the tokenizer and the codec of a run, for its organiser.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.
        """
        CaptionTokenizer.of_run(training.text, folder)
        check_codec_files(folder / training.codec.config.path, folder / training.codec.weights.path)

    def held_out(self, training: Any, base: Path, operations: float) -> HeldOutPictures | None:
        """Return the first rows that no peer trains on, or of the run's own; None if all are on the Hub.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            operations: Operations that a measurement may take, about.
        """
        return HeldOutPictures.of_run(training, base, operations)

    def specimens(self, manifest: RunManifest, base: Path, prompts: Sequence[str]) -> PictureSpecimens:
        """Return what draws a picture of each of the prompts.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            prompts: Prompts, at least one.
        """
        training = picture_rules(manifest.training)
        tokenizer = CaptionTokenizer.of_run(training.text, base)
        return PictureSpecimens(prompts, tokenizer, training.codec, base, training.data.usual_guidance)

    def requests(
        self, manifest: RunManifest, base: Path, report: Callable[[Event], None]
    ) -> RequestedPictures:
        """Return what draws the pictures that a user asks for.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            report: Called with each event.
        """
        tokenizer = CaptionTokenizer.of_run(picture_rules(manifest.training).text, base)
        return RequestedPictures(manifest, base, tokenizer, report)


def _rows(model: ModelConfig, operations: float) -> int:
    fewest, most = _ROWS
    with shapes_alone():
        parameters = sum(item.numel() for item in Transformer(model).parameters())
    sharing = model.depth / max(1, min(model.depth, model.shared_layers or model.depth))
    a_row = 2 * parameters * sharing * (model.text_length + model.image_length)
    return int(min(max(operations / a_row, fewest), most))


FAMILY: ModelFamily = TextToImage()
"""The family."""
