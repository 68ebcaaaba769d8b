"""Text as packed samples: the documents of files as tokens, cut into sequences of one length.

A sample has one token more than the model predicts, and begins with the last token of the sample before it: each
token of a row group is predicted once. The rest at the end of a row group is left out. The samples of a row group are
always the same ones, so that a stream is resumed exactly, and others can recompute what a peer made of a row; to go
on within a row group, what comes before is read and encoded once more.
"""

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from pathlib import PurePosixPath
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from core.data.listing import Shard
from core.data.network.remote import RemoteFile
from core.data.streaming.listed_files import FetchPart, ListedFiles
from core.data.text.documents import DocumentFile
from core.errors import DataError, TextError
from core.families.causal_lm.rules import FORMATS
from core.network.pause_token import PauseToken

TokenSample = NDArray[np.int32]
"""Tokens of a sample, of shape (length + 1,)."""
Encode = Callable[[str], list[int]]
"""Makes tokens of a text."""
ROWS_FORMAT = 2
"""Number of the way in which samples are made of files; a change of it makes other data."""
MOST_TOKENS = 1 << 28
"""Most tokens that are taken of a row group: as many as bytes of the largest, while a token has some bytes."""


class TextRows(ListedFiles[DocumentFile]):
    """The samples of text files by file and row group; one file is open at a time.

    Raises:
        DataError: A file cannot be read, or lacks the column.
    """

    def __init__(
        self,
        shards: Iterable[Shard],
        encode: Encode,
        *,
        length: int,
        end_id: int,
        column: str,
        identity: str,
        fetch: FetchPart | None = None,
        pause_token: PauseToken | None = None,
    ) -> None:
        """Prepare to read; nothing is opened or listed yet.

        Args:
            shards: The files.
            encode: Makes tokens of a document or a part of one.
            length: Tokens of a sample that are predicted.
            end_id: Token that ends a document.
            column: Name of the column with the text.
            identity: Text that identifies the files, their content and their tokens.
            fetch: Reads parts of remote files; None: a new fetcher under ``pause_token``.
            pause_token: Pauses and ends the reading at each piece of a document; None: nothing does.
        """
        self._token = pause_token or PauseToken()
        super().__init__(shards, identity=identity, fetch=fetch, pause_token=self._token)
        self._encode, self._length, self._end, self._column = encode, length, end_id, column
        self._words = identity

    @property
    def identity(self) -> str:
        """SHA-256 in hex of the text that identifies the files, their content, and how they become tokens."""
        return hashlib.sha256(f"{self._words}\nrows {ROWS_FORMAT}".encode()).hexdigest()

    def reopened(self, pause_token: PauseToken) -> "TextRows":
        """Return a reader of the same files for another thread, which ``pause_token`` pauses and ends."""
        return TextRows(
            self.known,
            self._encode,
            length=self._length,
            end_id=self._end,
            column=self._column,
            identity=self._words,
            pause_token=pause_token,
        )

    def row_groups(self, shard: int) -> int:
        """Return the number of row groups of the file number ``shard``: those of Parquet, or blocks of lines."""
        return self.open(shard).row_groups

    def read(self, shard: int, row_group: int, first: int = 0) -> Generator[tuple[str, TokenSample]]:
        """Yield the samples of a row group, each with words that name it.

        Args:
            shard: Number of the file.
            row_group: Number of the row group in the file.
            first: Number of the first sample to yield, from 0.

        Raises:
            DataError: The file cannot be read, has no such column, or cannot have such a sample.
            Ended: By the pause token.
        """
        name, most = self.shards[shard].name, MOST_TOKENS // self._length
        if first >= most:  # others may name it, and it would take long to find that it is not there
            raise DataError(f"{name} has no sample {first:,}.", "Leave the saved position out.")
        samples = packed(self._tokens(self.open(shard).read(row_group)), self._length)
        for number, sample in enumerate(islice(samples, most)):
            if number >= first:
                yield f"sample {number} of row group {row_group} of {name}", sample

    def first_samples(self, shard: int, row_groups: int | None = None) -> Iterator[TokenSample]:
        """Yield the samples of a file in their order.

        Args:
            shard: Number of the file.
            row_groups: Most row groups that are read; None: all.
        """
        for group in islice(range(self.row_groups(shard)), row_groups):
            yield from (sample for _, sample in self.read(shard, group))

    def opened(self, content: BinaryIO | RemoteFile, shard: Shard) -> DocumentFile:
        """Return the ``content`` of a ``shard`` as documents."""
        return DocumentFile(content, shard.name, FORMATS[PurePosixPath(shard.name).suffix], self._column)

    def _tokens(self, pieces: Iterable[str | None]) -> Iterator[list[int]]:
        """Yield the tokens of each of the ``pieces``, and the token of the end for each None.

        A piece that the tokenizer refuses is left out; raises its TextError if it refuses all of them.
        """
        refused, accepted, is_within = None, False, False
        for piece in pieces:
            self._token.wait()
            if piece is None:
                yield [self._end] if is_within else []
                is_within = False
                continue
            try:
                yield self._encode(piece)
            except TextError as error:  # such as for a character that it has no token for
                refused = error
            else:
                accepted = is_within = True
        if refused and not accepted:
            raise refused


def packed(pieces: Iterable[list[int]], length: int) -> Iterator[TokenSample]:
    """Yield samples of ``length + 1`` tokens, each of which begins with the last token of the one before it.

    Args:
        pieces: Tokens, in pieces of any length.
        length: Tokens of a sample that are predicted.
    """
    held: list[int] = []
    for piece in pieces:
        held += piece
        start = 0
        while len(held) - start > length:
            yield np.asarray(held[start : start + length + 1], np.int32)
            start += length
        del held[:start]
