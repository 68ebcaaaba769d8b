"""The swarm's DHT node with this run's record rules, and its errors in plain words."""

import asyncio
import logging
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import hivemind
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.protocol import ValidationError
from hivemind.dht.validation import RecordValidatorBase
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PDaemonError
from hivemind.utils.multiaddr import Multiaddr
from hivemind.utils.timed_storage import MAX_DHT_TIME_DISCREPANCY_SECONDS

from core.errors import SET_THE_CLOCK, ClockError, SwarmError
from core.messages.reach import RelayBounds
from core.swarm.admission.admission import Admission
from core.swarm.admission.dht_calls import require_admission
from core.swarm.admission.evidence_records import EvidenceValidator
from core.swarm.admission.keeping import keep_admitted
from core.swarm.admission.records import AdmissionValidator, admissions_key
from core.swarm.admission.vote_watch import VoteWatch
from core.swarm.bandwidth import Line
from core.swarm.evidence.records import evidence_key
from core.swarm.lookup.node_ids import node_id_of
from core.swarm.lookup.reader import ReadKeys
from core.swarm.lookup.reading import answer_others, read_frugally
from core.swarm.neighbours import keep_neighbours
from core.swarm.p2pd import DAEMON_SECONDS, allow_slow_starts, by_udp, place_sockets, require_free_port
from core.swarm.reach.board import keep_meeting
from core.swarm.reach.check_service import offer_checks
from core.swarm.reach.contacts import OwnContact
from core.swarm.reach.moves import MoveWatch
from core.swarm.reach.relaying import (
    first_within,
    one_thread,
    reachability_option,
    refuse_to_relay,
    relays_within,
)
from core.swarm.wire.frames import bound_frames
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.record_rules import KeyValidator, RunRecordValidator, longest_seconds
from core.swarm.wire.records import commit_keys, progress_key
from core.swarm.wire.stream_ends import end_streams
from core.swarm.wire.summaries import summary_key
from core.swarm.wire.traffic import count_traffic

_log = logging.getLogger(__name__)

_START_SECONDS = 2 * DAEMON_SECONDS + 30.0
"""Seconds in which a node must start: up to two daemons, one after the other, and the first contact."""
_END_SECONDS = 5.0
_CANCEL_SECONDS = 0.5
_CLOCKS = re.compile(r"\(local: ([\d.]+), peer: ([\d.]+)\)")
"""Pattern of both sides' clocks (seconds) in hivemind's error message."""


@dataclass(frozen=True)
class Network:
    """The addresses of a peer, and the peers that it asks first."""

    listen: tuple[str, ...] = ("/ip4/127.0.0.1/tcp/0",)
    """Multiaddresses to listen on; a home peer needs ``/ip4/0.0.0.0/tcp/PORT``, the default is for one machine."""
    initial_peers: tuple[str, ...] = ()
    """Multiaddresses of peers already in the swarm; empty starts a new one."""
    client_mode: bool = False
    """True if others can't connect to the peer by themselves: it keeps no records of the swarm for them.

    Unless it has a ``contact``, it then neither reduces nor gives its state.
    """
    announce: tuple[str, ...] = ()
    """Multiaddresses to give to others, with a port that a router forwards; empty: those that libp2p finds itself."""
    upnp: bool = True
    """True if the router may be asked to forward the port."""
    checks_others: bool = False
    """True if the peer tells others whether they can be reached: entrances do, whom newcomers ask."""
    udp: bool = False
    """True if the peer also listens at UDP ports of the same numbers, where routers can be opened."""
    contact: OwnContact | None = None
    """The contact that the peer gives to others, whose contacts it uses as well; None: it meets none of them so."""
    relay: RelayBounds | None = None
    """The bounds within which the peer relays for others; None: it does not."""
    check_identity: bool = True
    """True if the node first asks the swarm for another peer with its identity (a copied folder); takes seconds."""

    @property
    def uses_relays(self) -> bool:
        """True if the peer relays, or connects through relays."""
        return self.relay is not None or (self.contact is not None and self.contact.dials)


def start_dht(
    network: Network,
    identity: PeerIdentity,
    *,
    prefix: str,
    total_epochs: int,
    validators: Sequence[KeyValidator] = (),
    admission: Admission | None = None,
    line: Line | None = None,
) -> "hivemind.DHT":
    """Start a DHT node in a process of its own, before Qt is imported and CUDA is initialised: hivemind forks.

    Args:
        network: the addresses of this peer, and the peers that it asks first.
        identity: this peer's identity, whose key signs its records.
        prefix: the run's DHT prefix, with which its keys begin.
        total_epochs: number of epochs in the run's schedule; records of later ones are refused.
        validators: the rules of further keys, as RunStateValidator has them; records under no key of the run are
            refused.
        admission: this peer's admission, with which the node talks with admitted peers alone; None in an open
            run.
        line: the connection for which all that the peer's libp2p daemon passes is counted; None: that is not
            counted.

    Raises:
        ClockError: the clock differs from an initial peer's by more than the swarm tolerates.
        SwarmError: an address is malformed, the port is taken, or no initial peer answers or can connect
            back.
        AdmissionError: admitted peers do not talk with this one.
    """
    bound_frames()
    end_streams()
    require_admission()
    place_sockets()
    allow_slow_starts()
    for address in network.listen:
        require_free_port(address)
    for address in network.initial_peers:
        _require_address(address)
    rules = _rules(prefix, total_epochs, validators, admission)

    def start() -> "hivemind.DHT":
        node = _node(network, identity, rules, admission)
        node.line = line  # its process is forked
        _await_start(node, network, admission)
        return node

    bounds = network.relay
    dht = first_within(start, lambda node: bounds is None or relays_within(node, bounds, network.listen))
    _end_with_daemon(dht)
    read_frugally(dht, _read_keys(prefix))
    if line is not None:
        count_traffic(dht)
    if network.uses_relays and network.relay is None:
        refuse_to_relay(dht)
    keep_neighbours(dht, MoveWatch().has_left)
    if network.checks_others:
        offer_checks(dht)
    if network.contact is not None:
        keep_meeting(dht, prefix, identity.owner, network.contact, relaying=network.relay is not None)
    if admission is not None:
        keep_admitted(dht, prefix, identity.owner)
    return dht


def _rules(
    prefix: str, total_epochs: int, validators: Sequence[KeyValidator], admission: Admission | None
) -> list[RecordValidatorBase]:
    """Return the validators of all keys of a run; no record lies under any other key."""
    beside, is_certified = list(validators), None
    if admission is not None:
        beside += [
            AdmissionValidator(prefix, admission),
            EvidenceValidator(prefix, admission),
            VoteWatch(prefix, admission),
        ]
        is_certified = admission.certifies
    own = RunRecordValidator(prefix, total_epochs=total_epochs, is_certified=is_certified, beside=beside)
    return [own, *beside]


def _read_keys(prefix: str) -> ReadKeys:
    return ReadKeys(
        complete=frozenset((*commit_keys(prefix), admissions_key(prefix), evidence_key(prefix))),
        at_entrances=frozenset((progress_key(prefix),)),
        lasting=partial(longest_seconds, prefix),
        gossiped=summary_key(prefix),
    )


def _node(
    network: Network,
    identity: PeerIdentity,
    rules: Sequence[RecordValidatorBase],
    admission: Admission | None,
) -> "hivemind.DHT":
    return RunNode(
        start=False,
        initial_peers=list(network.initial_peers),
        host_maddrs=[*network.listen, *(filter(None, map(by_udp, network.listen)) if network.udp else ())],
        identity_path=str(identity.path),
        node_id=node_id_of(identity.peer_id),
        record_validators=[RSASignatureValidator(identity.private_key), *rules],
        authorizer=admission,
        client_mode=network.client_mode,
        use_relay=network.uses_relays,
        force_reachability=reachability_option(network.relay) if network.uses_relays else None,
        nat_port_map=network.upnp,
        announce_maddrs=list(network.announce) or None,
        check_if_identity_free=network.check_identity,
        parallel_rpc=32,
        # Nothing is read out of a cache, as all look-ups are for the newest records; keeping it doubled the traffic.
        cache_locally=False,
        cache_nearest=0,
        cache_on_store=False,
    )


def _await_start(dht: "hivemind.DHT", network: Network, admission: Admission | None) -> None:
    try:
        with one_thread(network.relay is not None):
            dht.run_in_background(await_ready=True, timeout=_START_SECONDS)
    except (P2PDaemonError, TimeoutError, ConnectionError, RuntimeError, ValidationError) as error:
        # A node that cannot start ends after it has sent the error. Killed while it sends it, it would hold a lock of
        # hivemind's for ever, and no later node of this process could start.
        dht.join(_END_SECONDS)
        dht.terminate()
        if admission is not None:
            admission.require_not_refused()
        raise _explained(error, network.initial_peers) from error


def _require_address(address: str) -> None:
    try:
        PeerID.from_base58(Multiaddr(address).value_for_protocol("p2p"))
    except (ValueError, LookupError) as error:
        raise SwarmError(
            f"An initial peer's address is malformed: {address!r} ({error}).",
            "An address looks like /ip4/203.0.113.7/tcp/31337/p2p/Qm..., and comes with the run manifest.",
        ) from error


def _explained(error: Exception, initial_peers: Sequence[str]) -> SwarmError:
    if isinstance(error, ValidationError):
        return _refused(str(error))
    if "bootstrap peers" in str(error) or (initial_peers and isinstance(error, TimeoutError)):
        return SwarmError(
            f"None of the swarm's {len(initial_peers)} initial peers answered ({', '.join(initial_peers)}).",
            "Check the Internet connection and that the run is still going; its organiser may have moved it.",
        )
    return SwarmError(f"The peer-to-peer daemon did not start: {error}.", "See the log for what it printed.")


def _refused(reason: str) -> SwarmError:
    """Return an error that says why an initial peer was reached, but does not accept this computer as a peer."""
    if clocks := _CLOCKS.search(reason):
        ahead = float(clocks[1]) - float(clocks[2])
        return ClockError(
            f"This computer's clock is {abs(ahead):.0f} seconds {'ahead of' if ahead > 0 else 'behind'} that of the "
            f"swarm, which tolerates {MAX_DHT_TIME_DISCREPANCY_SECONDS}.",
            SET_THE_CLOCK,
        )
    return SwarmError(
        "The swarm's initial peers were reached, but cannot connect to this computer.",
        "A firewall or a router is in the way: open the port that is set in the preferences.",
    )


class RunNode(hivemind.DHT):
    """A DHT node that answers with news, and whose process ends the tasks of its event loop before the loop."""

    line: Line | None = None
    """The connection whose traffic its process counts."""

    def run(self) -> None:
        """Be the node's process until the node is shut down."""
        answer_others()
        super().run()

    async def _shutdown(self) -> None:
        """Shut the node down, and end what still runs: calls of other peers above all.

        hivemind closes the loop below them, and asyncio then logs an error for each.
        """
        await super()._shutdown()
        own, loop = asyncio.current_task(), asyncio.get_running_loop()
        loop.set_exception_handler(_report_unless_cancelled)
        deadline = loop.time() + _END_SECONDS
        # again and again: a call that comes meanwhile begins a task, and one cancellation may be lost in a call
        while (left := _open_tasks(own)) and loop.time() < deadline:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=_CANCEL_SECONDS)


def _open_tasks(own: "asyncio.Task[Any] | None") -> "list[asyncio.Task[Any]]":
    """Return the tasks of the loop without ``own`` and the one that waits for it, which is the process's."""
    others = (task for task in asyncio.all_tasks() if task is not own)
    return [task for task in others if getattr(task, "_fut_waiter", None) is not own]


def _report_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an error as asyncio does, but not that a call was cancelled, which asyncio's streams take for one."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


_watches: set[asyncio.Task[None]] = set()


def _end_with_daemon(dht: "hivemind.DHT") -> None:
    """Make the process of ``dht`` end once the libp2p daemon below it has died; return once the watch has begun.

    A DHT without its daemon would continue as if it were alone: hivemind notices nothing. The process that
    started the DHT notices its end, and reports it or starts a new one.
    """
    dht.run_coroutine(_begin_watch)


async def _begin_watch(dht: "hivemind.DHT", node: Any) -> None:
    task = asyncio.create_task(_watch(node))
    _watches.add(task)  # a task without a reference may be collected
    task.add_done_callback(_watches.discard)


async def _watch(node: Any) -> None:
    await node.p2p._child.wait()
    if node.is_alive:  # in order, it ends before its daemon
        _log.error("The libp2p daemon has died.")
        os._exit(1)
