"""Steps that are launched as CUDA graphs decode what a full forward pass computes, whatever else the GPU does."""

import threading
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from core.generation.decoder import Decoder
from core.generation.drawing import Drawing, draw_codes
from core.messages.sampling import Sampling
from core.model.config import ModelConfig
from core.model.micro_steps import is_out_of_memory
from core.model.techniques import Precision, Techniques
from core.model.transformer import Transformer
from tests.core.model.tiny_model import TINY, batch, build

pytestmark = [pytest.mark.cuda, pytest.mark.skipif(not torch.cuda.is_available(), reason="There is no GPU.")]

PROMPTS, IMAGES = 2, 3
WIDE = ModelConfig(dim=256, depth=6, heads=4, text_length=64, text_vocab=1000, grid=8, image_vocab=1024)


def given_codes(config: ModelConfig) -> Tensor:
    generator = torch.Generator().manual_seed(4)
    return torch.randint(
        config.image_vocab, (PROMPTS * IMAGES, config.image_length), generator=generator
    ).cuda()


def at_once(model: Transformer, text: Tensor, codes: Tensor) -> Tensor:
    with torch.no_grad():
        return model.logits(text.repeat_interleave(IMAGES, dim=0), codes)[1]


def one_by_one(model: Transformer, text: Tensor, codes: Tensor) -> Iterator[Tensor]:
    decoder = Decoder(model, text, IMAGES)
    yield decoder.logits().clone()
    for code in codes.unbind(1)[:-1]:
        decoder.append(code)
        yield decoder.logits().clone()


@pytest.mark.parametrize(
    "changes", [{}, {"rotary": False}, {"token_shift": False}, {"reversible": False}, {"grid": 1}], ids=str
)
def test_a_graph_decodes_what_a_full_forward_pass_computes(changes: dict[str, object]) -> None:
    config = ModelConfig.model_validate(TINY.model_dump() | changes)
    model, text, codes = build(config).cuda(), batch(config, PROMPTS)[0].cuda(), given_codes(config)
    decoded = torch.stack(list(one_by_one(model, text, codes)), dim=1)
    torch.testing.assert_close(decoded, at_once(model, text, codes), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("precision", [Precision.BFLOAT16, Precision.FLOAT16], ids=str)
def test_in_sixteen_bits_too(precision: Precision) -> None:
    model = Transformer(TINY, torch.Generator().manual_seed(1), Techniques(precision=precision)).cuda()
    text, codes = batch(TINY, PROMPTS)[0].cuda(), given_codes(TINY)
    decoded = torch.stack(list(one_by_one(model, text, codes)), dim=1)
    torch.testing.assert_close(decoded, at_once(model, text, codes), rtol=0.05, atol=0.05)


@pytest.mark.parametrize("sampling", [Sampling(top_k=4), Sampling(top_k=None, top_p=0.75)], ids=str)
def test_the_same_pictures_are_drawn_as_on_a_processor(sampling: Sampling) -> None:
    text, _ = batch(TINY, PROMPTS)
    here = draw_codes(build(TINY), text, sampling, IMAGES)
    assert torch.equal(draw_codes(build(TINY).cuda(), text, sampling, IMAGES).cpu(), here)


def test_drawings_in_turns_do_not_disturb_each_other() -> None:
    model, text = build(TINY).cuda(), batch(TINY, PROMPTS)[0]
    expected = [draw_codes(model, text, Sampling(seed=seed), IMAGES) for seed in (1, 2)]
    drawings = [Drawing(model, text, Sampling(seed=seed), images_per_prompt=IMAGES) for seed in (1, 2)]
    while not all(drawing.done for drawing in drawings):
        for drawing in drawings:
            drawing.step()
    for drawing, codes in zip(drawings, expected, strict=True):
        assert torch.equal(drawing.codes(), codes)


def test_another_thread_may_use_the_gpu_while_a_step_is_captured() -> None:
    model, text = build(TINY).cuda(), batch(TINY, PROMPTS)[0]
    expected, over, faults = draw_codes(model, text, Sampling(), IMAGES), threading.Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.is_set():
                given = torch.randn(512, 512).to("cuda")
                (given @ given).sum().item()
                torch.cuda.current_stream().synchronize()
        except Exception as error:  # noqa: BLE001 - for the test to show
            faults.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        drawn = [draw_codes(model, text, Sampling(), IMAGES) for _ in range(5)]
    finally:
        over.set()
        thread.join()
    assert not faults
    assert all(torch.equal(codes, expected) for codes in drawn)


def test_wherever_memory_ends_the_error_says_so_and_drawing_works_again() -> None:
    """Within a capture as well, where another error might take the place of the first."""
    model = Transformer(WIDE, torch.Generator().manual_seed(0)).cuda()
    text, sampling = batch(WIDE, PROMPTS)[0], Sampling(top_k=16)
    expected = draw_codes(model, text, sampling, 16)  # takes the libraries' workspaces
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    held, total = torch.cuda.memory_reserved(), torch.cuda.get_device_properties(0).total_memory
    draw_codes(model, text, sampling, 16)
    peak = torch.cuda.max_memory_reserved()
    for step in range(8):
        torch.cuda.empty_cache()
        torch.cuda.set_per_process_memory_fraction((held + step / 8 * (peak - held)) / total)
        try:
            draw_codes(model, text, sampling, 16)
        except (RuntimeError, MemoryError) as error:
            assert is_out_of_memory(error), repr(error)  # noqa: PT017 - not every size is too small
        finally:
            torch.cuda.set_per_process_memory_fraction(1.0)
    assert torch.equal(draw_codes(model, text, sampling, 16), expected)
