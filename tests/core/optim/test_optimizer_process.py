"""8-bit optimizers in a process of their own: equal bits on any number of threads, none left, no compilers."""

import subprocess
import sys

import pytest

STEPS = """
import sys
import time
from functools import partial
from itertools import product
import psutil
import torch
from torch import nn
from core.digest import digest
from core.optim.adamw import AdamW8bit
from core.optim.lamb import Lamb8bit
from core.optim.update import norm

OPTIMIZERS = {"lamb": partial(Lamb8bit, bias_correction=True), "adamw": AdamW8bit}
for kind, threads in product(OPTIMIZERS, (1, 2, 3)):
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    shapes = [(700, 300), (28_672 * 4,), (28_673,), (50_000, 3), (65_535,), (7,)]
    weights = [nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
    optimizer = OPTIMIZERS[kind](weights, 0.01)
    for weight in weights:
        weight.grad = torch.randn(weight.shape, generator=generator) ** 3
    running = psutil.Process().num_threads()
    torch.set_num_threads(threads)
    optimizer.threads = threads
    for _ in range(3):
        optimizer.step()
    deadline = time.monotonic() + 30
    while (left := psutil.Process().num_threads() - running) and time.monotonic() < deadline:
        time.sleep(0.01)  # a thread that was joined still leaves the kernel
    state = {str(i): weight for i, weight in enumerate(weights)} | optimizer.state_tensors()
    print(norm([weight.grad for weight in weights]).hex(), digest(state), left)

import core.trainer.train
print(*(name for name in sys.modules if name.startswith(("torch._dynamo", "torch._inductor", "bitsandbytes"))))
"""
KINDS, THREADS = 2, 3
LINES = KINDS * THREADS


@pytest.fixture(scope="module")
def finished() -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", STEPS], check=True, capture_output=True, text=True)


def test_threads_change_no_bit(finished: subprocess.CompletedProcess[str]) -> None:
    found = [line.split()[:2] for line in finished.stdout.splitlines()[:LINES]]
    lamb, adamw = found[:THREADS], found[THREADS:]
    assert lamb == [lamb[0]] * THREADS
    assert adamw == [adamw[0]] * THREADS
    assert lamb != adamw


def test_a_step_leaves_no_threads(finished: subprocess.CompletedProcess[str]) -> None:
    """OpenMP's, which torch would start, stall by seconds where other programs want the cores."""
    assert [line.split()[2] for line in finished.stdout.splitlines()[:LINES]] == ["0"] * LINES


def test_nothing_is_printed(finished: subprocess.CompletedProcess[str]) -> None:
    assert finished.stderr == ""


def test_a_trainer_imports_no_compiler(finished: subprocess.CompletedProcess[str]) -> None:
    """torch's takes seconds and 110 MB; bitsandbytes would bring it in."""
    assert finished.stdout.splitlines()[LINES:] == [""]
