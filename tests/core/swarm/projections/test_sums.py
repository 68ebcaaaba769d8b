"""What is sent for projections is read back, and anything else is refused."""

import numpy as np
import pytest

from core.projection import SUMS
from core.swarm.projections.asking import packed_in_messages, unpacked
from core.swarm.projections.budget import ProjectionBudget
from core.swarm.projections.sums import QUESTION_BYTES, StateSums, SumsQuestion
from core.swarm.wire.encoding import MalformedPart
from tests.core.swarm.builders import HandClock, digest_of

QUESTION = SumsQuestion(7, digest_of("head"), bytes(range(16)))
ANSWER = StateSums(7, digest_of("head"), np.arange(3000 * SUMS, dtype=np.float32).reshape(-1, SUMS))


def test_questions_and_answers_are_read_back() -> None:
    assert SumsQuestion.unpack(QUESTION.pack()) == QUESTION
    messages = packed_in_messages(ANSWER)
    assert len(messages) == 3
    assert all(message.ByteSize() < 1 << 17 for message in messages)
    found = unpacked(b"".join(message.tensor_part.buffer for message in messages))
    assert found.is_at(7, digest_of("head"))
    assert np.array_equal(found.sums, ANSWER.sums)  # type: ignore[arg-type]
    [message] = packed_in_messages(StateSums(8, digest_of("other"), None))
    assert unpacked(message.tensor_part.buffer).sums is None


@pytest.mark.parametrize(
    "packed", [b"", QUESTION.pack()[:-1], QUESTION.pack() + b"1", b"\xff" * QUESTION_BYTES]
)
def test_other_questions_are_refused(packed: bytes) -> None:
    with pytest.raises(MalformedPart):
        SumsQuestion.unpack(packed)


@pytest.mark.parametrize(
    "fields",
    [
        None,
        {},
        {**ANSWER.fields(), "more": 1},
        {**ANSWER.fields(), "epoch": "7"},
        {**ANSWER.fields(), "head": 3},
        {**ANSWER.fields(), "sums": [1.0]},
        {**ANSWER.fields(), "sums": b"1234"},
    ],
)
def test_other_answers_are_refused(fields: object) -> None:
    with pytest.raises(MalformedPart):
        StateSums.of_fields(fields)


def test_a_packed_answer_that_is_cut_is_refused() -> None:
    [first, *_] = packed_in_messages(ANSWER)
    with pytest.raises(MalformedPart):
        unpacked(first.tensor_part.buffer)


def test_a_peer_spends_a_tenth_of_its_time_on_projections_however_many_ask() -> None:
    clock = HandClock()
    budget, spent, began = ProjectionBudget(clock), 0.0, clock.now
    for number in range(4000):
        if budget.take(b"user %d" % (number % 50)):
            clock.now += 0.3
            spent += 0.3
            budget.spend(0.3)
        clock.now += 0.05
    assert 0.05 < spent / (clock.now - began) <= 0.1


def test_a_user_gets_a_few_at_once_and_then_one_in_ten_seconds() -> None:
    clock = HandClock()
    budget = ProjectionBudget(clock)
    assert [budget.take(b"eve") for _ in range(6)] == [True] * 4 + [False] * 2
    assert budget.take(b"ada"), "another user is not kept waiting"
    clock.now += 10.0
    assert [budget.take(b"eve") for _ in range(2)] == [True, False]
