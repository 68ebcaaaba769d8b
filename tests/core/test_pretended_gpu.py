"""Steps on a pretended GPU neither wait for the CPU nor mix devices, and use memory as predicted."""

import json
import subprocess
import sys
from typing import Any

import pytest

Found = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def found() -> Found:
    """Results of each step by its name; the program fails if a step mixes devices or reads a value."""
    command = [sys.executable, "-m", "tests.core.pretended_gpu"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return {step["name"]: step for step in map(json.loads, done.stdout.splitlines())}


def test_training_and_drawing_stay_on_the_gpu(found: Found) -> None:
    assert len(found) == 16
    for step in found.values():
        assert (step["device"], step["on_cpu"]) == ("pretended", []), step["name"]


def test_a_micro_step_takes_what_is_predicted_for_a_gpu(found: Found) -> None:
    ratios = {
        name: step["predicted_bytes"] / step["held_bytes"]
        for name, step in found.items()
        if name.startswith("large")
    }
    assert len(ratios) == 7
    assert all(0.99 < ratio < 1.08 for ratio in ratios.values()), ratios
