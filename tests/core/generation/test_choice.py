"""Codes are drawn as often as their probabilities say, and by noise that hangs on seed, image, position and code."""

import itertools

import pytest
import torch
from torch import Tensor

from core.generation.choice import choose, gumbel_noise, image_keys
from core.messages.sampling import Sampling

DRAWS = 20_000
PROBABILITIES = torch.tensor([0.05, 0.4, 0.25, 0.1, 0.2])


def frequencies(logits: Tensor, sampling: Sampling) -> Tensor:
    drawn = choose(logits.expand(DRAWS, -1), sampling, image_keys(sampling.seed, range(DRAWS)), 3)
    return torch.bincount(drawn, minlength=logits.shape[-1]) / DRAWS


def share(*codes: int) -> Tensor:
    """The probabilities of those codes alone."""
    kept = torch.zeros(5)
    kept[list(codes)] = PROBABILITIES[list(codes)]
    return kept / kept.sum()


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        ({"top_k": None}, PROBABILITIES),
        ({"top_k": 256}, PROBABILITIES),
        ({"top_k": 2}, share(1, 2)),
        ({"top_k": 1}, share(1)),
        ({"top_k": None, "top_p": 1.0}, PROBABILITIES),
        ({"top_k": None, "top_p": 0.66}, share(1, 2, 4)),  # 0.4 + 0.25 is less
        ({"top_k": None, "top_p": 0.64}, share(1, 2)),
        ({"top_k": None, "top_p": 0.01}, share(1)),
        ({"top_k": 3, "top_p": 0.75}, share(1, 2)),  # 0.65 of the 0.85 that the three have
        ({"top_k": 3, "top_p": 0.78}, share(1, 2, 4)),
        ({"top_k": None, "temperature": 0.5}, PROBABILITIES**2 / (PROBABILITIES**2).sum()),
        ({"top_k": None, "top_p": 0.7, "temperature": 0.5}, share(1, 2) ** 2 / (share(1, 2) ** 2).sum()),
    ],
    ids=str,
)
def test_codes_come_as_often_as_their_probabilities_say(
    sampling: dict[str, object], expected: Tensor
) -> None:
    found = frequencies(PROBABILITIES.log(), Sampling.model_validate(sampling))
    assert torch.equal(found > 0, expected > 0)
    # four standard deviations of a share
    assert ((found - expected).abs() <= 4 * (expected * (1 - expected) / DRAWS).sqrt()).all()


@pytest.mark.parametrize("peak", [0.0, 20.0], ids=["flat", "peaked"])
def test_a_top_p_of_a_large_vocabulary_is_that_of_all_codes_sorted(peak: float) -> None:
    logits = torch.randn(4, 3000, generator=torch.Generator().manual_seed(0))
    logits[:, 7] += peak  # peaked, the few likeliest are enough to find the nucleus among
    keys = image_keys(1, range(4))
    scores, order = logits.sort(dim=-1, descending=True)
    before = scores.softmax(-1).cumsum(-1) - scores.softmax(-1)
    allowed = torch.zeros_like(logits).scatter(-1, order, (before < 0.75).float()) > 0
    noise = gumbel_noise(keys, 5, torch.arange(3000).expand(4, -1))
    expected = (logits + noise).masked_fill(~allowed, float("-inf")).argmax(-1)
    assert torch.equal(choose(logits, Sampling(top_k=None, top_p=0.75), keys, 5), expected)


def test_noise_is_standard_gumbel_and_differs_by_seed_image_position_and_code() -> None:
    codes = torch.arange(500).expand(2, -1)
    noise = torch.stack(
        [
            gumbel_noise(image_keys(seed, [image, image + 1]), position, codes)
            for seed, image, position in itertools.product((0, 1, 2**63 - 1), (0, 2), (0, 1, 1023))
        ]
    )
    assert len(noise.unique()) == noise.numel()
    assert noise.mean() == pytest.approx(0.5772, abs=0.04)
    assert noise.var() == pytest.approx(1.6449, abs=0.1)
    # of pairs that differ in one thing alone
    correlation = torch.corrcoef(noise.flatten(0, 1)) - torch.eye(36)
    assert correlation.abs().max() < 0.25


def test_a_seed_means_the_same_in_later_versions() -> None:
    noise = gumbel_noise(image_keys(42, [0, 7]), 3, torch.tensor([[0, 8191], [0, 8191]]))
    found = [[0.404289485953421, 0.047599035346546824], [0.11997168518991823, -0.16316942957018737]]
    torch.testing.assert_close(noise, torch.tensor(found, dtype=torch.float64), rtol=1e-12, atol=1e-12)


def test_logits_that_differ_in_their_last_bits_give_another_code_about_never() -> None:
    logits = torch.randn(4000, 300, generator=torch.Generator().manual_seed(0))
    nearly = logits * (1 + 1e-6 * torch.randn(logits.shape, generator=torch.Generator().manual_seed(1)))
    keys = image_keys(0, range(len(logits)))
    differ = choose(logits, Sampling(), keys, 0) != choose(nearly, Sampling(), keys, 0)
    assert int(differ.sum()) <= 1


def test_a_code_hangs_on_its_own_image_alone() -> None:
    logits, keys = torch.randn(6, 50, generator=torch.Generator().manual_seed(0)), image_keys(0, range(6))
    together = choose(logits, Sampling(top_k=10), keys, 2)
    apart = [choose(logits[[i]], Sampling(top_k=10), keys[[i]], 2) for i in range(6)]
    assert torch.equal(torch.cat(apart), together)
