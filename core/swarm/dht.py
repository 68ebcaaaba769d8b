"""The swarm's address book: a DHT node with this run's record rules, and its errors in a person's words."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from tempfile import gettempdir

import hivemind
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.validation import RecordValidatorBase
from hivemind.p2p import P2P, PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PDaemonError
from hivemind.utils.multiaddr import Multiaddr

from core.errors import SwarmError
from core.swarm.admission.admission import Admission
from core.swarm.admission.dht_calls import require_admission
from core.swarm.admission.keeping import keep_admitted
from core.swarm.admission.records import AdmissionValidator
from core.swarm.frames import bound_frames
from core.swarm.identity import PeerIdentity
from core.swarm.lifeline import end_with_daemon
from core.swarm.records import RunRecordValidator

_START_SECONDS = 30.0


@dataclass(frozen=True)
class Network:
    """How a peer is reached, and whom it asks first."""

    listen: tuple[str, ...] = ("/ip4/127.0.0.1/tcp/0",)
    """Multiaddresses to listen on; a home peer needs ``/ip4/0.0.0.0/tcp/PORT``, the default is for one machine."""
    initial_peers: tuple[str, ...] = ()
    """Multiaddresses of peers already in the swarm; empty starts a new one."""
    client_mode: bool = False
    """Accept no incoming connections: always works, but such a peer neither reduces nor gives its state away."""
    relay: bool = False
    """Whether to be reached through relays, for machines behind a NAT."""
    check_identity: bool = True
    """Ask the swarm first whether another peer has this one's identity (a copied folder); takes a second or two."""


def place_sockets() -> None:
    """Have hivemind's sockets in the temporary folder: who is killed leaves them, and that folder is swept.

    hivemind's own default is /tmp, whatever TMPDIR says.
    """
    P2P._UNIX_SOCKET_PREFIX = f"/unix{gettempdir()}/hivemind-"


def start_dht(
    network: Network,
    identity: PeerIdentity,
    *,
    prefix: str,
    total_epochs: int,
    validators: Sequence[RecordValidatorBase] = (),
    admission: Admission | None = None,
) -> "hivemind.DHT":
    """Start a DHT node in a process of its own; raises SwarmError when the port is taken or nobody answers.

    ``validators`` refuse what else is not to be stored: RunStateValidator, where the run's manifest is at hand. With
    an ``admission`` the node talks with admitted peers alone; AdmissionError where they will not talk with it.
    Call it before Qt is imported and before CUDA is initialised: hivemind forks.
    """
    bound_frames()
    require_admission()
    place_sockets()
    for address in network.listen:
        _require_free_port(address)
    for address in network.initial_peers:
        _require_address(address)
    rules = [RunRecordValidator(prefix, total_epochs=total_epochs), *validators]
    if admission is not None:
        rules.append(AdmissionValidator(prefix, admission))
    dht = _node(network, identity, rules, admission)
    _await_start(dht, network, admission)
    end_with_daemon(dht)
    if admission is not None:
        keep_admitted(dht, prefix, identity.owner)
    return dht


def _node(
    network: Network,
    identity: PeerIdentity,
    rules: Sequence[RecordValidatorBase],
    admission: Admission | None,
) -> "hivemind.DHT":
    return hivemind.DHT(
        start=False,
        initial_peers=list(network.initial_peers),
        host_maddrs=list(network.listen),
        identity_path=str(identity.path),
        record_validators=[RSASignatureValidator(identity.private_key), *rules],
        authorizer=admission,
        client_mode=network.client_mode,
        use_relay=network.relay,
        use_auto_relay=network.relay,
        check_if_identity_free=network.check_identity,
        parallel_rpc=32,
    )


def _await_start(dht: "hivemind.DHT", network: Network, admission: Admission | None) -> None:
    try:
        dht.run_in_background(await_ready=True, timeout=_START_SECONDS)
    except (P2PDaemonError, TimeoutError, ConnectionError, RuntimeError) as error:
        dht.terminate()
        if admission is not None:
            admission.require_not_refused()
        raise _explained(error, network.initial_peers) from error


def _require_free_port(address: str) -> None:
    """libp2p shares a port that another program of the same user listens on, silently; we would rather be told."""
    try:
        parsed = Multiaddr(address)
        host, port = parsed.value_for_protocol("ip4"), int(parsed.value_for_protocol("tcp"))
    except (ValueError, LookupError) as error:
        raise SwarmError(
            f"{address!r} is not an address to listen on ({error}).",
            "Write it like /ip4/0.0.0.0/tcp/31337; port 0 takes any free one.",
        ) from error
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SwarmError(
                f"Port {port} on {host} cannot be used: {error.strerror}.",
                "Another program (perhaps another Idlebrush) uses it: end that one, or choose another port.",
            ) from error


def _require_address(address: str) -> None:
    try:
        PeerID.from_base58(Multiaddr(address).value_for_protocol("p2p"))
    except (ValueError, LookupError) as error:
        raise SwarmError(
            f"An initial peer's address is malformed: {address!r} ({error}).",
            "An address looks like /ip4/203.0.113.7/tcp/31337/p2p/Qm..., and comes with the run manifest.",
        ) from error


def _explained(error: Exception, initial_peers: Sequence[str]) -> SwarmError:
    if "bootstrap peers" in str(error) or (initial_peers and isinstance(error, TimeoutError)):
        return SwarmError(
            f"None of the swarm's {len(initial_peers)} initial peers answered ({', '.join(initial_peers)}).",
            "Check the Internet connection and that the run is still going; its organiser may have moved it.",
        )
    return SwarmError(f"The peer-to-peer daemon did not start: {error}.", "See the log for what it printed.")
