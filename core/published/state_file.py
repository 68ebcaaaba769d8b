"""A file of tensors by name, from anywhere: ``torch.save`` of a state dict, or safetensors."""

import stat
from dataclasses import dataclass
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from core.errors import CheckpointError
from core.torch_archive import LARGEST_FILE
from core.torch_file import read_torch_file

REMEDY = "Get the file again from where it was published."


@dataclass(frozen=True)
class StateFile:
    """What lies in the file; its tensors take memory only as far as they are read."""

    path: Path
    size: int
    """Bytes."""
    tensors: dict[str, Tensor]


def read_state_file(path: Path) -> StateFile:
    """The tensors of a ``.safetensors`` file or of one of PyTorch 1.6 or later; nothing in it is run.

    Raises:
        CheckpointError: it cannot be read, is damaged, unsafe, too large, or holds something else.
    """
    try:
        size = _size_of(path)
        content = load_file(path) if path.suffix == ".safetensors" else read_torch_file(path)
    except OSError as error:
        raise CheckpointError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the path."
        ) from error
    except SafetensorError as error:
        raise CheckpointError(f"{path} is damaged, or no safetensors file: {error}.", REMEDY) from error
    except ValueError as error:
        raise CheckpointError(f"{path} {error}.", REMEDY) from error
    if not isinstance(content, dict) or not content:
        raise CheckpointError(f"{path} holds no tensors by name.", "Give the file of a model's state dict.")
    for name, tensor in content.items():
        if not isinstance(name, str) or not isinstance(tensor, Tensor):
            other = repr(name[:80]) if isinstance(name, str) else f"what a {type(name).__name__} names"
            raise CheckpointError(
                f"{path} holds something else than tensors by name, such as {other}.",
                "Give the file of a model's state dict alone, such as dalle-hivemind's model_state.pt.",
            )
    return StateFile(path, size, content)


def _size_of(path: Path) -> int:
    """Bytes of a file that is one: a pipe would be waited for."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise CheckpointError(f"{path} is no file, nor the folder of a model.", "Check the path.")
    if status.st_size > LARGEST_FILE:
        raise CheckpointError(f"{path} has {status.st_size:,} bytes, more than any model here.", REMEDY)
    return status.st_size
