"""The training rules of a run that trains a causal language model: its text, and the tokens of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from pydantic import Field, StringConstraints, model_validator

from core.errors import MisfitError
from core.families.causal_lm.config import KIND, CausalConfig
from core.run.fields import Rules
from core.run.rules import FileHeads, ProductWords, TrainingRules
from core.run.training.data_rules import HubSource
from core.storage.files import FileRef
from core.tokenizer_file import previewed_size, read_content, vocabulary_size

if TYPE_CHECKING:
    from core.data.text.documents import TextFormat

FORMATS: "dict[str, TextFormat]" = {
    ".txt": "text",
    ".json": "json",
    ".jsonl": "json",
    ".parquet": "parquet",
}
"""Formats of files by the end of their names; files of JSON are JSON Lines."""


class TokenRules(Rules):
    """The encoding of text as tokens."""

    tokenizer: FileRef
    """File of the tokenizer: JSON of the ``tokenizers`` library."""
    end_id: Annotated[int, Field(ge=0)] = 0
    """Id of the token that ends a document."""


class TextDataRules(Rules):
    """The text that peers learn from: files beside the manifest, or a data set on the Hub.

    A row of JSON Lines or Parquet is a document, and so is a whole file of plain text.
    """

    files: Annotated[tuple[FileRef, ...], Field(max_length=4096)] = ()
    hub: HubSource | None = None
    column: Annotated[str, StringConstraints(pattern=r"^[\w-]{1,64}$")] = "text"
    """Name of the column or key that has the text."""
    heldout: FileRef | None = None
    """A file that no peer trains on, for measurements."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """Seed from which each peer's order of samples derives."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if bool(self.files) == (self.hub is not None):
            raise ValueError("give either files or hub")
        if len({ref.path for ref in self.files}) != len(self.files):
            raise ValueError("a file is named twice")
        for path in self._names():
            if Path(path).suffix not in FORMATS:
                raise ValueError(f"{path} is of no known format: its name must end in {', '.join(FORMATS)}")
        return self

    def _names(self) -> Iterator[str]:
        yield from (ref.path for ref in (*self.files, *((self.heldout,) if self.heldout else ())))
        if self.hub is not None:
            yield self.hub.pattern


class CausalRules(TrainingRules):
    """Rules of a run that trains a model of GPT-2's shape."""

    file_fields: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("tokens", "tokenizer"),
        ("data", "files"),
        ("data", "heldout"),
    )
    model: CausalConfig
    tokens: TokenRules
    data: TextDataRules

    @model_validator(mode="after")
    def _end_is_a_token(self) -> Self:
        if self.tokens.end_id >= self.model.vocab:
            raise ValueError("tokens.end_id must be less than model.vocab")
        return self

    @property
    def kind(self) -> str:
        """Kind of the run's model."""
        return KIND

    @property
    def files(self) -> tuple[FileRef, ...]:
        """Files that this part needs beside the manifest."""
        return (self.tokens.tokenizer, *self.data.files, *((self.data.heldout,) if self.data.heldout else ()))

    @property
    def data_files(self) -> tuple[FileRef, ...]:
        """Files of text beside the manifest, those that peers learn from."""
        return self.data.files

    @property
    def data_seed(self) -> int:
        """Seed from which each peer's order of samples derives."""
        return self.data.seed

    @property
    def hub_data(self) -> str | None:
        """Data set on the Hugging Face Hub that peers read; None if all text lies beside the manifest."""
        return self.data.hub.repo if self.data.hub is not None else None

    @property
    def width(self) -> int:
        """Channels of a position."""
        return self.model.dim

    @property
    def product(self) -> ProductWords:
        """Words for the things that the model makes."""
        length, vocab = self.model.length, self.model.vocab
        return ProductWords(
            "Text",
            f"token by token, each one of {vocab:,}, from the {length:,} before it",
            f"it writes text, and looks back at up to {length:,} tokens",
            "text",
            "writes",
            "texts",
            "written",
        )

    @property
    def unpublishable(self) -> str:
        """Reason why its models cannot be published; empty if they can."""
        return "its layers are reversible, unlike those of GPT-2" if self.model.reversible else ""

    @property
    def writes_texts(self) -> bool:
        """Answer to whether the model writes text: it does."""
        return True

    def with_few_files(self) -> Self:
        """Return the rules with one file of text."""
        data = self.data.model_copy(update={"files": self.data.files[:1]})
        return self.model_copy(update={"data": data})

    def check_heads(self, heads: FileHeads) -> None:
        """Check the tokenizer, as `TrainingRules.check_heads` says."""
        if (size := previewed_size(heads, self.tokens.tokenizer)) is not None:
            self.check_vocabulary(size)

    def check_files(self, folder: Path) -> None:
        """Check the tokenizer in ``folder``, as `TrainingRules.check_files` says."""
        path = folder / self.tokens.tokenizer.path
        self.check_vocabulary(vocabulary_size(read_content(path), str(path)))

    def check_vocabulary(self, size: int) -> None:
        """Check the ``size`` of the tokenizer's vocabulary, above which no token lies; raises MisfitError."""
        if not self.tokens.end_id < size <= self.model.vocab:
            raise MisfitError(
                f"The tokenizer {self.tokens.tokenizer.path} has {size:,} tokens, but the model knows "
                f"{self.model.vocab:,}, and the end of a document is the token {self.tokens.end_id}.",
                f"Set vocab of the model to {size} or more, and end_id to a token that the tokenizer has.",
            )


RULES = CausalRules
"""Class of the training rules of this family."""
