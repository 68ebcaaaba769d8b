"""Reads the DHT's records with little traffic: each record comes once, from the few nodes that keep it."""

import asyncio
import logging
import math
import random
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from hivemind.dht import DHTID, protocol
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import P2PDaemonError, PeerID
from hivemind.utils import ValueWithExpiration, get_dht_time
from hivemind.utils.auth import AuthRole
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS

from core.failure_series import FailureSeries
from core.swarm.lookup.excluded import is_excluded
from core.swarm.lookup.known import KnownRecords
from core.swarm.lookup.news import KeptRecord, NewsService, entries_in, entries_of, question
from core.swarm.lookup.replicas import KnownReplicas
from core.swarm.neighbours import knows_others

_NEXT_SECONDS = 0.5
"""Seconds without an answer after which the next node is asked."""
LOOK_SECONDS = 12.0
"""Seconds that a look takes at most; the DHT's process counts as silent only after longer.

Where a line is cut, a search would call every node of a large swarm before it gave up, for 3 s each.
"""
_WITHOUT_RULES_SECONDS = 60.0
"""Seconds for which a record is remembered whose key has no rules: a peer may store anything there for ever."""
_log = logging.getLogger(__name__)
_loads, _dumps = DHTProtocol.serializer.loads, DHTProtocol.serializer.dumps


@dataclass(frozen=True)
class ReadKeys:
    """The keys of a run that are read with more care than others."""

    complete: frozenset[str] = frozenset()
    """Keys of which each look-up must find all that is stored anywhere."""
    at_entrances: frozenset[str] = frozenset()
    """Keys whose records are left with an entrance as well, and read from it: no peer chooses which."""
    lasting: Callable[[], Mapping[str, float]] = dict
    """Gives the seconds after which a record ends at the latest, by the keys that have rules for that.

    It is called in the DHT's process, to which thousands of keys cannot be sent.
    """
    gossiped: str = ""
    """Key of the records that no node keeps for all, and that are passed on from node to node."""


class KeyLook(NamedTuple):
    """Result of one look at a key."""

    found: Any
    """Value that the DHT has there, as its ``get`` returns it."""
    is_answered: bool
    """False if no node answered, although others are known, or all gave but records of another time."""


def is_unknown_call(error: Exception) -> bool:
    """Return true if a call ended with ``error`` since the other node's program does not have it."""
    return isinstance(error, P2PDaemonError) and "protocols not supported" in str(error)


def majority(keeping: int) -> int:
    """Return how many of the nodes that keep a key, ``keeping`` of them, are enough to store at and to read from.

    Any two such sets have a node in common.
    """
    return keeping // 2 + 1


class RecordReader:
    """Reads through one DHT node, and remembers each record until it expires."""

    def __init__(
        self, node: Any, replicas: KnownReplicas, keys: ReadKeys, *, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Prepare to read.

        Args:
            node: hivemind's DHT node, in whose process this object is.
            replicas: where the records of a key are kept.
            keys: those of which all nodes that keep them are asked each time (of others a majority is), and those
                of which an entrance is.
            look_seconds: seconds that a look takes at most.
        """
        self._node, self._replicas, self._keys, self._look_seconds = node, replicas, keys, look_seconds
        self._late = set[asyncio.Task[bool]]()
        """Calls whose answers are not needed any longer; a task without a reference may be collected."""
        self._protocol = node.protocol
        self._look_up: Callable[..., Awaitable[Any]] = node.get
        self._known = KnownRecords()
        self._lasting = {DHTID.generate(source=key): seconds for key, seconds in keys.lasting().items()}
        self._outdated = set[PeerID]()
        self._clocks = FailureSeries(_log, "Reading records by this computer's clock")

    async def get(self, key: Any, latest: bool = False, **options: Any) -> Any:
        """Return what the DHT has under a key, with its expiration; None if that is nothing.

        Args:
            key: the key, as in a store.
            latest: true for the newest records. Else any will do, and hivemind's look-up takes its course.
            options: further arguments of hivemind's look-up, which then takes its course as well.
        """
        if not latest or options:
            return await self._look_up(key, latest=latest, **options)
        return (await self._read(key, None)).found

    async def exchange(
        self, key: str, subkey: bytes, value: Any, expiration: float, *, reads: bool = True
    ) -> KeyLook:
        """Leave this peer's record under a key, and return what the DHT has under it.

        Args:
            key: the key.
            subkey: the owner key of this peer, under which its record is stored.
            value: the record as a plain value.
            expiration: DHT time until which it is stored.
            reads: false if nothing of others is to be asked for.
        """
        place, packed, rules = DHTID.generate(source=key), _dumps(value), self._protocol.record_validator
        if rules is not None:
            packed = rules.sign_value(DHTRecord(place.to_bytes(), _dumps(subkey), packed, expiration))
        if self._holds(place, (subkey, packed, expiration)):
            self._protocol.storage.store(place, packed, expiration, subkey=subkey)
        return await self._read(key, (subkey, packed, expiration), reads=reads)

    async def _read(self, key: Any, own: KeptRecord | None, *, reads: bool = True) -> KeyLook:
        place, answered = DHTID.generate(source=key), False
        ask = partial(self._ask_replicas, key, place, own, reads=reads)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._look_seconds):
                answered = await ask(asks_all=key in self._keys.complete)
                if not answered:  # those that were asked are gone, and known to be
                    answered = await ask(asks_all=True)
        return KeyLook(self._found(place), answered)

    async def _ask_replicas(
        self, key: Any, place: DHTID, own: KeptRecord | None, *, reads: bool, asks_all: bool
    ) -> bool:
        """Ask the nodes that keep a key, all or a majority; return false if others are known and none answers."""
        nodes = await self._replicas.of(place)
        keeping = list(nodes.items())[: self._node.num_replicas]
        entrance = self._replicas.entrance_of(place) if key in self._keys.at_entrances else None
        enough = len(keeping) if asks_all else majority(len(keeping))
        if entrance is not None and entrance not in keeping:
            keeping.append(entrance)
            enough += 1
        order = random.sample(keeping, len(keeping))
        if entrance is not None:
            order = [entrance, *(item for item in order if item != entrance)]
        seconds = 0.0 if asks_all else _NEXT_SECONDS
        answered = await self._first_answers(
            [partial(self._ask, place, own, *item, reads=reads) for item in order], enough, seconds
        )
        return answered > 0 or not (keeping or knows_others(self._node))  # all that are known may be banned

    async def _first_answers(
        self, calls: Sequence[Callable[[], Coroutine[Any, Any, bool]]], enough: int, seconds: float
    ) -> int:
        """Make ``calls`` one after the other until ``enough`` have been answered; return how many were.

        One by one, no record comes twice. The next call begins after ``seconds`` without an answer, and the one
        before may still be answered.
        """
        coming, running, answered = iter(calls), set[asyncio.Task[bool]](), 0
        try:
            while answered < enough:
                if (call := next(coming, None)) is not None:
                    running.add(asyncio.create_task(call()))
                elif not running:
                    break
                done, running = await asyncio.wait(
                    running, timeout=seconds if call else None, return_when=asyncio.FIRST_COMPLETED
                )
                answered += sum(task.result() for task in done)
            return answered
        finally:
            self._late |= running
            for task in running:
                task.add_done_callback(self._late.discard)

    async def _ask(
        self, place: DHTID, own: KeptRecord | None, node_id: DHTID, peer: PeerID, *, reads: bool
    ) -> bool:
        """Leave the record ``own`` with a node, and take in those that it gives; it is asked for some if ``reads``.

        Returns false if it is silent, or all that it gives is of another time.
        """
        stub = NewsService.get_stub(self._node.p2p, peer)
        guarded = protocol.AuthRPCWrapper(stub, AuthRole.CLIENT, self._protocol.authorizer)
        request = question(place, self._entries(place) if reads else None, own)
        request.peer.CopyFrom(self._protocol.node_info)
        try:
            async with self._protocol.rpc_semaphore:
                response = await guarded.rpc_news(request, timeout=self._protocol.wait_timeout)
            given = list(entries_in(response))
            entries = [entry for entry in given if self._holds(place, entry)]
            self._known.take(place, entries, peer, self._lasting.get(place, _WITHOUT_RULES_SECONDS))
        except Exception as error:  # noqa: BLE001 - whatever a node answers, the others are asked
            self._note_fault(peer, error)
            self._node.blacklist.register_failure(peer)
            await self._protocol.update_routing_table(node_id, peer, responded=False)
            return False
        self._node.blacklist.register_success(peer)
        return self._is_of_now(place, peer, given)

    def _is_of_now(self, place: DHTID, peer: PeerID, given: Sequence[KeptRecord]) -> bool:
        """Return false if there are records with rules, and all have ended or end later than theirs say.

        A node keeps none of these: its clock differs from this computer's. By a wrong clock a peer sees no others.
        """
        if not given or place not in self._lasting:
            return True
        now, tolerated = get_dht_time(), MAX_DHT_TIME_DISCREPANCY_SECONDS
        least, most = now - tolerated, now + self._lasting[place] + tolerated
        if any(least <= expiration <= most for _, _, expiration in given):
            self._clocks.succeeded()
            return True
        self._clocks.failed(f"those of peer {peer} have ended, or end too late: one of both clocks is wrong")
        return False

    def _note_fault(self, peer: PeerID, error: Exception) -> None:
        if is_unknown_call(error) and peer not in self._outdated:
            self._outdated.add(peer)
            _log.warning(
                "Peer %s runs another version of Idlebrush, whose records differ. The older one has to be updated.",
                peer,
            )
        _log.debug("Peer %s gives no records: %r", peer, error)

    def _entries(self, place: DHTID) -> list[KeptRecord]:
        return [*self._known.of(place), *entries_of(self._protocol.storage.get(place))]

    def _holds(self, place: DHTID, entry: KeptRecord) -> bool:
        """Return true if an entry under a key holds against this node's rules for records, and can be read."""
        subkey, value, expiration = entry
        rules = self._protocol.record_validator
        try:
            hash(subkey)
            record = DHTRecord(place.to_bytes(), _dumps(subkey), value, expiration)
            if not math.isfinite(expiration) or (rules is not None and not rules.validate(record)):
                return False
            self._plain(place, entry)
        except Exception as error:  # noqa: BLE001 - hivemind's rules raise some at the keys of liars
            _log.debug("A record makes no sense: %r", error)
            return False
        return True

    def _plain(self, place: DHTID, entry: KeptRecord) -> Any:
        """Return the value in an entry without its signature, as a plain value."""
        subkey, value, expiration = entry
        rules = self._protocol.record_validator
        if rules is not None:
            value = rules.strip_value(DHTRecord(place.to_bytes(), _dumps(subkey), value, expiration))
        return _loads(value)

    def _found(self, place: DHTID) -> Any:
        """Return what is known under a key, as hivemind's look-up does: one value, or a value for each subkey."""
        newest = dict[Any, KeptRecord]()
        for entry in self._entries(place):
            if entry[0] not in newest or newest[entry[0]][2] < entry[2]:
                newest[entry[0]] = entry
        found = dict[Any, Any]()
        for subkey, entry in newest.items():
            with suppress(Exception):  # what a stranger has stored at this node need not be readable
                plain = self._plain(place, entry)
                if not is_excluded(subkey, plain, self._protocol.authorizer):
                    found[subkey] = ValueWithExpiration(plain, entry[2])
        if not found:
            return None
        last = max(found, key=lambda subkey: found[subkey].expiration_time)
        if last is None:
            return found[None]
        found.pop(None, None)
        return ValueWithExpiration(found, found[last].expiration_time)
