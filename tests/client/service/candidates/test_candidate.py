"""Candidate runs of the daemon, inspected by stand-ins: one at a time, each abandoned whole."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr

from client.api.candidate import CandidateStage, CandidateView, GateView, PlanView
from client.api.commands import EnterGate
from client.api.errors import REPORT_THIS, ClientError, DownloadError, GateError, JoinError
from client.joining.benchmark import SpeedMeasurement
from client.joining.pace import RunPace, UpdatePace
from client.joining.tasks import FilesFetched, InspectedRun
from client.joining.traffic import traffic
from client.service.candidates.candidate import CandidateRun
from core.errors import CoreError, ManifestError
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import eventually

DIGEST, OTHER = "d" * 64, "e" * 64
CODE = "an-invitation-of-some-length"
INVITED = str(JoinLink("https://run.example/run.toml", "abcd", CODE))
GATE = GateView(
    coordinator="https://run.example", key="a" * 64, issuer="https://hub.example", admits="anyone"
)
PLAN = PlanView(
    fits=True, device="", techniques=(), micro_batch=1, gpu_bytes=0, ram_bytes=1, text="It needs 9 GiB more."
)
PACE = RunPace(run=DIGEST, epoch=3, measured=UpdatePace(epochs=2, seconds=9.0, contributors=3))
LEAVES_NO_MEMBER = "Only members can train A run"


@dataclass
class StandInInspectors:
    """Inspectors with given findings, which finish once they are let, or fail."""

    training: TrainingRules
    gate: GateView | None = None
    plan: PlanView = PLAN
    failure: CoreError | None = None
    members: set[str] = field(default_factory=set)
    looked: list[tuple[str, str | None]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """Fingerprints of the runs' keys with which the files were fetched."""
    given_up: int = 0
    trained: list[Path] = field(default_factory=list)
    report: Callable[[SpeedMeasurement], None] | Callable[[FilesFetched], None] | None = None
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def look_up(self, location: str, key: str | None) -> InspectedRun:
        self.looked.append((location, key))
        await self._work()
        view = CandidateView(
            location=location,
            stage=CandidateStage.READY,
            digest=DIGEST,
            title="A run",
            coordinator=self.gate.coordinator if self.gate else None,
            fingerprint="the key that was seen",
            plan=self.plan,
            gate=self.gate,
        )
        return InspectedRun(view=view, training=self.training, pace=PACE)

    async def measure_speed(
        self, training: TrainingRules, seconds: float, show: Callable[[SpeedMeasurement], None]
    ) -> None:
        assert training == self.training
        self.report = show
        await self._work()

    async def fetch_run(
        self, seen: CandidateView, training: TrainingRules, fetched: Callable[[FilesFetched], None]
    ) -> Path:
        assert training == self.training
        self.keys.append(seen.fingerprint)
        self.report = fetched
        await self._work()
        return Path("/run")

    async def train(self, folder: Path) -> None:
        self.trained.append(folder)

    def is_member(self, digest: str) -> bool:
        return digest in self.members

    async def _work(self) -> None:
        try:
            await self.goes_on.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if self.failure is not None:
            raise self.failure


class Front:
    """A front end's requests to a candidate run and its view of it."""

    def __init__(self, inspectors: StandInInspectors) -> None:
        self.inspectors = inspectors
        self.moves = 0
        self.candidate_run = CandidateRun(inspectors, lambda: None, self._moved)

    def _moved(self) -> None:
        self.moves += 1

    @property
    def seen(self) -> CandidateView:
        assert self.candidate_run.view is not None
        return self.candidate_run.view

    async def reach(self, stage: CandidateStage) -> None:
        await eventually(lambda: self.seen.stage is stage, f"it is never {stage}")

    async def found(self, location: str = "embedded") -> None:
        self.inspectors.goes_on.set()
        await self.candidate_run.look(location, None)
        await self.reach(CandidateStage.READY)
        self.inspectors.goes_on.clear()

    async def measuring(self, seconds: float = 60.0) -> Callable[[SpeedMeasurement], None]:
        """Start a measurement, and return the function that reports its progress once it has started."""
        self.inspectors.report = None
        await self.candidate_run.measure(seconds)
        await eventually(lambda: self.inspectors.report is not None, "nothing is measured")
        return self.inspectors.report  # type: ignore[return-value]


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


def play(inspectors: StandInInspectors, script: Callable[[Front], Awaitable[None]]) -> None:
    async def whole() -> None:
        front = Front(inspectors)
        await script(front)
        await front.candidate_run.close()

    asyncio.run(asyncio.wait_for(whole(), 30))


def test_a_run_is_inspected_measured_and_joined(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.candidate_run.look(" embedded ", "a-key")
        assert front.seen.stage is CandidateStage.LOOKING
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.READY)
        assert front.inspectors.looked == [("embedded", "a-key")]
        front.inspectors.goes_on.clear()
        report = await front.measuring(60)
        assert front.candidate_run.is_measuring
        report(SpeedMeasurement(samples=10, seconds=15.0))
        assert (front.seen.progress, front.seen.samples_per_hour) == (0.25, 2400.0)
        assert front.seen.traffic == traffic(training, PACE, 2400.0)
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.READY)
        assert (front.seen.progress, front.seen.samples_per_hour) == (None, 2400.0)
        await front.candidate_run.join(DIGEST)
        await front.reach(CandidateStage.JOINED)
        assert front.inspectors.trained == [Path("/run")]
        assert front.inspectors.keys == ["the key that was seen"], "consent was to that one"

    play(StandInInspectors(training), script)


def test_what_was_measured_until_it_was_stopped_counts(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        report = await front.measuring()
        report(SpeedMeasurement(samples=1, seconds=2.0))
        await front.candidate_run.stop_measuring()
        assert (front.seen.stage, front.seen.samples_per_hour) == (CandidateStage.READY, 1800.0)
        assert front.inspectors.given_up == 1, "its process was ended"
        assert not front.candidate_run.is_measuring

    play(StandInInspectors(training), script)


def test_a_trial_that_has_just_ended_is_stopped_without_a_word(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        report = await front.measuring()
        report(SpeedMeasurement(samples=1, seconds=2.0))
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.READY)
        await front.candidate_run.stop_measuring()
        assert (front.seen.stage, front.seen.samples_per_hour) == (CandidateStage.READY, 1800.0)

    play(StandInInspectors(training), script)


def test_training_that_makes_room_for_a_trial_is_reported_when_it_begins_and_ends(
    training: TrainingRules,
) -> None:
    async def script(front: Front) -> None:
        await front.found()
        before = front.moves
        await front.measuring()
        assert front.moves > before
        before = front.moves
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.READY)
        assert front.moves > before

    play(StandInInspectors(training), script)


def test_a_run_that_could_not_be_measured_can_be_joined(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        front.inspectors.failure = ClientError("It ran out of memory.", "Close something.")
        await front.candidate_run.measure(1.0)
        front.inspectors.goes_on.set()
        await eventually(lambda: front.seen.problem is not None, "no problem is reported")
        assert front.seen.stage is CandidateStage.READY
        front.inspectors.failure = None
        await front.candidate_run.join(DIGEST)
        await front.reach(CandidateStage.JOINED)
        assert front.seen.problem is None

    play(StandInInspectors(training), script)


def test_a_run_that_cannot_be_looked_up_says_why(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        front.inspectors.failure = ManifestError("It was signed by another key.", "Do not join.")
        front.inspectors.goes_on.set()
        await front.candidate_run.look("https://run.example/run.toml", None)
        await front.reach(CandidateStage.FAILED)
        assert front.seen.problem is not None
        assert (front.seen.problem.code, front.seen.problem.what) == (
            "manifest",
            "It was signed by another key.",
        )
        with pytest.raises(JoinError, match="not the run"):
            await front.candidate_run.join(DIGEST)

    play(StandInInspectors(training), script)


def test_every_change_is_logged_with_its_cause_and_nothing_secret(
    training: TrainingRules, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "client.service.candidates")

    async def script(front: Front) -> None:
        await front.found(INVITED)
        await front.measuring()
        await front.candidate_run.stop_measuring()
        front.inspectors.failure = DownloadError("The connection broke.", "Try again later.")
        await front.candidate_run.join(DIGEST)
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.FAILED)
        await front.candidate_run.forget()

    play(StandInInspectors(training), script)
    found, fetched = f"A run ({DIGEST[:12]})", "its files are fetched, with the volunteer's consent"
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (level, f"Candidate run {text}")
        for level, text in (
            (logging.INFO, "https://run.example/run.toml: it is inspected."),
            (logging.INFO, f"{found}: looking -> ready: it was inspected"),
            (logging.INFO, f"{found}: ready -> measuring: a speed test begins at the volunteer's request"),
            (logging.INFO, f"{found}: measuring -> ready: the speed test ended"),
            (logging.INFO, f"{found}: ready -> fetching: {fetched}"),
            (logging.WARNING, f"{found}: fetching -> failed: The connection broke. Try again later."),
            (logging.INFO, f"{found}: its preview was closed."),
        )
    ]


def test_files_that_broke_off_are_gone_on_with(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        front.inspectors.failure = DownloadError("The connection broke.", "Try again later.")
        await front.candidate_run.join(DIGEST)
        front.inspectors.goes_on.set()
        await front.reach(CandidateStage.FAILED)
        assert front.seen.digest == DIGEST
        front.inspectors.failure = None
        await front.candidate_run.join(DIGEST)
        await front.reach(CandidateStage.JOINED)

    play(StandInInspectors(training), script)


def test_progress_of_the_files_is_shown(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        await front.candidate_run.join(DIGEST)
        await eventually(lambda: front.inspectors.report is not None, "nothing is fetched")
        front.inspectors.report(FilesFetched(done=30, total=40))  # type: ignore[misc, arg-type]
        assert (front.seen.progress, front.seen.download_bytes) == (0.75, 10)

    play(StandInInspectors(training), script)


@pytest.mark.parametrize("stage", [CandidateStage.LOOKING, CandidateStage.MEASURING, CandidateStage.FETCHING])
def test_what_is_under_way_is_given_up_with_its_process(
    stage: CandidateStage, training: TrainingRules
) -> None:
    async def script(front: Front) -> None:
        match stage:
            case CandidateStage.LOOKING:
                await front.candidate_run.look("embedded", None)
            case CandidateStage.MEASURING:
                await front.found()
                await front.candidate_run.measure(60.0)
            case _:
                await front.found()
                await front.candidate_run.join(DIGEST)
        assert front.seen.stage is stage
        await asyncio.sleep(0)
        await front.candidate_run.forget()
        assert front.candidate_run.view is None
        assert front.inspectors.given_up == 1
        await front.candidate_run.forget()

    play(StandInInspectors(training), script)


def test_another_run_takes_the_place_of_the_one_before(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.candidate_run.look("one", None)
        await asyncio.sleep(0)
        await front.candidate_run.look("another", None)
        assert front.inspectors.given_up == 1
        assert front.seen.location == "another"

    play(StandInInspectors(training), script)


def test_a_mistake_of_ours_leaves_nothing_under_way_for_ever(training: TrainingRules) -> None:
    class FaultyInspectors(StandInInspectors):
        async def look_up(self, location: str, key: str | None) -> InspectedRun:
            raise KeyError("a bug")

    async def script(front: Front) -> None:
        await front.candidate_run.look("embedded", None)
        await front.reach(CandidateStage.FAILED)
        assert front.seen.problem is not None
        assert front.seen.problem.remedy == REPORT_THIS

    play(FaultyInspectors(training), script)


def test_what_makes_no_sense_is_refused(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        for asked in (
            front.candidate_run.measure(1.0),
            front.candidate_run.stop_measuring(),
            front.candidate_run.join(DIGEST),
        ):
            with pytest.raises(JoinError, match="No run"):
                await asked
        with pytest.raises(ManifestError, match="join link"):
            await front.candidate_run.look("idlebrush:nonsense", None)
        await front.candidate_run.look("embedded", None)
        with pytest.raises(JoinError, match="still being inspected"):
            await front.candidate_run.stop_measuring()
        await front.found()
        with pytest.raises(JoinError, match="not the run"):
            await front.candidate_run.join(OTHER)

    play(StandInInspectors(training), script)


def test_what_does_not_fit_is_not_measured(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(JoinError, match="memory") as refused:
            await front.candidate_run.measure(1.0)
        assert refused.value.remedy == PLAN.text

    play(StandInInspectors(training, plan=PLAN.model_copy(update={"fits": False})), script)


# --- gates --------------------------------------------------------------------------------------------------------


def request(**changes: object) -> EnterGate:
    asked = EnterGate(run=DIGEST, coordinator=GATE.coordinator, gate=GATE.key, flow="browser")
    return asked.model_copy(update=changes)


INVITING = GATE.model_copy(update={"admits": "invitation"})


def test_the_invitation_of_a_link_is_used_and_never_shown(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found(INVITED)
        assert front.seen.gate is not None
        assert front.seen.gate.is_invited
        assert CODE not in front.seen.model_dump_json()
        assert CODE not in front.inspectors.looked[0][0]
        invitation = front.candidate_run.admission(request()).invitation
        assert invitation is not None
        assert invitation.get_secret_value() == CODE

    play(StandInInspectors(training, gate=INVITING), script)


def test_an_invitation_that_the_volunteer_gives_goes_before(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found(INVITED)
        given = SecretStr("another")
        assert front.candidate_run.admission(request(invitation=given)).invitation == given

    play(StandInInspectors(training, gate=INVITING), script)


def test_nobody_goes_to_a_browser_in_vain(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match="invited"):
            front.candidate_run.admission(request())
        front.inspectors.members.add(DIGEST)
        front.candidate_run.admission(request())

    play(StandInInspectors(training, gate=INVITING), script)


@pytest.mark.parametrize("change", [{"gate": "b" * 64}, {"coordinator": "https://other.example"}])
def test_only_the_gate_of_the_manifest_that_was_verified_is_entered(
    change: dict[str, object], training: TrainingRules
) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match="a different gate"):
            front.candidate_run.admission(request(**change))

    play(StandInInspectors(training, gate=GATE), script)


def test_other_runs_gates_are_none_of_its_business(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        other = request(run=OTHER, gate="b" * 64)
        assert front.candidate_run.admission(other) == other
        await front.found(INVITED)
        assert front.candidate_run.admission(other) == other

    play(StandInInspectors(training, gate=GATE), script)


def test_who_is_no_member_does_not_join_and_who_has_become_one_does(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match=LEAVES_NO_MEMBER):
            await front.candidate_run.join(DIGEST)
        assert front.seen.stage is CandidateStage.READY
        front.inspectors.members.add(DIGEST)
        assert front.seen.gate is not None
        assert front.seen.gate.is_member
        front.inspectors.goes_on.set()
        await front.candidate_run.join(DIGEST)
        await front.reach(CandidateStage.JOINED)

    play(StandInInspectors(training, gate=GATE), script)
