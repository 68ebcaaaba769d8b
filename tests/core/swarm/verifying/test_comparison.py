"""A state is dropped by the word of most users alone, and nobody's word counts twice."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
import torch

from core.projection import projected
from core.swarm.projections.sums import StateSums
from core.swarm.state.replica import Place
from core.swarm.state.state import SwarmState, schema_of
from core.swarm.verifying.comparison import (
    MOST_WITNESSES,
    StateAnswers,
    StateTrust,
    StateWitnesses,
    compared,
    difference,
    witnesses_at,
)
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import certificate_of, digest_of, peer_bytes, progress

SEED, TOLERANCE = bytes(16), 1e-3
HEAD = digest_of("head")
PLACE = Place(7, HEAD, digest_of("parameters").hex(), (), digest_of("state"))
SAME, OTHER = {"state": PLACE.state}, {"state": digest_of("on another processor")}


def users(names: str) -> frozenset[Any]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("agreeing", "differing", "silent", "trust"),
    [
        ("", "", 0, StateTrust.TAKEN),
        ("a", "", 0, StateTrust.CONFIRMED),
        ("", "a", 0, StateTrust.TAKEN),  # one against the other: either may lie
        ("a", "b", 0, StateTrust.CONFIRMED),
        ("a", "bc", 0, StateTrust.REFUSED),
        ("ab", "cd", 0, StateTrust.CONFIRMED),
        ("", "ab", 0, StateTrust.REFUSED),
        ("", "ab", 2, StateTrust.TAKEN),
        ("a", "bc", 1, StateTrust.TAKEN),  # three liars are no majority while others are silent
        ("abc", "def", 4, StateTrust.TAKEN),
        ("abc", "defghij", 0, StateTrust.REFUSED),
        ("abcdefg", "hij", 0, StateTrust.CONFIRMED),
    ],
)
def test_most_users_decide(agreeing: str, differing: str, silent: int, trust: StateTrust) -> None:
    assert StateAnswers(users(agreeing), users(differing), silent).trust is trust


def drawn(*records: ProgressRecord, seed: int = 0) -> StateWitnesses:
    return witnesses_at(PLACE, records, random.Random(seed))


def test_users_whose_records_name_the_same_state_are_not_asked() -> None:
    found = drawn(progress(1, **SAME), progress(2, **OTHER), progress(3, reducing=False, **SAME))
    assert found == StateWitnesses(frozenset({peer_bytes(1), peer_bytes(3)}), {peer_bytes(2): peer_bytes(2)})


@pytest.mark.parametrize(
    "changed",
    [
        {"epoch": 6},
        {"head": digest_of("elsewhere")},
        {"synchronised": False},
        {"auxiliary": True},
        {"paused": True},
        {"reducing": False},
    ],
)
def test_no_peer_is_asked_that_is_elsewhere_or_can_t_be_called(changed: dict[str, Any]) -> None:
    found = drawn(progress(1, **OTHER), progress(2, **OTHER), progress(3, **OTHER | changed))
    assert set(found.asked) == {peer_bytes(1), peer_bytes(2)}


def test_where_the_swarm_is_not_yet_no_user_is_believed() -> None:
    """Two that lie may be the first at an epoch."""
    behind = [progress(number, epoch=6, **OTHER) for number in range(4, 8)]
    liars = [progress(1, **SAME), progress(2, **SAME)]
    assert drawn(*liars, *behind) == StateWitnesses()
    assert drawn(*liars, *behind[:2]).agreeing == {peer_bytes(1), peer_bytes(2)}


def of_user(name: str, numbers: Sequence[int], **changed: Any) -> list[ProgressRecord]:
    return [progress(number, certificate=certificate_of(name), **changed) for number in numbers]


def test_many_peers_of_one_user_have_one_voice() -> None:
    records = [
        *of_user("eve", range(1, 33), **SAME),
        *of_user("ada", [40], **OTHER),
        *of_user("bob", [50], **OTHER),
    ]
    found = drawn(*records)
    assert found.agreeing == {"eve"}
    assert set(found.asked.values()) == {"ada", "bob"}


def test_in_a_large_swarm_users_are_drawn_whatever_they_say() -> None:
    records = [progress(number, **(SAME if number < 20 else OTHER)) for number in range(100)]
    draws = [drawn(*records, seed=seed) for seed in range(30)]
    assert {len(found.agreeing) + len(found.asked) for found in draws} == {MOST_WITNESSES}
    assert 0.1 < sum(len(found.agreeing) for found in draws) / (30 * MOST_WITNESSES) < 0.3
    assert len({tuple(found.asked) for found in draws}) == 30


# --- what the sums say ------------------------------------------------------------------------------------------


def state_of(seed: int = 0, noise: float = 0.0) -> SwarmState:
    draws, other = torch.Generator().manual_seed(seed), torch.Generator().manual_seed(99)
    tensors = {
        "parameters.w": torch.randn(9000, generator=draws),
        "parameters.norm": torch.ones(40),
        "optimizer.w.codes": torch.randint(0, 256, (9000,), generator=draws, dtype=torch.uint8),
        "optimizer.w.scales": torch.rand(3, generator=draws),
    }
    tensors["parameters.w"] *= 1 + noise * torch.randn(9000, generator=other)
    return SwarmState(7, HEAD, tensors)


SCHEMA = schema_of(state_of().tensors)


def sums_of(state: SwarmState, epoch: int = 7) -> StateSums:
    return StateSums(epoch, HEAD, projected(state.tensors, SEED))


def forged(name: str, factor: float) -> SwarmState:
    state = state_of()
    state.tensors[name] = state.tensors[name] * factor
    return state


@pytest.mark.parametrize(
    ("state", "alike"),
    [
        (state_of(), True),
        (state_of(noise=4e-4), True),  # rounded differently for hundreds of epochs
        (state_of(noise=2e-2), False),
        (state_of(noise=6e-3), False),  # by the whole, no tensor is too far
        (state_of(1), False),
        (forged("parameters.norm", 1.1), False),
        (forged("optimizer.w.scales", 0.0), False),
        (forged("optimizer.w.scales", 10.0), False),
    ],
)
def test_states_are_compared_by_parameters_and_optimizer_state(state: SwarmState, alike: bool) -> None:
    found = difference(projected(state.tensors, SEED), projected(state_of().tensors, SEED), SCHEMA, TOLERANCE)
    assert (found is None) == alike


def test_answers_are_sorted_by_what_they_say() -> None:
    asked = {peer_bytes(number): peer_bytes(number) for number in range(1, 7)}
    answers = {
        peer_bytes(1): sums_of(state_of(noise=1e-5)),
        peer_bytes(2): sums_of(state_of(1)),
        peer_bytes(3): StateSums(8, HEAD, None),
        peer_bytes(4): StateSums(7, HEAD, sums_of(state_of()).sums[:1]),  # type: ignore[index]
        peer_bytes(5): sums_of(state_of(), epoch=8),
        peer_bytes(9): sums_of(state_of(1)),  # nobody asked it
    }
    found = compared(sums_of(state_of()), answers, StateWitnesses(users("a"), asked), SCHEMA, TOLERANCE)
    assert found.agreeing == {"a", peer_bytes(1)}
    assert found.differing == {peer_bytes(2), peer_bytes(4)}
    assert found.silent == 3
    assert found.why.startswith("parameters.w differs by 1.")
