"""REST: joining through the gate, renewing access tokens, and what members may choose."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from coordinator.api.answers import (
    ChallengeAsked,
    ChallengeGiven,
    GateDescription,
    JoinAsked,
    JoinGranted,
    MemberChange,
    MemberShown,
    PageGiven,
    Receipts,
    RenewalAsked,
    TokenGiven,
    failures,
)
from coordinator.api.asker import BearerSecret
from coordinator.contact import peer_of
from coordinator.errors import GateRefusal
from coordinator.gate.gate import METADATA_PATH, Application, Gate
from coordinator.gate.memberships import member_by
from coordinator.gate.pages import give_code
from coordinator.ledger.checked_work import checked_work
from coordinator.ledger.receipts import receipts
from coordinator.web.given import GivenContext

PAGE_PATH = "/me/enter"
"""The page that a one-time link leads to."""
REDIRECTS = ("http://127.0.0.1/callback", "http://localhost/callback", "http://[::1]/callback")
"""Addresses at which the client waits for the browser, at any port (RFC 8252, section 7.3)."""


async def _gate(request: Request) -> Gate:
    found: Gate | None = request.app.state.gate
    if found is None:
        raise GateRefusal("This run is open: it has no members.", "Join without signing in.", status=404)
    return found


TheGate = Annotated[Gate, Depends(_gate)]
gated = APIRouter(tags=["gate"])
"""Routes that need the gate; in an open run all of them answer 404."""
members = APIRouter(tags=["members"])
"""Routes by which members change their own settings."""
metadata = APIRouter(include_in_schema=False)


@gated.get("/api/gate", responses=failures(404))
def describe_gate(context: GivenContext, gate: TheGate) -> GateDescription:
    """Describe the gate to a client that wants to sign in."""
    chosen, manifest = context.settings.gate, context.manifest
    return GateDescription(
        run=manifest.training_digest,
        title=manifest.contact.title,
        issuer=chosen.issuer.rstrip("/"),
        client_id=chosen.client_id or "",
        token_seconds=chosen.token_seconds,
        admits=chosen.admits,
        organisation=chosen.organisation,
    )


@gated.post("/api/challenges", status_code=201, responses=failures(400, 404, 413))
def give_challenge(gate: TheGate, asked: ChallengeAsked) -> ChallengeGiven:
    """Return a nonce for one sign-in and the number of seconds for which it is valid."""
    nonce, seconds = gate.challenge(asked.flow)
    return ChallengeGiven(nonce=nonce, expires_in=seconds)


@gated.post("/api/members", status_code=201, responses=failures(400, 403, 404, 413))
def join(gate: TheGate, asked: JoinAsked) -> JoinGranted:
    """Become a member by a proof of identity, with the peer whose key signed the challenge."""
    membership, token = gate.join(Application(**asked.model_dump()))
    return JoinGranted(
        membership=membership, name=token.name, access_token=token.text, expires_in=token.expires_in
    )


@gated.post("/api/tokens", responses=failures(400, 401, 403, 404, 413))
def renew(gate: TheGate, secret: BearerSecret, asked: RenewalAsked) -> TokenGiven:
    """Issue a new access token for a peer that joined."""
    token = gate.renew(secret, **asked.model_dump())
    return TokenGiven(access_token=token.text, expires_in=token.expires_in)


@gated.post("/api/tokens/entrance", responses=failures(400, 403, 404, 413))
def admit_entrance(context: GivenContext, gate: TheGate, asked: RenewalAsked) -> TokenGiven:
    """Issue an access token for a bootstrap peer on another machine, which the run's contact part names."""
    entrances = {peer_of(item) for item in context.manifest.contact.initial_peers}
    token = gate.admit_entrance(entrances, **asked.model_dump())
    return TokenGiven(access_token=token.text, expires_in=token.expires_in)


@gated.delete("/api/members", status_code=204, responses=failures(401, 403, 404))
def leave(gate: TheGate, secret: BearerSecret) -> Response:
    """End this membership."""
    gate.leave(secret)
    return Response(status_code=204)


@members.patch("/api/members", responses=failures(400, 401, 403, 413))
def change(context: GivenContext, secret: BearerSecret, asked: MemberChange) -> MemberShown:
    """Hide the own name, or show it."""
    with context.database.session() as session:
        user = member_by(session, secret, context.clock()).user
        user.hidden = asked.hidden
        return MemberShown(name=user.name, hidden=user.hidden)


@members.post("/api/pages", status_code=201, responses=failures(401, 403))
def make_page(context: GivenContext, secret: BearerSecret) -> PageGiven:
    """Return a one-time link to the member's own page."""
    with context.database.session() as session:
        code = give_code(session, member_by(session, secret, context.clock()).user, context.clock())
    return PageGiven(address=f"{context.settings.address.rstrip('/')}{PAGE_PATH}?code={code}")


@members.get("/api/receipts", responses=failures(401, 403))
def give_receipts(context: GivenContext, secret: BearerSecret) -> Receipts:
    """Give the member's contribution, day by day, signed."""
    with context.database.reading() as session:
        user = member_by(session, secret, context.clock()).user
        run = context.manifest.training_digest
        checked = checked_work(session, user.id)
        return Receipts(
            receipts=receipts(session, user, run, context.gate_key),
            checked_samples=checked.checked_samples,
            withheld_samples=checked.withheld_samples,
            withheld_because=checked.reason,
        )


@metadata.get(METADATA_PATH)
def describe_app(context: GivenContext) -> dict[str, object]:
    """Describe this coordinator as an OAuth app, for a provider that reads client ids which are addresses.

    The answer is a Client ID Metadata document, or 404 if this coordinator's client id is not the address of that
    document.
    """
    address, client_id = context.settings.address.rstrip("/"), context.settings.gate.client_id
    if client_id != address + METADATA_PATH:
        raise GateRefusal("This coordinator has another client id.", "See /api/gate.", status=404)
    return {
        "client_id": client_id,
        "client_name": context.manifest.contact.title,
        "client_uri": address,
        "redirect_uris": REDIRECTS,
        "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
        "token_endpoint_auth_method": "none",
        "scope": "openid profile",
    }
