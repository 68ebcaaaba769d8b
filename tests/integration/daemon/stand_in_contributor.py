"""Records a trainer's life from its beginning, saying each epoch that was recorded, until it is killed."""

import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from client.contribution.stats import Contribution, TrainedRun
from client.contribution.tally import Calendar
from core.messages.events import Joined
from tests.client.contribution.reports import committed, progress

RUN = TrainedRun("d" * 64, "emoji")
SAMPLES = 10
"""Samples of each epoch."""
STEPS = 7
"""Reports between two epochs, each of one micro-step more."""


def main() -> None:
    contribution = Contribution(Path(sys.argv[1]), lambda problem: print(problem, flush=True), Calendar(UTC))
    now = datetime(2026, 3, 14, tzinfo=UTC)
    contribution.heard(RUN, "life", Joined(peer_id="peer", epoch=0, parameters=1), now)
    for epoch in count(1):
        for step in range(STEPS):
            now += timedelta(seconds=1)
            contribution.heard(RUN, "life", progress((epoch - 1) * STEPS + step + 1), now)
        contribution.heard(RUN, "life", committed(epoch, SAMPLES), now)
        print(epoch, flush=True)


if __name__ == "__main__":
    main()
