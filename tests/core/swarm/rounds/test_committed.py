"""A peer that lacks committed parts gets just those bytes, whoever lies to it, or learns that nobody has them."""

import asyncio
import logging
import math
import re
import struct
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.run.encodings import Encoding
from core.swarm.rounds.commit import record_of
from core.swarm.rounds.committed import CommittedRound, CommittedRounds, FetchFailed, complete
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import Contributor
from core.swarm.rounds.partition import cut
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.wire.encoding import encode
from tests.core.swarm.builders import digest_of, peer_bytes

PARTS = cut([(1000, Encoding.UNIFORM8), (1, Encoding.FLOAT16)], part_bytes=250)
COUNT = len(PARTS)
MEMBERS = (PeerID(peer_bytes(0)), PeerID(peer_bytes(1)))
NOTHING: list[ReducedPart | None] = [None] * COUNT
Answer = Callable[[Any], Iterable[Any]]


def round_of(seed: int, *, epoch: int = 7) -> CommittedRound:
    draws = torch.Generator().manual_seed(seed)
    tensors = [torch.randn(1000, generator=draws), torch.randn(1, generator=draws)]
    parts = [
        ReducedPart(encode(part.gather(tensors), part.encoding), 64.0, frozenset({0, 1})) for part in PARTS
    ]
    named = tuple(Contributor(member.to_bytes(), 32.0) for member in MEMBERS)
    parts[-1] = replace(parts[-1], contributors=named)
    group = Group(digest_of(f"group {seed}")[:20], MEMBERS, (0, 1), (0,) * COUNT)
    return CommittedRound(record_of(epoch, digest_of("parent"), group, parts), tuple(parts))


COMMITTED = round_of(1)
OTHER = round_of(2)


def keeping(*rounds: CommittedRound) -> CommittedRounds:
    kept = CommittedRounds()
    for item in rounds:
        kept.keep(item)
    return kept


class PartsDonor:
    """Answers over a stream, and remembers which parts it was asked for."""

    def __init__(self, answer: Answer, summarise: Callable[[bytes], Iterable[Any]] | None = None) -> None:
        self._answer, self._summarise = answer, summarise or CommittedRounds().summarise
        self.asked: list[tuple[int, ...]] = []

    async def rpc_fetch_summary(self, request: Any) -> AsyncIterator[Any]:
        async def stream() -> AsyncIterator[Any]:
            for message in self._summarise(request.group_id):
                yield message

        return stream()

    async def rpc_fetch_committed(self, request: Any) -> AsyncIterator[Any]:
        packed = request.tensor_part.buffer
        self.asked.append(struct.unpack(f"<{len(packed) // 4}I", packed))

        async def stream() -> AsyncIterator[Any]:
            for message in self._answer(request):
                yield message

        return stream()


class AbsentDonor(PartsDonor):
    def __init__(self) -> None:
        super().__init__(lambda request: ())

    async def rpc_fetch_summary(self, request: Any) -> AsyncIterator[Any]:
        raise ConnectionRefusedError("nobody is there")


class DrippingDonor(PartsDonor):
    """Gives all that it is asked for, a message now and then: never silent for long, and never done."""

    def __init__(self, pause: float) -> None:
        kept = keeping(COMMITTED)
        super().__init__(kept.serve, kept.summarise)
        self._pause = pause

    async def rpc_fetch_committed(self, request: Any) -> AsyncIterator[Any]:
        answers = await super().rpc_fetch_committed(request)

        async def stream() -> AsyncIterator[Any]:
            async for message in answers:
                await asyncio.sleep(self._pause)
                yield message

        return stream()


def honest() -> PartsDonor:
    """A donor that kept the parts, and not the round's summary."""
    return PartsDonor(keeping(COMMITTED).serve)


def whole() -> PartsDonor:
    """A donor that kept the round and its summary."""
    return PartsDonor(keeping(COMMITTED).serve, keeping(COMMITTED).summarise)


def fetched(
    have: Sequence[ReducedPart | None], *donors: PartsDonor, slow: list[PeerID] | None = None
) -> CommittedRound:
    peers = {PeerID(peer_bytes(10 + index)): donor for index, donor in enumerate(donors)}
    work = complete(
        COMMITTED.record,
        have,
        list(peers),
        parts=PARTS,
        stub_of=peers.__getitem__,
        chunk_seconds=1.0,
        on_slow=(slow if slow is not None else []).append,
    )
    return asyncio.run(asyncio.wait_for(work, 30))


@pytest.mark.parametrize(("rate", "told"), [(math.inf, 0.0), (1000.0, 1050.0)])
def test_a_donor_is_told_the_pace_at_which_the_parts_can_come(rate: float, told: float) -> None:
    paces: list[float] = []

    def answer(request: Any) -> Iterable[Any]:
        paces.append(request.weight)
        return keeping(COMMITTED).serve(request)

    work = complete(
        COMMITTED.record,
        NOTHING,
        [PeerID(peer_bytes(10))],
        parts=PARTS,
        stub_of=lambda peer: PartsDonor(answer),
        chunk_seconds=1.0,
        rate=lambda: rate,
    )
    assert asyncio.run(asyncio.wait_for(work, 10)) == COMMITTED
    assert paces == [pytest.approx(told)]


def lacking(*missing: int) -> list[ReducedPart | None]:
    return [None if index in missing else part for index, part in enumerate(COMMITTED.parts)]


def test_a_donor_that_gives_a_part_now_and_then_holds_nobody_up() -> None:
    """It could have held the whole ballot up, in which the others' bytes were never asked for."""
    slow: list[PeerID] = []
    dripping, other = DrippingDonor(pause=0.9), whole()
    assert fetched(NOTHING, dripping, other, slow=slow) == COMMITTED
    assert slow == [PeerID(peer_bytes(10))]
    assert 0 < len(other.asked[0]) < COUNT, "what it gave in its turn is kept"


def test_a_slow_donor_that_alone_has_the_round_gives_it_in_several_turns() -> None:
    slow: list[PeerID] = []
    donor = DrippingDonor(pause=0.6)
    assert fetched(NOTHING, donor, slow=slow) == COMMITTED
    assert len(donor.asked) > 1


def test_who_has_all_parts_asks_nobody() -> None:
    assert fetched(lacking()) == COMMITTED


def test_only_the_missing_parts_are_asked_for() -> None:
    donor = honest()
    assert fetched(lacking(1, 3), donor) == COMMITTED
    assert donor.asked == [(1, 3)]


def test_who_took_no_part_gets_everything() -> None:
    donor = honest()
    assert fetched(NOTHING, donor) == COMMITTED
    assert donor.asked == [tuple(range(COUNT))]


def test_parts_of_another_round_are_replaced() -> None:
    """A reducer told us something else than it told the group that committed."""
    have = lacking(0)
    have[2] = OTHER.parts[2]
    donor = honest()
    assert fetched(have, donor) == COMMITTED
    assert donor.asked == [(0,), tuple(range(COUNT))]


def test_all_parts_of_which_one_is_another_are_replaced() -> None:
    have = lacking()
    have[2] = OTHER.parts[2]
    donor = honest()
    assert fetched(have, donor) == COMMITTED
    assert donor.asked == [tuple(range(COUNT))]


def promise(*indices: int) -> averaging_pb2.AveragingData:
    packed = struct.pack(f"<{len(indices)}I", *indices)
    return averaging_pb2.AveragingData(
        code=averaging_pb2.AVERAGED_PART, tensor_part=runtime_pb2.Tensor(buffer=packed)
    )


def messages(*parts: ReducedPart) -> Answer:
    """Promises what is asked for, and gives ``parts``."""
    return lambda request: [
        averaging_pb2.AveragingData(code=averaging_pb2.AVERAGED_PART, tensor_part=request.tensor_part),
        *(part.as_message() for part in parts),
    ]


def spoilt(part: ReducedPart) -> averaging_pb2.AveragingData:
    message = part.as_message()
    message.tensor_part.buffer = message.tensor_part.buffer[:-1]
    return message


BAD: dict[str, Callable[[], PartsDonor]] = {
    "dead": AbsentDonor,
    "without the round": lambda: PartsDonor(keeping(OTHER).serve),
    "of few words": lambda: PartsDonor(messages(*COMMITTED.parts[:-1])),
    "of many words": lambda: PartsDonor(messages(*COMMITTED.parts, COMMITTED.parts[0])),
    "saying nothing": lambda: PartsDonor(lambda request: ()),
    "with another round": lambda: PartsDonor(messages(*OTHER.parts)),
    "with the parts in another order": lambda: PartsDonor(
        messages(*COMMITTED.parts[:3][::-1], *COMMITTED.parts[3:])
    ),
    "with a part spoilt": lambda: PartsDonor(lambda request: [promise(1), spoilt(COMMITTED.parts[1])]),
    "promising a part that the round does not have": lambda: PartsDonor(
        lambda request: [promise(COUNT), COMMITTED.parts[0].as_message()]
    ),
    "promising a part twice": lambda: PartsDonor(
        lambda request: [promise(1, 1), *[COMMITTED.parts[1].as_message()] * 2]
    ),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_the_next_donor_is_asked_when_one_is_bad(
    bad: Callable[[], PartsDonor], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    assert fetched(NOTHING, bad(), honest()) == COMMITTED
    first, second = (PeerID(peer_bytes(10 + index)) for index in range(2))
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert any(re.search(rf"Epoch 7: .*peer {first} ", text) for text in warnings)
    assert re.search(rf"Epoch 7: peer {second} gave \d+ of \d+ missing parts\.", caplog.text)


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_when_nobody_has_them_nothing_is_made_up(bad: Callable[[], PartsDonor]) -> None:
    with pytest.raises(FetchFailed, match="None of 2 peers gave the committed gradients of epoch 7"):
        fetched(lacking(1), bad(), bad())


# --- parts that are checked one by one ------------------------------------------------------------------------


def test_of_parts_at_hand_those_of_another_round_alone_are_fetched() -> None:
    have = lacking(0)
    have[2] = OTHER.parts[2]
    donor = whole()
    assert fetched(have, donor) == COMMITTED
    assert donor.asked == [(0, 2)]


def test_a_liar_costs_the_parts_that_it_altered(caplog: pytest.LogCaptureFixture) -> None:
    altered = [*COMMITTED.parts[:3], OTHER.parts[3], *COMMITTED.parts[4:]]
    liar = PartsDonor(messages(*altered), keeping(COMMITTED).summarise)
    rest = honest()
    assert fetched(NOTHING, liar, rest) == COMMITTED
    assert (liar.asked, rest.asked) == ([tuple(range(COUNT))], [tuple(range(3, COUNT))])
    name = PeerID(peer_bytes(10))
    assert f"peer {name} did not give {COUNT - 3} missing parts: Its part 3 is not of the" in caplog.text


def test_what_a_liar_gave_before_the_digests_were_there_is_fetched_again() -> None:
    liar, rest = PartsDonor(messages(*COMMITTED.parts[:-1], OTHER.parts[-1])), whole()
    assert fetched(NOTHING, liar, rest) == COMMITTED
    assert rest.asked == [(COUNT - 1,)]


def test_a_summary_of_another_round_is_not_believed() -> None:
    liar = PartsDonor(keeping(OTHER).serve, lambda root: keeping(OTHER).summarise(OTHER.record.root))
    assert fetched(NOTHING, liar, honest()) == COMMITTED


def test_a_donor_that_is_lost_is_asked_for_nothing_else() -> None:
    absent, donor = AbsentDonor(), whole()
    assert fetched(NOTHING, absent, donor) == COMMITTED
    assert absent.asked == []


# --- the giving side ------------------------------------------------------------------------------------------


def request(root: bytes, *indices: int, extra: bytes = b"") -> averaging_pb2.AveragingData:
    packed = struct.pack(f"<{len(indices)}I", *indices) + extra
    return averaging_pb2.AveragingData(group_id=root, tensor_part=runtime_pb2.Tensor(buffer=packed))


def refuses(kept: CommittedRounds, asked: averaging_pb2.AveragingData) -> bool:
    return [message.code for message in kept.serve(asked)] == [averaging_pb2.BAD_GROUP_ID]


def test_a_trainer_keeps_the_last_eight_rounds() -> None:
    rounds = [round_of(seed) for seed in range(1, 10)]
    kept = keeping(*rounds)
    assert refuses(kept, request(rounds[0].record.group))
    for item in rounds[1:]:
        assert given(kept, request(item.record.group)) == dict(enumerate(item.parts))


def test_the_part_of_a_round_is_found_by_the_head_that_the_round_led_to() -> None:
    """A robust rule begins at it: the aggregate that every member applied last."""
    kept = keeping(COMMITTED, OTHER)
    for committed in (COMMITTED, OTHER):
        assert kept.part_after(committed.record.root, 0) == committed.parts[0]
    assert kept.part_after(digest_of("another"), 0) is None
    assert kept.part_after(COMMITTED.record.root, COUNT) is None


def given(kept: CommittedRounds, asked: averaging_pb2.AveragingData) -> dict[int, ReducedPart]:
    first, *rest = kept.serve(asked)
    packed = first.tensor_part.buffer
    indices = struct.unpack(f"<{len(packed) // 4}I", packed)
    return {
        index: ReducedPart.from_message(message, senders=2)
        for index, message in zip(indices, rest, strict=True)
    }


def test_a_peer_that_keeps_rounds_for_others_keeps_as_many_bytes_as_it_may() -> None:
    size = sum(len(part.message.buffer) for part in COMMITTED.parts)
    kept = CommittedRounds(for_others=True, most_bytes=4 * size)
    rounds = [round_of(seed) for seed in range(1, 7)]
    for item in rounds:
        kept.keep(item)
        kept.keep(item)  # counted once
    assert [refuses(kept, request(item.record.group)) for item in rounds] == [True, True, *[False] * 4]


def test_reducers_give_the_parts_that_they_have_and_no_others() -> None:
    """Of several auxiliary peers each has reduced some parts."""
    donors = []
    for mine in ((0, 1), (2, 3)):
        kept = CommittedRounds(for_others=True)
        kept.keep_parts(COMMITTED.record.group, {index: COMMITTED.parts[index] for index in mine})
        donors.append(PartsDonor(kept.serve))
    rest = honest()
    assert fetched(NOTHING, *donors, rest) == COMMITTED
    assert rest.asked == [tuple(range(4, COUNT))]
    assert fetched(lacking(1, 2), *donors) == COMMITTED


@pytest.mark.parametrize("indices", [(COUNT,), (2**32 - 1,)])
def test_what_cannot_be_meant_is_refused(indices: tuple[int, ...]) -> None:
    assert refuses(keeping(COMMITTED), request(COMMITTED.record.group, *indices))


def test_a_part_that_is_asked_for_many_times_is_given_once() -> None:
    """Many times over would make us send without end."""
    asked = request(COMMITTED.record.group, *[1] * 10_000)
    assert given(keeping(COMMITTED), asked) == {1: COMMITTED.parts[1]}


def test_unknown_rounds_are_refused() -> None:
    assert refuses(CommittedRounds(), request(COMMITTED.record.group))
    assert refuses(keeping(COMMITTED), request(b""))


def test_bytes_that_make_no_index_are_ignored() -> None:
    asked = request(COMMITTED.record.group, 2, extra=b"\x01")
    assert given(keeping(COMMITTED), asked) == {2: COMMITTED.parts[2]}
