"""Processes that compute nothing load no PyTorch: it takes 190 MB and two seconds of the processor."""

import subprocess
import sys

import pytest

HEAVY = ("torch", "hivemind")
LOAD = f"""
import importlib, sys
importlib.import_module(sys.argv[1])
print(*(name for name in {HEAVY} if name in sys.modules))
"""


@pytest.mark.parametrize("module", ["coordinator.web.process", "client.local_swarm"])
def test_a_process_that_computes_nothing_loads_nothing_heavy(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", LOAD, module], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
