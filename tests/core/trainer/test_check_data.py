"""A trainer checks before its first epoch what joining could not: the rows, here and on the Hub."""

from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfFileSystem

from core.errors import MisfitError
from core.run.filters import FilterSettings
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.run.training.families import picture_rules
from core.trainer.parts import check_data
from tests.hub.hub_run import hub_run
from tests.hub.stand_in_hub import stand_in_hub
from tests.swarms.tiny_run import write_tiny_run


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


def test_rows_that_fit_pass(training: TrainingRules, tmp_path: Path) -> None:
    check_data(training, tmp_path)


def test_filters_that_drop_all_rows_end_the_trainer_in_words_of_a_volunteer(
    training: TrainingRules, tmp_path: Path
) -> None:
    data = picture_rules(training).data.model_copy(
        update={"filters": FilterSettings(min_caption_length=100_000)}
    )
    with pytest.raises(MisfitError, match=r"cannot be trained: .* drop all 256 rows") as refused:
        check_data(training.model_copy(update={"data": data}), tmp_path)
    assert refused.value.remedy == "Tell the run's organiser, who has to make another run."


def test_a_shard_that_cannot_be_read_is_left_to_the_stream(
    training: TrainingRules, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "shard.parquet").write_bytes(b"spoiled")
    check_data(training, tmp_path)
    assert "could not be checked before training: shard.parquet is not a Parquet file" in caplog.text


@pytest.mark.parametrize(
    ("grid", "pattern", "fits"),
    [(4, "*.parquet", True), (8, "*.parquet", False), (4, "*.csv", True)],
    ids=["fits", "does not fit", "cannot be read"],
)
def test_the_first_shard_on_the_hub_is_compared_where_it_can_be_read(
    grid: int, pattern: str, fits: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = hub_run(tmp_path / "run", tmp_path / "hub", grid=grid, pattern=pattern)
    found: list[MisfitError] = []
    with stand_in_hub(tmp_path / "hub") as hub:
        listing = HfFileSystem(endpoint=f"http://127.0.0.1:{hub.server_port}", skip_instance_cache=True)
        try:
            check_data(run.training, tmp_path / "run", listing)
        except MisfitError as error:
            found.append(error)
    assert [error.what.endswith("has 4 x 4 codes, but the model draws 8 x 8.") for error in found] == (
        [] if fits else [True]
    )
    assert ("could not be checked before training" in caplog.text) == (pattern == "*.csv")


class FailingHub:
    """Cannot be reached."""

    endpoint = "http://127.0.0.1:9"

    def glob(self, path: str, /, *, detail: bool) -> Any:
        raise OSError("no route")


def test_a_hub_that_cannot_be_reached_keeps_no_trainer_from_beginning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = hub_run(tmp_path / "run", tmp_path / "hub")
    check_data(run.training, tmp_path / "run", FailingHub())
    assert "cannot be listed: no route" in caplog.text
