"""The stream of captions and codes of a text-to-image run, filtered by the run's rules."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.data.listing import local_shards
from core.data.shards import CodeRow, decode_codes
from core.data.streaming.rows import ShardRows, hub_rows
from core.data.streaming.sample_stream import WINDOW_ROWS, SampleStream
from core.data.streaming.walk import peer_seed
from core.data.streaming.windows import CodedSample
from core.network.pause_token import PauseToken
from core.run.filters import FilterSettings, drop_reason

if TYPE_CHECKING:
    from core.families.text_to_image.rules import TextToImageRules

FIRST_ROWS = 256
"""Rows of the first window of a data set on the Hub: half a second's worth of a line of 1 MB/s."""


class CodeStream(SampleStream):
    """Endless micro-batches of captions and codes for one peer, as `SampleStream` gives them."""

    def __init__(
        self,
        rows: ShardRows,
        *,
        grid: int,
        vocab: int,
        filters: FilterSettings,
        seed: str,
        window_rows: int = WINDOW_ROWS,
        first_rows: int | None = None,
        is_assigned: bool = False,
        caption_dropout: float = 0.0,
        pause_token: PauseToken | None = None,
        notify: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare a stream from its beginning; nothing is read yet.

        Args:
            rows: Rows of the shards; remote ones are fetched under ``pause_token``.
            grid: Codes along one side of an image.
            vocab: Entries of the codebook.
            filters: Rules by which rows are left out.
            seed: Seed of the order.
            window_rows: Rows of a window.
            first_rows: Rows of the first window; None: as many as of any other.
            is_assigned: True to draw the rows of each epoch by its head, which `begin_epoch` names.
            caption_dropout: Share of the samples that come without their caption.
            pause_token: Pauses and ends the reading; None: one of its own.
            notify: Called by the reading thread with a sentence about each shard that is left.
            clock: Returns the time in seconds.
        """
        token = pause_token or PauseToken()
        super().__init__(
            rows,
            partial(coded_sample, pause_token=token, grid=grid, vocab=vocab, filters=filters),
            width=grid**2,
            kept=filters.model_dump_json(),
            seed=seed,
            window_rows=window_rows,
            first_rows=first_rows,
            is_assigned=is_assigned,
            caption_dropout=caption_dropout,
            pause_token=token,
            notify=notify,
            clock=clock,
        )

    @classmethod
    def open(
        cls,
        training: "TextToImageRules",
        base_dir: Path,
        *,
        peer: str,
        notify: Callable[[str], None] = lambda text: None,
    ) -> Self:
        """Return a peer's stream of a run: local files are verified, and the Hub is not asked yet.

        Args:
            training: Rules of the run.
            base_dir: Folder of the manifest, relative to which the rules name files.
            peer: Name of the peer, from which its order is drawn.
            notify: Called with a sentence for the user about shards that are left and servers that do not
                answer.

        Raises:
            ManifestError: a shard beside the manifest is missing or differs.
        """
        hub, pause_token = training.data.hub, PauseToken()
        return cls(
            code_rows(training, base_dir, pause_token, notify),
            grid=training.model.grid,
            vocab=training.model.image_vocab,
            filters=training.data.filters,
            seed=peer_seed(training.data.seed, peer),
            is_assigned=training.swarm.recomputed_share is not None,
            caption_dropout=training.data.caption_dropout,
            first_rows=None if hub is None else FIRST_ROWS,
            pause_token=pause_token,
            notify=notify,
        )


def code_rows(
    training: "TextToImageRules", base_dir: Path, pause_token: PauseToken, notify: Callable[[str], None]
) -> ShardRows:
    """Return the rows of a run's data: local files are verified, and the Hub is not asked yet.

    Args:
        training: Rules of the run.
        base_dir: Folder of the manifest, relative to which the rules name files.
        pause_token: Pauses and ends what is read from the Hub.
        notify: Called with a sentence for the user about servers that do not answer.

    Raises:
        ManifestError: a shard beside the manifest is missing or differs.
    """
    if training.data.hub is None:
        return ShardRows(local_shards(training.data.shards, base_dir))
    return hub_rows(training.data.hub, pause_token, notify)


def coded_sample(
    row: CodeRow, where: str, pause_token: PauseToken, grid: int, vocab: int, filters: FilterSettings
) -> CodedSample | None:
    """Return caption and codes of a row, or None if the filters drop it.

    Args:
        row: Row of a shard.
        where: Name of the row in errors.
        pause_token: Pauses the reading here, and ends it.
        grid: Codes along one side of an image.
        vocab: Entries of the codebook; each code must be smaller.
        filters: Rules by which rows are left out.

    Raises:
        DataError: the codes do not fit the grid or the codebook.
        Ended: the reading was ended.
    """
    pause_token.wait()  # a disk needs none, but who reads from it has to stand back and end as well
    size = row.original_width, row.original_height
    if drop_reason(row.caption, row.nsfw, *size, filters) is not None:
        return None
    return row.caption, decode_codes(row.code, grid, vocab, where)
