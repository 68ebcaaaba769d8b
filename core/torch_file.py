"""Reads what ``torch.save`` wrote: runs nothing that is in the file, and takes no memory that the file does not fill.

``torch.load(weights_only=True)`` runs no code, but it still makes what a pickle asks for, such as a bytearray of any
size. So the pickle is looked through first, and may name nothing but tensors.
"""

import pickletools
import struct
import zipfile
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

LARGEST_FILE = 16 << 30
"""Bytes. The paper's model has half a gigabyte."""
LARGEST_PICKLE = 8 << 20
"""Bytes of a file's structure without its tensors: a thousand tensors take some 200 kB."""

_KINDS = ("Double", "Float", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")
_TENSORS = {
    "collections.OrderedDict",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_tensor_v2",
    *(f"torch.{kind}Storage" for kind in _KINDS),
}
# The unpickler is Python that believes what it reads, so a damaged file makes it fail in any of these ways.
_FAULTS = (
    *(UnpicklingError, EOFError, RuntimeError, ValueError, TypeError, AttributeError, LookupError),
    *(AssertionError, OverflowError, struct.error, zipfile.BadZipFile),
)


def read_torch_file(path: Path, *, inert: str = "") -> Any:
    """The object in a file of PyTorch 1.6 or later, its tensors still in the file and on the CPU.

    ``inert`` begins the names of classes that a file may mention beside tensors. They stand there as empty classes:
    nothing of theirs is imported.

    Raises:
        ValueError: saying why, as the end of a sentence about the file.
        OSError: it cannot be read.
    """
    names = {name for name in _names(_pickle(path)) if name not in _TENSORS}
    foreign = sorted(name for name in names if not (inert and name.startswith(inert)))
    if foreign:
        raise ValueError(f"is unsafe: it asks for {foreign[0][:80]!r}, where there should be tensors alone")
    placeholders: list[Any] = [(type("Placeholder", (), {}), name) for name in sorted(names)]
    try:
        with torch.serialization.safe_globals(placeholders):
            return torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    except _FAULTS as error:
        raise ValueError("is damaged, or no file of PyTorch's") from error


def _pickle(path: Path) -> bytes:
    """The structure of what the file holds, once nothing in the file can be larger than the file."""
    if path.stat().st_size > LARGEST_FILE:
        raise ValueError("is larger than the weights of any model here")
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len({entry.filename for entry in entries}) != len(entries):
                raise ValueError("holds two entries of one name")
            if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
                raise ValueError("is unsafe: it is compressed, which PyTorch's files are not")
            pickles = [entry for entry in entries if entry.filename.split("/")[-1] == "data.pkl"]
            if len(pickles) != 1:
                raise ValueError("is no file of PyTorch's")
            if pickles[0].file_size > LARGEST_PICKLE:
                raise ValueError("has a structure larger than that of any model here")
            return archive.read(pickles[0])
    except (zipfile.BadZipFile, EOFError, struct.error, NotImplementedError, RuntimeError) as error:
        raise ValueError("is damaged, or no file of PyTorch 1.6 or later") from error


def _names(pickled: bytes) -> set[str]:
    """What a pickle asks for by name, found without running it."""
    try:
        found = [argument for opcode, argument, _ in pickletools.genops(pickled) if "GLOBAL" in opcode.name]
    except (ValueError, LookupError, struct.error, OverflowError) as error:
        raise ValueError("is damaged: its structure cannot be read") from error
    # A name that comes from the stack has no argument here; PyTorch writes none.
    return {str(name).replace(" ", ".", 1) for name in found}
