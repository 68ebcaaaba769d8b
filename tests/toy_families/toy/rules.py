"""Rules of a run of the toy: one file of bytes."""

from pathlib import Path
from typing import ClassVar, Self

from core.run.fields import Rules
from core.run.rules import FileHeads, ProductWords, TrainingRules
from core.storage.files import FileRef

from .config import ToyConfig


class ToyData(Rules):
    file: FileRef
    seed: int = 0


class ToyRules(TrainingRules):
    file_fields: ClassVar[tuple[tuple[str, ...], ...]] = (("data", "file"),)
    model: ToyConfig
    data: ToyData

    @property
    def kind(self) -> str:
        return "toy"

    @property
    def files(self) -> tuple[FileRef, ...]:
        return (self.data.file,)

    @property
    def data_files(self) -> tuple[FileRef, ...]:
        return (self.data.file,)

    @property
    def data_seed(self) -> int:
        return self.data.seed

    @property
    def hub_data(self) -> str | None:
        return None

    @property
    def width(self) -> int:
        return 256

    @property
    def product(self) -> ProductWords:
        return ProductWords("Bytes", "one after the other", "it tells bytes", "bytes")

    def with_few_files(self) -> Self:
        return self

    def check_heads(self, heads: FileHeads) -> None:
        pass

    def check_files(self, folder: Path) -> None:
        pass


RULES = ToyRules
