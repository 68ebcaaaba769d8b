"""The rounds of a home as the log of its trainer tells them: begun, exchanging, ended."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

_LINE = re.compile(r"(?P<time>\d{4}-\d\d-\d\dT[\d:.]+)Z \w+ [\w.]+: (?P<text>.*)")
_GROUPED = re.compile(r"Epoch (\d+): group (\w+) of \d+ peers")
_EXCHANGING = re.compile(r"Epoch (\d+): group (\w+) begins to exchange")
COMMITTED = ("averaged", "completed", "superseded", "caught up", "learnt late")
_ENDED = re.compile(rf"Epoch (\d+): ({'|'.join(COMMITTED)});")
_LANDED = re.compile(r"Epoch (\d+) is done after")
_FAILED = re.compile(r"Averaging round \d+ of epoch (\d+) failed\. (.*)")


@dataclass(frozen=True)
class HomeRound:
    """A round of one home, up to what its log tells so far."""

    epoch: int
    group: str
    """First digits of the group's id."""
    formed: datetime
    exchanging: datetime | None = None
    ended: datetime | None = None
    how: str = ""
    """Way in which it ended."""
    landed: datetime | None = None
    """Time at which the update of its epoch was done."""

    @property
    def is_exchanging(self) -> bool:
        """True if the exchange has begun and the round has not ended."""
        return self.exchanging is not None and self.ended is None

    @property
    def is_committed(self) -> bool:
        """True if it ended with a committed epoch."""
        return self.how in COMMITTED

    @property
    def landing_seconds(self) -> float | None:
        """Seconds from its end to the end of the update of its epoch; None if that is not known."""
        if self.ended is None or self.landed is None:
            return None
        return (self.landed - self.ended).total_seconds()

    def spans(self, moment: datetime) -> bool:
        """Return true if the exchange had begun at ``moment`` and the round had not ended."""
        return (
            self.exchanging is not None
            and self.exchanging <= moment
            and (self.ended is None or moment < self.ended)
        )


class HomeRounds:
    """All rounds in a log that grows."""

    def __init__(self, path: Path) -> None:
        """Read the log at ``path``, which need not exist yet, at each `look`."""
        self._path, self._read = path, 0
        self.rounds: list[HomeRound] = []

    def look(self) -> Self:
        """Read what was written since the last look; a log that was emptied is read from its beginning."""
        if not self._path.exists():
            return self
        with self._path.open("rb") as log:
            self._read = self._read if self._read <= self._path.stat().st_size else 0
            log.seek(self._read)
            whole, _, _ = log.read().rpartition(b"\n")
            self._read += len(whole) + bool(whole)
        for line in whole.decode(errors="replace").splitlines():
            if found := _LINE.match(line):
                self._enter(_moment(found["time"]), found["text"])
        return self

    @property
    def last(self) -> HomeRound | None:
        """The round that began last; None before the first."""
        return self.rounds[-1] if self.rounds else None

    def _enter(self, time: datetime, text: str) -> None:
        if found := _GROUPED.match(text):
            self._end(time, "left for another group")
            self.rounds.append(HomeRound(int(found[1]), found[2], time))
        elif self.last is None:
            return
        elif (found := _EXCHANGING.match(text)) and found[2] == self.last.group:
            self.rounds[-1] = replace(self.last, exchanging=time)
        elif (found := _ENDED.match(text)) and int(found[1]) == self.last.epoch:
            self._end(time, found[2])
        elif (found := _LANDED.match(text)) and int(found[1]) == self.last.epoch + 1:
            self.rounds[-1] = replace(self.last, landed=time)
        elif (found := _FAILED.match(text)) and int(found[1]) == self.last.epoch:
            self._end(time, f"failed: {found[2]}")

    def _end(self, time: datetime, how: str) -> None:
        if self.last is not None and self.last.ended is None:
            self.rounds[-1] = replace(self.last, ended=time, how=how)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
