"""The configuration of a model: what it derives, and what it refuses."""

import pytest
from pydantic import ValidationError

from core.model.config import ModelConfig, preset


def test_the_paper_preset_has_the_sizes_of_the_paper() -> None:
    config = preset("dalle")
    assert (config.dim, config.depth, config.heads, config.dim_head) == (1024, 64, 16, 64)
    assert (config.text_classes, config.text_positions, config.image_length) == (32_356, 257, 1024)
    assert config.sequence_length == 1280


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="dalle, emoji"):
        preset("gpt")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dim": 30}, "multiple of 4"),
        ({"dim_head": 6}, "at least 8"),
        ({"dim_head": 9}, "even"),
        ({"shared_layers": 3}, "multiple of the number of patterns"),
        ({"depth": 0}, "greater than 0"),
        ({"depht": 3}, "Extra inputs"),
    ],
)
def test_what_makes_no_model_is_refused(changes: dict[str, int], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ModelConfig.model_validate({"dim": 64, "depth": 2, "heads": 1} | changes)
