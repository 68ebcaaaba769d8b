"""A late peer takes a state from several donors at once; one that is slow, dead or lying costs its pieces alone."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgpack
import pytest
import torch
from hivemind.p2p import P2PHandlerError, PeerID
from hivemind.proto import averaging_pb2, runtime_pb2

from core.swarm.state.assignments import PieceAssignments, share_of_rate
from core.swarm.state.beginning import Beginning
from core.swarm.state.donors import DonorsBusy, StateDownloads, StateUnavailable, bounded
from core.swarm.state.pieces import PIECE_BYTES, PieceBuffer, StateOutline, joined, outline_of
from core.swarm.state.state import SwarmState, schema_of
from core.swarm.state.state_donor import DonorRefusal, StateDonor
from core.swarm.state.vouching import StateVoices, VouchedState
from core.swarm.wire.voices import VOICE
from tests.core.swarm.builders import HandClock, digest_of, peer_bytes
from tests.virtual_time import run_in_virtual_time

PIECES = 8
VALUES = (PIECES * PIECE_BYTES - 8) // 4


def state_of(seed: int, epoch: int = 7) -> SwarmState:
    draws = torch.Generator().manual_seed(seed)
    weights = torch.randn(VALUES, generator=draws)
    return SwarmState(epoch, digest_of(f"head {epoch}"), {"w": weights, "n": torch.tensor(3)})


STATE, OTHER = state_of(1), state_of(2, epoch=9)
OUTLINE = outline_of(STATE)
SCHEMA = schema_of(STATE.tensors)
Message = averaging_pb2.DownloadData
Answer = AsyncIterator[Any]


def loop_time() -> float:
    return asyncio.get_running_loop().time()


class Donor:
    """A donor as its stub looks to another peer; it counts what it was asked for."""

    def __init__(self, state: SwarmState = STATE) -> None:
        self._donor, self.described, self.pieces = StateDonor(clock=loop_time), 0, 0
        self.paces: list[float] = []
        self._donor.provider = lambda: state

    async def rpc_describe_state(self, request: Any) -> Answer:
        self.described += 1
        return self.describe(request)

    async def rpc_fetch_pieces(self, request: Any) -> Answer:
        self.pieces += len(request.tensor_part.buffer) // 4
        self.paces.append(request.weight)
        return self.give(request)

    def describe(self, request: Any) -> Answer:
        async def state() -> tuple[bytes, Sequence[torch.Tensor], Any]:
            found, sections, _ = self._donor.current()
            return msgpack.packb(found), sections, None

        return self._donor.describe(request.group_id, state)

    async def give(self, request: Any) -> Answer:
        async for message in self._donor.give(request, PeerID(b"late")):
            yield message
            await asyncio.sleep(0)  # as a line would: all donors have their turn


class UnreachedDonor(Donor):
    async def rpc_describe_state(self, request: Any) -> Answer:
        self.described += 1
        raise ConnectionRefusedError("nobody is there")


class LaterDonor(Donor):
    """Cannot be reached so many times, and gives then."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    async def rpc_describe_state(self, request: Any) -> Answer:
        self._times -= 1
        if self._times >= 0:
            raise ConnectionRefusedError("its router is not open yet")
        return await super().rpc_describe_state(request)


class AnsweringDonor(Donor):
    """Says just this of its state."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self._answers = answers

    async def describe(self, request: Any) -> Answer:
        for message in self._answers:
            yield message


class LyingDonor(Donor):
    """Alters one bit of each piece."""

    async def give(self, request: Any) -> Answer:
        async for message in super().give(request):
            data = bytearray(message.tensor_part.buffer)
            data[0] ^= 1
            yield Message(tensor_part=runtime_pb2.Tensor(buffer=bytes(data)))


class EndingDonor(Donor):
    """Gives some pieces and then ends, in the way that a test says."""

    def __init__(self, pieces: int, end: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self._left, self._end = pieces * PIECE_BYTES, end

    async def give(self, request: Any) -> Answer:
        async for message in super().give(request):
            if self._left <= 0:
                await self._end()
                return
            self._left -= len(message.tensor_part.buffer)
            yield message


class PouringDonor(Donor):
    """Answers with the same message for ever."""

    def __init__(self, message: Any) -> None:
        super().__init__()
        self._message = message

    async def give(self, request: Any) -> Answer:
        while True:
            yield self._message
            await asyncio.sleep(0.01)


class TricklingDonor(Donor):
    """Gives one byte after another, and is never silent for long."""

    async def give(self, request: Any) -> Answer:
        while True:
            yield Message(tensor_part=runtime_pb2.Tensor(buffer=b"1"))
            await asyncio.sleep(0.01)


class ShiftingDonor(Donor):
    """Offers another state each time, and gives nothing of it."""

    async def describe(self, request: Any) -> Answer:
        digests = digest_of(f"state {self.described}") * PIECES
        outline = StateOutline(7, STATE.head, digests)
        yield Message(tensor_part=runtime_pb2.Tensor(buffer=outline.pack()))

    async def give(self, request: Any) -> Answer:
        yield Message(metadata=DonorRefusal.GONE.encode())


class BusyDonor(Donor):
    """Is busy so many times, and gives then."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self._times = times

    async def give(self, request: Any) -> Answer:
        self._times -= 1
        if self._times >= 0:
            yield Message(metadata=DonorRefusal.BUSY.encode())
            return
        async for message in super().give(request):
            yield message


async def breaking_off() -> None:
    raise P2PHandlerError("the donor's process is gone")


async def hanging() -> None:
    await asyncio.Event().wait()


async def ending() -> None:
    """End the answer in order."""


def peer(number: int) -> PeerID:
    return PeerID(peer_bytes(number))


class LatePeer:
    """A peer that downloads from the donors which a test names."""

    def __init__(
        self,
        *donors: Donor,
        beginning: Beginning | None = None,
        rate: float = math.inf,
        again_seconds: float = 0.2,
        kept_seconds: float = 600.0,
        clock: Callable[[], float] = loop_time,
        users: Mapping[bytes, str] = {},
    ) -> None:
        """Ask a donor that could not be reached, or was busy, again after ``again_seconds``."""
        self.donors = {peer(number): donor for number, donor in enumerate(donors)}
        self._downloads = StateDownloads(
            SCHEMA,
            lambda donor: self.donors[donor],
            beginning,
            piece_seconds=1.0,
            again_seconds=again_seconds,
            kept_seconds=kept_seconds,
            rate=lambda: rate,
            clock=clock,
        )
        self.users = users

    def add(self, donor: Donor) -> None:
        self.donors[peer(len(self.donors))] = donor

    async def download(
        self, *vouched: VouchedState, silence: float = 20.0, only: bytes | None = None
    ) -> SwarmState:
        voices = StateVoices(vouched, users=self.users)
        asked = self._downloads.download(list(self.donors), chunk_seconds=silence, voices=voices, only=only)
        outline, flat = await asyncio.wait_for(asked, 30)
        return joined(flat, SCHEMA, outline)


SHORT = 1.0
"""Silence in seconds that a test sits out."""


def download_from(*donors: Donor, vouched: Sequence[VouchedState] = (), silence: float = 20.0) -> SwarmState:
    return run_in_virtual_time(LatePeer(*donors).download(*vouched, silence=silence))


def assert_same(found: SwarmState, expected: SwarmState = STATE) -> None:
    assert (found.epoch, found.head) == (expected.epoch, expected.head)
    assert all(found.tensors[name].equal(item) for name, item in expected.tensors.items())


def test_several_donors_give_a_share_each(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    donors = [Donor() for _ in range(3)]
    assert_same(download_from(*donors))
    assert sum(donor.pieces for donor in donors) == PIECES, "no piece is asked for twice"
    assert all(donor.pieces for donor in donors)
    assert "epoch 7, 8 of 8 pieces are missing, 3 peers offer it" in caplog.text
    assert "State download: 75 % of the pieces of epoch 7." in caplog.text
    assert f"State of epoch 7 downloaded: {PIECES * PIECE_BYTES} bytes in " in caplog.text


@pytest.mark.parametrize(("times", "helps"), [(1, True), (3, True), (4, False)])
def test_a_donor_that_could_not_be_reached_is_asked_again(times: int, helps: bool) -> None:
    """Homes open their routers for each other while the first of them already gives."""
    later, donor = LaterDonor(times), EndingDonor(1, hanging)
    if helps:
        assert_same(download_from(later, donor, silence=2.0))
    else:
        with pytest.raises(StateUnavailable):
            download_from(later, donor, silence=2.0)
    assert bool(later.pieces) == helps


def test_donors_are_told_their_shares_of_a_cap_and_of_none_without_one() -> None:
    free, capped = [Donor(), Donor()], [Donor(), Donor()]
    rate = 8.0 * PIECE_BYTES
    assert_same(download_from(*free))
    assert_same(run_in_virtual_time(LatePeer(*capped, rate=rate).download()))
    assert {pace for donor in free for pace in donor.paces} == {0.0}
    assert [donor.paces[0] for donor in capped] == [pytest.approx(1.05 * rate / 2)] * 2
    assert max(pace for donor in capped for pace in donor.paces) < 1.05 * rate, "two of them give"


@pytest.mark.parametrize(
    ("others", "share"),
    [
        ([], 600.0),
        ([math.inf], 300.0),
        ([300.0], 300.0),
        ([100.0], 500.0),
        ([100.0, math.inf], 250.0),
        ([500.0, 100.0], 250.0),
        ([1.0, 2.0, 3.0], 594.0),
        ([math.inf] * 3, 150.0),
    ],
)
def test_donors_that_give_less_than_an_equal_share_leave_the_rest(others: list[float], share: float) -> None:
    assert share_of_rate(600.0, others) == share
    assert math.isinf(share_of_rate(math.inf, others))


def test_a_slow_donor_leaves_its_share_until_it_gives_no_more() -> None:
    clock, rate = HandClock(), 0.4 * PIECE_BYTES
    work = PieceAssignments(
        PieceBuffer(OUTLINE, PIECES * PIECE_BYTES), [peer(0), peer(1)], rate=lambda: rate, clock=clock
    )
    assert len(work.assign(peer(0))) == 2, "what comes in ten seconds"
    assert len(work.assign(peer(1))) == 2
    clock.now += 10.0
    work.arrived(peer(0), 0)
    given = PIECE_BYTES / 10.0
    assert work.pace(peer(0)) == pytest.approx(1.05 * 1.5 * given), (
        "and no more at once than others leave to it"
    )
    assert work.pace(peer(1)) == pytest.approx(1.05 * (rate - 1.5 * given))
    work.leave(peer(0))
    assert work.pace(peer(1)) == pytest.approx(1.05 * rate)
    assert len(work.assign(peer(1))) == 4


def answered(outline: bytes) -> Any:
    return Message(tensor_part=runtime_pb2.Tensor(buffer=outline))


BAD: dict[str, Callable[[], Donor]] = {
    "not there": UnreachedDonor,
    "says nothing": AnsweringDonor,
    "says nonsense": lambda: AnsweringDonor(answered(b"\xc1\xff")),
    "says that it has none": lambda: AnsweringDonor(Message(metadata=b"gone")),
    "lies about a piece": LyingDonor,
    "breaks off": lambda: EndingDonor(1, breaking_off),
    "falls silent": lambda: EndingDonor(1, hanging),
    "ends early": lambda: EndingDonor(1, ending),
    "never ends a piece": lambda: PouringDonor(
        Message(tensor_part=runtime_pb2.Tensor(buffer=bytes(2**16 + 1)))
    ),
    "sends nothing for ever": lambda: PouringDonor(Message()),
    "forgets the state": lambda: PouringDonor(Message(metadata=DonorRefusal.GONE.encode())),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_donor_costs_its_pieces_alone(bad: str, caplog: pytest.LogCaptureFixture) -> None:
    worse, good = BAD[bad](), Donor()
    late = LatePeer(worse, good, again_seconds=60.0)
    assert_same(run_in_virtual_time(late.download(silence=SHORT if bad == "falls silent" else 20.0)))
    assert (worse.described, good.described) == (1, 1)
    assert good.pieces <= PIECES
    assert f"State download failed: {peer(0)}: " in caplog.text


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_bad_donors_alone_give_nothing(bad: Callable[[], Donor], caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(StateUnavailable, match=r"No peer gave the swarm's state.*Check the connection"):
        download_from(bad(), bad(), silence=SHORT)
    assert caplog.text.count("State download failed: ") == 2


def test_a_liar_is_named_and_not_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        liar, donor = LyingDonor(), Donor()
        late = LatePeer(liar, donor)
        for _ in range(2):
            assert_same(await late.download())
        assert liar.described == 1
        assert donor.described == 2

    run_in_virtual_time(work())
    assert f"{peer(0)}: A donor's piece " in caplog.text
    assert "does not match its digest. No peer of its user is asked for 600 s." in caplog.text


EVE_AND_ADA = {peer_bytes(0): "eve", peer_bytes(1): "eve", peer_bytes(2): "ada"}


def test_no_peer_of_a_user_is_asked_of_whom_one_lied_for_a_time_that_grows() -> None:
    async def work() -> None:
        clock = HandClock()
        liar, accomplice, donor = LyingDonor(), LyingDonor(), Donor()
        late = LatePeer(liar, donor, clock=clock, users={peer_bytes(0): "eve"})
        assert_same(await late.download())
        late.donors = {peer(0): liar, peer(1): accomplice, peer(2): donor}
        late.users = EVE_AND_ADA
        for passed, asked in ((0.0, 0), (590.0, 0), (20.0, 1), (700.0, 1), (600.0, 2)):
            clock.now += passed
            assert_same(await late.download())
            assert max(liar.described - 1, accomplice.described) == asked

    run_in_virtual_time(work())


def test_donors_of_a_user_of_whom_one_failed_are_asked_last() -> None:
    async def work() -> None:
        failing = [UnreachedDonor() for _ in range(5)]
        late = LatePeer(*failing, clock=HandClock(), again_seconds=60.0)
        late.users = {peer_bytes(number): "eve" for number in range(6)}
        with pytest.raises(StateUnavailable):
            await late.download(silence=SHORT)
        late.add(UnreachedDonor())
        late.add(Donor())
        assert_same(await late.download())
        assert [donor.described for donor in late.donors.values()][:6] == [2, 2, 2, 1, 1, 0]

    run_in_virtual_time(work())


@pytest.mark.parametrize("end", [breaking_off, hanging], ids=["breaks off", "falls silent"])
def test_no_state_of_one_user_is_taken_in_place_of_one_that_several_name(
    end: Callable[[], Awaitable[None]],
) -> None:
    named = VouchedState(OUTLINE.root, {"ada": VOICE, "bob": VOICE})
    with pytest.raises(StateUnavailable):
        download_from(EndingDonor(1, end), Donor(OTHER), vouched=[named], silence=SHORT)


def test_no_state_of_one_user_is_taken_while_the_donors_that_several_name_are_busy() -> None:
    named, loud = VouchedState(OUTLINE.root, {"ada": VOICE, "bob": VOICE}), Donor(OTHER)
    with pytest.raises(DonorsBusy):
        download_from(BusyDonor(1000), loud, vouched=[named], silence=SHORT)
    assert loud.pieces == 0


def test_two_donors_of_a_user_do_not_confirm_each_other() -> None:
    async def work() -> None:
        loud, honest = [Donor(OTHER), Donor(OTHER)], Donor()
        late = LatePeer(*loud, honest, users=EVE_AND_ADA)
        assert_same(await late.download(VouchedState(OUTLINE.root, {"bob": VOICE})))
        assert [donor.pieces for donor in loud] == [0, 0]

    run_in_virtual_time(work())


def test_what_came_from_a_donor_that_died_stays(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")

    async def work() -> None:
        dying = EndingDonor(5, breaking_off)
        late = LatePeer(dying)
        with pytest.raises(StateUnavailable, match="the donor's process is gone"):
            await late.download()
        second = Donor()
        late.add(second)
        late.donors[peer(0)] = UnreachedDonor()
        assert_same(await late.download())
        assert second.pieces == 3

    run_in_virtual_time(work())
    assert "epoch 7, 3 of 8 pieces are missing, 1 peers offer it" in caplog.text


def test_pieces_of_an_unfinished_download_are_not_kept_for_ever() -> None:
    async def work() -> None:
        late = LatePeer(EndingDonor(5, breaking_off), kept_seconds=0.0)
        with pytest.raises(StateUnavailable):
            await late.download()
        await asyncio.sleep(0.1)
        second = Donor()
        late.add(second)
        late.donors[peer(0)] = UnreachedDonor()
        assert_same(await late.download())
        assert second.pieces == PIECES

    run_in_virtual_time(work())


def test_what_begun_goes_on_where_a_donor_still_has_it_though_the_swarm_went_on() -> None:
    async def work() -> None:
        begun, newer = VouchedState(OUTLINE.root, {peer_bytes(8): VOICE}), Donor(OTHER)
        late = LatePeer(EndingDonor(5, breaking_off))
        with pytest.raises(StateUnavailable):
            await late.download(begun)
        still = Donor()
        late.add(newer)
        late.add(still)
        late.donors[peer(0)] = UnreachedDonor()
        assert_same(await late.download(VouchedState(outline_of(OTHER).root, {peer_bytes(8): VOICE})))
        assert (still.pieces, newer.pieces) == (3, 0)

    run_in_virtual_time(work())


def test_a_state_that_alone_is_wanted_is_taken_though_another_is_begun() -> None:
    """A donor that still has a copy of the one that is begun gives that to whoever asks for it."""

    async def work() -> None:
        late, begun = LatePeer(EndingDonor(5, breaking_off)), Donor()
        with pytest.raises(StateUnavailable):
            await late.download()
        late.donors = {peer(0): begun, peer(1): Donor(OTHER)}
        assert_same(await late.download(only=outline_of(OTHER).root), OTHER)
        assert begun.pieces == 0
        with pytest.raises(StateUnavailable):
            await late.download(only=digest_of("of no state"))

    run_in_virtual_time(work())


def test_where_nobody_has_it_any_more_the_newer_state_is_taken_from_its_beginning() -> None:
    async def work() -> None:
        late = LatePeer(EndingDonor(5, breaking_off))
        with pytest.raises(StateUnavailable):
            await late.download()
        late.donors[peer(0)] = newer = Donor(OTHER)
        assert_same(await late.download(), OTHER)
        assert newer.pieces == PIECES

    run_in_virtual_time(work())


def test_the_pieces_of_a_slow_donor_come_from_others() -> None:
    slow, good = EndingDonor(0, hanging), Donor()

    async def work() -> None:
        assert_same(await LatePeer(slow, good).download(silence=60.0))

    run_in_virtual_time(asyncio.wait_for(work(), 20))
    assert good.pieces == PIECES


def test_a_donor_that_gives_byte_after_byte_is_given_up() -> None:
    with pytest.raises(StateUnavailable, match=r"did not give a piece within 3 s"):
        download_from(TricklingDonor(), silence=SHORT)


def test_a_download_that_takes_too_long_leaves_its_place_to_the_next() -> None:
    async def work() -> None:
        late = LatePeer(EndingDonor(5, hanging))
        with pytest.raises(StateUnavailable, match="within 0 s"):
            await bounded(late.download(), 0.3)
        late.donors[peer(0)] = Donor()
        assert_same(await late.download())

    run_in_virtual_time(work())


def test_further_donors_are_asked_in_the_place_of_those_that_fail() -> None:
    donors = [*(EndingDonor(1, breaking_off) for _ in range(4)), Donor(), Donor()]
    assert_same(download_from(*donors))
    assert sum(donor.pieces for donor in donors[4:]) == PIECES - 4


def test_one_that_offers_another_state_each_time_is_asked_once() -> None:
    shifting = ShiftingDonor()
    with pytest.raises(StateUnavailable):
        download_from(*(EndingDonor(0, breaking_off) for _ in range(4)), shifting)
    assert shifting.described == 1


def test_a_donor_that_is_busy_is_asked_again() -> None:
    assert_same(download_from(BusyDonor(1)))


def test_donors_that_stay_busy_are_worth_another_attempt() -> None:
    with pytest.raises(DonorsBusy, match="gives its state to others"):
        download_from(BusyDonor(1000), UnreachedDonor(), silence=SHORT)


def test_the_state_that_others_vouch_for_is_taken_whoever_offers_another() -> None:
    vouched = VouchedState(OUTLINE.root, {peer_bytes(8): VOICE})
    loud, honest = [Donor(OTHER) for _ in range(3)], Donor()
    assert_same(download_from(*loud, honest, vouched=[vouched]))
    assert [donor.pieces for donor in loud] == [0, 0, 0]


def test_a_donor_that_alone_names_its_state_is_not_believed_before_others() -> None:
    """The others have moved on to an epoch that no record names yet."""
    own = VouchedState(outline_of(OTHER).root, {peer_bytes(0): VOICE})
    liar = Donor(OTHER)
    assert_same(download_from(liar, Donor(), Donor(), vouched=[own]))
    assert liar.pieces == 0


def test_where_the_vouched_state_cannot_be_had_another_is_taken() -> None:
    vouched = VouchedState(OUTLINE.root, {peer_bytes(8): VOICE})
    assert_same(download_from(LyingDonor(), Donor(OTHER), vouched=[vouched]), OTHER)


def test_a_state_with_a_value_that_is_no_number_is_refused() -> None:
    tensors = {**STATE.tensors, "w": torch.full((VALUES,), float("nan"))}
    poisoned = SwarmState(7, STATE.head, tensors)
    with pytest.raises(StateUnavailable, match="not finite"):
        download_from(Donor(poisoned), Donor(poisoned))
    assert_same(download_from(Donor(poisoned), Donor()))


def test_a_state_of_before_the_generation_is_refused() -> None:
    late = LatePeer(Donor(), Donor(OTHER), beginning=Beginning(digest_of("genesis"), epoch=8))
    assert_same(run_in_virtual_time(late.download()), OTHER)


def test_without_donors_the_error_says_so() -> None:
    with pytest.raises(StateUnavailable, match="none is known"):
        download_from()
