"""The share of draws in which a picture is found among others is calculated exactly, without sampling."""

from itertools import combinations

import pytest
import torch

from benchmarks.ranking import first_share

SCORES = torch.tensor([0.5, 0.1, 0.5, 0.2, 0.9, 0.3, 0.4])


@pytest.mark.parametrize("among", [2, 3, 4])
def test_the_share_is_that_of_all_draws_of_the_others(among: int) -> None:
    others = [1, 2, 3, 4, 5, 6]
    draws = list(combinations(others, among - 1))
    first = [all(SCORES[other] < SCORES[0] for other in draw) for draw in draws]
    assert first_share(SCORES, 0, others, among) == pytest.approx(sum(first) / len(draws))


def test_too_few_others_are_no_contest() -> None:
    assert first_share(SCORES, 0, [1, 2], 4) is None
