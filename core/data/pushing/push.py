"""Pushes a folder of code shards to the Hub as a data set, and resumes an earlier push that was interrupted.

A push makes its own commits instead of using huggingface_hub's upload of a folder, to control their order:
the card first, the shards in batches, the index last. A revision that has an index is complete.
"""

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pyarrow.parquet as pq
from huggingface_hub.hf_api import RepoFile

from core.data.checking.check import CheckReport, check_shards
from core.data.index import INDEX_NAME, ShardIndex
from core.data.pushing.card import CARD_NAME, data_card, kept_of, split_pattern
from core.data.pushing.hub_repository import HubRepository, HubUnavailable
from core.data.pushing.upload import Upload
from core.errors import DataError
from core.network.persistence import delay
from core.run.training.data_rules import HubSource

_log = logging.getLogger(__name__)


SENT_AT_ONCE = 4
"""Number of files that are sent at once; progress is reported after each such group."""
COMMIT_FILES = 100
"""Most files of a commit: the Hub advises no more, and limits the commits of an hour."""
ATTEMPTS = 10
"""Failures after which a push gives up, unless something arrived between them: some five minutes."""

MAX_SHARDS = 9_990
"""Most shards of a push: the Hub takes 10,000 files in a folder, card, index and its own included."""

T = TypeVar("T")


@dataclass(frozen=True)
class PushProgress:
    """Progress of a push, and the wait before its next attempt after a failure."""

    there: int
    """Bytes of shards that are on the Hub."""
    total: int
    """Bytes of all shards of the push."""
    waiting: float | None = None
    """Seconds until the next attempt, after one that failed."""
    why: str = ""


_OnProgress = Callable[[PushProgress], None]


@dataclass(frozen=True)
class PushResult:
    """The last commit of a complete push, and the sources of its splits."""

    commit: str
    sources: dict[str, HubSource]
    """Source of each split, as a manifest names it."""


class Push:
    """The push of one folder to one repository.

    Raises:
        DataError: the folder fails its check or has no index; the repository holds something else; and as
            HubRepository does.
    """

    def __init__(
        self,
        folder: Path,
        repository: HubRepository,
        licence: str,
        *,
        message: str = "Push code shards",
        checked: Callable[[int], None] = lambda rows: None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Check the folder, which reads every shard, and write the data card; nothing is sent yet.

        Args:
            folder: Folder of the shards and of their index.
            repository: Branch to push to.
            licence: Licence of the data set by the Hub's name, such as ``cc-by-4.0``, for the card.
            message: Message of the last commit, and beginning of the messages of the others.
            checked: Called during the check with the number of rows checked so far.
            pause: Called with the seconds to wait before another attempt; it returns after them.
        """
        self._index = ShardIndex.load(folder)
        _refuse_too_many(folder, self._index)
        report = check_shards(folder, progress=checked)
        if not report.sound:
            raise _unsound(report)
        self._repository = repository
        self._message = message
        self._progress: _OnProgress = lambda progress: None
        self._pause = pause
        self._shards = _shards(folder, self._index)
        if not self._shards:
            raise DataError(f"{folder} holds no shards.", "Build some with `idlebrush dataset build`.")
        columns = pq.read_schema(self._shards[0].content).names
        self._text = data_card(repository.repo, licence, self._index, columns, report)
        self._card = Upload.of_bytes(CARD_NAME, self._text.encode())
        self._end = Upload.of_bytes(INDEX_NAME, self._index.to_json())
        self._made = False
        self._there = 0

    def run(self, private: bool = False, progress: _OnProgress = lambda progress: None) -> PushResult:
        """Push the files that are not there yet, and try again after faults that pass.

        Args:
            private: True for a private repository; see ``HubRepository.make``.
            progress: Called in each attempt before the first file and after each group of files, and before
                each wait.

        Returns:
            The last commit, and the sources of the splits in it.

        Raises:
            HubUnavailable: the Hub was not available for ``ATTEMPTS`` attempts in a row without progress.
            DataError: the repository holds other shards, a file differs after the push, or as HubRepository
                does.
        """
        self._progress = progress
        failures = 0
        while True:
            before = self._there
            try:
                commit = self._attempt(private)
                return PushResult(commit, _sources(self._repository.repo, commit, self._index))
            except HubUnavailable as error:
                failures = 1 if self._there > before else failures + 1
                if failures == ATTEMPTS:
                    raise
                seconds = delay(failures, random.random(), error.asked_for)
                _log.info(
                    "Attempt %d to push failed (%s); the next in %.1f s.", failures, error.what, seconds
                )
                self._report(seconds, error.what)
                self._pause(seconds)

    def _attempt(self, private: bool) -> str:
        if not self._made:
            self._repository.make(private)
            self._made = True
        files = self._repository.files()
        stale = self._stale(files)
        missing = [shard for shard in self._shards if not shard.is_at(files)]
        self._there = sum(shard.size for shard in self._shards) - sum(shard.size for shard in missing)
        self._report()
        self._card = self._card_over(files)
        self._repository.commit(f"{self._message}: data card", [self._card.operation()], stale)
        for batch in _cut(missing, COMMIT_FILES):
            self._send(batch)
        commit = self._repository.commit(self._message, [self._end.operation()])
        self._verify(commit)
        return commit

    def _card_over(self, files: Mapping[str, RepoFile]) -> Upload:
        """Return the data card, with the text that people wrote into the present card."""
        if CARD_NAME not in files or self._card.is_at(files):
            return self._card
        there = self._repository.read(files[CARD_NAME]).decode(errors="replace")
        return Upload.of_bytes(CARD_NAME, (self._text + kept_of(there)).encode())

    def _stale(self, files: Mapping[str, RepoFile]) -> list[str]:
        """Return the paths that an earlier index left there; raises DataError if there are other shards."""
        own = {shard.name for shard in self._shards}
        earlier: set[str] = set()
        if INDEX_NAME in files and not self._end.is_at(files):
            text = self._repository.read(files[INDEX_NAME])
            index = ShardIndex.of_json(text, f"{INDEX_NAME} of {self._repository.repo}")
            earlier = {entry.file for entries in index.splits.values() for entry in entries} | {INDEX_NAME}
        foreign = {name for name in files if name.endswith(".parquet")} - own - earlier
        if foreign:
            raise DataError(
                f"{self._repository.repo} holds other shards, such as {min(foreign)}.",
                "Choose another name, or another branch with --revision.",
            )
        return sorted(name for name in earlier - own if name in files)

    def _send(self, batch: Sequence[Upload]) -> None:
        additions = [shard.operation() for shard in batch]
        for part in _cut(list(zip(additions, batch, strict=True)), SENT_AT_ONCE):
            self._repository.send([addition for addition, _ in part])
            self._there += sum(shard.size for _, shard in part)
            self._report()
        self._repository.commit(f"{self._message}: {batch[0].name} to {batch[-1].name}", additions)

    def _verify(self, commit: str) -> None:
        files = self._repository.files(commit)
        for upload in (self._card, *self._shards, self._end):
            if not upload.is_at(files):
                raise DataError(
                    f"{upload.name} differs at the Hub, in the commit {commit[:8]} of {self._repository.repo}.",
                    "Another program may have written to it meanwhile: push again.",
                )

    def _report(self, waiting: float | None = None, why: str = "") -> None:
        total = sum(shard.size for shard in self._shards)
        self._progress(PushProgress(self._there, total, waiting, why))


def _refuse_too_many(folder: Path, index: ShardIndex) -> None:
    shards = sum(map(len, index.splits.values()))
    if shards > MAX_SHARDS:
        raise DataError(
            f"{folder} holds {shards:,} shards, and the Hub takes {MAX_SHARDS:,} in a folder.",
            "Build it again with larger shards: `idlebrush dataset build --shard-rows`.",
        )


def _shards(folder: Path, index: ShardIndex) -> list[Upload]:
    entries = [(folder / entry.file, entry.sha256) for split in index.splits.values() for entry in split]
    return [Upload(path.name, path, path.stat().st_size, sha256) for path, sha256 in entries]


def _sources(repo: str, commit: str, index: ShardIndex) -> dict[str, HubSource]:
    return {
        split: HubSource(repo=repo, revision=commit, pattern=split_pattern(index, split))
        for split in index.splits
    }


def _cut(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]


def _unsound(report: CheckReport) -> DataError:
    more = f", and {len(report.problems) - 1} more" if len(report.problems) > 1 else ""
    return DataError(
        f"The shards are not sound: {report.problems[0].rstrip('.')}{more}.",
        "Nothing was pushed; `idlebrush dataset check` lists all faults.",
    )
