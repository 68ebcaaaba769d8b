"""Finds the member whose secret a request bears."""

from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from coordinator.errors import SignedOut

_bearer = HTTPBearer(
    auto_error=False, scheme_name="membership", description="The secret from POST /api/members."
)


def _secret(given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]) -> str | None:
    return given.credentials if given else None


def _required(secret: Annotated[str | None, Depends(_secret)]) -> str:
    if secret is None:
        raise SignedOut("This is for members of the run alone.", "Sign in to the run.")
    return secret


MaybeSecret = Annotated[str | None, Depends(_secret)]
BearerSecret = Annotated[str, Depends(_required)]
"""A membership's secret, of which nothing is checked but that there is one."""
