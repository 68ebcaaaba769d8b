"""What evaluations keep has room on the disk, and does not grow with each model."""

from pathlib import Path

import pytest

from client.generation.kept_evaluations import (
    MOST_MODELS,
    drawings_of,
    kept_bytes,
    picture_bytes,
    require_room,
)
from core.errors import DataError


def test_an_index_that_does_not_fit_is_refused_and_one_that_is_there_is_not(tmp_path: Path) -> None:
    needed = 1000 * picture_bytes(1024, 512)
    assert needed > 1000 * (2 * 1024 + 2 * 2 * 512)
    with pytest.raises(DataError, match="training pictures needs") as error:
        require_room(tmp_path / "index", needed, free=needed)
    assert "--pictures" in error.value.remedy
    require_room(tmp_path / "index", needed, free=needed + (1 << 30))
    (tmp_path / "part").write_bytes(bytes(needed))
    require_room(tmp_path, needed, free=0)


def test_the_drawings_of_the_models_that_drew_last_are_kept(tmp_path: Path) -> None:
    models = [f"{number:064x}"[::-1] for number in range(1, MOST_MODELS + 2)]
    for model in models:
        (drawings_of(tmp_path, model) / "file").write_bytes(bytes(10))
    assert {item.name for item in tmp_path.iterdir()} == {model[:32] for model in models[1:]}
    drawings_of(tmp_path, models[1])
    drawings_of(tmp_path, models[0])
    assert models[1][:32] in {item.name for item in tmp_path.iterdir()}
    assert kept_bytes(tmp_path) == 10 * (MOST_MODELS - 1)
