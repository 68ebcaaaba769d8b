"""Observers of a run accept a round's summary only if its root proves it, whichever peer sends it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Any

import msgpack
import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.failure_series import FailureSeries
from core.run.encodings import Encoding
from core.swarm.rounds.combination import ReducedGroup
from core.swarm.rounds.commit import record_of, root_of
from core.swarm.rounds.committed import CommittedRound, CommittedRounds
from core.swarm.rounds.group import Group
from core.swarm.rounds.group_list import Contributor, digest_of_contributors
from core.swarm.rounds.partition import cut
from core.swarm.rounds.reduction import ReducedPart
from core.swarm.rounds.summary import RoundSummary, fetch_summary, with_contributors
from core.swarm.wire.encoding import MalformedPart, encode
from tests.core.swarm.builders import digest_of, peer_bytes

PARTS = (*cut([(40, Encoding.FLOAT16)], part_bytes=40), *cut([(1, Encoding.FLOAT32)], first_tensor=1))
NAMED = (Contributor(peer_bytes(0), 40.0), Contributor(peer_bytes(2), 24.0))
GROUP = Group(
    digest_of("group")[:20], tuple(PeerID(peer_bytes(n)) for n in range(3)), (0, 1, 2), (0,) * len(PARTS)
)


def parts_with(contributors: tuple[Contributor, ...] = NAMED, *, loss: float = 2.5) -> list[ReducedPart]:
    gradients = [encode(torch.ones(part.values), part.encoding) for part in PARTS[:-1]]
    last = ReducedPart(encode(torch.tensor([loss]), Encoding.FLOAT32), 64.0, frozenset({0, 2}), contributors)
    return [*(ReducedPart(item, 64.0, frozenset({0, 2})) for item in gradients), last]


def summary_of(parts: list[ReducedPart], epoch: int = 7) -> RoundSummary:
    return RoundSummary.of(record_of(epoch, digest_of("parent"), GROUP, parts), parts)


HONEST = summary_of(parts_with())
ROOT = HONEST.record.root


class SummaryDonor:
    def __init__(self, answer: Callable[[bytes], Iterable[Any]]) -> None:
        self._answer = answer

    async def rpc_fetch_summary(self, request: Any) -> AsyncIterator[Any]:
        async def stream() -> AsyncIterator[Any]:
            for message in self._answer(request.group_id):
                yield message

        return stream()


def keeping(*summaries: RoundSummary) -> SummaryDonor:
    kept = CommittedRounds()
    for item in summaries:
        kept.keep_summary(item)
    return SummaryDonor(kept.summarise)


def saying(messages: Iterable[Any]) -> SummaryDonor:
    return SummaryDonor(lambda root: messages)


def series() -> FailureSeries:
    return FailureSeries(logging.getLogger("core.swarm"), "Fetching the summary of a round", lambda: 0.0)


def fetched(
    *donors: SummaryDonor, root: bytes = ROOT, failures: FailureSeries | None = None
) -> RoundSummary | None:
    peers = {PeerID(peer_bytes(10 + number)): donor for number, donor in enumerate(donors)}
    work = fetch_summary(
        root,
        list(peers),
        parts=PARTS,
        stub_of=peers.__getitem__,
        silence_seconds=1.0,
        failures=failures or series(),
    )
    return asyncio.run(asyncio.wait_for(work, 10))


def test_what_no_donor_gives_is_warned_of_once_and_its_end_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    failures = series()
    for donors in ((keeping(), saying([])), (), (keeping(), keeping(HONEST))):
        fetched(*donors, failures=failures)
    first, second = caplog.messages
    for number in (10, 11):
        assert f"peer {PeerID(peer_bytes(number))}: MalformedPart: A peer does not have the summary" in first
    assert f"round {ROOT.hex()[:8]}: " in first
    assert second == "Fetching the summary of a round succeeded at attempt 3, after 0 s."


def test_a_summary_tells_who_contributed_how_much_and_the_loss() -> None:
    found = fetched(keeping(HONEST))
    assert found == HONEST
    assert (found.contributors, found.samples, found.loss(PARTS[-1])) == (NAMED, 64.0, 2.5)


def test_a_round_that_is_kept_whole_can_be_summarised() -> None:
    kept = CommittedRounds()
    kept.keep(CommittedRound(HONEST.record, tuple(parts_with())))
    assert fetched(SummaryDonor(kept.summarise)) == HONEST


def test_summaries_outlive_their_rounds_and_are_bounded() -> None:
    kept = CommittedRounds()
    rounds = [summary_of(parts_with(), epoch) for epoch in range(300)]
    for item in rounds:
        kept.keep_summary(item)
    known = [len(list(kept.summarise(item.record.root))) == 2 for item in rounds]
    assert (sum(known), known[-1], known[0]) == (256, True, False)


def altered(change: Callable[[Any, Any], None]) -> list[Any]:
    first, last = (type(item).FromString(item.SerializeToString()) for item in HONEST.as_messages())
    change(first, last)
    return [first, last]


def with_record(**changed: Any) -> list[Any]:
    packed = msgpack.packb({**HONEST.record.pack(), **changed})
    return altered(lambda first, last: setattr(first, "group_id", packed))


def with_names(packed: bytes) -> list[Any]:
    return altered(lambda first, last: setattr(last, "group_id", packed))


def other(contributors: tuple[Contributor, ...]) -> bytes:
    """The names as another reducer would have sent them."""
    return bytes(replace(parts_with()[-1], contributors=contributors).as_message().group_id)


LIES: dict[str, list[Any]] = {
    "nothing": [],
    "a refusal": [averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)],
    "half of it": altered(lambda first, last: None)[:1],
    "more than it": [*HONEST.as_messages(), HONEST.as_messages()[1]],
    "no end of it": [HONEST.as_messages()[1]] * 10_000,
    "another round": list(summary_of(parts_with(loss=0.1)).as_messages()),
    "another epoch": with_record(epoch=8),
    "another parent": with_record(parent=digest_of("another")),
    "more samples": with_record(samples=6400.0),
    "a negative number of members": with_record(members=-1),
    "no record": altered(lambda first, last: setattr(first, "group_id", b"\xc1")),
    "a record of another kind": altered(
        lambda first, last: setattr(first, "group_id", msgpack.packb([1, 2]))
    ),
    "a digest too few": altered(
        lambda first, last: setattr(first.tensor_part, "buffer", first.tensor_part.buffer[32:])
    ),
    "a digest too many": altered(
        lambda first, last: setattr(first.tensor_part, "buffer", first.tensor_part.buffer * 2)
    ),
    "another loss": altered(
        lambda first, last: last.tensor_part.CopyFrom(encode(torch.tensor([0.1]), Encoding.FLOAT32))
    ),
    "nobody's name": with_names(b""),
    "other names": with_names(other((Contributor(peer_bytes(5), 40.0), NAMED[1]))),
    "other shares": with_names(other((Contributor(peer_bytes(0), 24.0), Contributor(peer_bytes(2), 40.0)))),
    "cut names": with_names(other(NAMED)[:-1]),
    "one name twice": with_names(other((NAMED[0], Contributor(peer_bytes(0), 24.0)))),
    "a weight that is none": with_names(other((NAMED[0], Contributor(peer_bytes(2), float("nan"))))),
    "a name too many": with_names(other((*NAMED, Contributor(peer_bytes(4), 0.0)))),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_lie_is_believed_by_nobody_and_the_next_donor_is_asked(lie: list[Any]) -> None:
    assert fetched(saying(lie)) is None
    assert fetched(saying(lie), keeping(HONEST)) == HONEST


UNPROVEN = {
    "a round that names nobody": parts_with(()),
    "a loss that is no number": parts_with(loss=float("nan")),
}


@pytest.mark.parametrize("parts", UNPROVEN.values(), ids=UNPROVEN.keys())
def test_what_a_group_should_not_have_committed_is_left_out(parts: list[ReducedPart]) -> None:
    """Its root proves it, and still it says nothing that could be entered anywhere."""
    summary = summary_of(parts)
    assert fetched(keeping(summary), root=summary.record.root) is None


# --- several groups -------------------------------------------------------------------------------------------

LISTS = (NAMED, (Contributor(peer_bytes(7), 16.0),))
TOGETHER = tuple(
    ReducedGroup(
        digest_of(f"group {number}")[:20],
        sum(item.weight for item in named),
        3 - number,
        (peer_bytes(10 + number),),
        digest_of_contributors(named),
    )
    for number, named in enumerate(LISTS)
)


def combined_parts(groups: tuple[ReducedGroup, ...] = TOGETHER) -> list[ReducedPart]:
    *gradients, last = parts_with()
    both, samples = frozenset({0, 1}), sum(item.samples for item in groups)
    return [
        *(replace(item, included=both, contributors=(), weight=samples) for item in gradients),
        replace(last, included=both, contributors=(), weight=samples, groups=groups),
    ]


COMBINED = summary_of(combined_parts())


class ListDonor:
    """A peer that gives the contributors of the groups that it knows."""

    def __init__(self, *known: int, lies: bool = False) -> None:
        self._kept = CommittedRounds()
        for number in known:
            self._kept.keep_contributors(TOGETHER[number].id, LISTS[1 - number if lies else number])

    async def rpc_fetch_contributors(self, request: Any) -> AsyncIterator[Any]:
        async def stream() -> AsyncIterator[Any]:
            yield self._kept.name_contributors(request.group_id)

        return stream()


def named_by(donors: dict[bytes, ListDonor]) -> RoundSummary:
    class Absent:
        async def rpc_fetch_contributors(self, request: Any) -> Any:
            raise ConnectionRefusedError("nobody is there")

    return asyncio.run(
        with_contributors(
            COMBINED,
            [PeerID(peer_bytes(99))],
            stub_of=lambda peer: donors.get(peer.to_bytes(), Absent()),
            silence_seconds=1.0,
        )
    )


def test_a_round_of_several_groups_is_proven_without_its_contributors() -> None:
    found = asyncio.run(
        fetch_summary(
            COMBINED.record.root,
            [PeerID(peer_bytes(0))],
            parts=PARTS,
            stub_of=lambda peer: keeping(COMBINED),
            silence_seconds=1.0,
            failures=FailureSeries(logging.getLogger(__name__), "Fetching"),
        )
    )
    assert found == COMBINED
    assert (found.contributors, found.peers, found.record.members) == ((), 5, 5)


def test_a_round_that_names_other_groups_than_have_committed_is_refused() -> None:
    other_groups = (replace(TOGETHER[0], members=2), TOGETHER[1])
    last = replace(COMBINED.last, groups=other_groups)
    forged = replace(COMBINED, last=last, digests=(*COMBINED.digests[:-1], last.digest))
    root = root_of(forged.record.epoch, forged.record.parent, forged.record.group, forged.digests)
    first, second = replace(forged, record=forged.record.model_copy(update={"root": root})).as_messages()
    with pytest.raises(MalformedPart, match="other groups"):
        RoundSummary.from_messages(root, first, second, len(PARTS))


@pytest.mark.parametrize(
    ("donors", "expected"),
    [
        ({10: ListDonor(0), 11: ListDonor(1)}, LISTS[0] + LISTS[1]),
        ({10: ListDonor(0, 1)}, LISTS[0] + LISTS[1]),  # the head above has the list as well
        ({11: ListDonor(1), 99: ListDonor(0)}, LISTS[0] + LISTS[1]),
        ({10: ListDonor(0), 11: ListDonor(1, lies=True)}, LISTS[0]),
        ({}, ()),
    ],
    ids=["from the heads", "from the head above", "from a donor", "one lies", "from nobody"],
)
def test_contributors_of_all_groups_are_had_from_whoever_has_them(
    donors: dict[int, ListDonor], expected: tuple[Contributor, ...]
) -> None:
    found = named_by({peer_bytes(number): donor for number, donor in donors.items()})
    assert found.contributors == expected
    assert replace(found, named=()) == COMBINED
