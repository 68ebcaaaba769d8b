"""Decoding code by code gives the logits of the whole image at once, at every position and for every pattern."""

from collections.abc import Callable, Iterator

import pytest
import torch
from torch import Tensor

from core.generation.decoder import Decoder
from core.generation.sublayers import Prefix
from core.model.config import AttentionPattern, ModelConfig
from core.model.family.trainable import do_nothing
from core.model.techniques import Precision, Techniques
from core.model.transformer import Transformer
from tests.core.model.tiny_model import TINY, batch, build

PROMPTS, IMAGES = 2, 3


def given_codes(config: ModelConfig) -> Tensor:
    generator = torch.Generator().manual_seed(4)
    return torch.randint(config.image_vocab, (PROMPTS * IMAGES, config.image_length), generator=generator)


def at_once(model: Transformer, text: Tensor, codes: Tensor) -> Tensor:
    """The image's logits, (images, codes, image_vocab), of a forward pass over all."""
    with torch.no_grad():
        return model.logits(text.repeat_interleave(len(codes) // len(text), dim=0), codes)[1]


def one_by_one(model: Transformer, text: Tensor, codes: Tensor) -> Iterator[Tensor]:
    decoder = Decoder(model, text, len(codes) // len(text))
    yield decoder.logits().clone()
    for code in codes.unbind(1)[:-1]:
        decoder.append(code)
        yield decoder.logits().clone()


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"rotary": False},
        {"token_shift": False},
        {"reversible": False},
        {"reversible": False, "rotary": False, "token_shift": False, "shared_layers": 0},
        {"convolution_size": 1},
        {"convolution_size": 2},
        {"convolution_size": 9},
        {"grid": 2},
        {"grid": 1},
        {"text_length": 1},
        *({"depth": 1, "last_pattern": pattern} for pattern in AttentionPattern),
        {"patterns": (AttentionPattern.CONVOLUTIONAL, AttentionPattern.COLUMN), "shared_layers": 2},
        {"dim_head": 22, "heads": 3, "feed_forward_factor": 2},
    ],
    ids=str,
)
def test_the_logits_of_every_code_are_those_of_a_full_forward_pass(changes: dict[str, object]) -> None:
    config = ModelConfig.model_validate(TINY.model_dump() | changes)
    model, (text, _), codes = build(config), batch(config, PROMPTS), given_codes(config)
    decoded = torch.stack(list(one_by_one(model, text, codes)), dim=1)
    torch.testing.assert_close(decoded, at_once(model, text, codes), rtol=1e-11, atol=1e-11)
    torch.testing.assert_close(
        torch.stack(list(one_by_one(model.float(), text, codes)), dim=1),
        decoded.float(),
        rtol=1e-4,
        atol=1e-5,
    )


@pytest.mark.parametrize(
    ("precision", "tolerance"), [(Precision.BFLOAT16, 0.05), (Precision.FLOAT16, 0.01)], ids=str
)
def test_sixteen_bits_decode_what_they_compute_at_once(precision: Precision, tolerance: float) -> None:
    model = Transformer(TINY, torch.Generator().manual_seed(1), Techniques(precision=precision))
    (text, _), codes = batch(TINY, PROMPTS), given_codes(TINY)
    decoded = torch.stack(list(one_by_one(model, text, codes)), dim=1)
    assert decoded.dtype == model.vocabulary.weight.dtype
    torch.testing.assert_close(decoded, at_once(model, text, codes), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("changes", [{}, {"rotary": False, "reversible": False}], ids=str)
def test_positions_may_be_tensors_as_cuda_graphs_need_them(changes: dict[str, object]) -> None:
    config = ModelConfig.model_validate(TINY.model_dump() | changes)
    model, (text, _), codes = build(config), batch(config, PROMPTS), given_codes(config)
    decoder = Decoder(model, text, IMAGES)
    decoder.logits()
    decoder.compute(codes[:, 5], torch.tensor([0]))  # as a capture does, which leaves no trace
    decoded = [decoder.compute(codes[:, place], torch.tensor([place])) for place in range(24)]
    torch.testing.assert_close(
        torch.stack(decoded, dim=1), at_once(model, text, codes)[:, 1:], rtol=1e-11, atol=1e-11
    )


def raising_every_other_time() -> Callable[[], None]:
    raises = iter([True, False] * 10_000)

    def between() -> None:
        if next(raises):
            raise KeyboardInterrupt

    return between


def test_what_was_interrupted_between_any_two_sublayers_can_be_gone_on_with() -> None:
    model, (text, _), codes = build(TINY), batch(TINY, PROMPTS), given_codes(TINY)
    decoder = Decoder(model, text, IMAGES)
    model.between = raising_every_other_time()
    interruptions = 0
    while not decoder.ready:
        try:
            decoder.read_on()
        except KeyboardInterrupt:
            interruptions += 1
    assert interruptions == 2 * TINY.depth
    with pytest.raises(KeyboardInterrupt):
        decoder.append(codes[:, 0])
    model.between = do_nothing
    decoder.append(codes[:, 0])
    torch.testing.assert_close(decoder.logits(), at_once(model, text, codes)[:, 1], rtol=1e-11, atol=1e-11)


def test_each_sublayer_of_a_step_can_be_interrupted() -> None:
    model, (text, _), codes = build(TINY), batch(TINY, PROMPTS), given_codes(TINY)
    decoder, calls = Decoder(model, text, IMAGES), list[int]()
    decoder.logits()
    model.between = lambda: calls.append(1)
    decoder.append(codes[:, 0])
    assert len(calls) == 2 * TINY.depth


def test_more_images_of_a_prompt_are_drawn_without_reading_it_again() -> None:
    model, (text, _), codes = build(TINY), batch(TINY, PROMPTS), given_codes(TINY)
    prefix = Prefix(model, text)
    Decoder(model, prefix, 1).logits()
    model.between = raising_every_other_time()  # at the first sublayer
    decoder = Decoder(model, prefix, IMAGES)
    assert decoder.ready
    model.between = do_nothing
    decoder.append(codes[:, 0])
    torch.testing.assert_close(decoder.logits(), at_once(model, text, codes)[:, 1], rtol=1e-11, atol=1e-11)


def test_the_last_code_has_no_next() -> None:
    model, (text, _), codes = build(TINY), batch(TINY, PROMPTS), given_codes(TINY)
    decoder = Decoder(model, text, IMAGES)
    for code in codes.unbind(1)[:-1]:
        decoder.append(code)
    assert decoder.position == 24
    with pytest.raises(ValueError, match="An image has 25 codes"):
        decoder.append(codes[:, -1])


def test_tokens_that_the_model_does_not_read_are_named() -> None:
    with pytest.raises(ValueError, match=r"text must have the shape \(batch, 3\)"):
        Decoder(build(TINY), torch.zeros(1, 4, dtype=torch.int64))
