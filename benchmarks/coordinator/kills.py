"""Kills a coordinator's website and recorder while they work, and looks whether they kept what they had promised."""

import asyncio
from contextlib import ExitStack
from random import Random

from sqlalchemy import func, select

from benchmarks.coordinator.bench import Bench
from benchmarks.coordinator.http_load import Timings, arriving
from benchmarks.coordinator.site import CONTRIBUTORS, recording, serving
from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Epoch

_RESTART_SECONDS = 6.0
_KILLS = 5


async def killed(bench: Bench) -> None:
    """Kill the website and the writer by turns in the middle of their work; look for what they had promised."""
    bench.crowd.promises.renewals.clear()  # those of the phases before may have been forgotten by now, as they should
    log = bench.home.root / "epochs.txt"
    seconds = _KILLS * _RESTART_SECONDS
    bench.clients.timings = Timings()
    working = asyncio.gather(
        arriving(20, seconds, bench.crowd.join, Random(5)),
        arriving(40, seconds, bench.crowd.renew, Random(6)),
    )
    draws = Random(7)
    for _ in range(_KILLS):
        with ExitStack() as stack:
            # In a thread, so that volunteers go on asking while no server answers.
            website = serving(bench.home, bench.database, bench.clients.port)
            await asyncio.to_thread(stack.enter_context, website)
            stack.enter_context(recording(bench.database, log))
            await asyncio.sleep(_RESTART_SECONDS + draws.random())
    await working
    opened = Database.open(bench.database)
    promises = bench.crowd.promises
    bench.settings["kills"] = {
        "of_website_and_writer": _KILLS,
        "promises": len(promises.memberships) + len(promises.renewals),
        "promises_lost": promises.broken(opened),
        "epochs_wrong": _wrong_epochs(opened, [int(line) for line in log.read_text().split()]),
        "requests_without_answer": sum(bench.clients.timings.failed.values()),
    }
    opened.close()
    print(bench.settings["kills"])


def _wrong_epochs(database: Database, committed: list[int]) -> int:
    """Return the number of epochs that were committed, and are not in the ledger with exactly their credits."""
    credited = select(Credit.epoch, func.count().label("credits")).group_by(Credit.epoch)
    with database.reading() as session:
        known = set(session.scalars(select(Epoch.epoch).where(Epoch.epoch.in_(committed))))
        counts: dict[int, int] = {row.epoch: row.credits for row in session.execute(credited)}
    wrong = [epoch for epoch in committed if epoch not in known or counts.get(epoch) != CONTRIBUTORS]
    return (
        len(wrong)
        + len(committed)
        - len(set(committed))
        + sum(count != CONTRIBUTORS for count in counts.values())
    )
