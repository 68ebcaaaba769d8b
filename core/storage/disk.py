"""File operations that last: a loss of power does not undo one that has returned.

Only writing tensors loads torch: a website stores files too.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.storage import moving

if TYPE_CHECKING:
    from torch import Tensor


class Disk:
    """The steps of writing a checkpoint; tests replace it by one that fails between them."""

    def create_directory(self, path: Path) -> None:
        """Create the directory ``path``, and those above it; it must not exist."""
        path.mkdir(parents=True)

    def write_text(self, path: Path, text: str) -> None:
        """Write ``text`` in UTF-8 to the file ``path``, and flush it."""
        path.write_text(text, encoding="utf-8", newline="\n")
        self.flush(path)

    def write_bytes(self, path: Path, content: bytes) -> None:
        """Write ``content`` to the file ``path``, and flush it."""
        path.write_bytes(content)
        self.flush(path)

    def write_tensors(
        self, path: Path, tensors: Mapping[str, "Tensor"], metadata: Mapping[str, str] | None = None
    ) -> None:
        """Write ``tensors`` of any shape to a safetensors file at ``path``, with ``metadata``, and flush it.

        They may be strided, views or on a GPU, but no two may cover the same memory.
        """
        from safetensors.torch import save_file  # which loads torch

        packed = {name: _apart(tensor) for name, tensor in tensors.items()}
        save_file(packed, path, dict(metadata) if metadata else None)
        self.flush(path)

    def rename(self, source: Path, target: Path) -> None:
        """Rename ``source`` to ``target``, a free name in the same directory, and flush the directory."""
        moving.rename(source, target)
        self.flush(target.parent)

    def remove(self, directory: Path) -> None:
        """Remove a directory and its contents, if it exists."""
        if directory.exists():
            moving.remove_folder(directory)

    def flush(self, path: Path) -> None:
        """Write the file ``path``, or the entries of the directory ``path``, out to the disk.

        Windows opens no directory and keeps its entries by a journal; a file has to be open for writing there.
        """
        if os.name == "nt" and path.is_dir():
            return
        descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _apart(tensor: "Tensor") -> "Tensor":
    """Return the tensor on the CPU in memory that holds nothing else, as safetensors requires."""
    packed = tensor.detach().cpu().contiguous()
    return packed.clone() if packed.untyped_storage().nbytes() != packed.nbytes else packed
