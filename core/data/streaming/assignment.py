"""The rows that a peer computes in an epoch, which follow from its id, the epoch and the head: anyone can name them.

A peer reads its own windows of the data, one after the other (`core.data.streaming.walk`). Within a window, the rows
of an epoch are drawn by the head that it begins at. So no peer knows them before that head is committed, none can
choose them, and what one computed at an older head is of other rows.
"""

from core.data.streaming.walk import is_drawn, permutation


def epoch_order(seed: str, epoch: int, head: bytes, rows: int, lap: int = 0) -> list[int]:
    """Return the order in which a peer takes the rows of its window in an epoch.

    Args:
        seed: seed of the peer (`core.data.streaming.walk.peer_seed`).
        epoch: number of the epoch.
        head: root of the commit that it begins at.
        rows: number of rows of the window.
        lap: number of times that all of them were taken in this epoch.
    """
    return permutation(rows, seed, "epoch", epoch, head.hex(), lap)


def assigned_rows(seed: str, epoch: int, head: bytes, rows: int, *, first: int, count: int) -> list[int]:
    """Return the places in a window of ``rows`` rows of the ``count`` rows that follow the ``first`` of an epoch.

    The peer's ``seed``, the ``epoch`` and its ``head`` are those of `epoch_order`. A window that is exhausted within
    an epoch is taken again, in another order.
    """
    found: list[int] = []
    while len(found) < count:
        lap, place = divmod(first + len(found), rows)
        found += epoch_order(seed, epoch, head, rows, lap)[place : place + count - len(found)]
    return found


def has_no_caption(share: float, seed: str, epoch: int, head: bytes, number: int) -> bool:
    """Return True if a peer computes a row of an epoch without its caption: it does so for about a ``share`` of rows.

    The peer's ``seed``, the ``epoch`` and its ``head`` are those of `epoch_order`; ``number`` counts the rows that
    the peer took in the epoch before this one.
    """
    return is_drawn(share, seed, "no caption", epoch, head.hex(), number)
