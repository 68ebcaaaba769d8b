"""A checkpoint is the state that the swarm agrees on, and no worse than the last: whatever donors give."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from coordinator.home import Home
from coordinator.peer_users import PeerUsers
from coordinator.publisher.capture import Capture, CapturedState, Download, OwnState, no_state
from coordinator.publisher.held_out import HeldOut, is_worse
from coordinator.publisher.reported_parameters import ReportedParameters
from coordinator.publisher.second_donors import SecondDonors
from core.errors import SwarmError
from core.run.manifest import RunManifest
from core.run.training.data_rules import DataRules
from core.run.training.families import picture_rules
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import StateUnavailable
from core.swarm.state.pieces import StateOutline, outline_of
from core.swarm.state.replica import place_of
from core.swarm.state.state import OPTIMIZER, SwarmState
from core.swarm.wire.records import ProgressRecord
from tests.coordinator.publisher.states import AnsweringPeers, RunStore, enter, new_store, state_of
from tests.core.swarm.builders import peer_bytes, progress

HONEST, HOSTILE = peer_bytes(0), peer_bytes(9)


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        yield found


def held_out(manifest: RunManifest, base: Path) -> HeldOut:
    """The tiny run's own rows, since it holds none out."""
    data = DataRules(
        shards=picture_rules(manifest.training).data.shards,
        heldout=picture_rules(manifest.training).data.shards[0],
    )
    found = HeldOut.of_run(manifest.training.model_copy(update={"data": data}), base)
    assert found is not None
    return found


def reported_by(state: SwarmState, store: RunStore) -> ReportedParameters:
    place = place_of(state)
    reported = ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), 1e-3)
    fields = {"epoch": place.epoch, "head": place.head, "parameters": bytes.fromhex(place.digest)}
    reported.see([progress(number, state=place.state, **fields) for number in range(3)])
    return reported


def capture_of(
    store: RunStore,
    reported: ReportedParameters,
    download: Download,
    *,
    held_out: HeldOut | None = None,
    own: OwnState = no_state,
    states: Mapping[bytes, SwarmState] | None = None,
    records: Sequence[ProgressRecord] = (),
) -> Capture:
    """A capture beside peers that hold ``states``; without them, what records name decides."""
    second = SecondDonors(reported, PeerUsers(None), lambda: records, AnsweringPeers(states or {}), 1e-3)
    return Capture(store.archive(), reported, download, held_out, second, loss_bound=0.1, own=own)


Fixed = Callable[[StateOutline], None]


def given(state: SwarmState) -> Download:
    """Any donor gives ``state``."""

    def download(donor: bytes, fixed: Fixed) -> SwarmState:
        fixed(outline_of(state))
        return state

    return download


Gives = Callable[[SwarmState], SwarmState]


def nothing(state: SwarmState) -> SwarmState:
    raise StateUnavailable("No peer gave the swarm's state.")


def a_lie(state: SwarmState) -> SwarmState:
    return replace(state, tensors={name: item * 0 for name, item in state.tensors.items()})


def another_epoch(state: SwarmState) -> SwarmState:
    return replace(state, epoch=state.epoch + 1)


def another_branch(state: SwarmState) -> SwarmState:
    return replace(state, head=b"\1" * 32)


@pytest.mark.parametrize("gives", [nothing, a_lie, another_epoch, another_branch])
@pytest.mark.parametrize("alone", [False, True])
def test_what_a_hostile_donor_gives_is_not_kept_and_the_next_one_is_asked(
    store: RunStore, gives: Gives, alone: bool
) -> None:
    state = state_of(store.manifest, 10)

    def download(donor: bytes, fixed: Fixed) -> SwarmState:
        fixed(outline_of(state))
        return gives(state) if donor == HOSTILE else state

    capture = capture_of(store, reported_by(state, store), download)
    taken = capture.take([HOSTILE] if alone else [HOSTILE, HONEST], least=10)
    assert taken == (None if alone else CapturedState(10))
    assert [kept.parameters for kept in store.archive().kept()] == ([] if alone else [place_of(state).digest])


@pytest.mark.parametrize(
    ("own", "asked"), [(lambda state: state, []), (a_lie, [HONEST]), (lambda state: None, [HONEST])]
)
def test_no_donor_is_asked_where_the_coordinator_has_the_state_itself(
    store: RunStore, own: Callable[[SwarmState], SwarmState | None], asked: list[bytes]
) -> None:
    state, have_been_asked = state_of(store.manifest, 10), list[bytes]()

    def download(donor: bytes, fixed: Fixed) -> SwarmState:
        have_been_asked.append(donor)
        fixed(outline_of(state))
        return state

    capture = capture_of(store, reported_by(state, store), download, own=lambda epoch: own(state))
    assert capture.take([HONEST], least=10) == CapturedState(10)
    assert have_been_asked == asked


@pytest.mark.parametrize("has_own", [True, False])
def test_a_peer_far_behind_keeps_no_state_back_that_the_coordinator_made_itself(
    store: RunStore, has_own: bool
) -> None:
    """That state is proven by the chain of commits; one that a donor gives is its word against that peer's."""
    state = state_of(store.manifest, 10)
    place, reported = place_of(state), ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), 1e-3)
    fields = {"head": place.head, "parameters": bytes.fromhex(place.digest)}
    reported.see([progress(0, epoch=10, **fields), progress(1, epoch=5)])
    own = state if has_own else None
    capture = capture_of(store, reported, given(state), own=lambda epoch: own)
    assert capture.take([HONEST], least=10) == (CapturedState(10) if has_own else None)


def on_processor(state: SwarmState, number: int) -> SwarmState:
    """The state with last bits of its own."""
    draws = torch.Generator().manual_seed(number)
    tensors = {
        name: item * (1 + 1e-6 * torch.randn(item.shape, generator=draws))
        if item.is_floating_point()
        else item
        for name, item in state.tensors.items()
    }
    return replace(state, tensors=tensors)


def with_forged_moments(state: SwarmState) -> SwarmState:
    """The true parameters, so that no digest and no public sketch of them shows anything."""
    tensors = {
        name: item + 1 if name.startswith(OPTIMIZER) and item.numel() > 1 else item
        for name, item in state.tensors.items()
    }
    return replace(state, tensors=tensors)


def publish_beside(
    store: RunStore,
    states: Sequence[SwarmState],
    given_state: SwarmState,
    *,
    is_own: bool = False,
    askable: Collection[int] = range(9),
) -> CapturedState | None:
    """What becomes of ``given_state``, the coordinator's own or the first peer's, beside peers with ``states``.

    Of these peers the ``askable`` ones accept connections.
    """
    records = []
    for number, state in enumerate(states):
        place = place_of(state)
        fields = {"epoch": place.epoch, "head": place.head, "parameters": bytes.fromhex(place.digest)}
        fields |= {"state": place.state, "sketch": list(place.sketch), "reducing": number in askable}
        records.append(progress(number, **fields))
    reported = ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), 1e-3)
    reported.see(records)
    capture = capture_of(
        store,
        reported,
        given(given_state),
        own=(lambda epoch: given_state) if is_own else no_state,
        states={peer_bytes(number): state for number, state in enumerate(states)},
        records=records,
    )
    return capture.take([] if is_own else [peer_bytes(0)], least=10)


@pytest.mark.parametrize("is_own", [True, False])
def test_a_second_user_on_another_processor_confirms_what_is_published(store: RunStore, is_own: bool) -> None:
    states = [on_processor(state_of(store.manifest, 10), number) for number in range(3)]
    assert publish_beside(store, states, states[0], is_own=is_own) == CapturedState(10)


def test_true_parameters_with_forged_moments_are_held_back(store: RunStore) -> None:
    honest = state_of(store.manifest, 10)
    forged = with_forged_moments(honest)
    assert place_of(forged).digest == place_of(honest).digest
    taken = publish_beside(store, [forged, honest, honest], forged)
    assert taken is not None
    assert taken.held_back is not None
    assert taken.held_back.startswith("of the volunteers 2 hold another state, and 1 this one: optimizer.")
    assert store.archive().kept() == []


def test_of_two_who_hold_different_states_neither_s_is_published(store: RunStore) -> None:
    honest = state_of(store.manifest, 10)
    forged = with_forged_moments(honest)
    for states in ([honest, forged], [forged, honest]):
        taken = publish_beside(store, states, states[0])
        assert taken is not None
        assert taken.held_back is not None
    assert store.archive().kept() == []


def test_where_one_user_is_alone_its_word_is_enough(store: RunStore) -> None:
    state = state_of(store.manifest, 10)
    assert publish_beside(store, [state], state) == CapturedState(10)


def test_where_nobody_else_accepts_connections_its_word_is_enough(store: RunStore) -> None:
    states = [on_processor(state_of(store.manifest, 10), number) for number in range(3)]
    assert publish_beside(store, states, states[0], askable=[0]) == CapturedState(10)


@pytest.mark.parametrize("epoch", [10, 11], ids=["silent", "at the next epoch"])
def test_what_nobody_can_confirm_is_held_back_before_its_pieces_come(store: RunStore, epoch: int) -> None:
    state, has_come = state_of(store.manifest, 10), list[bytes]()
    place, other = place_of(state), place_of(on_processor(state, 1))
    fields = {"head": place.head, "parameters": bytes.fromhex(place.digest), "sketch": list(place.sketch)}
    there = [
        progress(number, epoch=10, state=each.state, **fields) for number, each in enumerate((place, other))
    ]
    reported = ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), 1e-3)
    reported.see(there)

    def download(donor: bytes, fixed: Fixed) -> SwarmState:
        fixed(outline_of(state))
        has_come.append(donor)
        return state

    records = [there[0], progress(1, epoch=epoch)]
    taken = capture_of(store, reported, download, records=records).take([HONEST], least=10)
    assert taken is not None
    assert taken.held_back == "1 of 2 volunteers are known to hold it, and two are needed"
    assert has_come == []


def test_a_minority_that_denies_a_state_keeps_nothing_back(store: RunStore) -> None:
    honest = state_of(store.manifest, 10)
    states = [*(on_processor(honest, number) for number in range(3)), with_forged_moments(honest)]
    assert publish_beside(store, states, states[0]) == CapturedState(10)


def test_one_who_gives_again_what_all_once_had_pushes_nothing_out_of_the_ring(store: RunStore) -> None:
    kept = store.keep(10, 20)
    old = state_of(store.manifest, 20)
    capture = capture_of(store, reported_by(old, store), given(old))
    assert [capture.take([HOSTILE], least=21) for _ in range(2)] == [None, None]
    assert store.archive().kept() == kept


def test_donors_that_fail_without_end_are_not_asked_without_end(store: RunStore) -> None:
    asked: list[bytes] = []

    def download(donor: bytes, fixed: Fixed) -> SwarmState:
        asked.append(donor)
        raise SwarmError("It hung up.", "Ask another.")

    reported = ReportedParameters(Beginning.of(store.manifest), PeerUsers(None), 1e-3)
    capture = capture_of(store, reported, download)
    assert capture.take([peer_bytes(number) for number in range(50)], least=1) is None
    assert len(asked) < 10


def test_a_state_much_worse_than_the_last_is_refused_with_both_losses(store: RunStore) -> None:
    measured = held_out(store.manifest, store.home.manifest.parent)
    good = state_of(store.manifest, 10)
    loss = measured.loss(good)
    enter(store.archive(), good, loss)
    ruined = replace(
        good, epoch=20, tensors={name: _large(name, item) for name, item in good.tensors.items()}
    )
    capture = capture_of(store, reported_by(ruined, store), given(ruined), held_out=measured)
    taken = capture.take([HONEST], least=20)
    assert taken is not None
    assert taken.refusal is not None
    assert f"after {loss:.4f} at epoch 10" in taken.refusal
    assert len(store.archive().kept()) == 1


def _large(name: str, item: torch.Tensor) -> torch.Tensor:
    return torch.randn_like(item) * 30 if name.startswith("parameters.") else item


def test_the_held_out_loss_is_a_states_own(store: RunStore) -> None:
    measured = held_out(store.manifest, store.home.manifest.parent)
    state, other = state_of(store.manifest, 10), state_of(store.manifest, 20)
    assert measured.loss(state) == measured.loss(state)
    assert measured.loss(state) != measured.loss(other)


@pytest.mark.parametrize(
    ("loss", "last", "worse"),
    [
        (5.0, None, False),
        (5.4, 5.0, False),
        (5.6, 5.0, True),
        (4.0, 5.0, False),
        (math.nan, None, True),
        (math.inf, 5.0, True),
    ],
)
def test_a_loss_may_be_worse_by_a_share_of_the_last(loss: float, last: float | None, worse: bool) -> None:
    assert is_worse(loss, last, bound=0.1) == worse
