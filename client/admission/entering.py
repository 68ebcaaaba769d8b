"""Enters a run's gate: the volunteer's and the peer's proofs of identity are exchanged for a membership.

Only `client.task`'s process loads this.
"""

import time
from collections.abc import Callable

from pydantic import SecretStr

from client.account.tasks import CodeShown
from client.admission.coordinator import CoordinatorClient
from client.admission.gate_info import GateInfo, base_of, check_issuer
from client.admission.identity_proof import IdentityProof, ProofRequest
from client.admission.membership import RunMembership
from client.admission.tasks import AccessRenewal, AddressShown, Enter, GateAdmission, RenewAccess
from client.api.errors import GateError, WrongClock
from core.admission import access_token
from core.admission.peer_key import PeerKey
from core.admission.proofs import identity_nonce
from core.errors import SET_THE_CLOCK, AdmissionError

_ON_THE_WAY_SECONDS = 20.0
"""Longest time that the answer with a new access token may take from the coordinator."""


def enter(
    task: Enter,
    show: Callable[[CodeShown | AddressShown], None],
    coordinator: CoordinatorClient,
    now: Callable[[], float] = time.time,
) -> GateAdmission:
    """Sign in with the Hub for this run and become a member; ``show`` gets what the volunteer has to see.

    ``now`` is this computer's clock, in Unix seconds.
    """
    gate = check_gate(coordinator.gate(), task.run, task.hub, task.coordinator)
    key = PeerKey.load_or_create(task.identity)
    challenge = coordinator.challenge(task.flow)
    nonce = identity_nonce(task.run, challenge.nonce, key.public_key)
    proof = IdentityProof(task.hub, ProofRequest(gate.client_id, nonce, challenge.expires_in))
    id_token = proof.by_browser(show) if task.flow == "browser" else proof.by_code(show)
    joined = coordinator.join(id_token, challenge.nonce, task.run, key, task.invitation)
    _check(joined.access_token, task.gate, task.run, key, now())
    membership = RunMembership(
        name=joined.name,
        coordinator=base_of(task.coordinator),
        run=task.run,
        secret=joined.membership,
    )
    return GateAdmission(membership=membership, token=joined.access_token, seconds=joined.expires_in)


def renew(
    task: RenewAccess, coordinator: CoordinatorClient, now: Callable[[], float] = time.time
) -> AccessRenewal:
    """Request a new access token for this computer's peer; ``now`` is its clock, in Unix seconds."""
    key = PeerKey.load_or_create(task.identity)
    token = coordinator.renew(task.membership, key)
    _check(token.access_token, task.gate, task.membership.run, key, now())
    return AccessRenewal(token=token.access_token, seconds=token.expires_in)


def check_gate(gate: GateInfo, run: str, hub: str, coordinator: str) -> GateInfo:
    """Return the gate if it belongs to this run and names the volunteer's Hub; raise GateError otherwise."""
    if gate.run != run:
        raise GateError(
            f"{coordinator} keeps the gate of another run.",
            "Get the newest join link from the run's organiser.",
        )
    check_issuer(gate, hub, coordinator)
    # an id that is an address names the app's owner: another owner would get a proof not meant for it
    if gate.client_id.startswith("http") and not gate.client_id.startswith(f"{base_of(coordinator)}/"):
        raise GateError(
            f"{coordinator} asks for a proof of your identity that is made for {gate.client_id}.",
            "Do not sign in there. Tell the run's organiser.",
        )
    return gate


def _check(token: SecretStr, gate: str, run: str, key: PeerKey, now: float) -> None:
    """Verify a new access token as the swarm will: the volunteer should learn at once that something is wrong."""
    text = token.get_secret_value()
    try:
        ahead = now - access_token.issued_at(text, gate=gate)
        if not -access_token.CLOCK_SECONDS <= ahead <= access_token.CLOCK_SECONDS + _ON_THE_WAY_SECONDS:
            raise WrongClock(
                f"This computer's clock is {abs(ahead):.0f} seconds {'ahead of' if ahead > 0 else 'behind'} that of"
                " the run's coordinator.",
                SET_THE_CLOCK,
            )
        read = access_token.read(text, gate=gate, run=run, now=now)
    except AdmissionError as error:
        raise GateError(
            f"The run's coordinator issued an invalid access token: {error.what}", "Tell the run's organiser."
        ) from error
    if read.peer != key.peer_id:
        raise GateError(
            "The run's coordinator issued an access token for another peer.", "Tell the run's organiser."
        )
