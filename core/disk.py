"""File operations that last: when one returns, a loss of power no longer undoes it."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from safetensors.torch import save_file
from torch import Tensor


class Disk:
    """The steps that writing a checkpoint is made of; tests put one in its place that dies between them."""

    def create_directory(self, path: Path) -> None:
        path.mkdir(parents=True)

    def write_text(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8", newline="\n")
        self.flush(path)

    def write_tensors(self, path: Path, tensors: Mapping[str, Tensor]) -> None:
        """Write safetensors; the tensors may be strided, views or on a GPU, but not over the same values."""
        save_file({name: _apart(tensor) for name, tensor in tensors.items()}, path)
        self.flush(path)

    def rename(self, source: Path, target: Path) -> None:
        """Rename within a directory, onto a name that is free."""
        source.rename(target)
        self.flush(target.parent)

    def remove(self, directory: Path) -> None:
        """Remove a directory and what is in it, if it is there."""
        if directory.exists():
            shutil.rmtree(directory)

    def flush(self, path: Path) -> None:
        """Have the system write out a file or a directory's entries."""
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _apart(tensor: Tensor) -> Tensor:
    """The tensor in memory that holds nothing else, as safetensors asks for."""
    packed = tensor.detach().cpu().contiguous()
    return packed.clone() if packed.untyped_storage().nbytes() != packed.nbytes else packed
