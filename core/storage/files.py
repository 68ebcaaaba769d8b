"""Files that a manifest names by digest, verified before they are used; and writing all or nothing."""

import errno
import hashlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from core.errors import ManifestError
from core.storage import moving

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class FileRef(BaseModel):
    """Path, size and digest of a file beside a manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    path: Annotated[str, Field(max_length=255, pattern=r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$")]
    """Path relative to the manifest's folder, with forward slashes on every system."""
    sha256: Sha256
    size: Annotated[int, Field(gt=0, le=2**40)]
    """Size in bytes."""

    @field_validator("path")
    @classmethod
    def _stays_inside(cls, path: str) -> str:
        if any(set(part) == {"."} for part in path.split("/")):
            raise ValueError("must stay inside the manifest's folder")
        return path

    @classmethod
    def of(cls, file: Path, base_dir: Path) -> Self:
        """Return the reference to ``file``, which lies under ``base_dir``."""
        path = file.relative_to(base_dir).as_posix()
        return cls(path=path, sha256=sha256_of(file), size=file.stat().st_size)


def sha256_of(file: Path) -> str:
    """Return the SHA-256 of a file's content in hex; the file is read in pieces."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def resolve_file(ref: FileRef, base_dir: Path) -> Path:
    """Return the file that ``ref`` names relative to ``base_dir``, after a check of its size and digest.

    Raises:
        ManifestError: the file is missing, cannot be read, or differs; the error names it.
    """
    file = base_dir / ref.path
    remedy = f"Get {ref.path} again from where the run's manifest came from."
    try:
        if not file.is_file():
            raise ManifestError(f"The run needs the file {file}, which is not there.", remedy)
        if (size := file.stat().st_size) != ref.size:
            raise ManifestError(f"{file} has {size} bytes where the run's has {ref.size}.", remedy)
        if sha256_of(file) != ref.sha256:
            raise ManifestError(f"{file} differs from the run's file of that name.", remedy)
    except OSError as error:
        raise ManifestError(f"{file} cannot be read: {error.strerror or error}.", remedy) from error
    return file


def read_bounded(file: Path, limit: int) -> bytes:
    """Return the content of a file; a larger one than ``limit`` bytes is not taken into memory.

    Raises:
        ValueError: the file has more than ``limit`` bytes.
        OSError: the file cannot be read, or is a pipe or a device, which could block for ever.
    """
    with open(file, "rb", opener=_open_regular) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"{file} has more than {limit} bytes")
    return data


def _open_regular(file: str, flags: int) -> int:
    descriptor = os.open(file, flags | getattr(os, "O_NONBLOCK", 0))
    kind = os.fstat(descriptor).st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # for a folder, `open` raises the error
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is not a file", file)
    return descriptor


def write_atomically(file: Path, data: bytes, mode: int = 0o644) -> None:
    """Replace the content of ``file`` by ``data``; a reader, or a crash, finds either the old or the new content.

    ``mode`` is the file's permissions. Until the file is complete, only its owner can read it. Windows ignores the
    mode: there a file has the access rights of its folder, and one in the user's profile is closed to others.
    """
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        moving.replace(temporary, file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
