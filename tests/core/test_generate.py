"""Pictures from prompts: the same from the same seed, code by code as at once, and laid out on a sheet."""

from pathlib import Path

import pytest
import torch
from PIL import Image

from core.generate import Drawing, Sampling, draw_codes
from core.model.transformer import Transformer
from core.pictures import save_sheet
from tests.tiny_run import MODEL


@pytest.fixture(scope="module")
def model() -> Transformer:
    return Transformer(MODEL, torch.Generator().manual_seed(0))


@pytest.fixture(scope="module")
def text() -> torch.Tensor:
    return torch.tensor([[3, 4, 1, 1], [5, 1, 1, 1]])


def test_the_same_seed_gives_the_same_codes_and_another_seed_others(
    model: Transformer, text: torch.Tensor
) -> None:
    codes = draw_codes(model, text, Sampling(seed=1))
    assert codes.shape == (2, MODEL.grid, MODEL.grid)
    assert int(codes.min()) >= 0
    assert int(codes.max()) < MODEL.image_vocab
    assert torch.equal(codes, draw_codes(model, text, Sampling(seed=1)))
    assert not torch.equal(codes, draw_codes(model, text, Sampling(seed=2)))


def test_a_drawing_leaves_the_global_generator_alone(model: Transformer, text: torch.Tensor) -> None:
    before = torch.get_rng_state()
    draw_codes(model, text, Sampling())
    assert torch.equal(before, torch.get_rng_state())


def test_with_one_candidate_each_code_is_the_likeliest(model: Transformer, text: torch.Tensor) -> None:
    codes = draw_codes(model, text, Sampling(top_k=1)).flatten(1)
    _, logits = model.logits(text, codes)
    assert torch.equal(logits.argmax(-1), codes)


def test_a_drawing_takes_a_step_for_each_code(model: Transformer, text: torch.Tensor) -> None:
    drawing = Drawing(model, text, Sampling())
    steps = 0
    while not drawing.done:
        drawing.step()
        steps += 1
    assert steps == MODEL.image_length


def test_a_sheet_holds_every_picture_and_replaces_the_last_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "pictures" / "sheet.png"
    prompts = [
        "red heart",
        "a very long prompt that needs more than the two lines that it gets under a picture",
    ]
    for shade in (0.0, 1.0):
        images = torch.full((2, 3, 8, 8), shade)
        save_sheet(images, prompts, path, columns=2, scale=4)
        with Image.open(path) as sheet:
            assert sheet.getpixel((20, 20)) == (round(255 * shade),) * 3
    assert [item.name for item in path.parent.iterdir()] == ["sheet.png"]
