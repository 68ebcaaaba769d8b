"""What a trainer is put together from by its settings: its line, its data, its peer."""

from collections.abc import Callable

from core.contact import ClipRanking
from core.data.streaming.stream import CodeStream
from core.model.transformer import Transformer
from core.run import RunManifest
from core.swarm.bandwidth import Line
from core.swarm.dht import Network
from core.swarm.peer import Peer
from core.swarm.state import SwarmState
from core.swarm.update import Landing
from core.text import CaptionTokenizer
from core.trainer_settings import TrainerSettings


def meter(manifest: RunManifest, line: Line) -> None:
    """Let what comes from the Hub pass the line, if anything of the run does: its data, or what ranks pictures."""
    if manifest.training.data.hub is not None or isinstance(manifest.contact.ranking, ClipRanking):
        from core.data.network.metered import meter_hub  # here because it takes a second

        meter_hub(line.data)


def open_data(
    settings: TrainerSettings, manifest: RunManifest, notify: Callable[[str], None]
) -> tuple[CaptionTokenizer, CodeStream]:
    """What makes tokens of captions, and the samples in this peer's order."""
    training, base = manifest.training, settings.manifest.parent
    tokenizer = CaptionTokenizer.of_run(training.text, base)
    stream = CodeStream.open(training, base, peer=str(settings.seed), notify=notify)
    return tokenizer, stream


def enter(
    settings: TrainerSettings,
    manifest: RunManifest,
    model: Transformer,
    line: Line,
    notify: Callable[[str], None],
    *,
    state: SwarmState | None,
    token: str | None,
) -> Peer:
    """Enter the swarm; raises as `Peer.start`."""
    network = Network(
        listen=settings.listen,
        initial_peers=settings.initial_peers or manifest.contact.initial_peers,
        client_mode=settings.client_mode,
        relay=settings.relay,
    )
    return Peer.start(
        manifest,
        model,
        network,
        settings.state_dir / "identity",
        line=line,
        saved=state,
        landing=Landing(settings.landing_micro_steps) if settings.deterministic else None,
        token=token,
        notify=notify,
    )
