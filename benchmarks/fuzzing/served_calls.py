"""The calls that a peer of a swarm serves, each with valid requests, which a hostile caller mutates.

A member of a gated run shows its access token in each call between nodes. These bytes follow a request after it was
mutated: protocol buffers read the last value of a field, so the call is admitted, and its handler reads the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgpack
import torch
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.proto import averaging_pb2, dht_pb2, runtime_pb2
from hivemind.utils import get_dht_time

from core.admission.gate_certificate import GateCertificate
from core.projection import SEED_BYTES
from core.run.encodings import Encoding
from core.swarm.auditing.account import question as account_question
from core.swarm.averaging.averager import GradientAverager
from core.swarm.combining.orders import ReducerReport, pack_report
from core.swarm.lookup.gossip import GossipService
from core.swarm.lookup.news import NewsService, asking, question
from core.swarm.projections.sums import SumsQuestion
from core.swarm.wire.bits import pack_indices
from core.swarm.wire.encoding import encode
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import progress_key
from core.swarm.wire.summaries import summary_key
from tests.core.swarm.builders import progress
from tests.swarms.hostile_storing import signed
from tests.swarms.swarm_peers import PREFIX

_RECORD_SECONDS = 60.0
_GATHERED: bytes = msgpack.packb([1.0, 0, False])


@dataclass(frozen=True)
class KnownToCaller:
    """The knowledge of a caller about the peer that it calls, by which its requests lead far."""

    identity: PeerIdentity
    """The caller's own identity."""
    group: bytes = bytes(20)
    """Id of the group of the last round."""
    root: bytes = bytes(32)
    """Root of its commit."""
    state: bytes = bytes(32)
    """Root of the state that the peer gives away."""
    token: str = ""
    """Access token of the caller; empty in an open run."""

    @property
    def certificate(self) -> bytes:
        """Packed certificate of the caller's records; empty in an open run."""
        return GateCertificate.of_token(self.token).pack() if self.token else b""


@dataclass(frozen=True)
class ServedCall:
    """One method that a peer answers, and valid requests for it."""

    service: Any
    """hivemind's class that serves it."""
    handler: Any
    """hivemind's description of the method."""
    namespace: str | None
    requests: tuple[bytes, ...]
    shown: bytes = b""
    """Bytes that follow each request, unchanged: the field with the caller's access token, where a call has one."""

    @property
    def name(self) -> str:
        """Name of the method."""
        return str(self.handler.method_name)

    @property
    def handle(self) -> str:
        """Name by which libp2p's daemon knows it."""
        return str(self.service._get_handle_name(self.namespace, self.name))


def served_calls(known: KnownToCaller) -> list[ServedCall]:
    """Return every call that a trainer's peer serves; raises KeyError for one without a valid request here."""
    requests = {**_of_nodes(known), **_of_averagers(known)}
    found = []
    for service, namespace in (
        (DHTProtocol, None),
        (NewsService, None),
        (GossipService, None),
        (GradientAverager, PREFIX),
    ):
        service._collect_rpc_handlers()
        for handler in service._rpc_handlers:
            valid = tuple(item.SerializeToString() for item in requests[handler.method_name])
            found.append(ServedCall(service, handler, namespace, valid, _shown(handler.request_type, known)))
    return found


def _shown(kind: Any, known: KnownToCaller) -> bytes:
    """Return the bytes by which a request of that ``kind`` shows the caller's token; none for calls without one."""
    if not known.token or "auth" not in kind.DESCRIPTOR.fields_by_name:
        return b""
    request = kind()
    request.auth.client_access_token.signature = known.token.encode()
    return bytes(request.SerializeToString())


def _of_nodes(known: KnownToCaller) -> Mapping[str, Sequence[Any]]:
    writer, expires = known.identity, get_dht_time() + _RECORD_SECONDS
    key = progress_key(PREFIX)
    record = progress(peer_id=known.identity.peer_id.to_bytes(), certificate=known.certificate)
    value, place = signed(writer, key, record.pack(), expires), DHTID.generate(source=key)
    node = dht_pb2.NodeInfo(node_id=DHTID.generate().to_bytes())
    entry = (writer.owner, value, expires)
    store = dht_pb2.StoreRequest(
        keys=[place.to_bytes()],
        subkeys=[DHTProtocol.serializer.dumps(writer.owner)],
        values=[value],
        expiration_time=[expires],
        in_cache=[False],
        peer=node,
    )
    return {
        "rpc_ping": [dht_pb2.PingRequest(peer=node, validate=True), dht_pb2.PingRequest()],
        "rpc_store": [store],
        "rpc_find": [dht_pb2.FindRequest(keys=[place.to_bytes()], peer=node)],
        "rpc_news": [question(place, [entry], entry), question(place, [])],
        "rpc_newer": [asking(DHTID.generate(source=summary_key(PREFIX)))],
    }


def _of_averagers(known: KnownToCaller) -> Mapping[str, Sequence[Any]]:
    group = averaging_pb2.AveragingData(group_id=known.group)
    part = averaging_pb2.AveragingData(
        code=averaging_pb2.PART_FOR_AVERAGING,
        group_id=known.group,
        weight=16.0,
        tensor_part=encode(torch.arange(64.0), Encoding.FLOAT16),
    )
    pieces = averaging_pb2.AveragingData(
        group_id=known.state, tensor_part=runtime_pb2.Tensor(buffer=pack_indices([0]))
    )
    parts = averaging_pb2.AveragingData(
        group_id=known.group, tensor_part=runtime_pb2.Tensor(buffer=pack_indices([0, 1]))
    )
    join = averaging_pb2.JoinRequest(
        schema_hash=bytes(32),
        expiration=get_dht_time() + _RECORD_SECONDS,
        gather=_GATHERED,
        client_mode=False,
        group_key=f"{PREFIX}.0b",
    )
    by_root = averaging_pb2.AveragingData(group_id=known.root)
    sums = SumsQuestion(0, bytes(32), bytes(SEED_BYTES))
    return {
        "rpc_join_group": [join],
        "rpc_aggregate_part": [part],
        "rpc_download_state": [averaging_pb2.DownloadRequest()],
        "rpc_fetch_committed": [parts],
        "rpc_fetch_summary": [by_root],
        "rpc_fetch_contributors": [group],
        "rpc_fetch_frame": [averaging_pb2.AveragingData(group_id=bytes(32))],
        "rpc_describe_state": [averaging_pb2.AveragingData(group_id=known.state)],
        "rpc_fetch_pieces": [pieces],
        "rpc_project_state": [averaging_pb2.AveragingData(group_id=sums.pack())],
        "rpc_fetch_account": [account_question(known.group, 0)],
        "rpc_report_finding": [averaging_pb2.AveragingData(group_id=bytes(700))],
        "rpc_suspect_work": [
            averaging_pb2.AveragingData(peer_id=bytes(34)),
            averaging_pb2.AveragingData(peer_id=bytes(34), group_id=b"useless drift"),
        ],
        "rpc_follow_head": [group, pack_report(ReducerReport(0))],
        "rpc_combine_parts": [part],
        "rpc_describe_group": [group],
    }
