"""Before consent, the few bytes that tell it are read, each once, to refuse a run that cannot be trained."""

from pathlib import Path

import pytest

from client.api.errors import JoinError
from client.joining.fitting import check_before_consent
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.run.training.families import picture_rules
from core.storage.files import FileRef
from tests.swarms.tiny_run import MODEL, write_tiny_run


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


class CountingReader:
    """Gives parts of files in a folder, and notes them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts: list[tuple[str, int, int]] = []

    def __call__(self, ref: FileRef, first: int, end: int) -> bytes:
        self.parts.append((ref.path, first, end))
        return (self._folder / ref.path).read_bytes()[first:end]


def test_no_part_of_a_run_that_fits_is_read_twice(training: TrainingRules, tmp_path: Path) -> None:
    reader = CountingReader(tmp_path)
    check_before_consent(training, reader)
    assert "shard.parquet" in {name for name, _, _ in reader.parts}
    assert len(reader.parts) == len(set(reader.parts))


def test_images_of_another_size_are_reported(tmp_path: Path) -> None:
    training = RunManifest.load(write_tiny_run(tmp_path, model=MODEL.model_copy(update={"grid": 8}))).training
    with pytest.raises(
        JoinError, match=r"cannot be trained: .* 4 x 4 codes, but the model draws 8 x 8"
    ) as refused:
        check_before_consent(training, CountingReader(tmp_path))
    assert refused.value.remedy.startswith("Nothing was joined. Tell the run's organiser")


def test_a_tokenizer_that_does_not_fit_is_reported(training: TrainingRules, tmp_path: Path) -> None:
    text = picture_rules(training).text.model_copy(update={"vocab": 8})
    with pytest.raises(JoinError, match="has 11 tokens, but the model knows 8"):
        check_before_consent(training.model_copy(update={"text": text}), CountingReader(tmp_path))
