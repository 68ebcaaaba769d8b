"""Peers stay equal to the last bit whatever number of threads each of them gives to torch."""

import os
import subprocess
import sys

STEPS = """
import torch
from torch import nn
from core.digest import digest
from core.optim.lamb import Lamb8bit
from core.optim.norms import norm

for threads in (1, 2, 3):
    torch.set_num_threads(threads)
    generator = torch.Generator().manual_seed(0)
    shapes = [(700, 300), (32_768 * 4,), (32_769,), (50_000, 3), (65_535,), (7,)]
    weights = [nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    optimizer = Lamb8bit(weights, 0.01, bias_correction=True)
    for _ in range(3):
        for weight in weights:
            weight.grad = torch.randn(weight.shape, generator=generator) ** 3
        optimizer.step()
    print(norm([weight.grad for weight in weights]).hex())
    print(digest({str(i): weight for i, weight in enumerate(weights)} | optimizer.state_tensors()))
"""


def test_threads_change_no_bit() -> None:
    """In a process of its own, so that the number of threads of the other tests stays theirs."""
    environment = os.environ | {"OMP_NUM_THREADS": "3"}
    finished = subprocess.run(
        [sys.executable, "-c", STEPS], env=environment, check=True, capture_output=True, text=True
    )
    lines = finished.stdout.split()
    assert len(lines) == 6
    assert lines[2:4] == lines[:2]
    assert lines[4:6] == lines[:2]
