"""The recipe of the scorer, for a moment and on few rows: it learns, and the same seed gives the same scorer."""

import pytest
import torch

from assets.embedded.recipe.train_scorer import EMBEDDED, Rows, ScorerTraining, spoil, train
from core.codec.vqgan import ImageCodec, load_codec
from core.ranking.scorer import Scorer, ScorerRanker
from core.text import CaptionTokenizer

COUNT = 16
VOCAB = 2048


@pytest.fixture(scope="module")
def codec() -> ImageCodec:
    return load_codec(EMBEDDED / "codec" / "config.yaml", EMBEDDED / "codec" / "vqgan.safetensors")


@pytest.fixture(scope="module")
def rows() -> Rows:
    whole = Rows.read(EMBEDDED, "starter")
    return Rows(whole.captions[:COUNT], whole.tokens[:COUNT], whole.codes[:COUNT])


def first_among_all(scorer: Scorer, rows: Rows, codec: ImageCodec) -> int:
    """Return the number of captions that give their own picture the highest score."""
    tokenizer = CaptionTokenizer.load(EMBEDDED / "tokenizer.json", length=rows.tokens.shape[1])
    ranker, pictures = ScorerRanker(scorer, tokenizer), codec.decode(rows.codes)
    return sum(
        int(ranker.scores(caption, pictures).argmax()) == row for row, caption in enumerate(rows.captions)
    )


def test_captions_find_their_pictures_after_some_steps(rows: Rows, codec: ImageCodec) -> None:
    scorer = train(rows, codec, ScorerTraining(epochs=28, batch=2 * COUNT, spoiled=1), VOCAB)
    assert first_among_all(scorer, rows, codec) > COUNT // 2


def test_the_same_seed_gives_the_same_scorer(rows: Rows, codec: ImageCodec) -> None:
    settings = ScorerTraining(epochs=1, batch=16, spoiled=1, seed=3)
    one, other = (train(rows, codec, settings, VOCAB).state_dict() for _ in range(2))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_spoiled_picture_has_codes_of_two(rows: Rows) -> None:
    spoiled = spoil(rows.codes, ScorerTraining(most_spoiled=0.5), torch.Generator().manual_seed(0))
    kept = (spoiled == rows.codes).float().mean(dim=(1, 2))
    assert spoiled.shape == rows.codes.shape
    assert float(kept.min()) > 0.25
    assert float(kept.mean()) < 0.95
