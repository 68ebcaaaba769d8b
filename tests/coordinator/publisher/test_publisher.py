"""A run that blew up is taken back by itself, so many times a day, and somebody can read why."""

import math
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from coordinator import rollback
from coordinator.database.tables import Epoch
from coordinator.gate.audit import entries
from coordinator.publisher.capture import Capture, Download
from coordinator.publisher.losses import lineage
from coordinator.publisher.publisher import BLEW_UP, Publisher
from coordinator.publisher.releases import Releases
from coordinator.publisher.witnesses import Witnesses
from coordinator.settings import Checkpoints
from core.rules import RunState
from core.swarm.beginning import Beginning
from core.swarm.donors import StateUnavailable
from core.swarm.replica import place_of
from core.swarm.state import SwarmState
from tests.coordinator.publisher.states import NOW, Books, new_books, state_of
from tests.core.swarm.builders import progress
from tests.waiting import wait_until

SETTINGS = Checkpoints(spike_window=8, rollbacks_a_day=2)


@pytest.fixture
def books(tmp_path: Path, migrated_file: Path) -> Iterator[Books]:
    with new_books(tmp_path, migrated_file) as found:
        found.keep(10, 20, 30)
        yield found


class Clock:
    """Far ahead at each look, so that all is due."""

    now = 0.0

    def __call__(self) -> float:
        self.now += 100.0
        return self.now


def unavailable(donor: bytes) -> SwarmState:
    raise StateUnavailable("Nobody is there.")


def publisher(books: Books, download: Download = unavailable) -> Publisher:
    """One that was just started."""
    archive, witnesses = books.archive(), Witnesses(Beginning.of(books.manifest))
    capture = Capture(archive, witnesses, download, None, loss_bound=0.1)
    releases = Releases(archive, books.database, None, every=1, is_passing=lambda error: True)
    return Publisher(
        books.home,
        books.manifest,
        books.database,
        SETTINGS,
        archive,
        witnesses,
        capture,
        releases,
        clock=Clock(),
        now=lambda: NOW,
    )


def record(books: Books, losses: Sequence[float], first: int = 1, generation: int = 0) -> None:
    """Epochs as the recorder writes them."""
    with books.database.session() as session:
        for number, loss in enumerate(losses):
            row = Epoch(generation=generation, epoch=first + number, time=NOW, loss=loss)
            row.samples, row.peers, row.seconds, row.root, row.traffic = 64, 2, 1.0, "ab" * 32, None
            session.add(row)


def audited(books: Books) -> list[tuple[str, str, str]]:
    with books.database.reading() as session:
        return [(entry.actor, entry.action, entry.detail) for entry in reversed(entries(session))]


def run_for(books: Books, turns: int = 3) -> None:
    """As long as a process of a generation lives."""
    process = publisher(books)
    for _ in range(turns):
        process.turn(())
    process.close()


def test_a_healthy_run_is_left_alone(books: Books) -> None:
    record(books, [5.0 - 0.01 * epoch for epoch in range(35)])
    run_for(books)
    assert books.manifest.state.generation == 0
    assert audited(books) == []


def test_a_spike_takes_the_run_back_to_before_it_with_a_line_in_the_log(books: Books) -> None:
    record(
        books, [*[5.0] * 29, 9.0, 9.1, 9.2]
    )  # epoch 30, with which the newest checkpoint was made, was bad
    run_for(books)
    state = books.manifest.state
    assert (state.generation, state.epoch) == (1, 20)
    ((actor, action, why),) = audited(books)
    assert (actor, action) == (rollback.COORDINATOR, rollback.ACTION)
    assert "the last 3 epochs' losses are above 5.25" in why


def test_after_that_it_is_judged_by_what_led_to_where_it_is(books: Books) -> None:
    record(books, [*[5.0] * 29, 9.0, 9.1, 9.2])
    run_for(books)
    run_for(books)
    assert books.manifest.state.generation == 1
    with books.database.reading() as session:
        assert {item.loss for item in lineage(session, books.manifest.state, 50)} == {5.0}


def test_a_run_that_goes_astray_again_goes_back_further_and_is_left_alone_in_the_end(books: Books) -> None:
    record(books, [*[5.0] * 29, 9.0, 9.1, 9.2])
    run_for(books)
    record(books, [5.0, 5.0, 9.0, 9.1, 9.2], first=21, generation=1)
    run_for(books)
    assert (books.manifest.state.generation, books.manifest.state.epoch) == (2, 10)
    record(books, [5.0, 5.0, 9.0, 9.1, 9.2], first=11, generation=2)
    run_for(books)
    assert books.manifest.state.generation == 2
    assert [action for _, action, _ in audited(books)] == [rollback.ACTION, rollback.ACTION, BLEW_UP]
    assert "often enough today" in audited(books)[-1][2]


def test_a_damaged_checkpoint_is_passed_over(books: Books) -> None:
    record(books, [*[5.0] * 32, 9.0, 9.1, 9.2])
    (books.archive().path(books.archive().kept()[-1]) / "model.safetensors").write_bytes(b"")
    run_for(books)
    assert (books.manifest.state.generation, books.manifest.state.epoch) == (1, 20)


def test_where_there_is_nothing_to_go_back_to_it_is_told_once(books: Books) -> None:
    record(books, [5.0] * 5 + [math.inf], first=3)
    run_for(books, turns=6)
    assert books.manifest.state.generation == 0
    assert [action for _, action, _ in audited(books)] == [BLEW_UP]


def test_a_swarm_that_stands_still_is_looked_at_before_a_checkpoint_is_due(books: Books) -> None:
    state = state_of(books.manifest, 31)
    place = place_of(state)
    said = {"epoch": 31, "head": place.head, "parameters": bytes.fromhex(place.digest)}
    asked = threading.Event()

    def download(donor: bytes) -> SwarmState:
        asked.set()
        return state

    process = publisher(books, download)
    process.turn([progress(0, **said)])
    assert not asked.is_set(), "one epoch is not ten"
    for _ in range(10):  # of some hundred seconds each
        process.turn([progress(0, **said)])
    wait_until(lambda: books.archive().kept()[-1].epoch == 31, "no checkpoint")
    process.close()


def test_the_lineage_of_a_run_leaves_out_what_was_taken_back(books: Books) -> None:
    record(books, [1.0, 1.0, 1.0, 1.0])
    record(books, [2.0, 2.0], first=3, generation=1)
    record(books, [3.0], first=4, generation=2)
    state = RunState(generation=2, serial=2, epoch=3, parameters="ab" * 32, optimizer="cd" * 32)
    with books.database.reading() as session:
        found = lineage(session, state, 10)
    assert [(item.epoch, item.loss) for item in found] == [(1, 1.0), (2, 1.0), (3, 2.0), (4, 3.0)]
