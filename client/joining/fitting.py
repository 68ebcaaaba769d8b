"""Checks that the files of a run fit its model: before consent by the few bytes that tell it, then all of them."""

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from client.api.errors import JoinError
from client.joining.run_files import NoRangesError
from core.codec.config import CONFIG_BYTES, parse_config
from core.data.checking.fit import (
    check_codec,
    check_files,
    check_filters,
    check_hub,
    check_shard,
    check_tokenizer,
)
from core.data.listing import Listing, Shard
from core.data.streaming.rows import ShardRows
from core.errors import CoreError, MisfitError
from core.run.rules import HubSource, TrainingRules
from core.storage.files import FileRef
from core.tokenizer_file import parse_tokenizer

_log = logging.getLogger(__name__)

MOST_BYTES = 4 << 20
"""Bytes of the tokenizer, and of the first shard, that are fetched before consent at most."""

HUB_SECONDS = 20.0
"""Seconds that the Hub has to give the first rows of a data set."""

_Read = Callable[[FileRef, int, int], bytes]
"""Gives the bytes of a file from the first position to the second, the latter excluded."""


class _TooLargeError(Exception):
    """The rows that tell it take more bytes than are fetched before consent."""


def check_before_consent(training: TrainingRules, read: _Read) -> None:
    """Check codec, tokenizer and the first shard of a run; write nothing, and ask the Hub nothing.

    A large file is left to `check_fetched`, and so are shards of a server that gives no parts of files.

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
            check_tokenizer(training.text, parse_tokenizer(_whole(tokenizer, read), tokenizer.path))
        with suppress(_TooLargeError, NoRangesError):
            _check_shards(training, read)


def check_fetched(training: TrainingRules, folder: Path) -> None:
    """Check all files of a run that were fetched to a folder; raise JoinError if they do not fit its model."""
    with _in_words_of_a_volunteer():
        check_files(training, folder)


def check_data_set(training: TrainingRules, hub: Listing | None = None, seconds: float = HUB_SECONDS) -> None:
    """Check the first shard of a run's data set on the Hub, if it has one there.

    Joining does not fail if the Hub cannot be reached: the trainer asks again, and reports what it waits for.

    Args:
        training: Rules of the run.
        hub: Lists the shards; None: the Hub that ``HF_ENDPOINT`` names.
        seconds: Time after which the check is given up, whatever the Hub does.

    Raises:
        JoinError: the shard does not fit the run's model.
    """
    source, failures = training.data.hub, list[CoreError]()
    if source is None:
        return

    def check(named: HubSource) -> None:
        try:
            check_hub(training, named, seconds, hub)
        except CoreError as error:
            failures.append(error)

    checking = threading.Thread(target=check, args=(source,), name="data set", daemon=True)
    checking.start()
    checking.join(seconds)
    if checking.is_alive():
        _log.warning("The data set was not checked before joining: no answer within %.0f s.", seconds)
    for failure in failures:
        if isinstance(failure, MisfitError):
            with _in_words_of_a_volunteer():
                raise failure
        _log.warning("The data set could not be checked before joining: %s", failure)


def _check_shards(training: TrainingRules, read: _Read) -> None:
    """Check the first rows, and as many more as it takes to find one that the filters keep."""
    refs, left = {ref.path: ref for ref in training.data.shards}, MOST_BYTES

    @cache  # both checks read the first rows
    def fetch(name: str, first: int, end: int) -> bytes:
        nonlocal left
        left -= end - first
        if left < 0:
            raise _TooLargeError
        return read(refs[name], first, end)

    shards = [Shard(name=ref.path, url=ref.path, identity=ref.sha256, size=ref.size) for ref in refs.values()]
    rows = ShardRows(shards, fetch=fetch)
    if shards:
        check_shard(training, rows, 0)
        check_filters(training, rows)


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
        raise JoinError(
            f"This run cannot be trained: its files do not fit its model. {error.what}",
            "Nothing was joined. Tell the run's organiser, who has to make another run.",
        ) from error
