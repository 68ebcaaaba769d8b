"""A state crosses between processes in sections that hold all of its bytes."""

import pytest
import torch

from core.swarm.state.state import sections_of
from tests.core.swarm.state.odd_states import ODD


@pytest.mark.parametrize("size", [1, 3, 4, 100, 139, 140, 141, 10_000])
def test_sections_hold_all_bytes_in_order_whatever_their_size(size: int) -> None:
    whole = torch.cat([item.contiguous().view(-1).view(torch.uint8) for item in ODD.values()])
    tensors = dict(ODD)
    sections = sections_of(tensors, section_bytes=size)
    assert not tensors, "each is free once it is copied"
    assert torch.cat(sections).equal(whole)
    assert all(len(section) == size for section in sections[:-1])
    assert 0 < len(sections[-1]) <= size


def test_sections_are_copies() -> None:
    weights = torch.ones(10)
    sections = sections_of({"w": weights})
    weights.zero_()
    assert sections[0].view(torch.float32).equal(torch.ones(10))
