"""What a volunteer is told of a run's gate before they agree to sign in there: fetched, and held to the manifest."""

from pydantic import ValidationError

from client.admission.gate_info import LARGEST, PATH, GateInfo, base_of
from client.api.errors import GateError, JoinError
from client.joining.download import Web
from core.run import RunManifest


def look_at_gate(manifest: RunManifest, web: Web) -> GateInfo | None:
    """What the run's gate says of itself; None where the run is open.

    Raises:
        JoinError: nobody keeps the gate, or what is kept there is the gate of another run.
        DownloadError: it cannot be asked.
    """
    if manifest.contact.gate is None:
        return None
    if (address := manifest.contact.coordinator) is None:
        raise JoinError(
            "The run's manifest names a gate, and no coordinator that keeps it.", "Tell the run's organiser."
        )
    try:
        gate = GateInfo.model_validate_json(web.document(base_of(address) + PATH, LARGEST))
    except ValidationError as error:
        raise GateError(
            f"{address} answered what this version of Idlebrush does not understand.",
            "Update Idlebrush, or tell the run's organiser.",
        ) from error
    if gate.run != manifest.training_digest:
        raise GateError(
            f"{address} keeps the gate of another run.", "Get the newest join link from the run's organiser."
        )
    return gate
