"""``metrics.jsonl``: one line for each committed epoch, whatever was interrupted in between."""

import json
from dataclasses import asdict
from pathlib import Path

from client.api.errors import ClientError
from client.demo.progress import EpochRecord
from core.files import write_atomically


class Metrics:
    """The file, and what it holds; epochs rise from line to line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.epochs: tuple[EpochRecord, ...] = _read(path) if path.exists() else ()

    def add(self, record: EpochRecord) -> None:
        """Append an epoch. One that is done again, after a resume from before it, replaces what followed."""
        kept = tuple(known for known in self.epochs if known.epoch < record.epoch)
        if kept != self.epochs:
            write_atomically(self._path, "".join(map(_line, kept)).encode())
        self.epochs = (*kept, record)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(record))


def _line(record: EpochRecord) -> str:
    return json.dumps(asdict(record)) + "\n"


def _read(path: Path) -> tuple[EpochRecord, ...]:
    """The epochs of the file; a last line that a power cut left incomplete is forgotten."""
    *lines, rest = path.read_text(encoding="utf-8").split("\n")
    if rest:
        write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    try:
        return tuple(EpochRecord(**json.loads(line)) for line in lines)
    except (ValueError, TypeError) as error:
        raise ClientError(
            f"{path} is not a file of this program ({error}).", "Move it away, or choose another --out."
        ) from error
