"""A generation begins where its manifest says: nothing from before it and no other state there is accepted."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from core.digest import digest
from core.swarm.membership.agreement import Course, assess
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import state_tensors
from core.swarm.state.state import SwarmState
from tests.core.swarm.builders import digest_of, progress

WEIGHTS, MOMENTS = {"w": torch.arange(4.0)}, {"w.first": torch.zeros(4, dtype=torch.uint8)}
GENESIS = digest_of("genesis")
BEGINNING = Beginning(GENESIS, 40, digest(WEIGHTS), digest(MOMENTS))
NAMED = SwarmState(40, GENESIS, state_tensors(WEIGHTS, MOMENTS))
THERE: dict[str, Any] = {"epoch": 40, "head": GENESIS, "parameters": bytes.fromhex(digest(WEIGHTS))}


@pytest.mark.parametrize(
    ("changed", "accepted"),
    [
        ({}, True),
        ({"epoch": 41, "head": digest_of("commit")}, True),
        ({"epoch": 39}, False),
        ({"head": digest_of("the head in the old generation")}, False),
        ({"tensors": state_tensors({"w": torch.arange(4.0) + 1}, MOMENTS)}, False),
        ({"tensors": state_tensors(WEIGHTS, {"w.first": torch.ones(4, dtype=torch.uint8)})}, False),
    ],
    ids=["the state that is named", "later", "earlier", "another head", "other parameters", "other moments"],
)
def test_what_a_donor_gives_is_held_to_where_the_generation_begins(
    changed: dict[str, Any], accepted: bool
) -> None:
    assert (BEGINNING.refusal(replace(NAMED, **changed)) is None) == accepted


def test_where_no_state_is_named_any_of_the_first_epoch_will_do() -> None:
    assert Beginning(GENESIS).refusal(SwarmState(0, GENESIS, {})) is None


JOINING: dict[str, Any] = {"epoch": 0, "synchronised": False}


@pytest.mark.parametrize(
    ("own", "others", "course", "donors"),
    [
        (JOINING, [], Course.AWAIT, 0),
        (JOINING, [JOINING, {"epoch": 39}], Course.AWAIT, 0),
        (JOINING, [{**THERE, "head": digest_of("elsewhere")}], Course.AWAIT, 0),
        (JOINING, [{**THERE, "parameters": digest_of("others")}], Course.AWAIT, 0),
        (JOINING, [{**THERE, "paused": True}], Course.DOWNLOAD, 1),
        (JOINING, [{"epoch": 0}, {"epoch": 0}, {"epoch": 0}, THERE], Course.DOWNLOAD, 1),
        ({**THERE, "synchronised": False}, [], Course.FOLLOW, 0),
        ({**THERE, "synchronised": False}, [{**THERE, "paused": True}], Course.FOLLOW, 0),
        (THERE, [{"epoch": 39}, {"epoch": 0}], Course.FOLLOW, 0),
    ],
)
def test_who_has_nothing_of_the_generation_downloads_or_waits(
    own: dict[str, Any], others: list[dict[str, Any]], course: Course, donors: int
) -> None:
    records = [progress(number + 1, **changed) for number, changed in enumerate(others)]
    verdict = assess(progress(0, **own), records, sketch_tolerance=1e-3, beginning=BEGINNING)
    assert (verdict.course, len(verdict.donors)) == (course, donors)


def test_who_is_one_epoch_short_of_the_beginning_fetches_its_state_and_no_gradients() -> None:
    first = replace(BEGINNING, epoch=1)
    verdict = assess(
        progress(0, **JOINING), [progress(1, **{**THERE, "epoch": 1})], sketch_tolerance=1e-3, beginning=first
    )
    assert verdict.course == Course.DOWNLOAD
