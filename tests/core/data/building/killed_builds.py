"""Kills builds at their operations on files, lets them go on, and says what came of it; run as a script.

    python -m tests.core.data.building.killed_builds SOURCE CODEC FOLDER

A child is forked for each build and sends itself SIGKILL when its n-th operation on files below FOLDER is
about to begin, or its n-th batch is in the journal. Prints a JSON object for the test.
"""

import hashlib
import importlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

import torch
from PIL import Image

from core.codec.vqgan import ImageCodec, codec_in
from core.data.building.build import build_shards
from core.data.sources.open import open_source
from core.data.sources.source import ImageSource
from tests.core.data.building.tiny_builds import SETTINGS

NEVER = 1 << 30
STEP = 4
"""Every fourth operation is died at: each costs a process."""
AGAIN_AND_AGAIN = 31
"""Operations that each attempt of one build has; just enough for the last, which moves files to their place."""
MOST_ATTEMPTS = 20


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


class Builds:
    """Builds of one source by one codec, each in a folder of its own below a folder."""

    def __init__(self, source: ImageSource, codec: ImageCodec, folder: Path) -> None:
        self._source, self._codec, self._folder = source, codec, folder

    def build(self, names: list[str], last: int = NEVER) -> int | None:
        """Makes them in a child; how many operations they took in all, or None if it was killed."""
        reading, writing = os.pipe()
        if not (child := os.fork()):
            fuse = Fuse(self._folder, last)
            for name in names:
                build_shards(self._source, self._codec, self._folder / name, SETTINGS, fuse.burn)
            os.write(writing, str(fuse.burnt).encode())
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            operations = answer.read()
        _, status = os.waitpid(child, 0)
        assert status in (0, signal.SIGKILL), status
        return int(operations) if status == 0 else None

    def contents(self, name: str) -> dict[str, str]:
        """The digests of all files of a build."""
        out = self._folder / name
        files = [path for path in sorted(out.rglob("*")) if path.is_file()]
        return {str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def main(source: str, codec: Path, folder: Path) -> None:
    # What takes long is done once, before forking; it starts no threads.
    torch.set_num_threads(1)
    Image.init()
    importlib.import_module("pandas")  # as pyarrow does for the first table
    builds = Builds(open_source(source), codec_in(codec)[0], folder)
    operations = builds.build(["whole"])
    assert operations is not None
    deaths = {str(last): last for last in range(1, operations + 1, STEP)}
    survivors = [name for name, last in deaths.items() if builds.build([name], last) is not None]
    builds.build(list(deaths))
    whole = builds.contents("whole")
    attempts = (builds.build(["often"], AGAIN_AND_AGAIN) for _ in range(MOST_ATTEMPTS))
    often = next(number for number, survived in enumerate(attempts) if survived is not None)
    found = {
        "deaths": len(deaths),
        "survivors": survivors,
        "differing": [name for name in (*deaths, "often") if builds.contents(name) != whole],
        "deaths of one": often,
        "files": sorted(whole),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
