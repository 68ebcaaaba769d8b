"""Lamb8bit in a process of its own: equal bits on any number of threads, no threads started, nothing printed."""

import subprocess
import sys

import pytest

STEPS = """
import psutil
import torch
from torch import nn
from core.digest import digest
from core.optim.lamb import Lamb8bit
from core.optim.update import norm

for threads in (1, 2, 3):
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    shapes = [(700, 300), (28_672 * 4,), (28_673,), (50_000, 3), (65_535,), (7,)]
    weights = [nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    optimizer = Lamb8bit(weights, 0.01, bias_correction=True)
    for weight in weights:
        weight.grad = torch.randn(weight.shape, generator=generator) ** 3
    running = psutil.Process().num_threads()
    torch.set_num_threads(threads)
    for _ in range(3):
        optimizer.step()
    started = psutil.Process().num_threads() - running
    state = {str(i): weight for i, weight in enumerate(weights)} | optimizer.state_tensors()
    print(norm([weight.grad for weight in weights]).hex(), digest(state), started)
"""


@pytest.fixture(scope="module")
def finished() -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", STEPS], check=True, capture_output=True, text=True)


def test_threads_change_no_bit(finished: subprocess.CompletedProcess[str]) -> None:
    one, *more = [line.split()[:2] for line in finished.stdout.splitlines()]
    assert more == [one, one]


def test_a_step_starts_no_threads(finished: subprocess.CompletedProcess[str]) -> None:
    """Threads that wait for each other stall by seconds where other programs want the cores."""
    assert [line.split()[2] for line in finished.stdout.splitlines()] == ["0", "0", "0"]


def test_nothing_is_printed(finished: subprocess.CompletedProcess[str]) -> None:
    assert finished.stderr == ""


IMPORTS = """
import sys, torch
import core.trainer.train
from core.optim.lamb import Lamb8bit
Lamb8bit([torch.nn.Parameter(torch.zeros(8))], lr=0.1)
compilers = ("torch._dynamo", "torch._inductor", "bitsandbytes")
assert not [name for name in sys.modules if name.startswith(compilers)]
"""


def test_a_trainer_imports_no_compiler() -> None:
    """torch's takes seconds and 110 MB; bitsandbytes would bring it in."""
    done = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
