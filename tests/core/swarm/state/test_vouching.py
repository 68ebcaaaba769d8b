"""Of the states on offer the one is taken that most peers vouch for, and none has a say for being loud."""

import pytest

from core.swarm.state.vouching import StateVoices, VouchedState, vouched_by_commits, vouched_by_progress
from core.swarm.wire.voices import VOICE
from tests.core.swarm.builders import certificate_of, commit_record, digest_of, peer_bytes, progress

ONE, OTHER, THIRD = sorted(digest_of(word) for word in ("one", "other", "third"))


def state(root: bytes, *peers: int) -> VouchedState:
    return VouchedState(root, {peer_bytes(number): VOICE for number in peers})


def test_records_of_progress_vouch_for_what_they_name_from_an_epoch_on() -> None:
    records = [
        progress(1, state=OTHER),
        progress(2, state=OTHER),
        progress(3, state=ONE, epoch=8),
        progress(4, state=THIRD, epoch=6),
        progress(5),
    ]
    assert vouched_by_progress(records, least_epoch=7) == (state(OTHER, 1, 2), state(ONE, 3))


def test_equal_states_are_in_the_same_order_for_all() -> None:
    records = [progress(1, state=OTHER), progress(2, state=ONE)]
    assert vouched_by_progress(records, least_epoch=7) == vouched_by_progress(records[::-1], least_epoch=7)


def test_one_peer_has_one_voice() -> None:
    records = [progress(1, state=OTHER)] * 3 + [progress(2, state=ONE), progress(3, state=ONE)]
    assert vouched_by_progress(records, least_epoch=7) == (state(ONE, 2, 3), state(OTHER, 1))


def test_a_flood_of_states_is_bounded() -> None:
    records = [progress(number, state=digest_of(str(number))) for number in range(40)]
    assert len(vouched_by_progress(records, least_epoch=0)) == 8


def test_commits_vouch_for_the_state_that_they_led_from() -> None:
    records = {
        peer_bytes(1): commit_record(state=ONE),
        peer_bytes(2): commit_record("another", state=ONE),
        peer_bytes(3): commit_record(),
    }
    assert vouched_by_commits(records) == (state(ONE, 1, 2),)


def test_the_peers_of_a_user_have_one_voice_wherever_they_name_states() -> None:
    eve, ada = certificate_of("eve"), certificate_of("ada")
    sybils = [progress(number, state=OTHER, certificate=eve) for number in range(10, 42)]
    records = [*sybils, progress(1, state=ONE, certificate=ada), progress(2, state=ONE, certificate=b"")]
    expected = VouchedState(ONE, {"ada": VOICE, peer_bytes(2): VOICE}), VouchedState(OTHER, {"eve": VOICE})
    assert vouched_by_progress(records, least_epoch=7) == expected
    writers = {
        peer_bytes(10): commit_record(state=OTHER, certificate=eve),
        peer_bytes(11): commit_record(state=ONE, certificate=eve),
        peer_bytes(12): commit_record(state=ONE, certificate=ada),
    }
    assert vouched_by_commits(writers) == (
        VouchedState(ONE, {"eve": VOICE // 2, "ada": VOICE}),
        VouchedState(OTHER, {"eve": VOICE // 2}),
    )


def test_the_donors_of_a_user_are_one() -> None:
    """Four peers of a user that offer a state and name it do not vouch for each other."""
    users = {peer_bytes(number): "eve" for number in (1, 2, 3, 4)}
    offers = {peer_bytes(1): ONE, peer_bytes(2): ONE, peer_bytes(3): ONE, peer_bytes(9): OTHER}
    named = (VouchedState(ONE, {"eve": VOICE}),), (VouchedState(OTHER, {"ada": VOICE}),)
    assert StateVoices(*named, users=users).ranked(offers) == [OTHER, ONE]
    assert StateVoices(*named, users=users).named_by_several(offers) == {OTHER}
    assert StateVoices(users=users).named_by_several(offers) == set()
    assert StateVoices(*named).named_by_several(offers) == {ONE, OTHER}, "as strangers they would be several"


Offers = dict[int, bytes]


@pytest.mark.parametrize(
    ("offers", "progress_names", "commits_name", "order"),
    [
        ({}, [], [], []),
        ({1: ONE}, [], [], [ONE]),
        ({1: ONE, 2: OTHER}, [state(OTHER, 8)], [], [OTHER, ONE]),
        ({1: ONE, 2: OTHER}, [state(ONE, 7), state(OTHER, 8, 9)], [], [OTHER, ONE]),
        ({1: ONE, 2: OTHER, 3: OTHER}, [], [], [OTHER, ONE]),
        ({1: ONE, 2: OTHER}, [], [], [ONE, OTHER]),
        ({1: ONE, 2: OTHER}, [state(ONE, 1), state(OTHER, 2, 3)], [], [OTHER, ONE]),
        # loud donors of a state that nobody else names
        ({1: ONE, 2: ONE, 3: ONE, 4: OTHER}, [state(OTHER, 9)], [], [OTHER, ONE]),
        # the state of the epoch before is better than one that no record names
        ({1: ONE, 2: ONE, 3: OTHER}, [], [state(OTHER, 4)], [OTHER, ONE]),
        ({1: ONE, 2: OTHER}, [state(ONE, 1, 6)], [state(OTHER, 7, 8, 9)], [ONE, OTHER]),
        # a donor's own voice does not count, whether a record of progress has it or a commit
        ({1: ONE, 2: OTHER}, [state(ONE, 1)], [state(OTHER, 7, 8, 9)], [OTHER, ONE]),
        ({1: ONE, 2: OTHER, 3: OTHER}, [state(ONE, 1)], [], [OTHER, ONE]),
        ({1: ONE, 2: OTHER, 3: OTHER}, [], [state(ONE, 1)], [OTHER, ONE]),
        # donors that name a state vouch for each other: an accomplice of a liar does not outweigh them
        ({1: ONE, 2: OTHER, 3: OTHER, 4: OTHER}, [state(ONE, 9), state(OTHER, 2, 3, 4)], [], [OTHER, ONE]),
        # offers alone do not outweigh what more peers name
        ({1: ONE, 2: ONE, 3: ONE, 4: OTHER}, [state(ONE, 9), state(OTHER, 7, 8)], [], [OTHER, ONE]),
    ],
)
def test_the_order_of_what_is_on_offer(
    offers: Offers, progress_names: list[VouchedState], commits_name: list[VouchedState], order: list[bytes]
) -> None:
    by_peer = {peer_bytes(number): root for number, root in offers.items()}
    assert StateVoices(tuple(progress_names), tuple(commits_name)).ranked(by_peer) == order


@pytest.mark.parametrize(
    ("offers", "progress_names", "commits_name", "order"),
    [
        # the server is an epoch behind: commits name its state most
        ({1: ONE, 2: OTHER, 3: OTHER}, [state(OTHER, 2, 7, 8)], [state(ONE, 7, 8)], [ONE, OTHER]),
        ({1: ONE, 2: OTHER, 3: OTHER}, [state(ONE, 7, 8)], [state(OTHER, 7, 8)], [ONE, OTHER]),
        # as many name another state
        ({1: ONE, 2: OTHER}, [state(OTHER, 7, 8)], [state(OTHER, 3, 4), state(ONE, 7, 8)], [ONE, OTHER]),
        # more name another state
        ({1: ONE, 2: OTHER}, [state(OTHER, 7, 8)], [state(OTHER, 3, 4, 5), state(ONE, 7, 8)], [OTHER, ONE]),
        # nobody but the server itself names its state
        ({1: ONE, 2: OTHER}, [state(OTHER, 7)], [state(ONE, 1)], [OTHER, ONE]),
        ({1: ONE, 2: OTHER}, [state(OTHER, 7)], [], [OTHER, ONE]),
    ],
)
def test_a_servers_state_comes_first_where_others_vouch_for_it(
    offers: Offers, progress_names: list[VouchedState], commits_name: list[VouchedState], order: list[bytes]
) -> None:
    by_peer = {peer_bytes(number): root for number, root in offers.items()}
    voices = StateVoices(tuple(progress_names), tuple(commits_name), frozenset({peer_bytes(1)}))
    assert voices.ranked(by_peer) == order
