"""The training rules of a text-to-image run: captions, codes of pictures, and the codec that made them."""

from pathlib import Path
from typing import ClassVar, Self

from pydantic import model_validator

from core.model.config import ModelConfig
from core.run.rules import FileHeads, ProductWords, TrainingRules
from core.run.training.data_rules import CodecRules, CodesBegin, DataRules, TextRules
from core.run.training.families import TEXT_TO_IMAGE
from core.storage.files import FileRef


class TextToImageRules(TrainingRules):
    """Rules of a run that trains the transformer of Training Transformers Together."""

    file_fields: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("codec", "config"),
        ("codec", "weights"),
        ("text", "tokenizer"),
        ("data", "shards"),
        ("data", "heldout"),
    )
    model: ModelConfig
    codes_begin: CodesBegin = CodesBegin.DRAWN
    codec: CodecRules
    text: TextRules
    data: DataRules

    @model_validator(mode="after")
    def _text_fits_model(self) -> Self:
        if self.text.length != self.model.text_length:
            raise ValueError("text.length must equal model.text_length")
        if self.text.vocab != self.model.text_vocab:
            raise ValueError("text.vocab must equal model.text_vocab")
        return self

    @property
    def kind(self) -> str:
        """Kind of the run's model."""
        return TEXT_TO_IMAGE

    @property
    def files(self) -> tuple[FileRef, ...]:
        """Files that this part needs beside the manifest."""
        heldout = (self.data.heldout,) if self.data.heldout else ()
        return (self.codec.config, self.codec.weights, self.text.tokenizer, *self.data.shards, *heldout)

    @property
    def data_files(self) -> tuple[FileRef, ...]:
        """Shards beside the manifest, those that peers learn from."""
        return self.data.shards

    @property
    def data_seed(self) -> int:
        """Seed from which each peer's order of rows derives."""
        return self.data.seed

    @property
    def hub_data(self) -> str | None:
        """Data set on the Hugging Face Hub that peers read; None if all shards lie beside the manifest."""
        return self.data.hub.repo if self.data.hub is not None else None

    @property
    def width(self) -> int:
        """Channels of a position."""
        return self.model.dim

    @property
    def product(self) -> ProductWords:
        """Words for the things that the model makes."""
        grid, codes = self.model.grid, self.model.image_vocab
        return ProductWords(
            "Pictures",
            f"{grid} × {grid} codes, each one of {codes:,}, drawn from a caption",
            f"it draws pictures of {grid} x {grid} codes",
            "captions and codes",
            "draws",
            "pictures",
            "drawn",
        )

    @property
    def makes_pictures(self) -> bool:
        """Answer to whether the model draws pictures: it does, for captions."""
        return True

    @property
    def unpublishable(self) -> str:
        """Reason why its models cannot be published: there is none."""
        return ""

    @property
    def unlabelled(self) -> float:
        """Share of the samples that are computed without caption."""
        return self.data.caption_dropout

    def with_few_files(self) -> Self:
        """Return the rules with one shard."""
        data = self.data.model_copy(update={"shards": self.data.shards[:1]})
        return self.model_copy(update={"data": data})

    def check_heads(self, heads: FileHeads) -> None:
        """Check codec, tokenizer and the head of the first shard, as `TrainingRules.check_heads` says."""
        from core.codec.config import CONFIG_BYTES, parse_config
        from core.data.checking.fit import check_codec, check_shard, check_tokenizer
        from core.data.shard_head import ShardHead
        from core.tokenizer_file import previewed_size

        config = self.codec.config
        if (content := heads.whole(config, CONFIG_BYTES)) is not None:
            check_codec(self, parse_config(content, config.path))
        if (size := previewed_size(heads, self.text.tokenizer)) is not None:
            check_tokenizer(self.text, size)
        if self.data.shards:
            first = self.data.shards[0]
            heads.look(first, lambda file: check_shard(self, ShardHead(file, first.path)))

    def check_files(self, folder: Path) -> None:
        """Check the files of the run in ``folder``, as `TrainingRules.check_files` says."""
        from core.data.checking.fit import check_files

        check_files(self, folder)


RULES = TextToImageRules
"""Class of the training rules of this family."""
