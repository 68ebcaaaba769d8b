"""What a build writes as it goes: the shards of each split, and the list of images that were left out."""

import json
from collections import Counter
from pathlib import Path
from typing import TextIO

from core.data.index import ShardEntry
from core.data.shards import CodeRow, shard_digest, write_shard

LEFT_OUT_NAME = "left_out.jsonl"


class LeftOut:
    """Writes down each image that is left out, and counts the reasons."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.counts: Counter[str] = Counter()

    def add(self, name: str, reason: str, detail: str) -> None:
        self.counts[reason] += 1
        self._file.write(json.dumps({"file_name": name, "reason": reason, "detail": detail}) + "\n")


class SplitWriter:
    """Collects the rows of one split and cuts them into shards."""

    def __init__(self, folder: Path, split: str, shard_rows: int, row_group_rows: int) -> None:
        self._folder, self._split = folder, split
        self._shard_rows, self._row_group_rows = shard_rows, row_group_rows
        self._rows: list[CodeRow] = []
        self._entries: list[ShardEntry] = []

    def add(self, row: CodeRow) -> None:
        self._rows.append(row)
        if len(self._rows) == self._shard_rows:
            self._flush()

    def finish(self) -> tuple[ShardEntry, ...]:
        """Writes what is left and returns the split's shards."""
        if self._rows:
            self._flush()
        return tuple(self._entries)

    def _flush(self) -> None:
        path = self._folder / f"{self._split}-{len(self._entries):05d}.parquet"
        write_shard(path, self._rows, self._row_group_rows)
        self._entries.append(ShardEntry(file=path.name, rows=len(self._rows), sha256=shard_digest(path)))
        self._rows = []
