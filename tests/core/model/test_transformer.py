"""The model against its plain twin, and what a caller may rely on."""

import itertools

import pytest
import torch
from torch import Tensor

from core.model.config import AttentionPattern, ModelConfig, preset
from core.model.transformer import Transformer
from tests.core.model import plain_transformer

# All patterns, shared weights, an unrotated remainder of each head, a window as wide as the image.
TINY = ModelConfig(
    dim=16, depth=6, heads=2, dim_head=16, text_length=3, text_vocab=7, grid=5, image_vocab=6, shared_layers=4
)
PLAIN = {"reversible": False, "rotary": False, "token_shift": False, "shared_layers": 0}


def build(config: ModelConfig, recompute: bool = True) -> Transformer:
    """A float64 model with random values in every parameter."""
    model = Transformer(config, torch.Generator().manual_seed(1), recompute).double()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.2)
    return model


def batch(config: ModelConfig, size: int = 2) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(3)
    text = torch.randint(config.text_vocab, (size, config.text_length), generator=generator)
    text[0, -1] = 0
    return text, torch.randint(config.image_vocab, (size, config.image_length), generator=generator)


def gradients(loss: Tensor, model: Transformer) -> dict[str, Tensor]:
    names, parameters = zip(*model.named_parameters(), strict=True)
    return dict(zip(names, torch.autograd.grad(loss, parameters), strict=True))


@pytest.mark.parametrize("recompute", [True, False])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"shared_layers": 0},
        {"reversible": False},
        {"rotary": False},
        {"token_shift": False},
        PLAIN,
        {"convolution_size": 2},
        {"grid": 2},
        {"grid": 1},
        {"text_length": 1},
        {"depth": 1},
        {"depth": 2, "image_loss_weight": 0.5},
        {"dim_head": 22, "feed_forward_factor": 2},
    ],
    ids=str,
)
def test_losses_and_gradients_are_those_of_the_plain_model(
    changes: dict[str, object], recompute: bool
) -> None:
    config = ModelConfig.model_validate(TINY.model_dump() | changes)
    model = build(config, recompute)
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


@pytest.mark.parametrize("known", range(TINY.image_length))
def test_the_next_code_follows_from_the_prefix_alone(known: int) -> None:
    model, (text, codes) = build(TINY), batch(TINY)
    _, image_logits = model.logits(text, codes)
    torch.testing.assert_close(
        model.next_code_logits(text, codes[:, :known]), image_logits[:, known], rtol=1e-10, atol=1e-10
    )


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


def test_sharing_keeps_one_copy() -> None:
    model = Transformer(TINY)
    assert sorted(model.weights) == ["0", "1", "2", "3", "5"]
    assert set(model.state_dict()) == {name for name, _ in model.named_parameters()}


@pytest.mark.parametrize("recompute", [True, False])
def test_bfloat16_autocast_stays_near_float32(recompute: bool) -> None:
    config = TINY.model_copy(update={"dim": 64, "heads": 4})
    model, (text, codes) = Transformer(config, torch.Generator().manual_seed(1), recompute), batch(config, 4)
    exact = gradients(model.loss(text, codes), model)
    with torch.autocast("cpu", torch.bfloat16):
        loss = model.loss(text, codes)
    assert loss.dtype == torch.float32
    rounded = gradients(loss, model)
    for name, gradient in exact.items():
        assert rounded[name].dtype == torch.float32
        assert (rounded[name] - gradient).norm() < 0.05 * gradient.norm(), name


def test_inside_autocast_backward_still_finds_the_weights() -> None:
    model, (text, codes) = Transformer(TINY), batch(TINY)
    with torch.autocast("cpu", torch.bfloat16):
        model.loss(text, codes).backward()
        model.loss(text, codes).backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


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


def test_a_finished_image_has_no_next_code() -> None:
    with pytest.raises(ValueError, match="25 codes, and 25"):
        Transformer(TINY).next_code_logits(*batch(TINY))


def test_patterns_alternate_and_the_last_is_convolutional() -> None:
    row, column, convolutional = AttentionPattern
    config = preset("dalle")
    patterns = [config.layer_pattern(layer) for layer in range(config.depth)]
    assert patterns[:63] == list(itertools.islice(itertools.cycle([row, column, row, row]), 63))
    assert patterns[63] is convolutional
    assert [config.weight_set(layer) for layer in (0, 4, 5, 62, 63)] == [0, 0, 1, 2, 63]
