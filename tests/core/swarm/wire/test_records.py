"""Records in the DHT under a run's keys are well-formed, bounded, and about their own writers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgpack
import pytest
from hivemind.dht import DHTID
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.validation import CompositeValidator, DHTRecord
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.errors import SwarmError
from core.messages.reach import Reach
from core.run.look_schedule import STORED_SECONDS
from core.swarm.wire.group_records import MATCHMAKING_SECONDS, MatchmakingRecord, matchmaking_key
from core.swarm.wire.record_rules import KeyValidator, RunRecordValidator
from core.swarm.wire.records import (
    COMMIT_SECONDS,
    CONTACT_SECONDS,
    FRAME_SECONDS,
    MAX_RECORD_BYTES,
    CommitRecord,
    ContactRecord,
    FrameRecord,
    ProgressRecord,
    bounded,
    commit_key,
    contact_key,
    frame_key,
    parse_all,
    progress_key,
)
from tests.core.swarm.builders import (
    FIFTY_EXAMPLES,
    commit_record,
    digest_of,
    identity,
    peer_bytes,
    progress,
)
from tests.moved_clock import MovedClock

PREFIX, TOTAL = "tiny-0123456789abcdef-0", 200
NOW, YEAR_3000 = 1e9, 32_503_680_000.0
OWN = identity(0).peer_id.to_bytes()
CONTACT: dict[str, Any] = {
    "peer_id": OWN,
    "direct": False,
    "relaying": False,
    "address": "11.0.0.7",
    "port": 31_000,
    "relays": [identity(1).peer_id.to_bytes()],
}


def dht_record(key: str, owner: object, value: object) -> DHTRecord:
    """Return a record as hivemind gives it to its validators once the signature is stripped."""
    name = DHTID.generate(source=key).to_bytes()
    return DHTRecord(name, msgpack.packb(owner), msgpack.packb(value), 1e9)


def accepts(record: DHTRecord, *, now: float = 1e9) -> bool:
    return RunRecordValidator(PREFIX, total_epochs=TOTAL, dht_clock=lambda: now).validate(record)


def progress_under(owner: object, value: object) -> DHTRecord:
    return dht_record(progress_key(PREFIX), owner, value)


def packed(**changed: Any) -> dict[str, Any]:
    return {**progress(peer_id=OWN).pack(), **changed}


def frame_record(**changed: Any) -> dict[str, Any]:
    digests = {"parameters": digest_of("parameters"), "frame": digest_of("frame")}
    frame = FrameRecord(peer_id=OWN, epoch=10, size=20_000, **digests)
    return {**frame.pack(), **changed}


def test_a_peers_own_record_passes() -> None:
    assert accepts(progress_under(identity(0).owner, packed()))
    assert accepts(progress_under(identity(0).owner, packed(leaving=True, epoch=TOTAL)))
    assert accepts(dht_record(commit_key(PREFIX, 7), identity(0).owner, commit_record().pack()))
    assert accepts(dht_record(frame_key(PREFIX), identity(0).owner, frame_record(epoch=TOTAL)))


@pytest.mark.parametrize(
    "changed",
    [
        {"peer_id": identity(1).peer_id.to_bytes()},
        {"epoch": 0},
        {"epoch": TOTAL + 1},
        {"frame": b"short"},
        {"size": 0},
        {"size": (1 << 20) + 1},
        {"picture": b"pixels"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_frame_that_cannot_be_is_refused(changed: dict[str, Any]) -> None:
    assert not accepts(dht_record(frame_key(PREFIX), identity(0).owner, frame_record(**changed)))


@pytest.mark.parametrize(
    "changed",
    [
        {"epoch": TOTAL + 1},
        {"epoch": 1_000_000},
        {"epoch": -1},
        {"epoch": 7.0},
        {"epoch": True},
        {"epoch": "7"},
        {"peer_id": identity(1).peer_id.to_bytes()},
        {"peer_id": peer_bytes(0)},
        {"peer_id": OWN[:-1]},
        {"peer_id": OWN.hex()},
        {"head": digest_of("x")[:-1]},
        {"head": digest_of("x") + b"\0"},
        {"parameters": digest_of("x").hex()},
        {"sketch": [0.0] * 65},
        {"sketch": [float("nan")]},
        {"sketch": [float("inf")]},
        {"sketch": ["1.0"]},
        {"sketch": 1.0},
        {"samples": -1},
        {"samples": 100_000_000},
        {"samples": 1.5},
        {"samples_per_second": -1.0},
        {"samples_per_second": float("nan")},
        {"samples_per_second": float("inf")},
        {"time": float("inf")},
        {"time": -5.0},
        {"reducing": 1},
        {"synchronised": None},
        {"state": b"short"},
        {"state": digest_of("x").hex()},
        {"more": 1},
    ],
    ids=", ".join,
)
def test_progress_that_is_not_what_it_should_be_is_refused(changed: dict[str, Any]) -> None:
    assert not accepts(progress_under(identity(0).owner, packed(**changed)))


@pytest.mark.parametrize(
    "field",
    sorted(
        set(ProgressRecord.model_fields)
        - {
            "leaving",
            "device",
            "donates",
            "epoch_seconds",
            "gives",
            "looks_every",
            "certificate",
            "reach",
            "state",
            "waiting",
        }
    ),
)
def test_no_field_may_be_missing(field: str) -> None:
    value = packed()
    del value[field]
    assert not accepts(progress_under(identity(0).owner, value))


@pytest.mark.parametrize(
    "changed",
    [
        {"epoch": TOTAL},
        {"epoch": -1},
        {"samples": 0.0},
        {"samples": float("inf")},
        {"samples": float("nan")},
        {"samples": 1e9},
        {"members": 0},
        {"members": 20_000},
        {"group": b"short"},
        {"root": b""},
        {"parent": None},
        {"state": b"short"},
        {"more": 1},
    ],
    ids=", ".join,
)
def test_commits_that_are_not_what_they_should_be_are_refused(changed: dict[str, Any]) -> None:
    value = {**commit_record().pack(), **changed}
    assert not accepts(dht_record(commit_key(PREFIX, 7), identity(0).owner, value))


@pytest.mark.parametrize("owner", [None, b"", b"someone", "text", 7, identity(1).owner, [identity(0).owner]])
def test_a_record_must_sit_under_its_writers_key(owner: object) -> None:
    assert not accepts(progress_under(owner, packed()))


@pytest.mark.parametrize(
    "value", [None, 7, b"", [], "text", {}, {1: 2}, [packed()]], ids=lambda value: type(value).__name__
)
def test_other_values_are_refused(value: object) -> None:
    assert not accepts(progress_under(identity(0).owner, value))


@FIFTY_EXAMPLES
@given(st.binary(max_size=300), st.binary(max_size=100), st.booleans())
def test_no_bytes_make_the_validator_fail(value: bytes, subkey: bytes, commits: bool) -> None:
    key = commit_key(PREFIX, 7) if commits else progress_key(PREFIX)
    name = DHTID.generate(source=key).to_bytes()
    validator = RunRecordValidator(PREFIX, total_epochs=TOTAL)
    assert not validator.validate(DHTRecord(name, msgpack.packb(identity(0).owner), value, 1e9))
    assert not validator.validate(DHTRecord(name, subkey, msgpack.packb(packed()), 1e9))


def test_deeply_nested_values_are_refused() -> None:
    name = DHTID.generate(source=progress_key(PREFIX)).to_bytes()
    assert not accepts(DHTRecord(name, msgpack.packb(identity(0).owner), b"\x91" * 10_000 + b"\xc0", 1e9))


PLACE = "0123456789abcdef"


def declaration(place: str = PLACE, **changed: Any) -> dict[str, Any]:
    """The declaration that a peer looks for a group at a place."""
    return {**MatchmakingRecord(peer_id=OWN, place=place, looks=True).pack(), **changed}


@pytest.mark.parametrize("place", [PLACE, PLACE + "_3of8"])
def test_a_peer_declares_for_itself_that_it_looks_for_a_group(place: str) -> None:
    key = matchmaking_key(PREFIX, place)
    assert accepts(dht_record(key, identity(0).owner, declaration(place)))
    assert accepts(dht_record(key, identity(0).owner, declaration(place, looks=False)))


@pytest.mark.parametrize(
    ("key", "owner", "value"),
    [
        pytest.param("something else", b"anyone", {"any": "thing"}, id="under a key of nothing"),
        pytest.param("something else", identity(0).owner, declaration(), id="under a key of nothing, signed"),
        pytest.param(
            progress_key("another run"),
            identity(0).owner,
            progress(peer_id=OWN).pack(),
            id="under another run's key",
        ),
        pytest.param("something else", b"anyone", bytes(MAX_RECORD_BYTES), id="oversized"),
        pytest.param("something else", bytes(MAX_RECORD_BYTES), 1, id="under an oversized subkey"),
        pytest.param(matchmaking_key(PREFIX, PLACE), OWN, True, id="a declaration as hivemind makes it"),
        pytest.param(matchmaking_key(PREFIX, PLACE), None, declaration(), id="in place of all declarations"),
        pytest.param(matchmaking_key(PREFIX, PLACE), identity(1).owner, declaration(), id="another peer's"),
        pytest.param(
            matchmaking_key(PREFIX, PLACE), identity(0).owner, declaration(PLACE[::-1]), id="another place's"
        ),
        pytest.param(
            matchmaking_key(PREFIX, "here"),
            identity(0).owner,
            declaration() | {"place": "here"},
            id="a place that is none",
        ),
        pytest.param(
            matchmaking_key(PREFIX, PLACE),
            identity(0).owner,
            declaration(certificate=bytes(5000)),
            id="an oversized declaration",
        ),
    ],
)
def test_nothing_else_is_kept(key: str, owner: object, value: object) -> None:
    assert not accepts(dht_record(key, owner, value))


class ListedKeys(KeyValidator):
    """Knows one further key, whose records end after a minute."""

    @property
    def lasting(self) -> Mapping[bytes, float]:
        return {DHTID.generate(source="listed").to_bytes(): 60.0}

    def validate(self, record: DHTRecord) -> bool:
        return True


def test_the_keys_of_other_validators_are_theirs_within_their_time() -> None:
    rules = RunRecordValidator(PREFIX, total_epochs=TOTAL, beside=[ListedKeys()], dht_clock=lambda: NOW)
    record = dht_record("listed", 7, {"any": "thing"})
    assert rules.validate(replace(record, expiration_time=NOW + 60))
    assert not rules.validate(replace(record, expiration_time=YEAR_3000))
    assert not rules.validate(replace(record, value=bytes(MAX_RECORD_BYTES + 1)))


@pytest.mark.parametrize(
    ("key", "value"),
    [(progress_key(PREFIX), packed()), (frame_key(PREFIX), frame_record()), (contact_key(PREFIX), CONTACT)],
    ids=["progress", "frame", "contact"],
)
def test_no_field_is_repeated_to_fill_a_node(key: str, value: dict[str, Any]) -> None:
    """A packed value may name a field any number of times, of which the last one counts."""
    fields = [*[("peer_id", OWN)] * 200, *value.items()]
    assert len(fields) < 1 << 16
    repeated = (
        b"\xde" + len(fields).to_bytes(2) + b"".join(msgpack.packb(part) for item in fields for part in item)
    )
    assert msgpack.unpackb(repeated) == value
    assert not accepts(replace(dht_record(key, identity(0).owner, value), value=repeated))


@pytest.mark.parametrize(
    ("key", "value", "seconds"),
    [
        (progress_key(PREFIX), packed(), STORED_SECONDS),
        (commit_key(PREFIX, 7), commit_record().pack(), COMMIT_SECONDS),
        (frame_key(PREFIX), frame_record(), FRAME_SECONDS),
        (contact_key(PREFIX), CONTACT, CONTACT_SECONDS),
        (
            matchmaking_key(PREFIX, "0" * 16),
            MatchmakingRecord(peer_id=OWN, place="0" * 16, looks=True).pack(),
            MATCHMAKING_SECONDS,
        ),
    ],
    ids=["progress", "commit", "frame", "contact", "matchmaking"],
)
def test_a_record_may_not_outlast_its_kind(key: str, value: dict[str, Any], seconds: float) -> None:
    record = dht_record(key, identity(0).owner, value)
    for until, expected in [
        (NOW - 1, True),
        (NOW + seconds, True),
        (NOW + seconds + 20, True),  # of a peer whose clock is ahead
        (NOW + seconds + 60, False),
        (YEAR_3000, False),
        (float("inf"), False),
        (float("nan"), False),
    ]:
        assert accepts(replace(record, expiration_time=until), now=NOW) == expected, until
    assert accepts(replace(record, expiration_time=NOW + seconds), now=NOW + 60), (
        "it has been accepted before"
    )


def test_a_signed_record_passes_the_whole_chain_and_a_forged_one_does_not() -> None:
    """The signature validator comes first, and what it strips is what the schema sees."""
    schema = RunRecordValidator(PREFIX, total_epochs=TOTAL)
    writer = CompositeValidator([schema, RSASignatureValidator(identity(0).private_key)])
    reader = CompositeValidator([RSASignatureValidator(identity(1).private_key), schema])
    record = progress_under(identity(0).owner, packed())
    signed = DHTRecord(record.key, record.subkey, writer.sign_value(record), record.expiration_time)
    assert reader.validate(signed)
    assert not reader.validate(record)
    forged = signed.value.replace(digest_of("head"), digest_of("tail"))
    assert forged != signed.value
    assert not reader.validate(DHTRecord(record.key, record.subkey, forged, record.expiration_time))


def test_refused_records_are_logged_with_kind_and_reason_but_fill_no_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = MovedClock(0.0)
    validator = RunRecordValidator(PREFIX, total_epochs=TOTAL, dht_clock=lambda: NOW, clock=clock)
    owner = identity(0).owner
    late = dht_record(commit_key(PREFIX, TOTAL), owner, {**commit_record().pack(), "epoch": TOTAL})
    refused = [
        replace(progress_under(owner, packed()), expiration_time=YEAR_3000),
        progress_under(owner, packed(epoch=TOTAL + 1)),
        progress_under(owner, packed(secret="a stranger's words")),
        progress_under(b"someone", packed()),
        progress_under(identity(1).owner, packed()),
        late,
        dht_record("something else", b"anyone", bytes(MAX_RECORD_BYTES)),
    ]
    assert validator.validate(progress_under(owner, packed()))
    assert caplog.messages == []
    for record in refused * 100:
        clock.now += 0.5
        assert not validator.validate(record)
    clock.now = 2_000.0
    assert not validator.validate(late)
    lines = [
        "Records in the swarm's DHT are refused and ignored: "
        "1 of ProgressRecord (it would be kept for too long).",
        "Records in the swarm's DHT are refused and ignored: "
        "100 of ProgressRecord (its epoch is past the run's schedule), "
        "100 of ProgressRecord (it has not the fields of its kind), "
        "100 of ProgressRecord (its place names no peer), "
        "100 of ProgressRecord (it names another peer than its writer), "
        "101 of CommitRecord (its epoch is past the run's schedule), "
        "100 of MatchmakingRecord (too large), "
        "99 of ProgressRecord (it would be kept for too long).",
    ]
    assert caplog.messages == lines


# --- on our own side ------------------------------------------------------------------------------------------


def test_real_records_are_far_below_the_bound() -> None:
    largest = progress(sketch=[1.0] * 64, reach=Reach.UNCHECKED).pack()
    assert bounded(largest) == largest
    assert len(msgpack.packb(largest)) < MAX_RECORD_BYTES / 10


def test_what_would_kill_the_dht_process_never_reaches_it() -> None:
    with pytest.raises(SwarmError, match="too large for the DHT"):
        bounded({"sketch": bytes(20_000)})
    assert bounded({"b": bytes(MAX_RECORD_BYTES - 10)})


def test_records_cannot_be_made_with_nonsense() -> None:
    with pytest.raises(ValidationError):
        progress(samples=-1)
    with pytest.raises(ValidationError):
        commit_record(members=0)


class FoundValue:
    """A value as a DHT look-up gives it."""

    def __init__(self, value: object) -> None:
        self.value = value


def test_parsing_keeps_what_is_well_formed_and_nothing_else() -> None:
    found = {
        b"good": FoundValue(packed()),
        b"bad": FoundValue({"epoch": 1}),
        b"odd": FoundValue(None),
        b"bare": 7,
    }
    assert parse_all(ProgressRecord, found) == {b"good": progress(peer_id=OWN)}


@pytest.mark.parametrize("found", [None, 7, b"bytes", [], {}])
def test_parsing_nothing_gives_nothing(found: object) -> None:
    assert parse_all(CommitRecord, found) == {}


@pytest.mark.parametrize("record", [progress(), commit_record()], ids=["progress", "commit"])
def test_a_record_survives_the_wire(record: ProgressRecord | CommitRecord) -> None:
    assert type(record).model_validate(msgpack.unpackb(msgpack.packb(record.pack()))) == record


@pytest.mark.parametrize(
    "changed",
    [{}, {"address": "", "port": 0}, {"relays": []}, {"address6": "2a00::7", "port6": 31_000}],
    ids=str,
)
def test_contacts_are_accepted(changed: dict[str, Any]) -> None:
    assert accepts(dht_record(contact_key(PREFIX), identity(0).owner, {**CONTACT, **changed}))


@pytest.mark.parametrize(
    "changed",
    [
        {"peer_id": identity(1).peer_id.to_bytes()},
        {"address": ""},
        {"port": 0},
        {"port": 65_536},
        {"port": 53},
        {"address": "192.168.1.7"},
        {"address": "127.0.0.1"},
        {"address": "224.0.0.1"},
        {"address": "2a00::7"},
        {"address6": "2a00::7"},
        {"address6": "2A00::7", "port6": 31_000},
        {"address6": "11.0.0.7", "port6": 31_000},
        {"address6": "fd00::7", "port6": 31_000},
        {"address6": "fe80::7", "port6": 31_000},
        {"address6": "2001:0:1234::1", "port6": 31_000},
        {"address6": "2002:b00:7::1", "port6": 31_000},
        {"address6": "64:ff9b::b00:7", "port6": 31_000},
        {"address6": "::ffff:11.0.0.7", "port6": 31_000},
        {"address6": "4000::7", "port6": 31_000},
        {"address6": "2a00::7", "port6": 53},
        {"address": "home.example.org"},
        {"address": "11.0.0.7/udp/53"},
        {"relays": [OWN]},
        {"relays": [identity(1).peer_id.to_bytes()] * 2},
        {"relays": [identity(1).peer_id.to_bytes(), peer_bytes(2), peer_bytes(3)]},
        {"relays": [b"short"]},
        {"more": 1},
    ],
    ids=str,
)
def test_contacts_that_are_not_what_they_should_be_are_refused(changed: dict[str, Any]) -> None:
    assert not accepts(dht_record(contact_key(PREFIX), identity(0).owner, {**CONTACT, **changed}))


def test_a_contact_gives_the_address_to_dial() -> None:
    record = ContactRecord.model_validate({**CONTACT, "address6": "2a00::7", "port6": 31_001})
    by_ip4, by_ip6 = "/ip4/11.0.0.7/udp/31000/quic-v1", "/ip6/2a00::7/udp/31001/quic-v1"
    assert record.multiaddresses(ip6=True) == [by_ip4, by_ip6]
    assert record.multiaddresses(ip6=False) == [by_ip4]
    assert record.places == ("11.0.0.7/32", "2a00::/64")
