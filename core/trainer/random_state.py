"""The state of every random generator that training draws from, as values that JSON can hold."""

import base64
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from core.errors import CheckpointError


def capture_random_state() -> dict[str, Any]:
    """Return the state of Python's, numpy's and torch's global generators.

    It includes those of GPUs if this process uses one.
    """
    version, words, gauss = random.getstate()
    numpy_state: dict[str, Any] = np.random.get_state(legacy=False)
    return {
        "python": [version, _text(np.asarray(words, "<u4")), gauss],
        "numpy": {
            "key": _text(numpy_state["state"]["key"].astype("<u4")),
            "pos": numpy_state["state"]["pos"],
            "has_gauss": numpy_state["has_gauss"],
            "gauss": numpy_state["gauss"],
        },
        "torch": _text(torch.get_rng_state().numpy()),
        "cuda": [_text(state.numpy()) for state in _cuda_states()],
    }


def restore_random_state(state: Mapping[str, Any]) -> None:
    """Put the generators back to ``state``, which ``capture_random_state`` returned.

    Those of GPUs are left alone in a process that does not use one, as CUDA would take memory there, and on a
    machine with another number of them.

    Raises:
        CheckpointError: ``state`` is not a result of ``capture_random_state``; nothing is changed.
    """
    try:
        python_state, numpy_state = _python_state(state["python"]), _numpy_state(state["numpy"])
        torch_state, *cuda_states = [
            torch.frombuffer(_bytes(text), dtype=torch.uint8) for text in (state["torch"], *state["cuda"])
        ]
        random.Random().setstate(python_state)
        np.random.RandomState().set_state(numpy_state)
        torch.Generator().set_state(torch_state)
    except (KeyError, TypeError, ValueError, IndexError, RuntimeError, OverflowError) as error:
        raise CheckpointError(
            f"The random state cannot be restored: {error}.", "Resume from another checkpoint of this run."
        ) from error
    random.setstate(python_state)
    np.random.set_state(numpy_state)
    torch.set_rng_state(torch_state)
    if torch.cuda.is_initialized() and len(cuda_states) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(cuda_states)


def _python_state(state: Sequence[Any]) -> tuple[int, tuple[int, ...], float | None]:
    version, words, gauss = state
    return version, tuple(np.frombuffer(_bytes(words), "<u4").tolist()), gauss


def _numpy_state(state: Mapping[str, Any]) -> dict[str, Any]:
    key = np.frombuffer(_bytes(state["key"]), "<u4")
    if not 0 <= state["pos"] <= key.size:  # numpy does not check, and would read beyond the key
        raise ValueError("the position lies outside of the key")
    return {
        "bit_generator": "MT19937",
        "state": {"key": key, "pos": state["pos"]},
        "has_gauss": state["has_gauss"],
        "gauss": state["gauss"],
    }


def _cuda_states() -> list[Tensor]:
    return torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []


def _text(state: np.ndarray[Any, Any]) -> str:
    return base64.b64encode(state.tobytes()).decode("ascii")


def _bytes(text: str) -> bytearray:
    return bytearray(base64.b64decode(text, validate=True))
