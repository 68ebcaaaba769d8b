"""Parsers of what admits strangers: certificates, access tokens, lists of refused users, keys, receipts, proofs."""

from datetime import UTC, date, datetime

import jwt

from benchmarks.fuzzing.scene import CERTIFICATE, GATE, NOW, READER, TOKEN, WRITER, admission, digest_of
from benchmarks.fuzzing.target import FuzzTarget, text_in
from coordinator.errors import ProofRefused
from coordinator.gate.challenges import Challenges, Flow
from coordinator.gate.issuer import Issuer
from coordinator.gate.possession import joining_peer
from coordinator.gate.proof import ProofReader
from core.admission import access_token, proofs, revocations
from core.admission.gate_certificate import GateCertificate
from core.admission.peer_key import PeerKey, read_public_key
from core.admission.receipts import Certificate, Receipt, SignedCertificate, SignedReceipt, parse_signed
from core.errors import AdmissionError, ReceiptError
from core.swarm.auditing.statement import IntroducedKeys, PartStatement, StatementKey
from core.swarm.wire.encoding import MalformedPart
from tests.hub.openid import CLIENT_ID, Grant, OpenId, first_key

_RUN, _KEY = GATE.run, GATE.key.public_key
_OWN = PeerKey(WRITER.private_key._private_key)
_MOMENT = datetime.fromtimestamp(NOW, UTC)
_ADMISSION = admission()
_CHALLENGES = Challenges.of(GATE.key)
_NONCE = _CHALLENGES.give(Flow.BROWSER, _MOMENT)
_STATEMENT = PartStatement(
    "fuzzed", 7, digest_of("parent"), digest_of("group")[:20], 0, 64.0, digest_of("part")
)
_STATEMENTS = StatementKey(_OWN, "fuzzed")
_SIGNATURE = _STATEMENTS.sign(_STATEMENT)


def _certified(packed: bytes) -> bool:
    return _ADMISSION.certifies(packed, WRITER.peer_id, NOW)


def _token(text: bytes) -> object:
    return access_token.read(text_in(text), gate=_KEY, run=_RUN, now=NOW)


def _own_token(text: bytes) -> object:
    return GateCertificate.of_token(text_in(text))


def _refused_users(signed: bytes) -> object:
    return revocations.read(signed, gate=_KEY, run=_RUN)


def _receipt(text: bytes) -> object:
    found = parse_signed(text)
    return found.verify(gate=_KEY, run=_RUN)


def _introduction(packed: bytes) -> bool:
    IntroducedKeys("fuzzed").require(WRITER.peer_id.to_bytes(), packed, _STATEMENT, _SIGNATURE)
    return True


def _challenge(text: bytes) -> object:
    return _CHALLENGES.read(text_in(text), _MOMENT)


def _possession(proof: bytes) -> object:
    """Check a proof in base64, of the key that comes before it, on a line of its own."""
    key, _, signature = text_in(proof).partition("\n")
    return joining_peer(_RUN, _NONCE, key, signature)


class _KnownIssuer(Issuer):
    """A provider whose key is known without asking it."""

    def key(self, kid: str) -> jwt.PyJWK:
        """Return the provider's only key; raises ProofRefused if ``kid`` names another one."""
        if kid != first_key().kid:
            raise ProofRefused("The provider has no such key.", "Sign in again.")
        return _PROVIDERS_KEY


_PROVIDER, _PROVIDERS_KEY = OpenId("https://provider.example"), jwt.PyJWK(first_key().jwk, "RS256")
_READER = ProofReader(_KnownIssuer(_PROVIDER.issuer), CLIENT_ID)


def _identity(proof: bytes) -> object:
    return _READER.read(text_in(proof), _MOMENT).answers(_NONCE)


_RECEIPT = Receipt(
    run=_RUN, name="ada", samples=640, compute_seconds=9.5, epochs=10, subject="id-ada", day=date(2026, 3, 1)
)
_CERTIFICATE = Certificate(
    run=_RUN,
    name="ada",
    samples=640,
    compute_seconds=9.5,
    epochs=10,
    title="A run under test",
    first=date(2026, 3, 1),
    last=date(2026, 3, 2),
)
_SIGNED = (SignedReceipt.sign(_RECEIPT, GATE.key), SignedCertificate.sign(_CERTIFICATE, GATE.key))
_PROOF = "\n".join(map(proofs.encoded, (_OWN.public_key, _OWN.sign(proofs.joining(_RUN, _NONCE)))))

TARGETS = (
    FuzzTarget("gate_certificate", (CERTIFICATE,), _certified),
    FuzzTarget("access_token", (TOKEN.encode(),), _token, (AdmissionError,)),
    FuzzTarget("own_token", (TOKEN.encode(),), _own_token, (AdmissionError,)),
    FuzzTarget(
        "revocations",
        (GATE.sign(GATE.revoke(serial=3, names=("mallory",), peers=(READER.peer_id.to_base58(),))),),
        _refused_users,
        (AdmissionError,),
    ),
    FuzzTarget("public_key", (_OWN.public_key,), read_public_key, (ValueError,)),
    FuzzTarget(
        "receipt", tuple(item.model_dump_json().encode() for item in _SIGNED), _receipt, (ReceiptError,)
    ),
    FuzzTarget("introduction", (_STATEMENTS.introduction,), _introduction, (MalformedPart,)),
    FuzzTarget("gate_challenge", (_NONCE.encode(),), _challenge, (ProofRefused,)),
    FuzzTarget("possession_proof", (_PROOF.encode(),), _possession, (ProofRefused,)),
    FuzzTarget(
        "identity_proof",
        (_PROVIDER.proof(Grant("ada", CLIENT_ID, _NONCE)).encode(),),
        _identity,
        (ProofRefused,),
    ),
)
