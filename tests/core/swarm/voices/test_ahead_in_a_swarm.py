"""Real trackers on loopback: a peer that went on alone comes to know it, and of two halves the further one stays."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hivemind.utils import get_dht_time

from core.run.rules import SwarmRules
from core.swarm.dht import Network, start_dht
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.membership.membership import Swarm
from core.swarm.membership.progress import ProgressTracker
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import digest_of, progress
from tests.waiting import wait_until

PREFIX = "tiny-0123456789abcdef-0"


class StandingMember:
    """A peer that stays at its epoch, with a node, a tracker and a membership of its own."""

    def __init__(self, file: Path, epoch: int, entrances: tuple[str, ...]) -> None:
        self.identity, self.epoch = PeerIdentity.load_or_create(file), epoch
        network = Network(initial_peers=entrances, check_identity=False)
        self.dht = start_dht(network, self.identity, prefix=PREFIX, total_epochs=200)
        tracker = ProgressTracker(self.dht, PREFIX, self.identity.owner, 64)
        self.swarm = Swarm(tracker, SwarmRules())
        self.swarm.start(self.record)

    def record(self) -> ProgressRecord:
        return progress(
            peer_id=self.identity.peer_id.to_bytes(),
            epoch=self.epoch,
            head=digest_of(f"head of {self.epoch}"),
            time=get_dht_time(),
            samples_per_second=0.0,
        )

    def verdict(self) -> Verdict | None:
        return self.swarm.verdict(self.record())

    def end(self) -> None:
        self.swarm.leave()
        self.dht.shutdown()


@contextmanager
def standing_at(folder: Path, epochs: Sequence[int]) -> Iterator[list[StandingMember]]:
    members = list[StandingMember]()
    try:
        for number, epoch in enumerate(epochs):
            known = tuple(map(str, members[0].dht.get_visible_maddrs())) if members else ()
            members.append(StandingMember(folder / f"identity-{number}", epoch, known))
        wait_until(
            lambda: all(len(member.swarm.view.others) == len(epochs) - 1 for member in members),
            "they do not see each other",
        )
        yield members
    finally:
        for member in members:
            member.end()


def courses(members: Sequence[StandingMember]) -> set[Course | None]:
    found = [member.verdict() for member in members]
    return {verdict.course if verdict is not None else None for verdict in found}


def test_a_peer_far_ahead_of_the_others_takes_their_state_once_it_is_sure(tmp_path: Path) -> None:
    with standing_at(tmp_path, (12, 12, 25)) as (*others, alone):
        first = alone.verdict()
        assert first is not None
        assert first.course is Course.FOLLOW, "one look may be a lag"
        seen = set[Course | None]()

        def comes_back() -> bool:
            seen.update(courses(others))
            return courses([alone]) == {Course.DOWNLOAD}

        wait_until(comes_back, "it stays on its own", 120)
        found = alone.verdict()
        assert found is not None
        assert set(found.donors) == {member.identity.peer_id.to_bytes() for member in others}
        assert "went on without the swarm to epoch 25" in found.reason
        assert seen == {Course.FOLLOW}


def test_of_two_halves_those_behind_come_to_the_others(tmp_path: Path) -> None:
    with standing_at(tmp_path, (12, 25)) as (behind, ahead):
        looked = ahead.swarm.view.seen_at
        wait_until(lambda: ahead.swarm.view.seen_at > looked + 15.0, "it looks no more", 120)
        assert courses([behind]) == {Course.DOWNLOAD}
        assert courses([ahead]) == {Course.FOLLOW}
