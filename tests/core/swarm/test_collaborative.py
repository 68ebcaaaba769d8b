"""The collaborative optimizer beside stand-ins: its pauses, rounds by the clock, and waits for other peers."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from threading import Event
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from core.admission.gate_certificate import GateCertificate
from core.errors import SwarmError
from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.membership.membership import Swarm
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.phase import Phase
from core.swarm.quorum.electorate import electorate_of
from core.swarm.rounds.round import (
    QuorumMissed,
    RoundFailed,
    RoundOutcome,
    RoundRequest,
    RoundStatus,
)
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.replica import Place
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from tests.core.swarm.builders import HandClock, digest_of, identity, progress, seen
from tests.waiting import wait_until


@dataclass
class Tracker:
    """A tracker that sees what a test says, and counts what it is to publish."""

    view: SwarmView | None = None
    published: int = 0
    lost: bool = field(default=False, init=False)

    def start(self, record: object) -> None:
        """Publish nothing by itself."""

    def publish(self) -> None:
        self.published += 1

    def rest(self) -> None:
        self.published += 1

    def stop(self) -> None:
        """There is no thread."""

    def set_aside(self, peers: Sequence[bytes], seconds: float) -> None:
        """Move ``peers`` out of the way, for as long as the test sees them."""
        assert self.view is not None
        aside = [record for record in self.view.others if record.peer_id in peers]
        assert aside, "nobody claims anything here"
        others = [record for record in self.view.others if record not in aside]
        self.view = replace(self.view, others=tuple(others), aside=tuple(aside))


@pytest.fixture
def tracker() -> Tracker:
    return Tracker()


@pytest.fixture
def is_averager_alive() -> Event:
    alive = Event()
    alive.set()
    return alive


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


HERE = Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0, -4.0))


class SlowReplica:
    """A replica whose optimizer step takes until a test says that it is over."""

    def __init__(self) -> None:
        self.place, self.over, self.copied = HERE, Event(), 0
        self.masters = SimpleNamespace(copy_to_model=self._copy)

    def _copy(self) -> None:
        self.copied += 1

    def copied_state(self) -> None:
        raise AssertionError("nobody asks for its state here")

    def step(self, gradients: object, *, epoch: int, head: bytes) -> Place:
        assert self.over.wait(60)
        return Place(epoch + 1, head, HERE.digest, HERE.sketch)


def optimizer_of(
    tracker: Tracker,
    rules: SwarmRules,
    *,
    clock: Callable[[], float] = time.monotonic,
    replica: SlowReplica | None = None,
    notify: Callable[[str], None] = lambda notice: None,
    most_rounds: int = 1,
    certificate: OwnCertificate = OPEN_RUN,
    **averager: Any,
) -> CollaborativeOptimizer:
    """An optimizer that sees what ``tracker`` does; ``averager`` replaces attributes of its averager's stand-in."""
    stand_in = SimpleNamespace(
        peer_id=identity(0).peer_id,
        client_mode=False,
        seconds_since_call=float("inf"),
        serve_state=lambda state, place: None,
        is_alive=lambda: True,
        get_tensors=lambda: nullcontext([torch.zeros(1)]),
        attend=lambda request: SimpleNamespace(done=lambda: True, result=lambda: True),
    )
    vars(stand_in).update(averager)
    return CollaborativeOptimizer(
        cast(Any, replica or SlowReplica()),
        Accumulator([]),
        cast(Any, stand_in),
        Swarm(cast(Any, tracker), rules, most_rounds=most_rounds),
        rules,
        notify=notify,
        clock=clock,
        certificate=certificate,
    )


class AdmittedPeer:
    """A peer whose token is of the user Ada."""

    certificate = GateCertificate("ada", 0, 1 << 40, bytes(12), bytes(64))


def test_a_peer_counts_itself_for_the_user_for_whom_it_votes(tracker: Tracker) -> None:
    """Its own record once had no certificate: alone it was two users to itself, and had one vote of two."""
    own = optimizer_of(
        tracker, SwarmRules(target_batch_size=64), certificate=OwnCertificate(AdmittedPeer())
    ).record()
    assert own.user == "ada"
    electorate = electorate_of([], own)
    assert electorate.names == {"ada"}
    second = own.model_copy(update={"peer_id": identity(1).peer_id.to_bytes()})
    assert electorate_of([second], own).names == {"ada"}, "its other computer adds no user"


def test_a_peer_far_behind_computes_nothing_that_would_be_too_old_in_the_end(tracker: Tracker) -> None:
    """It fetches four rounds. What it computes beside the first two would miss three commits or more."""

    def caught_up(request: RoundRequest, donors: object) -> "Future[RoundOutcome]":
        found: Future[RoundOutcome] = Future()
        head = digest_of(str(request.epoch))
        found.set_result(RoundOutcome(request.epoch, head, RoundStatus.CAUGHT_UP, frozenset(), 64.0, 2))
        return found

    replica = SlowReplica()
    optimizer = optimizer_of(
        tracker,
        SwarmRules(overlap=Overlap.FULL, state_download_attempts=9),
        replica=replica,
        most_rounds=4,
        catch_up=caught_up,
        outputs=[torch.zeros(2), torch.tensor([1.5])],
        get_tensors=lambda: nullcontext([torch.zeros(2), torch.zeros(1)]),
    )
    ahead = [progress(number, epoch=optimizer.epoch + 4) for number in (1, 2)]
    tracker.view = seen(60, tuple(ahead))
    during, after = list[bool](), list[bool]()
    for _ in range(4):
        replica.over.clear()
        while optimizer.phase is not Phase.UPDATING:
            assert optimizer.advance() is None
        during.append(optimizer.may_compute)
        replica.over.set()
        wait_until(lambda: optimizer.advance() is not None, "the update never lands")
        after.append(optimizer.may_compute)
    optimizer.close()
    assert during == [False, False, False, True]
    assert after == [False, False, True, True]


def test_an_update_without_overlap_keeps_no_order_waiting(tracker: Tracker) -> None:
    caught_up: Future[RoundOutcome] = Future()
    caught_up.set_result(RoundOutcome(7, digest_of("next"), RoundStatus.CAUGHT_UP, frozenset(), 64.0, 2))
    replica = SlowReplica()
    optimizer = optimizer_of(
        tracker,
        SwarmRules(overlap=Overlap.NONE),
        replica=replica,
        catch_up=lambda request, donors: caught_up,
        outputs=[torch.zeros(2), torch.tensor([1.5])],
        get_tensors=lambda: nullcontext([torch.zeros(2), torch.zeros(1)]),
    )
    tracker.view = seen(60, (progress(1, epoch=8), progress(2, epoch=8)))
    while optimizer.phase is not Phase.UPDATING:
        assert optimizer.advance() is None
    assert optimizer.advance() is None, "it waits for the optimizer step"
    assert not optimizer.may_compute
    replica.over.set()
    wait_until(lambda: optimizer.advance() is not None, "the update never lands")
    assert (optimizer.epoch, replica.copied) == (8, 1)
    optimizer.close()


def test_rounds_by_the_clock_begin_at_their_time_whatever_was_gathered(
    tracker: Tracker, clock: HandClock
) -> None:
    step = SimpleNamespace(done=lambda: False, cancel=lambda: None, allow_allreduce=lambda: None, weight=0.0)
    begun: list[object] = []

    def begin(request: object) -> object:
        begun.append(request)
        return step

    local = LocalStepRules(steps=1, round_seconds=600.0)
    rules = SwarmRules(overlap=Overlap.FULL, local_steps=local)
    optimizer = optimizer_of(tracker, rules, clock=clock, begin=begin)
    tracker.view = seen(3600)
    optimizer.advance()
    clock.now += 1.0
    optimizer.accumulate(1.0, 2 * rules.target_batch_size)
    optimizer.advance()
    assert not begun, "it is ten minutes to the round, and samples do not matter"
    clock.now += 599.0 - rules.matchmaking_seconds / 2
    optimizer.advance()
    assert len(begun) == 1
    phases = [str(optimizer.phase)]
    clock.now += rules.matchmaking_seconds
    optimizer.advance()
    phases.append(str(optimizer.phase))
    assert phases == [Phase.ACCUMULATING, Phase.AVERAGING]
    optimizer.close()


@pytest.fixture
def optimizer(tracker: Tracker, is_averager_alive: Event, clock: HandClock) -> CollaborativeOptimizer:
    """An optimizer in a swarm in which it is alone for now."""
    return optimizer_of(tracker, SwarmRules(), clock=clock, is_alive=is_averager_alive.is_set)


def test_its_rate_leaves_out_the_time_in_which_it_could_not_compute(
    optimizer: CollaborativeOptimizer, tracker: Tracker, clock: HandClock
) -> None:
    clock.now += 100.0
    optimizer.advance()  # it has not seen the swarm yet
    tracker.view = seen()
    optimizer.advance()
    clock.now += 2.0
    optimizer.accumulate(1.0, 10)
    assert optimizer.record().samples_per_second == pytest.approx(5.0)


def test_standing_back_and_coming_back_are_published(
    optimizer: CollaborativeOptimizer, tracker: Tracker
) -> None:
    optimizer.stand_back()
    assert optimizer.record().paused
    optimizer.come_back()
    assert not optimizer.record().paused
    assert tracker.published == 2


def test_after_a_pause_nothing_is_decided_by_what_was_seen_before(
    optimizer: CollaborativeOptimizer, tracker: Tracker
) -> None:
    tracker.view = seen()
    optimizer.stand_back()
    optimizer.come_back()
    assert _phase_after_a_step(optimizer) is Phase.JOINING
    tracker.view = seen()
    assert _phase_after_a_step(optimizer) is Phase.ACCUMULATING


def test_without_the_process_that_exchanges_gradients_training_ends(
    optimizer: CollaborativeOptimizer, is_averager_alive: Event
) -> None:
    optimizer.advance()
    is_averager_alive.clear()
    with pytest.raises(SwarmError, match="exchanges gradients has died"):
        optimizer.advance()


def _phase_after_a_step(optimizer: CollaborativeOptimizer) -> Phase:
    optimizer.advance()
    return optimizer.phase


@pytest.mark.parametrize(
    ("others", "serves", "gives"),
    [
        pytest.param([], True, True, id="it is alone"),
        pytest.param([{"auxiliary": True}], False, True, id="an auxiliary peer reduces, and has no state"),
        pytest.param([{"synchronised": False}], True, True, id="one that joins has nothing yet"),
        pytest.param([{"reducing": False, "gives": True}], True, False, id="a better one gives"),
        pytest.param([{"reach": Reach.RELAYED}], True, True, id="all alike"),
        pytest.param([{}], False, False, id="a better one does both"),
    ],
)
def test_a_relayed_peer_reduces_and_gives_its_state_while_no_better_one_does(
    optimizer: CollaborativeOptimizer,
    tracker: Tracker,
    others: list[dict[str, Any]],
    serves: bool,
    gives: bool,
) -> None:
    optimizer.progress.reach = Reach.RELAYED
    here = {"epoch": HERE.epoch, "head": HERE.head}
    tracker.view = SwarmView(0.0, tuple(progress(1, **here, **other) for other in others))
    assert (optimizer.progress.serves, optimizer.progress.gives) == (serves, gives)
    assert (optimizer.record().reducing, optimizer.record().gives) == (serves, gives)


def test_a_peer_that_accepts_no_connections_waits_until_another_does(
    tracker: Tracker, clock: HandClock
) -> None:
    notices: list[str] = []
    waiting = optimizer_of(tracker, SwarmRules(), clock=clock, notify=notices.append, client_mode=True)
    client, helper = progress(1, reducing=False), progress(2, auxiliary=True)
    tracker.view = seen(60, (client,))
    waiting.advance()
    assert (waiting.waiting, waiting.may_compute, notices) == (SwarmWait.NO_REDUCER, False, [])
    clock.now += 11.0
    for _ in range(3):
        waiting.advance()
    assert ["accepts connections" in notice for notice in notices] == [True]
    tracker.view = seen(60, (client, helper))
    waiting.advance()
    assert (waiting.waiting, waiting.may_compute) == (None, True)
    tracker.view = seen(60, (progress(1, epoch=9, reducing=False), client))
    waiting.advance()
    assert (waiting.waiting, waiting.may_compute) == (SwarmWait.NO_REDUCER, False)
    tracker.view = seen(60, (progress(1, epoch=9, reducing=False),))
    waiting.advance()
    assert (waiting.waiting, waiting.may_compute) == (SwarmWait.NO_DONOR, False)
    waiting.close()


def failed_download(*donors: object, **options: object) -> Future[object]:
    failed: Future[object] = Future()
    failed.set_exception(StateUnavailable("The line is down."))
    return failed


def test_a_download_that_failed_is_begun_again_after_a_pause(tracker: Tracker, clock: HandClock) -> None:
    asked: list[object] = []

    def download(donors: object, **options: object) -> Future[object]:
        asked.append(donors)
        return failed_download()

    late = optimizer_of(tracker, SwarmRules(), clock=clock, download_state=download)
    tracker.view = seen(60, (progress(1, epoch=90), progress(2, epoch=90)))
    for _ in range(30):
        late.advance()
        clock.now += 1.0
        tracker.view = seen(60, tracker.view.others)
    assert len(asked) == 3, "after 5 s and 10 s more; the next comes after 20 s"
    late.close()


def test_no_number_of_failed_downloads_ends_a_trainer(tracker: Tracker, clock: HandClock) -> None:
    """Those that are ahead may be ghosts that have no state to give."""
    late, waits = (
        optimizer_of(tracker, SwarmRules(), clock=clock, download_state=failed_download),
        list[SwarmWait | None](),
    )
    tracker.view = seen(60, (progress(1, epoch=90), progress(2, epoch=90)))
    for _ in range(100):
        late.advance()
        clock.now += 10.0
        tracker.view = seen(60, tracker.view.others)
        waits.append(late.waiting)
    assert waits[0] is None
    assert waits[-1] is SwarmWait.NO_DONOR
    tracker.view = seen(60, (progress(1), progress(2)))
    for _ in range(20):
        late.advance()
        clock.now += 10.0
        tracker.view = seen(60, tracker.view.others)
    assert (late.waiting, late.may_compute) == (None, True), "the ghosts are gone"
    late.close()


def test_a_peer_does_not_go_on_alone_beside_a_donor_that_it_cannot_reach(
    tracker: Tracker, clock: HandClock
) -> None:
    notices: list[str] = []
    late = optimizer_of(
        tracker, SwarmRules(), clock=clock, notify=notices.append, download_state=failed_download
    )
    unreached = progress(1, epoch=90)
    for _ in range(8):  # each time the donor is not set aside any more
        tracker.view = seen(60, (unreached,))
        for _ in range(3):
            late.advance()
            clock.now += 4.0
        assert (late.waiting, late.may_compute) == (SwarmWait.NO_DONOR, False)
    assert sum("none of them can send its state" in notice for notice in notices) == 1
    assert sum("did not deliver" in notice for notice in notices) == 1
    tracker.view = seen(60)
    late.advance()
    assert (late.waiting, late.may_compute) == (None, True), "it has left: nobody can be waited for"
    late.close()


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (RoundFailed("No group formed in time."), SwarmWait.UNREACHABLE),
        (QuorumMissed("Too few users voted."), SwarmWait.NO_QUORUM),
    ],
)
def test_a_peer_whose_rounds_fail_computes_no_more_than_a_batch(
    tracker: Tracker, clock: HandClock, failure: RoundFailed, reason: SwarmWait
) -> None:
    def fail() -> None:
        raise failure

    step = SimpleNamespace(
        done=lambda: True, allow_allreduce=lambda: None, result=fail, weight=0.0, began_allreduce=False
    )
    rules = SwarmRules(target_batch_size=64, overlap=Overlap.FULL)
    peer = optimizer_of(tracker, rules, clock=clock, client_mode=True, begin=lambda request: step)
    tracker.view = seen(600, (progress(1, reducing=False), progress(2, auxiliary=True)))

    def computes_after_each_look(samples: int, looks: int = 12) -> list[bool]:
        """Gather ``samples`` in each look, and return whether it may compute on."""
        found = []
        for _ in range(looks):
            if samples:
                peer.accumulate(1.0, samples)
            peer.advance()
            found.append(peer.may_compute)
        return found

    assert all(computes_after_each_look(5)), "it stops before its batch is whole"
    computes_after_each_look(40)
    assert peer.waiting is reason
    assert not any(computes_after_each_look(0)), "it computes what no round takes"


def test_a_peer_that_misses_others_computes_a_batch_and_begins_no_round(
    tracker: Tracker, clock: HandClock
) -> None:
    """It is alone in its own view, and would commit an epoch beside theirs."""
    begun = list[object]()

    def begin(request: object) -> object:
        begun.append(request)
        return step

    step = SimpleNamespace(done=lambda: False, allow_allreduce=lambda: None, weight=0.0, cancel=lambda: None)
    peer = optimizer_of(
        tracker,
        SwarmRules(target_batch_size=64, overlap=Overlap.FULL),
        clock=clock,
        begin=begin,
    )
    tracker.view = replace(seen(600), missed=2)
    for _ in range(4):
        peer.advance()
        assert (peer.waiting, peer.may_compute) == (SwarmWait.UNREACHABLE, True)
        peer.accumulate(1.0, 16)
    peer.advance()
    assert (begun, peer.may_compute) == ([], False), "more than a batch counts for nothing"
    tracker.view = seen(600)
    peer.advance()
    assert (len(begun), peer.waiting) == (1, None), "the others had time to be seen again: they are gone"
