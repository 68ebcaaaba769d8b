"""Kills builds at every file operation in turn, lets them go on, and says what came of it; run as a script.

    python -m tests.core.data.killed_builds SOURCE CODEC FOLDER

A child is forked for each attempt and sends itself SIGKILL when its n-th operation on files below FOLDER is
about to begin, or its n-th batch is in the journal. Prints a JSON object for the test.
"""

import hashlib
import importlib
import json
import os
import signal
import sys
import threading
from itertools import count
from pathlib import Path

import torch
from PIL import Image

from core.codec.vqgan import ImageCodec
from core.data.build import BuildSettings, build_shards, codec_in
from core.data.sources.open import open_source
from core.data.sources.source import Source

SETTINGS = BuildSettings(grid=2, shard_rows=4, row_group_rows=2, batch_size=3)
NEVER = 1 << 30
AGAIN_AND_AGAIN = 9
"""Operations that each attempt has; enough for one batch."""


class Fuse:
    """Counts the main thread's operations on files below a folder, and kills the process at the last one."""

    def __init__(self, folder: Path, last: int) -> None:
        self._folder, self._last = str(folder), last
        self.burnt = 0
        sys.addaudithook(self._audit)

    def burn(self, _: object = None) -> None:
        self.burnt += 1
        if self.burnt == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def _audit(self, _: str, arguments: tuple[object, ...]) -> None:
        on_files = any(isinstance(one, str | Path) and str(one).startswith(self._folder) for one in arguments)
        if on_files and threading.current_thread() is threading.main_thread():
            self.burn()


def attempt(source: Source, codec: ImageCodec, out: Path, last: int) -> int | None:
    """Builds in a child of its own; how many operations it took, or None if it was killed."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        fuse = Fuse(out, last)
        build_shards(source, codec, out, SETTINGS, fuse.burn)
        os.write(writing, str(fuse.burnt).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        operations = answer.read()
    _, status = os.waitpid(child, 0)
    assert (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL) or status == 0, status
    return int(operations) if status == 0 else None


def contents(out: Path) -> dict[str, str]:
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def main(source: str, codec: Path, folder: Path) -> None:
    def build(name: str, last: int) -> int | None:
        return attempt(images, loaded, folder / name, last)

    # What takes long is done once, before forking; it starts no threads.
    torch.set_num_threads(1)
    Image.init()
    importlib.import_module("pandas")  # as pyarrow does for the first table
    images, loaded = open_source(source), codec_in(codec)[0]
    operations = build("whole", NEVER)
    whole = contents(folder / "whole")
    assert operations is not None
    differing = []
    for last in range(1, operations + 1):
        killed = build(str(last), last)
        if killed is not None or build(str(last), NEVER) is None or contents(folder / str(last)) != whole:
            differing.append(last)
    deaths = next(number for number in count() if build("often", AGAIN_AND_AGAIN) is not None)
    print(
        json.dumps(
            {"operations": operations, "differing": differing, "deaths": deaths}
            | {"often is whole": contents(folder / "often") == whole, "files": sorted(whole)}
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
