"""Parsers of the DHT's records, as every node calls them with what others store."""

import random

import msgpack
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from hivemind.dht import DHTID
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.validation import DHTRecord
from hivemind.proto import dht_pb2

from benchmarks.fuzzing.scene import (
    CERTIFICATE,
    GATE,
    NOW,
    OWNER,
    PEER,
    PREFIX,
    TOKEN,
    TOTAL_EPOCHS,
    WRITER,
    admission,
    digest_of,
    manifest,
)
from benchmarks.fuzzing.target import FuzzTarget
from core.messages.reach import Reach
from core.messages.waiting import SwarmWait
from core.swarm.admission.records import AdmissionValidator, admissions_key, revocations_key
from core.swarm.lookup.kept_records import BoundedStorage, StorageBounds, holder_of
from core.swarm.lookup.news import answer_to, entries_in, question, response_of
from core.swarm.membership.run_state import RunStateValidator, SignedState
from core.swarm.membership.summarising import summarise
from core.swarm.quorum.votes import is_signed, sign_vote
from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.group_records import (
    GROUP_BYTES,
    GroupRecord,
    GroupStage,
    MatchmakingRecord,
    group_key,
    matchmaking_key,
)
from core.swarm.wire.record_rules import RunRecordValidator
from core.swarm.wire.records import (
    CertifiedRecord,
    CommitRecord,
    ContactRecord,
    FrameRecord,
    ProgressRecord,
    commit_key,
    contact_key,
    frame_key,
    progress_key,
)
from core.swarm.wire.summaries import summary_key

_EPOCH, _EXPIRES = 7, NOW + 60.0
_PLACE = "0123456789abcdef_1of2"
_BOUNDS = StorageBounds(holder=64 << 10, all=1 << 20)
_ADMISSION, _MANIFEST = admission(), manifest()
_VALIDATOR = RunRecordValidator(PREFIX, total_epochs=TOTAL_EPOCHS, is_certified=_ADMISSION.certifies)
_ADMISSIONS = AdmissionValidator(PREFIX, _ADMISSION)
_STATES = RunStateValidator(_MANIFEST)
_STORAGE = BoundedStorage(lambda subkey: holder_of(subkey, None), _BOUNDS)
_PROGRESS = ProgressRecord(
    peer_id=PEER,
    epoch=_EPOCH,
    head=digest_of("head"),
    parameters=digest_of("parameters"),
    sketch=[3.0, -4.0, 0.0],
    samples=10,
    samples_per_second=2.0,
    time=1000.0,
    reducing=True,
    auxiliary=False,
    synchronised=True,
    paused=False,
    device=DeviceClass.UNKNOWN,
    reach=Reach.DIRECT,
    state=digest_of("state"),
    waiting=next(iter(SwarmWait)),
    certificate=CERTIFICATE,
)
_COMMIT = sign_vote(
    CommitRecord(
        epoch=_EPOCH,
        parent=digest_of("parent"),
        root=digest_of("root"),
        group=digest_of("group")[:20],
        members=2,
        samples=64.0,
        state=digest_of("state"),
        attempt=1,
        certificate=CERTIFICATE,
    ),
    PREFIX,
    WRITER,
)
_RECORDS: dict[str, tuple[str, CertifiedRecord]] = {
    "progress_record": (progress_key(PREFIX), _PROGRESS),
    "commit_record": (commit_key(PREFIX, _EPOCH), _COMMIT),
    "frame_record": (
        frame_key(PREFIX),
        FrameRecord(peer_id=PEER, epoch=3, parameters=digest_of("p"), frame=digest_of("f"), size=9),
    ),
    "contact_record": (
        contact_key(PREFIX),
        ContactRecord(
            peer_id=PEER,
            direct=True,
            relaying=False,
            address="9.9.9.9",
            port=31337,
            address6="2620:fe::9",
            port6=31337,
            relays=[b"\x12\x20" + digest_of("relay")],
        ),
    ),
    "group_record": (
        group_key(PREFIX),
        GroupRecord(
            peer_id=PEER,
            epoch=_EPOCH,
            parent=digest_of("parent"),
            group=digest_of("group")[:20],
            members=2,
            peers=3,
            stage=GroupStage.REDUCED,
            samples=64.0,
            attempt=1,
            proposal=bytes(GROUP_BYTES),
        ),
    ),
    "summary_record": (
        summary_key(PREFIX),
        summarise([_PROGRESS], peer_id=PEER, level=0, now=1000.0, chance=random.Random(0)),
    ),
    "matchmaking_record": (
        matchmaking_key(PREFIX, _PLACE),
        MatchmakingRecord(peer_id=PEER, place=_PLACE, looks=True),
    ),
}


def _place_of(key: str) -> bytes:
    return bytes(DHTID.generate(source=key).to_bytes())


def _packed(record: CertifiedRecord) -> bytes:
    certified = record.model_copy(update={"certificate": CERTIFICATE})
    packed: bytes = msgpack.packb(certified.pack())
    return packed


def _of_kind(name: str, key: str, record: CertifiedRecord) -> FuzzTarget:
    place = _place_of(key)

    def validate(value: bytes) -> bool:
        return _VALIDATOR.validate(DHTRecord(place, OWNER, value, _EXPIRES))

    return FuzzTarget(name, (_packed(record),), validate)


def _owned(subkey: bytes) -> bool:
    """Validate a progress record that lies under ``subkey``."""
    value = _packed(_PROGRESS)
    return _VALIDATOR.validate(DHTRecord(_place_of(progress_key(PREFIX)), subkey, value, _EXPIRES))


def _vote(signature: bytes) -> bool:
    return is_signed(_COMMIT.model_copy(update={"signature": signature}), PREFIX, WRITER.owner)


def _run_state(value: bytes) -> bool:
    serial = msgpack.packb(_MANIFEST.state.serial)
    return _STATES.validate(DHTRecord(_place_of(_MANIFEST.state_key), serial, value, _EXPIRES))


def _admission(value: bytes) -> bool:
    return _ADMISSIONS.validate(DHTRecord(_place_of(admissions_key(PREFIX)), OWNER, value, _EXPIRES))


_REVOKED = GATE.revoke(serial=1, names=("mallory",), peers=(WRITER.peer_id.to_base58(),))


def _revocations(value: bytes) -> bool:
    record = DHTRecord(
        _place_of(revocations_key(PREFIX)), DHTProtocol.IS_REGULAR_VALUE, value, float(_REVOKED.expires)
    )
    return _ADMISSIONS.validate(record)


def _keep(packed: bytes) -> bool:
    """Store what a request holds as hivemind's node does once it has been validated; raise if storage outgrows."""
    request = dht_pb2.StoreRequest.FromString(packed)
    stored = False
    for key, subkey, value, expiration in zip(
        request.keys, request.subkeys, request.values, request.expiration_time, strict=False
    ):
        place = DHTID.from_bytes(key[:20].ljust(20, b"\0"))
        stored |= _STORAGE.store(place, value, expiration, subkey=bytes(subkey) or None)
    if _STORAGE.bytes_held > _BOUNDS.all:
        raise OverflowError(f"the storage holds {_STORAGE.bytes_held} bytes")
    return stored


def _store_request(number: int) -> bytes:
    request = dht_pb2.StoreRequest(
        keys=[_place_of(f"key {number}")],
        subkeys=[WRITER.owner],
        values=[_packed(_PROGRESS)],
        expiration_time=[NOW + 1e9 + number],
        in_cache=[False],
    )
    return bytes(request.SerializeToString())


_KEPT = (WRITER.owner, _packed(_PROGRESS), _EXPIRES)
_ITEM_KEY = DHTID.generate(source=progress_key(PREFIX))


def _news(packed: bytes) -> list[object]:
    return list(entries_in(dht_pb2.FindResponse.FromString(packed)))


def _asked(packed: bytes) -> object:
    request = dht_pb2.StoreRequest.FromString(packed)
    return answer_to(request, None) if request.keys else None


_QUESTION = question(_ITEM_KEY, [_KEPT], _KEPT)

TARGETS = (
    *(_of_kind(name, key, record) for name, (key, record) in _RECORDS.items()),
    FuzzTarget("record_owner", (OWNER,), _owned),
    FuzzTarget("vote_signature", (_COMMIT.signature,), _vote),
    FuzzTarget("run_state_record", (msgpack.packb(SignedState.of(_MANIFEST).pack()),), _run_state),
    FuzzTarget("admission_record", (msgpack.packb(TOKEN),), _admission),
    FuzzTarget("revocations_record", (msgpack.packb(GATE.sign(_REVOKED)),), _revocations),
    FuzzTarget("kept_records", tuple(map(_store_request, range(2))), _keep, (DecodeError,)),
    FuzzTarget("news_question", (_QUESTION.SerializeToString(),), _asked, (DecodeError,)),
    FuzzTarget(
        "news_answer",
        tuple(
            response_of([_KEPT], request).SerializeToString()
            for request in (_QUESTION, dht_pb2.StoreRequest())
        ),
        _news,
        (DecodeError, ValueError),
    ),
)
