"""The model against its plain twin, and what a caller may rely on."""

import dataclasses
import itertools
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.utils._device import _device_constructors

from core.model.config import AttentionPattern, ModelConfig, preset
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer
from tests.core.model import plain_transformer
from tests.core.model.tiny_model import TINY, batch, build, gradients

PLAIN: dict[str, object] = {"reversible": False, "rotary": False, "token_shift": False, "shared_layers": 0}

KEEP, CHECKPOINT, REVERSE = Activations
TECHNIQUES = [
    Techniques(activations=KEEP, loss_chunk=None),
    Techniques(activations=CHECKPOINT, loss_chunk=1),
    Techniques(activations=CHECKPOINT, kept=2, loss_chunk=40),
    Techniques(activations=REVERSE, loss_chunk=None),
    Techniques(activations=REVERSE, checkpointed=2, kept=1, loss_chunk=40),
]


def label(techniques: Techniques) -> str:
    modes = f"{techniques.activations}-{techniques.checkpointed}-{techniques.kept}"
    return f"{modes}-chunk{techniques.loss_chunk}"


CHANGES: list[dict[str, object]] = [
    {},
    PLAIN,
    {"shared_layers": 0},
    {"reversible": False},
    {"rotary": False},
    {"token_shift": False},
    {"convolution_size": 2},
    {"grid": 2},
    {"grid": 1},
    {"text_length": 1},
    {"depth": 1},
    {"depth": 2, "image_loss_weight": 0.5},
    {"dim_head": 22, "feed_forward_factor": 2},
]


def compared() -> list[Any]:
    """Each change with each technique; ``make test`` has the first two with all, and each other with two in turn.

    One of the two computes layers again, and `test_techniques` has every pair of techniques.
    """
    cases = []
    for number, changes in enumerate(CHANGES):
        kept = {number % len(TECHNIQUES), (number + 2) % len(TECHNIQUES)}
        for place, techniques in enumerate(TECHNIQUES):
            marks = () if number < 2 or place in kept else pytest.mark.exhaustive
            cases.append(pytest.param(changes, techniques, marks=marks, id=f"{changes}-{label(techniques)}"))
    return cases


@pytest.mark.parametrize(("changes", "techniques"), compared())
def test_losses_and_gradients_are_those_of_the_plain_model(
    changes: dict[str, object], techniques: Techniques
) -> None:
    config = ModelConfig.model_validate(TINY.model_dump() | changes)
    if techniques.activations is REVERSE and not config.reversible:
        techniques = dataclasses.replace(techniques, activations=KEEP)
    model = build(config, techniques)
    text, codes = batch(config)
    text_loss, image_loss = plain_transformer.losses(config, dict(model.named_parameters()), text, codes)
    weight = config.image_loss_weight
    expected = (text_loss + weight * image_loss) / (1 + weight)

    torch.testing.assert_close(model.losses(text, codes), (text_loss, image_loss), rtol=1e-12, atol=0)
    loss = model.loss(text, codes)
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=0)
    torch.testing.assert_close(gradients(loss, model), gradients(expected, model), rtol=1e-9, atol=1e-11)


def test_logits_give_the_losses() -> None:
    model, (text, codes) = build(TINY), batch(TINY)
    text_logits, image_logits = model.logits(text, codes)
    assert text_logits.shape == (2, 3, 7 + 3)
    assert image_logits.shape == (2, 25, 6)
    words = torch.where(text == 0, TINY.text_vocab + torch.arange(TINY.text_length), text)
    expected = [
        torch.nn.functional.cross_entropy(logits.mT, labels)
        for logits, labels in ((text_logits, words), (image_logits, codes))
    ]
    torch.testing.assert_close(list(model.losses(text, codes)), expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("start", [None, 1.0])
def test_logits_can_be_differentiated(start: float | None) -> None:
    model, (text, codes) = build(TINY), batch(TINY)
    expected = gradients(model.loss(text, codes), model)
    for parameter in model.parameters():
        parameter.grad = None if start is None else torch.full_like(parameter, start)
    words = torch.where(text == 0, TINY.text_vocab + torch.arange(TINY.text_length), text)
    of_text, of_image = model.logits(text, codes)
    ((F.cross_entropy(of_text.mT, words) + 7 * F.cross_entropy(of_image.mT, codes)) / 8).backward()
    found = {name: p.grad - (start or 0) for name, p in model.named_parameters() if p.grad is not None}
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-11)


def test_evaluation_gives_the_same_and_nothing_to_differentiate() -> None:
    model, (text, codes) = build(TINY), batch(TINY)
    with torch.no_grad():
        loss = model.loss(text, codes)
    assert not loss.requires_grad
    torch.testing.assert_close(loss, model.loss(text, codes).detach(), rtol=1e-13, atol=0)


def test_a_frozen_parameter_gets_no_gradient() -> None:
    model, (text, codes) = build(TINY), batch(TINY)
    expected = gradients(model.loss(text, codes), model)
    model.vocabulary.requires_grad_(False)
    model.loss(text, codes).backward()
    found = {name: p.grad for name, p in model.named_parameters() if p.grad is not None}
    assert set(expected) - set(found) == {"vocabulary.weight", "vocabulary.bias"}
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, expected[name], rtol=1e-9, atol=1e-11)


def test_a_loss_is_differentiated_once() -> None:
    model = build(TINY)
    loss = model.loss(*batch(TINY))
    loss.backward()
    with pytest.raises(RuntimeError, match="second time"):
        loss.backward()


@pytest.mark.parametrize("name", ["vocabulary.bias", "norm.weight", "layers.0.attention.scale"])
def test_a_weight_changed_before_the_backward_pass_is_noticed(name: str) -> None:
    model = build(TINY)
    loss = model.loss(*batch(TINY))
    with torch.no_grad():
        model.get_parameter(name).add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_no_prediction_depends_on_what_it_predicts_or_on_anything_later() -> None:
    model, (text, codes) = build(TINY), batch(TINY, size=1)
    before = torch.cat([part.sum(dim=-1) for part in model.logits(text, codes)], dim=1)
    for place in range(TINY.text_length + TINY.image_length):
        changed = torch.cat([text, codes], dim=1)
        changed[0, place] = (changed[0, place] + 1) % TINY.image_vocab
        after = torch.cat([part.sum(dim=-1) for part in model.logits(*changed.split([3, 25], dim=1))], dim=1)
        differs = (after != before)[0]
        assert not differs[: place + 1].any()
        assert differs[place + 1 : place + 2].all()


def test_an_equal_seed_gives_equal_weights_and_names() -> None:
    models = [Transformer(TINY, torch.Generator().manual_seed(5)) for _ in range(2)]
    first, second = (model.state_dict() for model in models)
    assert list(first) == list(second)
    assert all(torch.equal(first[name], second[name]) for name in first)
    other = Transformer(TINY, torch.Generator().manual_seed(6)).state_dict()
    assert not torch.equal(first["vocabulary.weight"], other["vocabulary.weight"])


def test_layer_scale_shrinks_with_depth() -> None:
    model = Transformer(TINY.model_copy(update={"depth": 26}))
    scales = [layer.get_parameter("attention.scale") for layer in model.layers]
    starts = [float(scale[0].detach()) for scale in scales]
    assert starts == pytest.approx([0.1] * 18 + [1e-5] * 6 + [1e-6] * 2)


def test_the_paper_model_has_the_parameters_of_the_paper() -> None:
    config = preset("dalle")
    with torch.device("meta"):
        model = Transformer(config)
    own = sum(parameter.numel() for parameter in model.parameters())
    shared = sum(
        parameter.numel()
        for name, weights in model.weights.items()
        for parameter in weights.parameters()
        for layer in range(config.depth)
        if config.weight_set(layer) == int(name)
    )
    unshared = sum(p.numel() for name, p in model.named_parameters() if not name.startswith("weights."))
    assert own == 125_894_244
    assert unshared + shared == 1_116_354_148


def test_a_model_takes_no_memory_where_a_device_does_not_reach_linspace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PyTorch is in this state if transformers loaded a model before any code set a device."""
    reached = _device_constructors() - {torch.linspace}
    monkeypatch.setattr("torch.utils._device._device_constructors", lambda: reached)
    with torch.device("meta"):
        model = Transformer(TINY)
    assert {tensor.device.type for tensor in (*model.parameters(), *model.buffers())} == {"meta"}


def test_sharing_keeps_one_copy() -> None:
    model = Transformer(TINY)
    assert sorted(model.weights) == ["0", "1", "2", "3", "5"]
    assert set(model.state_dict()) == {name for name, _ in model.named_parameters()}


def test_layers_that_are_not_reversible_cannot_be_reversed() -> None:
    config = TINY.model_copy(update={"reversible": False})
    with pytest.raises(ValueError, match="choose checkpointing"):
        Transformer(config, techniques=Techniques(activations=REVERSE))
    model = build(config)
    with pytest.raises(ValueError, match="choose checkpointing"):
        model.use(Techniques(activations=REVERSE))
    assert model.techniques.activations is CHECKPOINT


def test_other_techniques_hold_from_the_next_batch_on() -> None:
    model, (text, codes) = build(TINY, Techniques(activations=KEEP)), batch(TINY)
    before = model.loss(text, codes)
    model.use(Techniques(activations=REVERSE, loss_chunk=1))
    after = model.loss(text, codes)
    torch.testing.assert_close(after, before, rtol=1e-12, atol=0)
    torch.testing.assert_close(gradients(before, model), gradients(after, model), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    ("text", "codes", "message"),
    [
        (torch.zeros(2, 3), torch.zeros(2, 25, dtype=torch.int64), "text must be int64"),
        (
            torch.zeros(2, 4, dtype=torch.int64),
            torch.zeros(2, 25, dtype=torch.int64),
            r"text .* \(batch, 3\)",
        ),
        (torch.zeros(3, dtype=torch.int64), torch.zeros(2, 25, dtype=torch.int64), r"text .* \(batch, 3\)"),
        (torch.zeros(0, 3, dtype=torch.int64), torch.zeros(0, 25, dtype=torch.int64), r"\(batch, 3\)"),
        (
            torch.zeros(2, 3, dtype=torch.int64),
            torch.zeros(2, 5, 5, dtype=torch.int64),
            r"codes .* \(batch, 25\)",
        ),
        (
            torch.zeros(2, 3, dtype=torch.int64),
            torch.zeros(1, 25, dtype=torch.int64),
            "2 captions for 1 images",
        ),
        (
            torch.full((2, 3), 7),
            torch.zeros(2, 25, dtype=torch.int64),
            r"text must be in \[0, 7\), not in \[7, 7\]",
        ),
        (torch.zeros(2, 3, dtype=torch.int64), torch.full((2, 25), -1), r"codes must be in \[0, 6\)"),
    ],
)
def test_wrong_input_is_named(text: Tensor, codes: Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Transformer(TINY).loss(text, codes)


def test_patterns_alternate_and_the_last_is_convolutional() -> None:
    row, column, convolutional = AttentionPattern
    config = preset("dalle")
    patterns = [config.layer_pattern(layer) for layer in range(config.depth)]
    assert patterns[:63] == list(itertools.islice(itertools.cycle([row, column, row, row]), 63))
    assert patterns[63] is convolutional
    assert [config.weight_set(layer) for layer in (0, 4, 5, 62, 63)] == [0, 0, 1, 2, 63]
