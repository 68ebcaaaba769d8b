"""A peer takes part with a state that others gave it once the swarm confirms it, and drops one that it refuses."""

from collections.abc import Collection, Sequence
from concurrent.futures import Future
from typing import Any, cast

import pytest
import torch

from core.errors import SwarmError
from core.messages.waiting import SwarmWait
from core.projection import projected
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.projections.sums import StateSums, SumsQuestion
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState
from core.swarm.verifying.comparison import StateTrust
from core.swarm.verifying.held_state import HeldState, nowhere, without_state
from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import Voter
from tests.core.swarm.builders import digest_of, peer_bytes, progress
from tests.waiting import wait_until

HEAD = digest_of("head")
OWN, FORGED = digest_of("own bits"), digest_of("others")


def state_of(seed: int, epoch: int = 7) -> SwarmState:
    weights = torch.randn(500, generator=torch.Generator().manual_seed(seed))
    return SwarmState(epoch, HEAD, {"parameters.w": weights, "optimizer.w.codes": torch.ones(500)})


def place(epoch: int = 7) -> Place:
    return Place(epoch, HEAD, "", (), OWN)


class AskedPeers:
    """An averager whose peers hold the states that a test says, and answer when it lets them."""

    def __init__(self, **states: SwarmState) -> None:
        self.states = {peer_bytes(int(number[1:])): state for number, state in states.items()}
        self.seeds = list[bytes]()
        self.distrusted = list[tuple[set[Voter], bool]]()
        self.answered: Future[None] = Future()
        self.failure: Exception | None = None

    def ask_sums(self, peers: Sequence[bytes], question: SumsQuestion, *, seconds: float) -> Any:
        self.seeds.append(question.seed)
        found: Future[dict[bytes, StateSums]] = Future()

        def give(_: object) -> None:
            if self.failure is not None:
                found.set_exception(self.failure)
                return
            states = {peer: self.states[peer] for peer in peers if peer in self.states}
            found.set_result({peer: self._sums(state, question) for peer, state in states.items()})

        self.answered.add_done_callback(give)
        return found

    @staticmethod
    def _sums(state: SwarmState, question: SumsQuestion) -> StateSums:
        is_there = state.epoch == question.epoch
        sums = projected(state.tensors, question.seed) if is_there else None
        return StateSums(state.epoch, state.head, sums)

    def distrust(self, users: Collection[Voter], *, givers: bool) -> None:
        self.distrusted.append((set(users), givers))


def others(*numbers: int, epoch: int = 7) -> list[ProgressRecord]:
    """Peers on unlike processors: each names a state of its own."""
    return [progress(number, epoch=epoch, state=digest_of(f"bits {number}")) for number in numbers]


def held(peers: AskedPeers, state: SwarmState | None = None) -> HeldState:
    found = HeldState(cast(Any, peers), lambda: state or state_of(0), 1e-3)
    found.taken()
    return found


def settle(checked: HeldState, seen: Sequence[ProgressRecord], trust: StateTrust) -> None:
    def is_so() -> bool:
        checked.look(place(), seen)
        return checked.trust is trust

    wait_until(is_so, f"the state is never {trust}")


def test_it_takes_part_once_others_on_unlike_processors_confirm_its_state() -> None:
    near = state_of(0)
    near.tensors["parameters.w"] *= 1 + 1e-5
    peers = AskedPeers(_1=near, _2=state_of(0), _3=near)
    checked = held(peers)
    checked.look(place(), others(1, 2, 3))
    before = checked.holds_up
    peers.answered.set_result(None)
    settle(checked, others(1, 2, 3), StateTrust.CONFIRMED)
    assert (before, checked.holds_up) == (True, False)
    assert peers.distrusted == []
    checked.close()


def test_a_state_that_most_hold_otherwise_is_refused_with_all_who_confirmed_it() -> None:
    peers = AskedPeers(_1=state_of(5), _2=state_of(0), _3=state_of(0))
    peers.answered.set_result(None)
    checked = held(peers, state_of(5))
    settle(checked, others(1, 2, 3), StateTrust.REFUSED)
    assert peers.distrusted == [({peer_bytes(1)}, True)]
    checked.close()


def test_moments_count_as_parameters_do() -> None:
    forged = state_of(0)
    forged.tensors["optimizer.w.codes"] = torch.zeros(500)
    peers = AskedPeers(_1=forged, _2=state_of(0), _3=state_of(0))
    peers.answered.set_result(None)
    checked = held(peers, forged)
    settle(checked, others(1, 2, 3), StateTrust.REFUSED)
    checked.close()


def test_one_who_alone_says_otherwise_is_asked_for_no_state() -> None:
    peers = AskedPeers(_1=state_of(0), _2=state_of(5), _3=state_of(0))
    peers.answered.set_result(None)
    checked = held(peers)
    settle(checked, others(1, 2, 3), StateTrust.CONFIRMED)
    assert peers.distrusted == [({peer_bytes(2)}, False)]
    checked.close()


def test_of_two_who_say_the_opposite_neither_is_believed_nor_set_aside() -> None:
    peers = AskedPeers(_1=state_of(0), _2=state_of(5))
    peers.answered.set_result(None)
    checked = held(peers)
    settle(checked, others(1, 2), StateTrust.CONFIRMED)
    assert peers.distrusted == []
    checked.close()


def test_nobody_is_asked_where_records_of_half_of_the_users_name_the_state() -> None:
    peers = AskedPeers()
    checked = held(peers)
    same = [record.model_copy(update={"state": OWN}) for record in others(1, 2)]
    checked.look(place(), [*same, *others(3, 4)])
    assert checked.trust is StateTrust.CONFIRMED
    assert peers.seeds == []
    checked.close()


def test_without_answers_it_takes_part_at_last_and_asks_again_at_the_next_place() -> None:
    peers, epoch = AskedPeers(), 7
    peers.answered.set_result(None)
    checked = HeldState(cast(Any, peers), lambda: state_of(0, epoch), 1e-3)
    checked.taken()

    def has_ended() -> bool:
        checked.look(place(epoch), others(1, 2, 3, epoch=epoch))
        return not checked.holds_up

    wait_until(has_ended, "it waits without end")
    assert (checked.trust, len(peers.seeds), len(set(peers.seeds))) == (StateTrust.TAKEN, 3, 3)
    has_ended()
    assert len(peers.seeds) == 3, "nothing new is to be heard at this place"
    epoch = 8
    peers.states = {peer_bytes(number): state_of(5, epoch) for number in (1, 2, 3)}
    wait_until(lambda: has_ended() and checked.trust is StateTrust.REFUSED, "it asks no more")
    checked.close()


@pytest.mark.parametrize("failure", [SwarmError("The averager is gone.", "Start again."), KeyError("w")])
def test_a_failure_to_ask_counts_as_no_answer(failure: Exception) -> None:
    peers = AskedPeers()
    peers.failure = failure
    peers.answered.set_result(None)
    checked = held(peers)

    def has_given_up() -> bool:
        checked.look(place(), others(1, 2, 3))
        return not checked.holds_up

    wait_until(has_given_up, "it waits without end")
    assert checked.trust is StateTrust.TAKEN
    checked.close()


def test_a_state_of_its_own_is_not_asked_about() -> None:
    peers = AskedPeers(_1=state_of(5), _2=state_of(5))
    checked = HeldState(cast(Any, peers), lambda: state_of(0), 1e-3)
    checked.look(place(), others(1, 2))
    assert (checked.trust, checked.holds_up, peers.seeds) == (StateTrust.OWN, False, [])


def test_without_its_state_a_peer_asks_for_another_or_waits() -> None:
    own = progress(1)
    assert nowhere(own).head != own.head
    assert not nowhere(own).synchronised
    donors = Verdict(Course.CATCH_UP, (peer_bytes(1),))
    assert without_state(donors) == Verdict(Course.DOWNLOAD, (peer_bytes(1),))
    waiting = without_state(Verdict(Course.FOLLOW))
    assert waiting is not None
    assert (waiting.course, waiting.waiting) == (Course.AWAIT, SwarmWait.NO_DONOR)
    assert without_state(None) is None
