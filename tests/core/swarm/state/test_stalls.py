"""A download ends once it brings nothing any more, and its pieces are known to be there."""

import asyncio
import copy

import pytest

from core.swarm.state.donors import DonorsBusy, StateUnavailable
from core.swarm.state.stalls import DownloadBrokeOff, unless_stalled

SHORT = 0.05
"""Seconds between two looks at a download."""


class PacedDownload:
    """Brings a piece at a time, and then hangs, or ends as a test says."""

    def __init__(self, pieces: int, end: StateUnavailable | str | None) -> None:
        self.arrived, self.was_cancelled = 5, False
        self._pieces, self._end = pieces, end

    async def bring(self) -> str:
        try:
            for _ in range(self._pieces):
                await asyncio.sleep(SHORT / 2)
                self.arrived += 1
            if self._end is None:
                await asyncio.Event().wait()
            if isinstance(self._end, StateUnavailable):
                raise self._end
            return str(self._end)
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise

    def outcome(self) -> str:
        asked = unless_stalled(self.bring(), lambda: self.arrived, SHORT)
        return asyncio.run(asyncio.wait_for(asked, 30))


def test_a_download_that_goes_on_takes_as_long_as_it_takes() -> None:
    assert PacedDownload(20, "the state").outcome() == "the state", "ten times as long as it may stand still"


@pytest.mark.parametrize(("pieces", "error"), [(0, StateUnavailable), (3, DownloadBrokeOff)])
def test_one_that_stands_still_is_cancelled(pieces: int, error: type[StateUnavailable]) -> None:
    download = PacedDownload(pieces, None)
    with pytest.raises(StateUnavailable, match="gave nothing") as raised:
        download.outcome()
    assert type(raised.value) is error
    assert download.was_cancelled


@pytest.mark.parametrize(
    ("pieces", "end", "error"),
    [
        (0, StateUnavailable("Nobody is there."), StateUnavailable),
        (1, StateUnavailable("Nobody is there."), DownloadBrokeOff),
        (1, DonorsBusy("All are busy."), DonorsBusy),
    ],
)
def test_one_that_fails_says_whether_pieces_came(
    pieces: int, end: StateUnavailable, error: type[StateUnavailable]
) -> None:
    with pytest.raises(StateUnavailable) as raised:
        PacedDownload(pieces, end).outcome()
    crossed = copy.copy(raised.value)  # made anew as on its way to the trainer
    assert (type(crossed), crossed.what) == (error, end.what)
