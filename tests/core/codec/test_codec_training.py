"""A codec's training learns, uses its discriminator and its whole codebook, and repeats exactly."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from core.codec.codebook import CodebookSettings, MovingCodebook, kmeans
from core.codec.config import CodecConfig
from core.codec.losses import (
    LossWeights,
    adaptive_weight,
    chroma_loss,
    discriminator_loss,
    edge_loss,
    reconstruction_loss,
)
from core.codec.training import CodecTrainer, CodecTraining

SETTINGS = CodecTraining(
    steps=20,
    batch_size=8,
    learning_rate=2e-3,
    warmup_steps=4,
    discriminator_width=8,
    codebook=CodebookSettings(kmeans_rows=256, kmeans_iterations=4),
)


def tiny_config(target: str = "taming.models.vqgan.VQModel", *, patch_encoder: bool = False) -> CodecConfig:
    """16 x 16 pixels, 4 x 4 codes."""
    backbone = {
        "z_channels": 8,
        "resolution": 8,
        "in_channels": 12,
        "out_ch": 12,
        "ch": 32,
        "ch_mult": [1, 1],
        "num_res_blocks": 1,
        "attn_resolutions": [],
    }
    params = {"embed_dim": 8, "n_embed": 16, "pixel_unshuffle": 2, "ddconfig": backbone}
    params["patch_encoder"] = patch_encoder
    return CodecConfig.model_validate({"model": {"target": target, "params": params}})


def flags(count: int) -> Tensor:
    """Two-coloured images, uint8 (count, 3, 16, 16)."""
    generator = torch.Generator().manual_seed(3)
    colours = torch.randint(0, 256, (2, count, 3, 1, 1), generator=generator, dtype=torch.uint8)
    return torch.cat([colour.expand(count, 3, 8, 16) for colour in colours], dim=2)


def trainer(settings: CodecTraining = SETTINGS, *, patch_encoder: bool = False) -> CodecTrainer:
    return CodecTrainer(tiny_config(patch_encoder=patch_encoder), flags(24), settings)


def test_a_patch_encoder_gives_equal_parts_equal_codes() -> None:
    """Codes of a place follow from its 4 x 4 pixels alone, whatever is around; taming's encoder sees the rest."""
    draws = torch.Generator().manual_seed(1)
    part, others = torch.rand(1, 3, 8, 8, generator=draws), torch.rand(2, 3, 16, 16, generator=draws)
    places = [(0, 0), (4, 8)]
    for patch_encoder in (True, False):
        model, latents = trainer(patch_encoder=patch_encoder).model, []
        for around, (row, column) in zip(others, places, strict=True):
            image = around[None].clone()
            image[:, :, row : row + 8, column : column + 8] = part
            found = model.latents(image * 2 - 1)
            latents.append(found[:, :, row // 4 : row // 4 + 2, column // 4 : column // 4 + 2])
        assert torch.equal(*latents) is patch_encoder


# The codec that is trained has a patch encoder; without one the phases are the same.
@pytest.mark.parametrize("patch_encoder", [pytest.param(False, marks=pytest.mark.exhaustive), True])
def test_the_reconstruction_improves_in_every_phase(*, patch_encoder: bool) -> None:
    training = trainer(replace(SETTINGS, steps=100), patch_encoder=patch_encoder)
    reports = [training.train_step() for _ in range(100)]
    losses = torch.tensor([report.reconstruction for report in reports])
    unquantised, quantised, opposed = losses[:30], losses[30:65], losses[65:]
    assert unquantised[-5:].mean() < 0.7 * unquantised[:5].mean()
    assert quantised[-5:].mean() < quantised[:5].mean()
    assert opposed[-5:].mean() < unquantised[-5:].mean()
    assert all(report.commitment == 0 for report in reports[:30])
    assert all(report.commitment > 0 for report in reports[30:])


def test_the_discriminator_takes_part_from_its_start_on() -> None:
    training = trainer()
    before = _snapshot(training.discriminator)
    for _ in range(SETTINGS.adversarial_from):
        assert training.train_step().discriminator == 0
    assert _equal(before, _snapshot(training.discriminator))
    opposed = [training.train_step() for _ in range(3)]
    assert all(report.discriminator > 0 and report.adversarial != 0 for report in opposed)
    assert not _equal(before, _snapshot(training.discriminator))


def test_the_discriminator_changes_what_the_codec_learns() -> None:
    early = replace(SETTINGS, adversarial_share=0.0)
    with_it, without = trainer(early), trainer(replace(early, loss=LossWeights(adversarial=0.0)))
    for training in (with_it, without):
        training.train_step()
    assert not torch.equal(_last_layer(with_it), _last_layer(without))


def test_the_same_seed_repeats_and_another_does_not(states: list[Any]) -> None:
    again, other = trainer(), trainer(replace(SETTINGS, seed=1))
    for training in (again, other):
        for _ in range(15):
            training.train_step()
    assert _equal(states[15], again.state_dict())
    assert not torch.equal(_last_layer(again), _last_layer(other))


@pytest.fixture(scope="module")
def states() -> list[Any]:
    """The state of one training before its first step and after each."""
    whole = trainer()
    found = [deepcopy(whole.state_dict())]
    for _ in range(17):
        whole.train_step()
        found.append(deepcopy(whole.state_dict()))
    return found


@pytest.mark.parametrize("interrupted_at", [3, 9, 15])
def test_resuming_equals_going_on(states: list[Any], interrupted_at: int) -> None:
    resumed = trainer()
    resumed.load_state_dict(deepcopy(states[interrupted_at]))
    while resumed.step < 17:
        resumed.train_step()
    assert _equal(states[-1], resumed.state_dict())


def test_a_training_leaves_the_process_random_state_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    trainer().train_step()
    assert torch.equal(torch.rand(3), expected)


def test_every_pass_shows_every_image_once() -> None:
    images = torch.arange(24, dtype=torch.uint8).view(24, 1, 1, 1).expand(24, 3, 16, 16)
    training = CodecTrainer(tiny_config(), images, SETTINGS)
    passes = [
        torch.cat([training.batch(step)[:, 0, 0, 0] for step in range(first, first + 3)]) for first in (0, 3)
    ]
    shown = [((one + 1) * 127.5).round().int().tolist() for one in passes]
    assert sorted(shown[0]) == sorted(shown[1]) == list(range(24))
    assert shown[0] != shown[1]


def test_what_cannot_be_trained_is_refused() -> None:
    with pytest.raises(ValueError, match="Gumbel"):
        CodecTrainer(tiny_config("taming.models.vqgan.GumbelVQ"), flags(8), SETTINGS)
    with pytest.raises(ValueError, match="16, 16"):
        CodecTrainer(tiny_config(), flags(8)[:, :, :8], SETTINGS)


def test_the_learning_rate_warms_up_and_falls() -> None:
    settings = CodecTraining(steps=100, warmup_steps=10, learning_rate=1e-3, final_learning_rate=1e-5)
    rates = [settings.rate_at(step) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9] == rates[10] == 1.0
    assert rates[55] == pytest.approx(0.505)
    assert rates[100] == pytest.approx(0.01)


def test_kmeans_finds_every_one_of_separate_clusters() -> None:
    generator = torch.Generator().manual_seed(0)
    centres = 100 * torch.randn(32, 4, generator=generator)
    rows = (centres[:, None] + 0.01 * torch.randn(32, 20, 4, generator=generator)).flatten(0, 1)
    found = kmeans(rows, 32, 5, generator)
    distances = torch.cdist(centres, found)
    assert distances.amin(dim=1).max() < 1
    assert sorted(distances.argmin(dim=1).tolist()) == list(range(32))


def test_kmeans_leaves_no_cluster_empty() -> None:
    rows = torch.cat([torch.zeros(500, 2), torch.arange(40.0).view(20, 2)])
    found = kmeans(rows, 20, 3, torch.Generator().manual_seed(0))
    assert len(torch.cdist(rows, found).argmin(dim=1).unique()) == 20
    with pytest.raises(ValueError, match="clusters"):
        kmeans(rows[:3], 4, 1, torch.Generator())


def test_codes_move_to_the_mean_of_what_chose_them() -> None:
    codebook = torch.zeros(2, 1)
    moving = MovingCodebook(codebook, CodebookSettings(decay=0.5), torch.Generator().manual_seed(0))
    rows, nearest = torch.tensor([[1.0], [3.0], [10.0], [10.0]]), torch.tensor([0, 0, 1, 1])
    for _ in range(30):
        assert moving.update(rows, nearest) == 0
    assert torch.allclose(codebook, torch.tensor([[2.0], [10.0]]))


def test_dead_codes_are_revived_at_latents() -> None:
    codebook = torch.tensor([[1.0], [500.0]])
    settings = CodebookSettings(decay=0.5, revival_share=0.1)
    moving = MovingCodebook(codebook, settings, torch.Generator().manual_seed(0))
    rows = torch.tensor([[1.0], [2.0]])
    revived = [moving.update(rows, torch.zeros(2, dtype=torch.int64)) for _ in range(4)]
    assert revived == [0, 0, 0, 1]
    assert codebook[1].item() in (1.0, 2.0)


def test_losses_measure_what_they_name() -> None:
    image = torch.zeros(1, 3, 8, 8)
    brighter = image + 0.5
    assert edge_loss(brighter, image) == 0
    assert chroma_loss(brighter, image) == 0
    redder = image + torch.tensor([0.5, 0.0, 0.0]).view(1, 3, 1, 1)
    assert chroma_loss(redder, image).item() == pytest.approx(0.75)
    stripes = image.clone()
    stripes[..., ::2] = 1
    assert edge_loss(stripes, image).item() == pytest.approx(1.0)
    only_absolute = LossWeights(squared=0, edge=0, chroma=0)
    assert reconstruction_loss(brighter, image, only_absolute).item() == pytest.approx(0.5)


def test_the_hinge_is_zero_only_where_the_discriminator_is_sure() -> None:
    assert discriminator_loss(torch.tensor([2.0]), torch.tensor([-2.0])) == 0
    assert discriminator_loss(torch.tensor([0.0]), torch.tensor([0.0])) == 1


def test_the_adaptive_weight_balances_gradients_at_the_last_layer() -> None:
    layer = torch.ones(4, requires_grad=True)
    weight = adaptive_weight(3 * layer.sum(), 6 * layer.sum(), layer)
    assert weight.item() == pytest.approx(0.5, rel=1e-3)


def _snapshot(module: torch.nn.Module) -> dict[str, Tensor]:
    return {name: one.clone() for name, one in module.state_dict().items()}


def _last_layer(training: CodecTrainer) -> Tensor:
    weight: Tensor = training.model.decoder.conv_out.weight
    return weight


def _equal(left: Any, right: Any) -> bool:
    """Return true if nested states hold equal tensors and values."""
    if isinstance(left, Tensor):
        return torch.equal(left, right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_equal(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_equal, left, right))
    return bool(left == right)
