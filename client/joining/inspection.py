"""Looks at candidate runs and fetches their files for the daemon; results are values instead of console output.

Only `client.task`'s process loads this.
"""

import asyncio
import time
from collections.abc import Callable

from client.admission.gate_info import GateInfo, check_issuer
from client.api.candidate import CandidateStage, CandidateView, GateView, PlanView
from client.api.errors import JoinError
from client.api.messages import Traffic
from client.directory.known_lists import KnownLists
from client.directory.making import described_run
from client.fetching.files import OnProgress
from client.fetching.web_client import WebClient
from client.joining.benchmark import without_shards
from client.joining.entrances import ask_entrances, entrances_view
from client.joining.fitting import check_before_consent
from client.joining.gate import look_at_gate
from client.joining.invitation import RunInvitation, read_invitation
from client.joining.join import Room, RunOffer, fetch_run, forget_half_done, look_up
from client.joining.pace import RunPace, ask_pace
from client.joining.run_files import RUN_WORDING
from client.joining.tasks import FetchedRun, FetchRun, FilesFetched, InspectedRun, JoiningTask, LookUp
from client.joining.traffic import traffic
from core.memory.machine import Sizes
from core.memory.planning import MemoryPlan
from core.model.techniques import Activations, Precision, Techniques
from core.run.describe import parameter_count
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.run_list import ListingSubject
from core.swarm.bandwidth import Line

_PROMPTS = 16
"""Largest number of sample prompts in an answer: a line has no room for all that a manifest may have."""
_REPORT_EVERY = 0.2
"""Seconds between two progress messages."""


def carry_out(
    task: JoiningTask, report: Callable[[FilesFetched | Traffic], None]
) -> InspectedRun | FetchedRun:
    """Return the answer to either task; raise CoreError where there is none."""
    invitation = read_invitation(task.location, task.key)
    line = Line(download=task.allowed.download)
    with WebClient.through(line, RUN_WORDING) as web:
        match task:
            case LookUp():
                return _look(task, invitation, web)
            case FetchRun():
                reporter = _FetchReporter(report, line)
                try:
                    return _fetch_run(task, invitation, web, reporter.on_file)
                finally:
                    reporter.report_traffic()


def _look(task: LookUp, invitation: RunInvitation, web: WebClient) -> InspectedRun:
    offer = look_up(invitation, web, task.paths.run)
    training = offer.manifest.training
    gate = look_at_gate(offer.manifest, web)
    if gate is not None:
        check_issuer(gate, task.hub)
    check_before_consent(training, offer.read)
    plan = task.allowed.plan(training, Sizes(task.held_gpu, task.held_ram))
    pace = ask_pace(offer.manifest, web.document)
    view = _view(task.location, offer, plan, pace, gate)
    entrances = entrances_view(asyncio.run(ask_entrances(offer.manifest.contact.initial_peers)))
    known = {
        "is_vouched_for": invitation.is_vouched_for,
        "entrances": entrances,
        "differences": _differences(task, offer.manifest, gate, pace),
    }
    view = view.model_copy(update=known)
    return InspectedRun(view=view, training=without_shards(training), pace=pace)


def _differences(
    task: LookUp, manifest: RunManifest, gate: GateInfo | None, pace: RunPace
) -> tuple[ListingSubject, ...]:
    """Return where the run differs from its cards on the lists that were added."""
    cards = KnownLists.cards_of(task.paths.lists, task.location)
    if not cards:
        return ()
    actual = described_run(JoinLink.parse(task.location), manifest, gate, pace)
    found = {difference.subject for card in cards for difference in card.differences(actual)}
    return tuple(subject for subject in ListingSubject if subject in found)


def _fetch_run(
    task: FetchRun, invitation: RunInvitation, web: WebClient, on_progress: OnProgress
) -> FetchedRun:
    offer = look_up(invitation, web, task.paths.run)
    if offer.manifest.training_digest != task.digest:
        raise JoinError(
            "This address now holds another run than the one that you inspected.", "Look at it again."
        )
    task.paths.prepare()
    forget_half_done(task.paths.data / "runs", time.time())
    return FetchedRun(folder=fetch_run(offer, on_progress, Room(task.allowed.disk)).folder)


class _FetchReporter:
    """Reports the bytes received: of the run's files now and then, and of all traffic also at the end."""

    def __init__(self, report: Callable[[FilesFetched | Traffic], None], line: Line) -> None:
        self._report, self._line, self._last = report, line, 0.0

    def on_file(self, name: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done == total or now - self._last >= _REPORT_EVERY:
            self._last = now
            self._report(FilesFetched(done=done, total=total))
            self.report_traffic()

    def report_traffic(self) -> None:
        self._report(Traffic(bytes_received=self._line.received))


def _view(
    location: str, offer: RunOffer, plan: MemoryPlan, pace: RunPace, gate: GateInfo | None
) -> CandidateView:
    manifest, training, contact = offer.manifest, offer.manifest.training, offer.manifest.contact
    return CandidateView(
        location=location,
        stage=CandidateStage.READY,
        digest=manifest.training_digest,
        title=contact.title,
        description=contact.description,
        coordinator=contact.coordinator,
        fingerprint=manifest.fingerprint,
        parameters=parameter_count(training.model),
        target_batch_size=training.swarm.target_batch_size,
        round_seconds=training.swarm.round_seconds,
        total_epochs=training.schedule.total_epochs,
        sample_prompts=contact.sample_prompts[:_PROMPTS],
        download_bytes=offer.download_bytes,
        traffic=traffic(training, pace),
        plan=_plan_view(plan),
        gate=_gate_view(manifest, gate) if gate else None,
    )


def _plan_view(plan: MemoryPlan) -> PlanView:
    return PlanView(
        fits=plan.fits,
        device=plan.question.machine.name if plan.on_gpu else "",
        techniques=tuple(techniques_of(plan.techniques)),
        micro_batch=plan.techniques.micro_batch,
        gpu_bytes=plan.taken.gpu,
        ram_bytes=plan.taken.ram,
        text=plan.reason,
    )


def techniques_of(techniques: Techniques) -> list[str]:
    """Return the names of those that are used beyond the plainest training there is."""
    plain = Techniques()
    found: list[str] = []
    if techniques.precision is not Precision.FLOAT32:
        found.append(techniques.precision)
    if techniques.activations is not Activations.KEEP:
        found.append(techniques.activations)
    found += [name for name in ("eight_bit_optimizer", "optimizer_on_cpu") if getattr(techniques, name)]
    if techniques.loss_chunk and plain.loss_chunk and techniques.loss_chunk < plain.loss_chunk:
        found.append("loss_chunk")
    return found


def _gate_view(manifest: RunManifest, gate: GateInfo) -> GateView:
    contact = manifest.contact
    assert contact.gate is not None
    assert contact.coordinator is not None, "`look_at_gate` saw to it"
    return GateView(
        coordinator=contact.coordinator,
        key=contact.gate.key,
        issuer=gate.issuer,
        admits=gate.admits,
        organisation=gate.organisation or "",
    )
