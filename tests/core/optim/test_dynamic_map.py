"""The import of the dynamic map: light, and without a trace in torch."""

import subprocess
import sys

import pytest
import torch
from bitsandbytes import functional as bnb

from core.optim.dynamic_map import dynamic_map

SCRIPT = """
import sys, torch
compile_ = torch.compile
import core.train
assert not [name for name in sys.modules if name.startswith(("torch._dynamo", "torch._inductor"))]
assert torch.compile is compile_
"""


def test_a_trainer_imports_no_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("signed", [True, False])
def test_it_is_the_map_of_bitsandbytes(signed: bool) -> None:
    assert torch.equal(dynamic_map(signed), bnb.create_dynamic_map(signed=signed))
    assert dynamic_map(signed).shape == (256,)
