"""Records carry the certificate of the present token, end before it does, and replace each other until then."""

from core.admission.access_token import AccessToken, issue
from core.admission.gate_certificate import GateCertificate, user_in
from core.signing import SigningKey
from core.swarm.wire.own_certificate import OPEN_RUN, OwnCertificate
from tests.core.swarm.builders import identity, progress

GATE, NOW = SigningKey.generate(), 1_000_000.0


class TokenHolder:
    """A peer's admission with the token that a test gives it."""

    def __init__(self, expires: int, name: str = "ada") -> None:
        peer = identity(0).peer_id.to_base58()
        text = issue(AccessToken("ab" * 32, name, peer, int(NOW) - 300, expires), GATE)
        self.certificate = GateCertificate.of_token(text)


def test_a_record_of_an_open_run_stays_as_it_is() -> None:
    assert OPEN_RUN.on(progress(), now=NOW, until=NOW + 120.0) == (progress(), NOW + 120.0)


def test_a_record_belongs_to_the_user_of_the_token() -> None:
    certified, until = OwnCertificate(TokenHolder(int(NOW) + 600)).on(progress(), now=NOW, until=NOW + 120.0)
    assert (certified.user, until) == ("ada", NOW + 120.0)
    assert certified.model_copy(update={"certificate": b""}) == progress()


def test_a_renewed_token_is_the_next_records() -> None:
    peer = TokenHolder(int(NOW) + 600)
    own = OwnCertificate(peer)
    before, _ = own.on(progress(), now=NOW, until=NOW + 120.0)
    peer.certificate = TokenHolder(int(NOW) + 900).certificate
    after, _ = own.on(progress(), now=NOW, until=NOW + 120.0)
    assert before.certificate != after.certificate
    assert user_in(after.certificate) == "ada"


def test_towards_the_end_of_a_token_each_record_still_ends_after_the_one_before() -> None:
    """The DHT keeps the record that ends last: with one end for all, the first of them would stay."""
    expires = int(NOW) + 60
    own = OwnCertificate(TokenHolder(expires))
    ends = [own.on(progress(), now=NOW + 0.4 * turn, until=NOW + 120.0 + turn)[1] for turn in range(150)]
    assert ends == sorted(set(ends))
    assert NOW + 59 < ends[0] < ends[-1] < expires


def test_with_an_expired_token_it_ends_with_that() -> None:
    _, until = OwnCertificate(TokenHolder(int(NOW) - 5)).on(progress(), now=NOW, until=NOW + 120.0)
    assert NOW - 6 < until < NOW - 5
