"""Checks that the files of a run fit its model: before consent by the few bytes that tell it, then all of them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from client.api.errors import JoinError
from client.joining.run_files import NoRangesError
from core.codec.config import CONFIG_BYTES, parse_config
from core.data.checking.fit import check_codec, check_files, check_shard, check_tokenizer
from core.data.network.remote import RemoteFile
from core.data.shard_head import ShardHead
from core.errors import MisfitError
from core.run.rules import TrainingRules
from core.storage.files import FileRef
from core.tokenizer_file import vocabulary_size

MOST_BYTES = 4 << 20
"""Bytes of the tokenizer, and of the first shard, that are fetched before consent at most."""

_Read = Callable[[FileRef, int, int], bytes]
"""Gives the bytes of a file from the first position to the second, the latter excluded."""


class _TooLargeError(Exception):
    """The head of a shard takes more bytes than are fetched before consent."""


def check_before_consent(training: TrainingRules, read: _Read) -> None:
    """Check codec, tokenizer and the head of the first shard of a run; write nothing, and ask the Hub nothing.

    A large file is left to `check_fetched`, and so is a shard of a server that gives no parts of files. Rows are left
    to the trainer, which has the libraries that read them.

    Args:
        training: Rules of the run.
        read: Gives parts of the run's files.

    Raises:
        JoinError: they do not fit, or a file is not the one that the organiser signed.
        DownloadError: the server does not give a file.
    """
    config, tokenizer = training.codec.config, training.text.tokenizer
    with _in_words_of_a_volunteer():
        if config.size <= CONFIG_BYTES:
            check_codec(training, parse_config(_whole(config, read), config.path))
        if tokenizer.size <= MOST_BYTES:
            check_tokenizer(training.text, vocabulary_size(_whole(tokenizer, read), tokenizer.path))
        if training.data.shards:
            with suppress(_TooLargeError, NoRangesError):
                check_shard(training, _head(training.data.shards[0], read))


def check_fetched(training: TrainingRules, folder: Path) -> None:
    """Check all files of a run that were fetched to a folder; raise JoinError if they do not fit its model."""
    with _in_words_of_a_volunteer():
        check_files(training, folder)


def _head(ref: FileRef, read: _Read) -> ShardHead:
    """Return the head of a shard, of which no more than `MOST_BYTES` are fetched."""
    left = MOST_BYTES

    def fetch(first: int, end: int) -> bytes:
        nonlocal left
        left -= end - first
        if left < 0:
            raise _TooLargeError
        return read(ref, first, end)

    return ShardHead(RemoteFile(ref.size, fetch), ref.path)


def _whole(ref: FileRef, read: _Read) -> bytes:
    content = read(ref, 0, ref.size)
    if hashlib.sha256(content).hexdigest() != ref.sha256:
        raise JoinError(
            f"{ref.path} is not the file that the run's organiser signed.",
            "Nothing was joined. Try again later; if it stays so, tell the organiser.",
        )
    return content


@contextmanager
def _in_words_of_a_volunteer() -> Iterator[None]:
    """Raise JoinError in place of an error whose remedy is the organiser's."""
    try:
        yield
    except MisfitError as error:
        told = error.for_volunteer()
        raise JoinError(told.what, f"Nothing was joined. {told.remedy}") from error
