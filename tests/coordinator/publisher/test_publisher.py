"""A run that blew up is taken back by itself, so many times a day, and the organiser can read why."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from coordinator import rollback
from coordinator.database.tables import Epoch
from coordinator.gate.audit import entries
from coordinator.home import Home
from coordinator.peer_users import PeerUsers
from coordinator.publisher.archive import free_bytes
from coordinator.publisher.capture import Capture
from coordinator.publisher.divergence import lineage
from coordinator.publisher.held_out import HeldOut
from coordinator.publisher.publisher import DISMISSED, HELD_BACK, Publisher
from coordinator.publisher.releases import Releases
from coordinator.publisher.reported_parameters import ReportedParameters
from coordinator.publisher.rollbacks import BLEW_UP
from coordinator.publisher.second_donors import SecondDonors
from coordinator.settings import Checkpoints
from core.run.state import RunState
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.pieces import StateOutline, outline_of
from core.swarm.state.replica import Place, place_of
from core.swarm.state.state import PARAMETERS, SwarmState, under
from core.swarm.wire.records import ProgressRecord
from tests.coordinator.publisher.states import NOW, AnsweringPeers, RunStore, enter, new_store, state_of
from tests.core.swarm.builders import peer_bytes, progress
from tests.waiting import wait_until

SETTINGS = Checkpoints(spike_window=8, rollbacks_a_day=2)


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        for epoch in (10, 20, 30):
            enter(found.archive(), good(found, epoch), 5.0)
        yield found


class LeapingClock:
    """Far ahead at each look, so that all is due."""

    def __init__(self, leap: float = 100.0) -> None:
        self.now, self._leap = 0.0, leap

    def __call__(self) -> float:
        self.now += self._leap
        return self.now


class DonorSwarm:
    """Volunteers' peers, each of which stands behind a state and gives it."""

    def __init__(self, state: SwarmState, *others: SwarmState) -> None:
        self.states = {peer_bytes(number): each for number, each in enumerate((*others, state))}
        self.asked = 0
        self.is_there = True

    @property
    def records(self) -> list[ProgressRecord]:
        return [_record_of(peer, place_of(state)) for peer, state in self.states.items()]

    def __call__(self, donor: bytes, fixed: Callable[[StateOutline], None]) -> SwarmState:
        self.asked += 1
        if not self.is_there:
            raise StateUnavailable("Nobody gives it.")
        state = self.states[donor]
        fixed(outline_of(state))
        return state


def _record_of(peer: bytes, place: Place) -> ProgressRecord:
    fields = {"epoch": place.epoch, "head": place.head, "parameters": bytes.fromhex(place.digest)}
    return progress(0, peer_id=peer, sketch=list(place.sketch), state=place.state, **fields)


def good(store: RunStore, epoch: int) -> SwarmState:
    return state_of(store.manifest, epoch)


def ruined(store: RunStore, epoch: int) -> SwarmState:
    """One whose loss is far above any other's."""
    state = good(store, epoch)
    tensors = {
        name: item * 1000 if name.startswith("parameters.") else item for name, item in state.tensors.items()
    }
    return replace(state, tensors=tensors)


class Glance(HeldOut):
    """Tells ruined states by their size: measuring them all would take a minute."""

    def __init__(self) -> None:
        pass

    def loss(self, state: SwarmState) -> float:
        largest = max(float(item.abs().max()) for item in under(PARAMETERS, state.tensors).values())
        return 9.0 if largest > 100 else 5.0


def publisher(
    store: RunStore,
    download: DonorSwarm,
    clock: LeapingClock | None = None,
    free: Callable[[Path], int] = free_bytes,
) -> Publisher:
    """One that was just started."""
    archive = store.archive(free=free)
    reported = ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), tolerance=1e-3)
    answering = AnsweringPeers(download.states)
    second = SecondDonors(reported, PeerUsers(None), lambda: download.records, answering, 1e-3)
    capture = Capture(archive, reported, download, Glance(), second, loss_bound=0.1)
    releases = Releases(archive, store.database, None, every=1, is_passing=lambda error: True)
    return Publisher(
        store.home,
        store.manifest,
        store.database,
        SETTINGS,
        archive,
        reported,
        capture,
        releases,
        clock=clock or LeapingClock(),
        now=lambda: NOW,
    )


def record(store: RunStore, losses: Sequence[float], first: int = 1, generation: int = 0) -> None:
    """Epochs as the recorder writes them."""
    with store.database.session() as session:
        for number, loss in enumerate(losses):
            row = Epoch(generation=generation, epoch=first + number, time=NOW, loss=loss)
            row.samples, row.peers, row.seconds, row.root, row.traffic = 64, 2, 1.0, "ab" * 32, None
            session.add(row)


def audited(store: RunStore) -> list[tuple[str, str, str]]:
    with store.database.reading() as session:
        return [(entry.actor, entry.action, entry.detail) for entry in reversed(entries(session))]


def run_for(store: RunStore, swarm: DonorSwarm, until: str | None = None) -> list[tuple[str, str, str]]:
    """Run a publisher until the log has that action, then for three turns; return the new log entries."""
    known, process = len(audited(store)), publisher(store, swarm)

    def has_come() -> bool:
        process.turn(swarm.records)
        return any(action == until for _, action, _ in audited(store)[known:])

    try:
        if until is not None:
            wait_until(has_come, f"{until} is not reported")
        for _ in range(3):
            process.turn(swarm.records)
    finally:
        process.close()
    return audited(store)[known:]


SPIKE = [*[5.0] * 29, 9.0, 9.1, 9.2]
"""Epoch 29 is the last good one: the checkpoint of epoch 30 was made with what follows."""


def test_a_healthy_run_is_left_alone(store: RunStore) -> None:
    record(store, [5.0 - 0.01 * epoch for epoch in range(35)])
    assert run_for(store, DonorSwarm(good(store, 35))) == []
    assert store.manifest.state.generation == 0


def test_a_spike_that_the_state_bears_out_takes_the_run_back_to_before_it(store: RunStore) -> None:
    record(store, SPIKE)
    entries = run_for(store, DonorSwarm(ruined(store, 32)), until=rollback.ACTION)
    state = store.manifest.state
    assert (state.generation, state.epoch) == (1, 20)
    assert [(actor, action) for actor, action, _ in entries] == [
        (rollback.COORDINATOR, "checkpoint refused"),
        (rollback.COORDINATOR, rollback.ACTION),
    ]
    assert "the last 3 epochs' losses are above 5.25" in entries[-1][2]
    assert "the held-out loss is" in entries[-1][2]


@pytest.mark.parametrize(
    "losses",
    [
        pytest.param(SPIKE, id="too high"),
        pytest.param([5.0] * 31 + [math.inf], id="no number"),
        pytest.param([-1e6] * 10 + [5.0] * 22, id="too low, and then no more"),
    ],
)
def test_losses_that_a_volunteer_makes_up_take_nobody_back(store: RunStore, losses: list[float]) -> None:
    record(store, losses)
    entries = run_for(store, DonorSwarm(good(store, 32)), until=DISMISSED)
    assert [action for _, action, _ in entries] == [DISMISSED]
    assert store.manifest.state.generation == 0
    assert store.archive().kept()[-1].epoch == 32, "what was looked at is kept"


def test_after_a_false_alarm_the_next_checkpoint_is_taken_when_it_is_due(store: RunStore) -> None:
    record(store, SPIKE)
    swarm = DonorSwarm(good(store, 32))
    process = publisher(store, swarm)

    def is_dismissed() -> bool:
        process.turn(swarm.records)
        return bool(audited(store))

    wait_until(is_dismissed, "no alarm")
    swarm.states = {peer_bytes(0): good(store, 33)}
    for _ in range(3):
        process.turn(swarm.records)
    process.close()
    assert swarm.asked == 1


@pytest.mark.parametrize("losses", [[5.0] * 29, SPIKE], ids=["unsuspected", "suspected"])
def test_a_bad_state_that_one_volunteer_makes_up_takes_nobody_back(
    store: RunStore, losses: list[float]
) -> None:
    record(store, losses)
    swarm = DonorSwarm(good(store, 42), ruined(store, 42), good(store, 42))
    run_for(store, swarm)
    wait_until(lambda: store.archive().kept()[-1].epoch == 42, "the honest one's state is not kept")
    assert store.manifest.state.generation == 0


def test_volunteers_who_hold_different_states_are_reported_once_and_nothing_is_kept(store: RunStore) -> None:
    record(store, [5.0] * 42)
    entries = run_for(store, DonorSwarm(good(store, 42), ruined(store, 42)), until=HELD_BACK)
    assert [(actor, action) for actor, action, _ in entries] == [(rollback.COORDINATOR, HELD_BACK)]
    assert "of the volunteers 1 hold another state, and 1 this one" in entries[0][2]
    assert store.archive().kept()[-1].epoch == 30
    assert store.manifest.state.generation == 0


def test_losses_that_hide_a_ruined_state_do_not_save_it(store: RunStore) -> None:
    record(store, [5.0] * 42)
    entries = run_for(store, DonorSwarm(ruined(store, 42)), until=rollback.ACTION)
    assert (store.manifest.state.generation, store.manifest.state.epoch) == (1, 30)
    assert [action for _, action, _ in entries] == ["checkpoint refused"] * 3 + [rollback.ACTION]


def test_a_state_that_is_looked_at_again_at_once_is_refused_once(store: RunStore) -> None:
    """A follower's state is at hand at once: three looks at one state within two minutes take no run back."""
    record(store, [5.0] * 42)
    swarm, clock = DonorSwarm(ruined(store, 42)), LeapingClock(0.02)
    process = publisher(store, swarm, clock)

    def has_asked() -> bool:
        process.turn(swarm.records)
        return swarm.asked == 3

    wait_until(has_asked, "it does not look again")
    process.close()
    process.turn(swarm.records)
    assert clock.now < 120.0
    refused = [action for _, action, _ in audited(store) if action == "checkpoint refused"]
    assert (refused, store.manifest.state.generation) == (["checkpoint refused"], 0)


def test_losses_that_date_the_fault_back_beyond_all_checkpoints_do_not_save_it(store: RunStore) -> None:
    record(store, [5.0] * 5 + [math.inf] * 28)
    run_for(store, DonorSwarm(ruined(store, 33)), until=rollback.ACTION)
    assert (store.manifest.state.generation, store.manifest.state.epoch) == (1, 30)


def test_after_that_it_is_judged_by_what_led_to_where_it_is(store: RunStore) -> None:
    record(store, SPIKE)
    run_for(store, DonorSwarm(ruined(store, 32)), until=rollback.ACTION)
    assert run_for(store, DonorSwarm(good(store, 21))) == []
    with store.database.reading() as session:
        assert {item.loss for item in lineage(session, store.manifest.state, 50)} == {5.0}


def test_a_run_that_goes_astray_again_goes_back_further_and_is_left_alone_in_the_end(store: RunStore) -> None:
    record(store, SPIKE)
    run_for(store, DonorSwarm(ruined(store, 32)), until=rollback.ACTION)
    record(store, [5.0, 5.0, 9.0, 9.1, 9.2], first=21, generation=1)
    run_for(store, DonorSwarm(ruined(store, 25)), until=rollback.ACTION)
    assert (store.manifest.state.generation, store.manifest.state.epoch) == (2, 10)
    record(store, [5.0, 5.0, 9.0, 9.1, 9.2], first=11, generation=2)
    entries = run_for(store, DonorSwarm(ruined(store, 15)), until=BLEW_UP)
    assert store.manifest.state.generation == 2
    assert any(
        "the daily limit of automatic rollbacks" in why for _, action, why in entries if action == BLEW_UP
    )


def test_a_damaged_checkpoint_is_passed_over(store: RunStore) -> None:
    record(store, [*[5.0] * 32, 9.0, 9.1, 9.2])
    (store.archive().path(store.archive().kept()[-1]) / "model.safetensors").write_bytes(b"")
    run_for(store, DonorSwarm(ruined(store, 35)), until=rollback.ACTION)
    assert (store.manifest.state.generation, store.manifest.state.epoch) == (1, 20)


def test_where_no_peer_gives_the_state_the_organiser_is_notified_once(store: RunStore) -> None:
    record(store, SPIKE)
    swarm = DonorSwarm(good(store, 32))
    swarm.is_there = False
    entries = run_for(store, swarm, until=BLEW_UP)
    assert [action for _, action, _ in entries] == [BLEW_UP]
    assert "no peer gives its state" in entries[0][2]
    assert store.manifest.state.generation == 0


def test_a_disk_that_is_full_is_reported_once_until_a_checkpoint_is_kept_again(store: RunStore) -> None:
    record(store, [5.0] * 45)
    swarm, space = DonorSwarm(good(store, 45)), [0]
    process = publisher(store, swarm, free=lambda _: space[0])

    def has_asked(times: int) -> bool:
        process.turn(swarm.records)
        return swarm.asked >= times

    with closing(process):
        wait_until(lambda: has_asked(3), "no state is asked for again")
        ((_, action, detail),) = audited(store)
        assert action == "checkpoint failed"
        assert "Free space there" in detail
        space[0] = 1 << 40
        wait_until(
            lambda: has_asked(3) and store.archive().kept()[-1].epoch == 45, "no checkpoint is kept again"
        )


def test_a_swarm_that_stands_still_is_looked_at_before_a_checkpoint_is_due(store: RunStore) -> None:
    swarm = DonorSwarm(good(store, 31))
    process = publisher(store, swarm)
    process.turn(swarm.records)
    assert not swarm.asked, "one epoch is not ten"
    for _ in range(10):  # of some hundred seconds each
        process.turn(swarm.records)
    wait_until(lambda: store.archive().kept()[-1].epoch == 31, "no checkpoint")
    process.close()


def test_the_lineage_of_a_run_leaves_out_what_was_taken_back(store: RunStore) -> None:
    record(store, [1.0, 1.0, 1.0, 1.0])
    record(store, [2.0, 2.0], first=3, generation=1)
    record(store, [3.0], first=4, generation=2)
    state = RunState(generation=2, serial=2, epoch=3, parameters="ab" * 32, optimizer="cd" * 32)
    with store.database.reading() as session:
        found = lineage(session, state, 10)
    assert [(item.epoch, item.loss) for item in found] == [(1, 1.0), (2, 1.0), (3, 2.0), (4, 3.0)]
