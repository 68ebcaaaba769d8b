"""Takes the pickle out of a file of ``torch.save``, if PyTorch is certain to find the same one.

A zip archive ends with a directory of its contents. Python looks for it right before the archive's end,
PyTorch at the place that the end states, and PyTorch does not distinguish small and capital letters. A file
that exploits this shows a harmless pickle to a check, and another one to PyTorch. Such files are refused.
"""

import os
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

LARGEST_FILE = 16 << 30
"""Largest file that is read, in bytes. The paper's model has half a gigabyte."""
LARGEST_DIRECTORY = 8 << 20
"""Largest directory of an archive, in bytes: a thousand tensors take some 70 kB."""
LARGEST_PICKLE = 2 << 20
"""Largest pickle, in bytes, which has no tensors' values: a thousand tensors take some 200 kB."""

_END = struct.Struct("<4s4H2LH")
"""The end of an archive, without a comment."""
_LOCATOR = struct.Struct("<4sLQL")
"""The locator of the second end record, which large archives have and PyTorch always writes."""
_LARGER_END = struct.Struct("<4sQ2H2L4Q")
_FAULTS = (
    zipfile.BadZipFile,
    EOFError,
    struct.error,
    NotImplementedError,  # zipfile's word for a compression that it does not know
    RuntimeError,
    UnicodeDecodeError,
)


def read_pickle(path: Path) -> bytes:
    """Return the pickle in the file at ``path``, after a check that the archive is unchanged and unambiguous.

    Raises:
        ValueError: the reason, worded as the end of a sentence about the file.
        OSError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            _check_directory(file)
            with zipfile.ZipFile(file) as archive:
                entry = _pickle_among(archive.infolist())
                _check_contents(archive, file.seek(0, os.SEEK_END))
                return archive.read(entry)
    except _FAULTS as error:
        raise ValueError("is damaged, or not a PyTorch file (1.6 or later)") from error


def _check_directory(file: BinaryIO) -> None:
    """Check that there is one directory, where the archive's end states it and right before that end."""
    size = file.seek(0, os.SEEK_END)
    if size > LARGEST_FILE:
        raise ValueError("is larger than the weights of any model here")
    end = size - _END.size
    larger_end = end - _LOCATOR.size - _LARGER_END.size
    file.seek(max(0, larger_end))
    records = file.read()
    signature, *_, length, start, comment = _END.unpack(records[-_END.size :])
    if signature != b"PK\x05\x06" or comment:
        raise zipfile.BadZipFile
    if larger_end >= 0 and records.startswith(b"PK\x06\x07", _LARGER_END.size):
        *_, larger_offset, _ = _LOCATOR.unpack_from(records, _LARGER_END.size)
        signature, *_, length, start = _LARGER_END.unpack_from(records)
        if signature != b"PK\x06\x06" or larger_offset != larger_end:
            raise ValueError("is unsafe: it has more than one end")
        end = larger_end
    if start + length != end:
        raise ValueError("is unsafe: it has more than one directory, or none where it says")
    if length > LARGEST_DIRECTORY:
        raise ValueError("holds more entries than any model here")


def _check_contents(archive: zipfile.ZipFile, size: int) -> None:
    """Check that the contents are as they were written: PyTorch maps tensors, and would not notice damage."""
    if sum(entry.file_size for entry in archive.infolist()) > size:
        raise ValueError("is unsafe: its entries claim to be larger than the file")
    if (damaged := archive.testzip()) is not None:
        raise ValueError(f"is damaged: {damaged[:80]!r} in it is not as it was written")


def _pickle_among(entries: Sequence[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    names = [entry.orig_filename.lower() for entry in entries]
    if len(set(names)) != len(names):
        raise ValueError("holds two entries of one name")
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise ValueError("is unsafe: it is compressed, which PyTorch's files are not")
    pickles = [entry for entry in entries if entry.orig_filename.lower().rpartition("/")[2] == "data.pkl"]
    # An extra field can override sizes and offsets. PyTorch leaves it empty here.
    if len(pickles) != 1 or pickles[0].extra:
        raise ValueError("is not a PyTorch file")
    if pickles[0].file_size > LARGEST_PICKLE:
        raise ValueError("has a structure larger than that of any model here")
    return pickles[0]
