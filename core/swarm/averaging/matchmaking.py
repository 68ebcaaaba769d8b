"""Points hivemind's matchmaking at one epoch of one chain, and reads the group that it forms."""

import asyncio
import hashlib
import math
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import hivemind
from hivemind.averaging.allreduce import AveragingMode
from hivemind.averaging.group_info import GroupInfo
from hivemind.averaging.key_manager import GroupKeyManager
from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2
from hivemind.utils import get_dht_time
from hivemind.utils.serializer import MSGPackSerializer

from core.run.rules import SwarmRules
from core.swarm.rounds.assignment import (
    MOST_REFUSED,
    SHORT_NAME_BYTES,
    MemberAnnouncement,
    assignment_of,
    short_name,
)
from core.swarm.rounds.combination import GroupShape, group_shape, meeting_places
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import Part
from core.swarm.rounds.round import RoundFailed, RoundRequest
from core.swarm.wire.group_records import GROUP_ID_BYTES, MatchmakingRecord, matchmaking_prefix
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from core.swarm.wire.records import bounded, parse_all

_ANY_GROUP_KEY_CHARACTERS = 16
_LEADING_SHARE = 0.25
"""Share of the time to find a group in which a peer that accepts connections waits for followers and follows none."""
_SILENT_SHARE = 0.5
"""Share of the time in which a leader that took this peer in must begin, after which it counts as silent.

One that has a follower begins when its own time is up. One that lets its followers go late has cost them the search.
"""
LOOK_SECONDS = 0.5
"""Seconds between two looks for a group; a look begins at once where another peer has begun a group before."""


class FalseGroup(RoundFailed):
    """The leader of a group announced it in a way that an honest one never does."""


class GroupDeclarations(GroupKeyManager):
    """Declares under the key of a place that this peer looks for a group there; takes that back without waiting.

    It looks for the others' declarations now and then; hivemind does so without a pause until it finds a leader.

    hivemind waits until the declaration is taken back before it hands a formed group over. Beside a node that
    does not answer, as that of a computer that sleeps, this took 6 s (3 s to find where to store, 3 s to store),
    and the group's other members lost patience meanwhile.

    A declaration is a signed record of its peer. hivemind's can be stored by anyone for any peer, or in place of all.
    """

    _look_at = float("-inf")
    followers: Callable[[], Collection[PeerID]] = tuple
    """Gives the peers that follow this one."""
    avoided: Collection[PeerID] = ()
    """Peers that are not followed."""
    last: Collection[PeerID] = ()
    """Peers that are followed only where no other one looks for followers."""
    turned_away: set[PeerID]
    """Avoided peers that look for a group as well."""

    def __init__(
        self,
        dht: "hivemind.DHT",
        prefix: str,
        place: str,
        owner: bytes,
        certificate: OwnCertificate = OPEN_RUN,
    ) -> None:
        """Look for a group at a ``place`` of the run whose DHT prefix is ``prefix``, through the node of ``dht``.

        ``owner`` is this peer's owner key, under which its declarations are stored with its ``certificate``.
        """
        super().__init__(
            dht, matchmaking_prefix(prefix, place), initial_group_bits="", target_group_size=None
        )
        self._place, self._owner, self._certificate = place, owner, certificate
        self.turned_away = set[PeerID]()

    def lead_at_first(self, seconds: float) -> None:
        """Look for no leader within the next ``seconds``: those that can't lead find theirs before."""
        self._look_at = time.monotonic() + seconds

    async def get_averagers(self, group_key: str, only_active: bool) -> list[tuple[PeerID, float]]:
        """Return the peers that look for a group under ``group_key`` with the DHT times until which they do.

        They are those that still look for one if ``only_active``, else also those that did.
        """
        await asyncio.sleep(max(0.0, self._look_at - time.monotonic()))
        self._look_at = time.monotonic() + LOOK_SECONDS
        if self.followers():  # they would lose their leader, and the next one may have no room for them
            return []
        found = await self.dht.get(group_key, latest=True, return_future=True)
        entries: dict[bytes, Any] = found.value if found and isinstance(found.value, dict) else {}
        looking = [
            (PeerID(record.peer_id), entries[owner].expiration_time)
            for owner, record in parse_all(MatchmakingRecord, entries).items()
            if record.looks or not only_active
        ]
        self.turned_away.update(peer for peer, _ in looking if peer in self.avoided)
        left = [(peer, until) for peer, until in looking if peer not in self.avoided]
        return [(peer, until) for peer, until in left if peer not in self.last] or left

    async def declare_averager(
        self, group_key: str, peer_id: PeerID, expiration_time: float, looking_for_group: bool = True
    ) -> bool:
        """Declare ``peer_id`` under ``group_key`` until the DHT time ``expiration_time``, or take that back.

        It is declared if ``looking_for_group``, else taken back. Return true if the DHT stored the declaration; for
        taking it back return true at once.
        """
        until = (
            expiration_time if looking_for_group else math.nextafter(expiration_time, math.inf)
        )  # it is newer
        record = MatchmakingRecord(peer_id=peer_id.to_bytes(), place=self._place, looks=looking_for_group)
        certified, expires = self._certificate.on(record, now=get_dht_time(), until=until)
        stored = self.dht.store(
            group_key,
            subkey=self._owner,
            value=bounded(certified.pack()),
            expiration_time=expires,
            return_future=True,
        )
        return not looking_for_group or bool(await stored)


def aim(
    matchmaking: Any,
    request: RoundRequest,
    *,
    dht: "hivemind.DHT",
    prefix: str,
    schema: bytes,
    rules: SwarmRules,
    owner: bytes,
    certificate: OwnCertificate = OPEN_RUN,
    leads: bool = True,
    avoided: Collection[PeerID] = (),
    last: Collection[PeerID] = (),
    on_silent: Callable[[PeerID], None] = lambda leader: None,
) -> None:
    """Let only peers meet that are at the same epoch and came there by the same commit.

    hivemind keeps one key for the life of an averager and does not compare epochs. Both its key and its
    schema hash are set again here for each round, before the search starts. The search raises FalseGroup if a leader
    announces a group without this peer, or with other announcements than members.

    Args:
        matchmaking: hivemind's matchmaking of this averager.
        request: the round to look for, with its epoch, head, expected peers and limits.
        dht: the DHT node of this peer.
        prefix: the run's DHT prefix.
        schema: digest of the parts that the round has.
        rules: the run's rules, which bound the size of a group and the number of groups.
        owner: owner key of this peer, under which it declares that it looks for a group.
        certificate: the certificate of that declaration.
        leads: false for a peer that accepts no connections.
        avoided: peers that are neither followed nor taken as followers. Others may lead them and this peer in one
            group: were it left for that, none would form.
        last: peers that are followed only where no other one looks for followers.
        on_silent: called with a leader that took this peer in, and let its time pass without a group.
    """
    here = hashlib.sha256(repr((schema, request.epoch, request.head)).encode()).hexdigest()
    place = f"{here[:_ANY_GROUP_KEY_CHARACTERS]}{_place_of(dht.peer_id, here, request, rules)}"
    matchmaking.group_key_manager = GroupDeclarations(dht, prefix, place, owner, certificate)
    matchmaking.schema_hash = here.encode()
    vars(matchmaking).pop("_check_reasons_to_reject", None)
    _note_leader(matchmaking, dht.peer_id)
    _note_silence(matchmaking, on_silent)
    matchmaking.group_key_manager.last = last
    window = request.limits.matchmaking_seconds
    # a group must not wait for peers that it takes no more, if they were there at the last look
    absent = len(vars(matchmaking).get("turned_away", set()) & set(avoided))
    expected = max(min(2, request.expected_peers), request.expected_peers - absent)
    shape = group_shape(expected, request.expected_clients, rules)
    if shape.groups > 1:
        _keep_shape(matchmaking, shape)
        if leads and request.expected_clients:
            matchmaking.group_key_manager.lead_at_first(_LEADING_SHARE * window)
    _refuse_followers(matchmaking, avoided)
    matchmaking.min_matchmaking_time = matchmaking.potential_leaders.min_matchmaking_time = window
    matchmaking.request_timeout = window / 3
    matchmaking.target_group_size = matchmaking.potential_leaders.target_group_size = shape.members


def _keep_shape(matchmaking: Any, shape: GroupShape) -> None:
    """Let a leader with followers stay one, and take no more peers that can't reduce than its group has room for."""
    matchmaking.group_key_manager.followers = lambda: matchmaking.current_followers
    check = partial(type(matchmaking)._check_reasons_to_reject, matchmaking)

    def checked(request: Any, context: Any) -> Any:
        clients = sum(item.client_mode for item in matchmaking.current_followers.values())
        if request.client_mode and clients >= shape.clients:
            return averaging_pb2.MessageFromLeader(code=averaging_pb2.GROUP_IS_FULL)
        return check(request, context)

    matchmaking._check_reasons_to_reject = checked


def _refuse_followers(matchmaking: Any, avoided: Collection[PeerID]) -> None:
    """Let a leader take no peer whose announcement would spoil the group, and none that is ``avoided``."""
    matchmaking.group_key_manager.avoided = avoided
    matchmaking.turned_away = matchmaking.group_key_manager.turned_away = set[PeerID]()
    check = vars(matchmaking).get("_check_reasons_to_reject")

    def checked(request: Any, context: Any) -> Any:
        if context.remote_id in avoided:
            matchmaking.turned_away.add(context.remote_id)
            return averaging_pb2.MessageFromLeader(code=averaging_pb2.GROUP_IS_FULL)
        try:
            _announcement(request.gather)
        except FalseGroup:
            return averaging_pb2.MessageFromLeader(code=averaging_pb2.PROTOCOL_VIOLATION)
        if check is None:
            return type(matchmaking)._check_reasons_to_reject(matchmaking, request, context)
        return check(request, context)

    matchmaking._check_reasons_to_reject = checked


def _note_leader(matchmaking: Any, peer_id: PeerID) -> None:
    """Let ``matchmaking.announced_by`` be the peer that announced the group; None where this peer did.

    A group without this peer, which has the id ``peer_id``, or with other announcements than members is a FalseGroup.
    hivemind asserts the same, among much that a leader has no part in.
    """
    matchmaking.announced_by = None

    async def noted(leader: PeerID, message: averaging_pb2.MessageFromLeader) -> Any:
        matchmaking.announced_by = leader
        named = message.ordered_peer_ids
        if peer_id.to_bytes() not in named or len(named) != len(message.gathered):
            raise FalseGroup(
                "A leader announced a group without this peer, or with other announcements than members."
            )
        return await type(matchmaking).follower_assemble_group(matchmaking, leader, message)

    matchmaking.follower_assemble_group = noted


def _note_silence(matchmaking: Any, on_silent: Callable[[PeerID], None]) -> None:
    """Let ``on_silent`` learn of leaders that take this peer in and say nothing more, until it waits no longer.

    Two that take all others in by turns would keep a swarm from forming any group.
    """

    async def asked(leader: PeerID) -> Any:
        matchmaking.asked_last = leader  # one that gives its followers to another is not silent
        matchmaking.was_accepted_to_group.clear()  # by the one that gave this peer to another
        began, taken_in = time.monotonic(), asyncio.create_task(matchmaking.was_accepted_to_group.wait())
        patience = matchmaking.get_request_expiration_time() - get_dht_time() + matchmaking.request_timeout
        try:
            found = await type(matchmaking)._request_join_group(matchmaking, leader)
        finally:
            was_taken_in = taken_in.done()
            taken_in.cancel()
        was_silent = time.monotonic() - began >= _SILENT_SHARE * patience
        if found is None and was_taken_in and was_silent and matchmaking.asked_last == leader:
            on_silent(leader)
        return found

    matchmaking._request_join_group = asked


def _place_of(peer: PeerID, here: str, request: RoundRequest, rules: SwarmRules) -> str:
    """Return the end of the key at which a ``peer`` of a large swarm looks for a group; nothing in a small one."""
    places = meeting_places(request.expected_peers, rules)
    if places == 1:
        return ""
    drawn = hashlib.sha256(here.encode() + peer.to_bytes()).digest()
    return f"_{int.from_bytes(drawn[:8], 'big') % places}of{places}"


def group_of(info: GroupInfo, parts: Sequence[Part], rules: SwarmRules, users: tuple[str, ...] = ()) -> Group:
    """Return the group in ``info``, as its leader announced it, with the reducers of ``parts`` assigned.

    ``rules`` bound the size of a group and the seconds of its exchange. ``users`` names each member's user, by "" if
    that is not known; it is empty in an open run. Raises FalseGroup if the group is malformed, or a member's
    announcement, which its leader had to refuse; RoundFailed if the group has no sender or no peer that accepts
    connections.
    """
    size = len(info.peer_ids)
    if not 1 <= size <= rules.group_size or len(set(info.peer_ids)) != size or len(info.gathered) != size:
        raise FalseGroup("A leader announced a malformed group.")
    members = [peer.to_bytes() for peer in info.peer_ids]
    announced = [_announcement(gathered) for gathered in info.gathered]
    found = assignment_of(announced, parts, rules, members, users)
    return Group(
        info.group_id,
        tuple(info.peer_ids),
        found.senders,
        found.owners,
        found.seconds,
        found.clients,
        found.taking,
        users,
    )


def require_own_entry(info: GroupInfo, peer_id: PeerID, announced: bytes) -> None:
    """Require that the leader of the group in ``info`` passed on what this peer had announced of itself.

    A leader that calls others unable to reduce would reduce everything itself, and see to what comes of it. Raises
    FalseGroup if it announced ``peer_id`` otherwise than by the bytes ``announced``.
    """
    entries = zip(info.peer_ids, info.gathered, strict=False)
    if [gathered for peer, gathered in entries if peer == peer_id] != [announced]:
        raise FalseGroup("The leader of the group announced this peer otherwise than it did itself.")


def named_by_content(info: GroupInfo) -> GroupInfo:
    """Return ``info`` under an id that covers all of what its leader announced, 20 bytes.

    A leader that announced the group to each member in another way, true for the member and false of the others,
    has made groups of other ids: their members meet none of the others, and exchange nothing by unlike assignments.
    """
    named = [info.group_id, *(peer.to_bytes() for peer in info.peer_ids), *info.gathered]
    digest = hashlib.sha256(repr(named).encode()).digest()[:GROUP_ID_BYTES]
    return GroupInfo(digest, info.peer_ids, info.gathered)


def with_refused(announced: bytes, refused: Sequence[PeerID]) -> bytes:
    """Return what a peer has ``announced`` of itself with the names of the ``refused``, who should reduce nothing."""
    if not refused:
        return announced
    names = [short_name(peer.to_bytes()) for peer in refused[:MOST_REFUSED]]
    packed: bytes = MSGPackSerializer.dumps([*MSGPackSerializer.loads(announced), names])
    return packed


def _refused(names: Any) -> frozenset[bytes]:
    if not isinstance(names, list) or len(names) > MOST_REFUSED:
        raise ValueError("no list of refused peers")
    if not all(isinstance(name, bytes) and len(name) == SHORT_NAME_BYTES for name in names):
        raise ValueError("malformed names of refused peers")
    return frozenset(names)


def _announcement(gathered: bytes) -> MemberAnnouncement:
    """Read a member's announcement; raises FalseGroup if it is malformed."""
    try:
        bandwidth, mode, download, *more = MSGPackSerializer.loads(gathered)
        if len(more) > 1:
            raise ValueError("too many fields")
        for rate in (bandwidth, download):
            if rate is not None and not (isinstance(rate, (int, float)) and 0 <= rate < math.inf):
                raise ValueError(f"a rate of {rate}")
        role = AveragingMode(mode)
        return MemberAnnouncement(
            bandwidth,
            download,
            sends=role != AveragingMode.AUX,
            reduces=role != AveragingMode.CLIENT,
            refuses=_refused(more[0]) if more else frozenset(),
        )
    except (ValueError, TypeError) as error:
        raise FalseGroup(f"A member announced itself in a malformed way ({error}).") from error
