"""The losses of pictures are known for models that memorise them or ignore captions."""

from math import log
from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.generation.evaluate import image_losses
from core.model.transformer import Transformer
from core.text import CaptionTokenizer
from tests.swarms.tiny_run import MODEL, write_tiny_run

CAPTIONS = ("red heart", "green heart", "red circle", "blue circle", "cat", "blue heart", "green circle")
HELDOUT = 2  # the last ones
CODES = MODEL.image_vocab


@pytest.fixture
def codes() -> Tensor:
    """Codes of the captions' pictures, int64 (captions, grid * grid)."""
    draws = torch.Generator().manual_seed(0)
    return torch.randint(0, CODES, (len(CAPTIONS), MODEL.image_length), generator=draws)


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> CaptionTokenizer:
    folder: Path = tmp_path_factory.mktemp("run")
    write_tiny_run(folder)
    return CaptionTokenizer.load(folder / "tokenizer.json", length=MODEL.text_length)


def test_losses_of_rows_average_to_the_models_own(codes: Tensor, tokenizer: CaptionTokenizer) -> None:
    model = Transformer(MODEL, torch.Generator().manual_seed(0))
    text = tokenizer.encode(CAPTIONS)
    losses = image_losses(model, text, codes, batch=3)
    assert losses.shape == (len(CAPTIONS),)
    assert not losses.requires_grad
    assert losses.mean() == pytest.approx(model.losses(text, codes)[1].item(), rel=1e-5)


def test_a_model_that_knows_nothing_is_at_chance_whatever_the_caption(
    codes: Tensor, tokenizer: CaptionTokenizer
) -> None:
    model = Transformer(MODEL, torch.Generator().manual_seed(0))
    torch.nn.init.zeros_(model.vocabulary.weight)
    torch.nn.init.zeros_(model.vocabulary.bias)
    text = tokenizer.encode(CAPTIONS)
    own, exchanged = (
        image_losses(model, text[order], codes) for order in (slice(None), [6, 5, 4, 3, 2, 1, 0])
    )
    torch.testing.assert_close(own, torch.full_like(own, log(CODES)))
    torch.testing.assert_close(own, exchanged)


def test_a_model_that_memorised_knows_seen_rows_under_their_own_captions_alone(
    codes: Tensor, tokenizer: CaptionTokenizer
) -> None:
    seen = slice(-HELDOUT)
    model, text = Transformer(MODEL, torch.Generator().manual_seed(0)), tokenizer.encode(CAPTIONS)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(120):
        optimizer.zero_grad()
        model.losses(text[seen], codes[seen])[1].backward()
        optimizer.step()
    losses = image_losses(model, text, codes)
    assert losses[-HELDOUT:].min() > log(CODES)  # random codes follow from nothing
    exchanged = image_losses(model, text[[1, 0, 3, 2]], codes[[0, 1, 2, 3]])
    assert exchanged.min() > 0.2  # the caption tells the first code, which then tells the others
    assert losses[seen].max() < 0.05
