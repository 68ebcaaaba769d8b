"""Random state: what was drawn after it was captured is drawn again after it is restored."""

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from core.errors import CheckpointError
from core.trainer.random_state import capture_random_state, restore_random_state


def draw() -> list[float]:
    # The legacy numpy generator and a normal from each, because they keep a second one back.
    return [random.gauss(0, 1), np.random.standard_normal(), *torch.randn(3).tolist(), random.random()]


def test_restoring_repeats_what_was_drawn() -> None:
    draw()
    captured = json.loads(json.dumps(capture_random_state()))
    first = draw()
    draw()
    restore_random_state(captured)
    assert draw() == first


def without_torch(state: dict[str, Any]) -> None:
    del state["torch"]


def garbled_torch(state: dict[str, Any]) -> None:
    state["torch"] = "not base64!"


def short_torch(state: dict[str, Any]) -> None:
    state["torch"] = state["torch"][:40]


def short_python(state: dict[str, Any]) -> None:
    state["python"][1] = state["python"][1][:-4]


def short_numpy(state: dict[str, Any]) -> None:
    state["numpy"]["key"] = state["numpy"]["key"][:-8]


def numpy_beyond_its_key(state: dict[str, Any]) -> None:
    state["numpy"]["pos"] = 1 << 20


def numpy_of_a_number(state: dict[str, Any]) -> None:
    state["numpy"]["key"] = 17


@pytest.mark.parametrize(
    "damage",
    [
        without_torch,
        garbled_torch,
        short_torch,
        short_python,
        short_numpy,
        numpy_beyond_its_key,
        numpy_of_a_number,
    ],
)
def test_nonsense_is_refused_and_changes_nothing(damage: Callable[[dict[str, Any]], None]) -> None:
    captured = capture_random_state()
    broken = json.loads(json.dumps(captured))
    damage(broken)
    draw()
    before = capture_random_state()
    with pytest.raises(CheckpointError, match="random state"):
        restore_random_state(broken)
    assert capture_random_state() == before
