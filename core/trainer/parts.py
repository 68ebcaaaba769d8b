"""Builds the parts of a trainer from its settings: its line, its data, its peer."""

import logging
from collections.abc import Callable
from pathlib import Path

from core.data.listing import Listing
from core.data.streaming.sample_stream import SampleStream
from core.errors import DataError, MisfitError
from core.model.family.interface import SampleReader
from core.model.family.trainable import TrainableModel
from core.run.contact import ClipRanking
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.run.training.families import family_of
from core.swarm.bandwidth import Line
from core.swarm.dht import Network
from core.swarm.overlap import Landing
from core.swarm.peer import Peer
from core.swarm.state.state import SwarmState
from core.swarm.wire.identity import PeerIdentity
from core.trainer.settings import TrainerSettings

_log = logging.getLogger(__name__)

_HUB_SECONDS = 20.0
"""Seconds that the Hub has to give the first rows of a data set; the stream asks it without a limit."""


def meter(manifest: RunManifest, line: Line) -> None:
    """Route downloads from the Hub through ``line``, which counts and limits them.

    This is done only if something of the run of ``manifest`` comes from the Hub: its data, or its ranker.
    """
    if manifest.training.hub_data is not None or isinstance(manifest.contact.ranking, ClipRanking):
        from core.data.network.metered import meter_hub  # here because it takes a second

        meter_hub(line.data)


def open_data(
    settings: TrainerSettings, manifest: RunManifest, notify: Callable[[str], None]
) -> tuple[SampleReader, SampleStream]:
    """Open the samples in this peer's order, and what makes tensors of them.

    Args:
        settings: Settings of this peer's trainer.
        manifest: Manifest of the run.
        notify: Called with notices for the user.
    """
    training, base = manifest.training, settings.manifest.parent
    return family_of(training).samples(training, base, peer=_order_of(settings, training), notify=notify)


def _order_of(settings: TrainerSettings, training: TrainingRules) -> str:
    """Return the name from which this peer's order of the data is drawn: others must know it to recompute work."""
    if training.swarm.recomputed_share is None:
        return str(settings.seed)
    return str(PeerIdentity.load_or_create(settings.identity).peer_id.to_base58())


def check_data(training: TrainingRules, folder: Path, hub: Listing | None = None) -> None:
    """Check that rows of the run fit its model, which the process that joined the run has no libraries for.

    Data that cannot be read now are no error here: the stream leaves such shards, asks the Hub again, and reports it.

    Args:
        training: Rules of the run.
        folder: Folder of the run's files.
        hub: Lists the shards of a data set on the Hub; None: the Hub that ``HF_ENDPOINT`` names.

    Raises:
        MisfitError: The run cannot be trained.
    """
    try:
        family_of(training).check_rows(training, folder, hub_seconds=_HUB_SECONDS, hub=hub)
    except MisfitError as error:
        raise error.for_volunteer() from error
    except DataError as error:
        _log.warning("The run's data could not be checked before training: %s", error)


def enter(
    settings: TrainerSettings,
    network: Network,
    manifest: RunManifest,
    model: TrainableModel,
    line: Line,
    notify: Callable[[str], None],
    *,
    state: SwarmState | None,
    token: str | None,
) -> Peer:
    """Enter the swarm.

    This forks processes, so CUDA must not be initialised.

    Args:
        settings: Settings of this peer's trainer.
        network: Addresses of this peer and of the swarm.
        manifest: Manifest of the run.
        model: Freshly initialised model, on the CPU.
        line: Caps of the connection.
        notify: Called with notices for the user.
        state: State of this peer's checkpoint to begin with, if there is one.
        token: Access token for a run that has a gate.

    Raises:
        SwarmError: The swarm cannot be entered.
        AdmissionError: The token does not admit this peer.
    """
    return Peer.start(
        manifest,
        model,
        network,
        settings.identity,
        line=line,
        saved=state,
        landing=Landing(settings.landing_micro_steps) if settings.deterministic else None,
        token=token,
        notify=notify,
    )
