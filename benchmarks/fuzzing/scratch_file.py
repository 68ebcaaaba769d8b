"""A file that is written again for each input, for parsers that read from a path."""

import tempfile
from pathlib import Path


class ScratchFile:
    """One file in a temporary folder of its own, which goes with this object."""

    def __init__(self, suffix: str) -> None:
        """Make the folder; the file's name will end with ``suffix``, by which some parsers go."""
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-")
        self._path = Path(self._folder.name) / f"input{suffix}"

    def holding(self, data: bytes) -> Path:
        """Return the path of the file, which has ``data`` alone."""
        self._path.unlink(missing_ok=True)  # the old one may still be mapped
        self._path.write_bytes(data)
        return self._path
