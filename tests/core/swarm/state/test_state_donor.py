"""A peer gives pieces of the states that it was asked for, and holds no more of them than it has room for."""

import asyncio
import math
import struct
from collections.abc import Sequence
from typing import Any

import msgpack
import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.projections.sums import SumsQuestion
from core.swarm.state.pieces import PIECE_BYTES, StateOutline, outline_of
from core.swarm.state.replica import Place
from core.swarm.state.state import DonorFailed, SwarmState
from core.swarm.state.state_donor import MOST_READERS_OF_SERVER, DonorRefusal, StateDonor
from core.swarm.wire.frames import PACE
from tests.core.swarm.builders import HandClock, digest_of, peer_bytes

PIECES = 3
VALUES = (2 * PIECE_BYTES + 12) // 4


def state_at(epoch: int) -> SwarmState:
    return SwarmState(epoch, digest_of(f"head {epoch}"), {"w": torch.arange(float(VALUES)) + epoch})


class Trainer:
    """What a donor asks for its state, at the epoch that a test says."""

    def __init__(self, **options: Any) -> None:
        self.clock, self.epoch, self.copies = HandClock(), 0, 0
        self.donor = StateDonor(clock=self.clock, **options)
        self.donor.provider = self._state

    def _state(self) -> SwarmState:
        self.copies += 1
        self.clock.now += 1.0
        return state_at(self.epoch)

    async def give(self) -> tuple[bytes, Sequence[torch.Tensor], Any]:
        found, sections, _ = self.donor.current()
        return msgpack.packb(found), sections, None

    async def describe(self, wanted: bytes = b"") -> int | str:
        """The epoch of the state that is described, or why there is none."""
        messages = [message async for message in self.donor.describe(wanted, self.give)]
        assert len(messages) == 1
        if messages[0].metadata:
            return messages[0].metadata.decode()  # type: ignore[no-any-return]
        return StateOutline.unpack(messages[0].tensor_part.buffer, pieces=PIECES).epoch


HEAD, SEED = state_at(0).head, bytes(16)


def asking(root: bytes, *indices: int, extra: bytes = b"") -> Any:
    packed = struct.pack(f"<{len(indices)}I", *indices) + extra
    return averaging_pb2.AveragingData(group_id=root, tensor_part=runtime_pb2.Tensor(buffer=packed))


def reader(number: int) -> PeerID:
    return PeerID(peer_bytes(number))


async def given(donor: StateDonor, request: Any, number: int = 9, user: bytes = b"") -> bytes | str:
    messages = [message async for message in donor.give(request, reader(number), user)]
    if messages and messages[0].metadata:
        assert len(messages) == 1
        return messages[0].metadata.decode()  # type: ignore[no-any-return]
    assert all(message.ByteSize() < 2**17 for message in messages)
    return b"".join(message.tensor_part.buffer for message in messages)


ROOT = outline_of(state_at(0)).root
DATA = state_at(0).tensors["w"].numpy().tobytes()


@pytest.mark.parametrize("indices", [(0,), (2,), (2, 0, 1), (1, 1, 1), (1, 3, 2**32 - 1)])
def test_the_pieces_that_are_asked_for_come_once_each_and_in_that_order(indices: tuple[int, ...]) -> None:
    async def work() -> bytes | str:
        trainer = Trainer()
        await trainer.describe()
        return await given(trainer.donor, asking(ROOT, *indices, extra=b"\1"))

    known = [index for index in dict.fromkeys(indices) if index < PIECES]
    expected = b"".join(DATA[index * PIECE_BYTES : (index + 1) * PIECE_BYTES] for index in known)
    assert asyncio.run(work()) == expected


@pytest.mark.parametrize(
    ("wanted", "rate"),
    [(60.0, 60.0), (0.0, math.inf), (-1.0, math.inf), (math.nan, math.inf), (math.inf, math.inf)],
)
def test_pieces_are_written_at_the_pace_that_their_reader_wants(wanted: float, rate: float) -> None:
    async def work() -> float:
        trainer, asked = Trainer(), asking(ROOT, 0)
        await trainer.describe()
        asked.weight = wanted
        assert await given(trainer.donor, asked) == DATA[:PIECE_BYTES]
        return PACE.get().rate  # given to this task, as it is to the one that writes the messages

    assert asyncio.run(work()) == rate


@pytest.mark.parametrize(("wanted", "most"), [(0.0, 1 << 16), (5000.0, 5000), (1.0, 1 << 10)])
def test_a_message_has_a_second_s_worth_at_most(wanted: float, most: int) -> None:
    async def work() -> list[int]:
        trainer, asked = Trainer(), asking(ROOT, 0)
        await trainer.describe()
        asked.weight = wanted
        answer = trainer.donor.give(asked, PeerID(peer_bytes(1)))
        return [len(message.tensor_part.buffer) async for message in answer]

    assert max(asyncio.run(work())) == min(most, PIECE_BYTES)


def test_a_state_that_nobody_had_described_is_not_given() -> None:
    assert asyncio.run(given(Trainer().donor, asking(ROOT, 0))) == DonorRefusal.GONE


def test_a_copy_of_an_earlier_epoch_is_given_for_as_long_as_it_is_asked_for() -> None:
    async def work() -> None:
        trainer = Trainer(kept_seconds=0.05)
        assert await trainer.describe() == 0
        trainer.epoch = 1
        assert await given(trainer.donor, asking(ROOT, 2)) == DATA[2 * PIECE_BYTES :]
        assert await trainer.describe(ROOT) == 0
        trainer.clock.now += 60.0  # as long as copies are kept, for the donor's clock
        async with asyncio.timeout(20):
            while await given(trainer.donor, asking(ROOT)) != DonorRefusal.GONE:
                trainer.clock.now += 60.0
                await asyncio.sleep(0.02)
        assert await trainer.describe(ROOT) == 1

    asyncio.run(work())


def test_no_more_than_two_copies_are_held_and_those_in_use_stay() -> None:
    async def work() -> None:
        trainer = Trainer()
        offered = []
        for epoch in range(4):
            trainer.epoch = epoch
            offered.append(await trainer.describe())
            trainer.clock.now += 6.0
        assert offered == [0, 1, 1, 3], "the first copy gave way once it was not asked for for a while"
        assert await trainer.describe(ROOT) == 3

    asyncio.run(work())


def test_many_that_ask_at_once_share_one_copy() -> None:
    async def work() -> int:
        trainer = Trainer()
        assert await asyncio.gather(*(trainer.describe() for _ in range(8))) == [0] * 8
        trainer.epoch = 1
        assert await trainer.describe(digest_of("of no state")) == 0, "it is a moment old"
        return trainer.copies

    assert asyncio.run(work()) == 1


@pytest.mark.parametrize(
    ("options", "most"), [({}, 4), ({"most_readers": MOST_READERS_OF_SERVER}, 64)], ids=["trainer", "server"]
)
def test_no_more_than_these_are_answered_at_a_time(options: dict[str, int], most: int) -> None:
    async def work() -> None:
        trainer = Trainer(**options)
        await trainer.describe()
        answers = [trainer.donor.give(asking(ROOT, 0), reader(100 + number)) for number in range(most)]
        for answer in answers:
            assert (await anext(answer)).tensor_part.buffer
        assert await given(trainer.donor, asking(ROOT, 0)) == DonorRefusal.BUSY
        await answers[0].aclose()  # type: ignore[attr-defined]
        assert await given(trainer.donor, asking(ROOT, 0)) == DATA[:PIECE_BYTES]
        for answer in answers[1:]:
            await answer.aclose()  # type: ignore[attr-defined]

    asyncio.run(work())


async def hold(donor: StateDonor, begun: asyncio.Event, number: int, user: bytes) -> None:
    """Take the first bytes of a piece, and then no more, as a stream does whose reader does not read."""
    async for _ in donor.give(asking(ROOT, 0), reader(number), user):
        begun.set()
        await asyncio.Event().wait()


async def held(donor: StateDonor, number: int, user: bytes = b"") -> "asyncio.Task[None]":
    begun = asyncio.Event()
    task = asyncio.create_task(hold(donor, begun, number, user))
    await begun.wait()
    return task


def test_readers_that_never_read_make_room(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        trainer = Trainer(piece_seconds=0.5)
        await trainer.describe()
        holding = [await held(trainer.donor, number) for number in range(4)]
        assert await given(trainer.donor, asking(ROOT, 0)) == DonorRefusal.BUSY
        done, _ = await asyncio.wait(holding, timeout=20)
        assert all(task.cancelled() for task in done)
        assert len(done) == 4
        assert await given(trainer.donor, asking(ROOT, 0)) == DATA[:PIECE_BYTES]

    asyncio.run(work())
    assert f"{reader(3)} did not take a piece of the state within " in caplog.text


def test_the_peers_of_one_user_have_one_place_and_leave_the_others_to_all() -> None:
    """Two downloads that were held open and never read, by one user, kept all that came late from a state."""

    async def work() -> None:
        trainer = Trainer()
        await trainer.describe()
        holding = await held(trainer.donor, 0, b"mallory")
        for number in range(1, 9):
            assert await given(trainer.donor, asking(ROOT, 0), number, b"mallory") == DonorRefusal.BUSY
        assert await given(trainer.donor, asking(ROOT, 0), 20, b"ada") == DATA[:PIECE_BYTES]
        holding.cancel()
        await asyncio.wait([holding])
        assert await given(trainer.donor, asking(ROOT, 0), 1, b"mallory") == DATA[:PIECE_BYTES]

    asyncio.run(work())


def test_a_reader_that_takes_nothing_gives_way_to_one_that_waits(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        trainer = Trainer()
        await trainer.describe()
        holding = []
        for number in range(4):
            holding.append(await held(trainer.donor, number))
            trainer.clock.now += 1.0
        assert await given(trainer.donor, asking(ROOT, 0)) == DonorRefusal.BUSY
        trainer.clock.now += 28.0
        assert await given(trainer.donor, asking(ROOT, 0)) == DATA[:PIECE_BYTES]
        done, left = await asyncio.wait(holding, timeout=20, return_when=asyncio.FIRST_COMPLETED)
        assert done == {holding[0]}
        for task in left:
            task.cancel()
        await asyncio.wait(left)

    asyncio.run(work())
    assert f"{reader(0)} took nothing for " in caplog.text


def test_a_reader_that_asks_again_takes_its_own_place() -> None:
    async def work() -> None:
        trainer = Trainer()
        await trainer.describe()
        holding = [await held(trainer.donor, number) for number in range(4)]
        assert await given(trainer.donor, asking(ROOT, 0), 2) == DATA[:PIECE_BYTES]
        done, _ = await asyncio.wait([holding[2]], timeout=20)
        assert done == {holding[2]}
        for task in holding:
            task.cancel()
        await asyncio.wait(holding)

    asyncio.run(work())


@pytest.mark.parametrize("answers_before", [0, 1])
def test_a_frozen_trainer_has_one_question_and_those_who_ask_come_again(answers_before: int) -> None:
    """It is frozen when it is asked, or after it has given its state and is asked to release that."""

    async def work() -> None:
        trainer, thawed, asked, answered = Trainer(trainer_seconds=0.05), asyncio.Event(), 0, 0
        released = asyncio.Event()

        async def state() -> Any:
            nonlocal asked, answered
            asked += 1
            if asked > answers_before:
                await thawed.wait()
            given = await trainer.give()
            answered += 1
            if answered == 2:
                assert given[1] == [], "it was asked to hold its state no more"
                released.set()
            return given

        async def described() -> list[Any]:
            trainer.clock.now += 60.0
            return [item async for item in trainer.donor.describe(b"", state)]

        for _ in range(3):
            [message] = await described()
            assert bool(message.metadata) is (answers_before == 0), "busy, or the state that was given"
        assert asked == answers_before + 1
        thawed.set()
        await released.wait()
        trainer.epoch = 1
        [message] = await described()
        assert StateOutline.unpack(message.tensor_part.buffer, pieces=PIECES).epoch == 1
        assert (asked, trainer.copies) == (4, 2)

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_trainer_that_fails_while_nobody_waits_is_asked_again() -> None:
    async def work() -> None:
        trainer, thawed, failed = Trainer(trainer_seconds=0.05), asyncio.Event(), asyncio.Event()

        async def state() -> Any:
            await thawed.wait()
            failed.set()
            raise DonorFailed("It has no state.")

        [message] = [item async for item in trainer.donor.describe(b"", state)]
        assert message.metadata == DonorRefusal.BUSY.encode()
        thawed.set()
        await failed.wait()
        assert await trainer.describe() == 0

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_peer_without_a_state_gives_none_until_it_has_one() -> None:
    async def work() -> None:
        trainer = Trainer()
        provider, trainer.donor.provider = trainer.donor.provider, None
        for _ in range(3):
            with pytest.raises(DonorFailed, match="no state to give"):
                await trainer.describe()
        trainer.donor.provider = provider
        assert await trainer.describe() == 0

    asyncio.run(work())


def test_a_frozen_trainer_spends_nobody_s_projections() -> None:
    async def work() -> None:
        trainer, thawed = Trainer(trainer_seconds=0.05), asyncio.Event()

        async def state() -> Any:
            await thawed.wait()
            return await trainer.give()

        for _ in range(6):
            assert await trainer.donor.project(SumsQuestion(0, HEAD, SEED), state, b"ada") is None
        thawed.set()
        while await trainer.donor.project(SumsQuestion(0, HEAD, SEED), state, b"ada") is None:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(work(), 30))


def test_a_rest_follows_what_the_trainer_computed_and_not_what_it_was_waited_for() -> None:
    async def work() -> list[bool]:
        trainer, found = Trainer(), []

        async def state() -> Any:
            trainer.clock.now += 100.0
            return await trainer.give()

        for passed, user in ((0.0, b"ada"), (8.0, b"bob"), (2.0, b"bob")):
            trainer.clock.now += passed
            answer = await trainer.donor.project(SumsQuestion(0, HEAD, SEED), state, user)
            found.append(answer is not None)
        return found

    assert asyncio.run(work()) == [True, False, True]


def test_a_question_about_another_place_copies_no_state() -> None:
    async def work() -> None:
        trainer = Trainer()
        trainer.donor.place = lambda: Place(0, HEAD, "", ())
        for asked, copies in (
            (SumsQuestion(1, HEAD, SEED), 0),
            (SumsQuestion(0, bytes(32), SEED), 0),
            (SumsQuestion(0, HEAD, SEED), 1),
        ):
            trainer.clock.now += 60.0
            answer = await trainer.donor.project(asked, trainer.give, b"ada")
            assert answer is not None
            assert answer.is_at(0, HEAD)
            assert ((answer.sums is not None), trainer.copies) == (copies == 1, copies)

    asyncio.run(work())
