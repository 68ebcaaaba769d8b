"""The pictures of a tiny run, and a scorer that embeds them."""

from pathlib import Path

import pytest
import torch

from core.evaluation.training_pictures import PictureEncoder, TrainingPictures
from core.ranking.scorer import Scorer, ScorerConfig, ScorerRanker
from core.run.manifest import RunManifest
from tests.swarms.drawable_run import parts_of, write_drawable_run
from tests.swarms.tiny_run import MODEL


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def encoder(run: Path) -> PictureEncoder:
    """The run's codec, and a scorer that has learned nothing."""
    torch.manual_seed(0)
    parts = parts_of(run)
    config = ScorerConfig(vocab=MODEL.text_vocab, length=MODEL.text_length, resolution=16, width=8, dim=8)
    return PictureEncoder(parts.codec, ScorerRanker(Scorer(config), parts.tokenizer), MODEL.grid)


@pytest.fixture(scope="module")
def training(run: Path) -> TrainingPictures:
    return TrainingPictures.of_run(RunManifest.load(run), run.parent, lambda text: None)
