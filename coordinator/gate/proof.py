"""Reads proofs of identity: what an OpenID provider says about a volunteer to this coordinator alone."""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

import jwt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from coordinator.errors import ProofRefused
from coordinator.gate.issuer import ALGORITHMS, Issuer
from core.admission.access_token import UserName

MAX_CHARACTERS = 16_384
LEEWAY = timedelta(seconds=60)
"""Largest difference between the provider's clock and ours."""
_AGAIN = "Sign in again."

_Seconds = Annotated[float, Field(ge=0, lt=2**37)]
"""Seconds since 1970, to a year that calendars still have."""


@dataclass(frozen=True)
class Identity:
    """A user that the provider vouches for."""

    subject: str
    """The account, whatever its name becomes."""
    name: str
    issued: datetime
    expires: datetime
    nonce: str | None
    """The value that the provider was asked to put into the proof; by device code it may be missing."""
    digest: str
    """Digest by which the proof is recognised: of the signed content, since a signature has several spellings."""

    def answers(self, nonce: str) -> bool:
        return self.nonce is not None and hmac.compare_digest(self.nonce.encode(), nonce.encode())


class _ProofClaims(BaseModel):
    """OpenID Connect Core 1.0, section 2; what else is in it is left alone."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    iss: str
    aud: str | list[str]
    azp: str | None = None
    sub: Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[\x21-\x7e]+$")]
    preferred_username: UserName
    iat: _Seconds
    exp: _Seconds
    nbf: _Seconds = 0
    nonce: Annotated[str, Field(max_length=1024)] | None = None


class ProofReader:
    """Verifies proofs of one provider for one app."""

    def __init__(self, issuer: Issuer, client_id: str) -> None:
        """Accept only proofs for ``client_id``, which is this coordinator's own at the provider."""
        self._issuer = issuer
        self._client_id = client_id

    def read(self, id_token: str, now: datetime) -> Identity:
        """Read the proven identity; raises ProofRefused with the fault, HubAway without the provider's keys."""
        claims = self._verified(id_token)
        self._require_for_us(claims)
        _require_in_time(claims, now)
        return Identity(
            subject=claims.sub,
            name=claims.preferred_username,
            issued=datetime.fromtimestamp(claims.iat, UTC),
            expires=datetime.fromtimestamp(claims.exp, UTC),
            nonce=claims.nonce,
            digest=hashlib.sha256(id_token.rpartition(".")[0].encode()).hexdigest(),
        )

    def _verified(self, id_token: str) -> _ProofClaims:
        refusal = ProofRefused("This is not a valid proof of identity from the Hub.", _AGAIN)
        if len(id_token) > MAX_CHARACTERS:
            raise refusal
        try:
            header = jwt.get_unverified_header(id_token)
            kid, algorithm, kind = (header.get(name, "") for name in ("kid", "alg", "typ"))
            if "crit" in header or not isinstance(kid, str) or kind not in ("", "JWT"):
                raise refusal
            if algorithm not in ALGORITHMS.values():  # before a key is requested
                raise refusal
            key = self._issuer.key(kid)
            content = jwt.PyJWS().decode(id_token, key, algorithms=[key.algorithm_name])
            return _ProofClaims.model_validate_json(content)
        except (jwt.PyJWTError, ValidationError, ValueError, TypeError, RecursionError) as error:
            raise refusal from error

    def _require_for_us(self, claims: _ProofClaims) -> None:
        if claims.iss.rstrip("/") != self._issuer.address:
            raise ProofRefused("The proof of identity is by another provider than this run's.", _AGAIN)
        # OpenID lets a proof have several audiences; each of them could use it elsewhere.
        if claims.aud not in (self._client_id, [self._client_id]) or claims.azp not in (
            None,
            self._client_id,
        ):
            raise ProofRefused("The proof of identity was issued for another app.", _AGAIN)


def _require_in_time(claims: _ProofClaims, now: datetime) -> None:
    moment, leeway = now.timestamp(), LEEWAY.total_seconds()
    if moment > claims.exp + leeway:
        raise ProofRefused("The proof of identity has expired.", _AGAIN)
    if moment < max(claims.iat, claims.nbf) - leeway:
        raise ProofRefused("The proof of identity is not good yet.", "Check the clocks, then sign in again.")
