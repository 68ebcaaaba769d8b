"""The shipped scorer, on pictures as they were before the codec: it knows them by their captions."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from assets.embedded.recipe.build_embedded import EMBEDDED
from core.data.images import open_image
from core.data.pixels import square_pixels
from core.ranking.choose import load_ranker
from core.ranking.ranker import Ranker
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.text import CaptionTokenizer

NOTO = Path(__file__).parents[1] / "codec" / "noto"
# The starter run calls a thing big that fills the picture, and shows it smaller where its caption has no size.
CAPTIONS = {
    "1f1ef-1f1f5": "flag of Japan",
    "1f355": "big pizza",
    "1f43c": "big panda",
    "1f44d-1f3fd": "thumbs up, medium skin tone",
    "1f60e": "smiling face with sunglasses",
    "1f680": "big rocket",
    "1f7e9": "green square",
    "2764-fe0f": "big heart",
}


@pytest.fixture(scope="module", params=["run.toml", "run-all.toml"])
def ranker(request: pytest.FixtureRequest) -> Ranker:
    """The one that a shipped manifest names."""
    manifest = RunManifest.load(EMBEDDED / request.param)
    text = picture_rules(manifest.training).text
    tokenizer = CaptionTokenizer.load(EMBEDDED / text.tokenizer.path, length=text.length)
    ranker = load_ranker(manifest.contact.ranking, EMBEDDED, tokenizer)
    assert ranker is not None
    return ranker


@pytest.fixture(scope="module")
def pictures() -> Tensor:
    files = [NOTO / f"{name}.png" for name in CAPTIONS]
    return torch.stack([torch.from_numpy(square_pixels(open_image(file.read_bytes()), 64)) for file in files])


def test_each_caption_finds_its_picture(ranker: Ranker, pictures: Tensor) -> None:
    for place, caption in enumerate(CAPTIONS.values()):
        assert int(ranker.scores(caption, pictures).argmax()) == place, caption


@pytest.mark.parametrize("caption", CAPTIONS.values())
def test_a_spoiled_picture_comes_after_the_whole_one(ranker: Ranker, pictures: Tensor, caption: str) -> None:
    own = list(CAPTIONS.values()).index(caption)
    whole, other = pictures[own], pictures[own - 1]
    spoiled = torch.cat([whole[:, :32], other[:, 32:]], dim=1)
    whole_score, spoiled_score = ranker.scores(caption, torch.stack([whole, spoiled])).tolist()
    assert whole_score > spoiled_score
