"""Files of tensors by name: whatever else they are is told."""

import os
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from core.errors import CheckpointError
from core.published.dalle_hivemind import read_state_file


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"state_dict": {"a": torch.zeros(1)}}, "something else than tensors"),
        ({3: torch.zeros(1)}, "something else than tensors"),
        ({torch.zeros(1): torch.zeros(1)}, "what a Tensor names"),
        ({}, "no tensors by name"),
        ([torch.zeros(1)], "no tensors by name"),
        (torch.zeros(1), "no tensors by name"),
    ],
)
def test_files_of_something_else_are_refused(tmp_path: Path, content: object, words: str) -> None:
    torch.save(content, tmp_path / "other.pt")
    with pytest.raises(CheckpointError, match=words):
        read_state_file(tmp_path / "other.pt")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "state.pt")
    for path in (tmp_path / "state.pt", tmp_path):
        with pytest.raises(CheckpointError, match="is neither a file"):
            read_state_file(path)


@pytest.mark.parametrize("name", ["state.pt", "state.safetensors"])
def test_a_file_cut_short_or_missing_is_reported(tmp_path: Path, name: str) -> None:
    path, state = tmp_path / name, {"a": torch.zeros(100)}
    if path.suffix == ".pt":
        torch.save(state, path)
    else:
        save_file(state, path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="damaged"):
        read_state_file(path)
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_state_file(tmp_path / "absent" / name)
