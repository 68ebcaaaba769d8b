"""How a volunteer comes to be admitted to a run: proof of identity and of the peer's key, against a membership.

Only `client.errand`'s process loads this.
"""

import time
from collections.abc import Callable

from pydantic import SecretStr

from client.admission.coordinator import Coordinator
from client.admission.errands import Admitted, Enter, RenewAccess, Renewed
from client.admission.gate_info import GateInfo, base_of, check_issuer
from client.admission.identity_proof import IdentityProof, Wanted
from client.admission.membership import Membership
from client.api.errors import GateError
from client.errands import Shown
from core.admission import access_token
from core.admission.peer_key import PeerKey
from core.admission.proofs import identity_nonce
from core.errors import AdmissionError


def enter(errand: Enter, show: Callable[[Shown], None], coordinator: Coordinator) -> Admitted:
    """Sign in with the Hub for this run, and become a member; the volunteer sees what ``show`` is told."""
    gate = check_gate(coordinator.gate(), errand.run, errand.hub, errand.coordinator)
    key = PeerKey.load_or_create(errand.identity)
    challenge = coordinator.challenge(errand.flow)
    nonce = identity_nonce(errand.run, challenge.nonce, key.public_key)
    proof = IdentityProof(errand.hub, Wanted(gate.client_id, nonce, challenge.expires_in))
    id_token = proof.by_browser(show) if errand.flow == "browser" else proof.by_code(show)
    joined = coordinator.join(id_token, challenge.nonce, errand.run, key, errand.invitation)
    _check(joined.access_token, errand.gate, errand.run, key)
    membership = Membership(
        name=joined.name,
        coordinator=base_of(errand.coordinator),
        run=errand.run,
        secret=joined.membership,
    )
    return Admitted(membership=membership, token=joined.access_token, seconds=joined.expires_in)


def renew(errand: RenewAccess, coordinator: Coordinator) -> Renewed:
    """Another access token for this computer's peer."""
    key = PeerKey.load_or_create(errand.identity)
    token = coordinator.renew(errand.membership, key)
    _check(token.access_token, errand.gate, errand.membership.run, key)
    return Renewed(token=token.access_token, seconds=token.expires_in)


def check_gate(gate: GateInfo, run: str, hub: str, coordinator: str) -> GateInfo:
    """The gate, if it is this run's, and sends nobody elsewhere than to the Hub; GateError otherwise."""
    if gate.run != run:
        raise GateError(
            f"{coordinator} keeps the gate of another run.",
            "Get the newest join link from the run's organiser.",
        )
    check_issuer(gate, hub, coordinator)
    # an id that is an address says whose app it is: another's would give that proof to whom it was not meant for
    if gate.client_id.startswith("http") and not gate.client_id.startswith(f"{base_of(coordinator)}/"):
        raise GateError(
            f"{coordinator} wants you to prove who you are to {gate.client_id}.",
            "Do not sign in there; tell the run's organiser.",
        )
    return gate


def _check(token: SecretStr, gate: str, run: str, key: PeerKey) -> None:
    """That the swarm will take it: else the volunteer learns now that something is wrong."""
    try:
        read = access_token.read(token.get_secret_value(), gate=gate, run=run, now=time.time())
    except AdmissionError as error:
        raise GateError(
            f"The access token that the run's coordinator gave is not good here: {error.what}",
            "See that this computer's clock is right, and try again; if it stays so, tell the run's organiser.",
        ) from error
    if read.peer != key.peer_id:
        raise GateError(
            "The run's coordinator gave an access token for another peer.", "Tell the run's organiser."
        )
