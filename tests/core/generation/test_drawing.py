"""Pictures from prompts: the same from the same seed in whatever batches, code by code, and laid out on a sheet."""

import contextlib
import itertools
from pathlib import Path

import pytest
import torch
from PIL import Image
from torch import Tensor

from core.generation.drawing import Drawing, PromptDrawing, draw_codes, guided_text
from core.generation.sheet import save_sheet
from core.messages.pictures import GenerationRequest
from core.messages.sampling import Sampling
from core.model.family.trainable import do_nothing
from core.model.transformer import Transformer
from tests.core.model.tiny_model import build
from tests.swarms.tiny_run import MODEL

SEEDS = range(8)


@pytest.fixture(scope="module")
def model() -> Transformer:
    return build(MODEL).float()  # of weights large enough that logits differ


@pytest.fixture(scope="module")
def text() -> Tensor:
    return torch.tensor([[3, 4, 1, 1], [5, 1, 1, 1]])


def draw(model: Transformer, text: Tensor, sampling: Sampling, first: int, count: int) -> Tensor:
    drawing = Drawing(model, text, sampling, first_image=first, images_per_prompt=count)
    while not drawing.done:
        drawing.step()
    return drawing.codes().view(len(text), count, MODEL.image_length)


def test_the_same_seed_gives_the_same_codes_and_another_seed_others(model: Transformer, text: Tensor) -> None:
    codes = draw_codes(model, text, Sampling(seed=1))
    assert codes.shape == (2, MODEL.grid, MODEL.grid)
    assert int(codes.min()) >= 0
    assert int(codes.max()) < MODEL.image_vocab
    assert torch.equal(codes, draw_codes(model, text, Sampling(seed=1)))
    assert not torch.equal(codes, draw_codes(model, text, Sampling(seed=2)))


def test_every_image_of_a_prompt_is_another(model: Transformer, text: Tensor) -> None:
    images = draw(model, text, Sampling(), 0, 8)
    assert all(len(of_prompt.unique(dim=0)) == 8 for of_prompt in images)


@pytest.mark.parametrize("sampling", [{"top_k": 5}, {"top_k": None, "top_p": 0.75}], ids=str)
def test_a_picture_is_the_same_in_any_batch_and_beside_any_other_prompt(
    model: Transformer, text: Tensor, sampling: dict[str, object]
) -> None:
    for seed in SEEDS:
        chosen = Sampling.model_validate({**sampling, "seed": seed})
        together = draw(model, text, chosen, 0, 4)
        for prompt in range(2):
            parts = [draw(model, text[[prompt]], chosen, first, count) for first, count in ((0, 1), (1, 3))]
            assert torch.equal(torch.cat(parts, dim=1)[0], together[prompt])


EMPTY = torch.tensor([[1, 1, 1, 1]])


def guided(model: Transformer, text: Tensor, guidance: float, count: int = 2) -> Tensor:
    sampling = Sampling(seed=3, guidance=guidance)
    return draw_codes(model, guided_text(text, EMPTY, sampling), sampling, count)


def test_guidance_goes_from_no_prompt_by_the_prompt_alone_to_beyond(model: Transformer, text: Tensor) -> None:
    plain = draw_codes(model, text, Sampling(seed=3), 2)
    without = draw_codes(model, EMPTY.expand_as(text), Sampling(seed=3), 2)
    assert torch.equal(guided(model, text, 0.0), without)
    assert torch.equal(guided(model, text, 1.0), plain)
    assert torch.equal(guided(model, text, 1 + 1e-9), plain)
    assert not torch.equal(guided(model, text, 6.0), plain)


def test_a_guided_picture_is_the_same_beside_any_other_prompt(model: Transformer, text: Tensor) -> None:
    together = guided(model, text, 3.0)
    alone = [guided(model, one, 3.0) for one in text.split(1)]
    assert torch.equal(together, torch.cat(alone))
    assert torch.equal(guided(model, text[:1], 3.0, 1), together[:1])


def test_strong_guidance_prefers_what_the_prompt_makes_likelier(model: Transformer, text: Tensor) -> None:
    prompt, empty = (
        model.logits(words, torch.zeros(1, MODEL.image_length, dtype=torch.int64))[1][0, 0]
        for words in (text[:1], EMPTY)
    )
    sampling = Sampling(top_k=1, guidance=20.0)
    first = draw_codes(model, guided_text(text[:1], EMPTY, sampling), sampling).flatten()[0]
    assert first == (empty + 20 * (prompt - empty)).argmax()


def test_a_drawing_leaves_the_global_generator_alone(model: Transformer, text: Tensor) -> None:
    before = torch.get_rng_state()
    draw_codes(model, text, Sampling())
    assert torch.equal(before, torch.get_rng_state())


def test_with_one_candidate_each_code_is_the_likeliest(model: Transformer, text: Tensor) -> None:
    codes = draw_codes(model, text, Sampling(top_k=1)).flatten(1)
    _, logits = model.logits(text, codes)
    assert torch.equal(logits.argmax(-1), codes)


def test_a_drawing_reads_a_sublayer_or_draws_a_code_in_each_step(model: Transformer, text: Tensor) -> None:
    drawing = Drawing(model, text, Sampling())
    progress = [drawing.progress]
    while not drawing.done:
        drawing.step()
        progress.append(drawing.progress)
    assert len(progress) - 1 == 2 * MODEL.depth + MODEL.image_length
    assert progress == sorted(progress)
    assert (progress[0], progress[-1]) == (0.0, 1.0)


def test_a_frame_has_the_first_picture_of_each_prompt_as_its_seed_is_shared(
    model: Transformer, text: Tensor
) -> None:
    """A website tells visitors that a request for one picture with the seed of frames draws it again."""
    usual = Sampling.of_prompts(MODEL.image_vocab)
    frame = PromptDrawing(model, text, torch.zeros_like(text[:1]), usual, at_once=2)
    while not frame.done:
        frame.step()
    request = GenerationRequest(prompt="red heart", count=1, seed=Sampling().seed)
    again = [draw_codes(model, one[None], request.sampling(MODEL.image_vocab)) for one in text]
    assert torch.equal(frame.codes(), torch.cat(again))


def test_a_drawing_that_was_interrupted_within_steps_goes_on_as_if_it_was_not(
    model: Transformer, text: Tensor
) -> None:
    expected = draw_codes(model, text, Sampling(seed=4))
    drawing, turns = Drawing(model, text, Sampling(seed=4)), itertools.count(1)

    def between() -> None:
        if next(turns) % 17 == 0:  # 6 sublayers make a step
            raise KeyboardInterrupt

    model.between = between
    while not drawing.done:
        with contextlib.suppress(KeyboardInterrupt):
            drawing.step()
    model.between = do_nothing
    assert torch.equal(drawing.codes(), expected)


def test_drawing_changes_nothing_of_the_model(model: Transformer, text: Tensor) -> None:
    before = {name: item.detach().clone() for name, item in model.named_parameters()}
    draw_codes(model, text, Sampling())
    for name, item in model.named_parameters():
        assert torch.equal(before[name], item)
        assert item.grad is None


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
