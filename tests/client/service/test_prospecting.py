"""Looking at a run through the daemon, over scouts that do what they are told: one at a time, each given up whole."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr

from client.api.commands import EnterGate
from client.api.errors import ClientError, DownloadError, GateError, JoinError
from client.api.prospect import GateView, PlanView, ProspectStage, ProspectView
from client.joining.errands import Fetched, Offered
from client.joining.traffic import traffic
from client.joining.trial import Tried
from client.service.prospecting import Prospecting
from core.errors import CoreError, ManifestError
from core.join_link import JoinLink
from core.rules import TrainingRules
from core.run import RunManifest
from tests.tiny_run import write_tiny_run
from tests.waiting import eventually

DIGEST, OTHER = "d" * 64, "e" * 64
CODE = "an-invitation-of-some-length"
GATE = GateView(
    coordinator="https://run.example", key="a" * 64, issuer="https://hub.example", admits="anyone"
)
PLAN = PlanView(
    fits=True, device="", techniques=(), micro_batch=1, gpu_bytes=0, ram_bytes=1, says="It needs 9 GiB more."
)
LEAVES_NO_MEMBER = "Only members train A run"


@dataclass
class Scouts:
    """They have found what they were given, and finish once they are let, or fail."""

    training: TrainingRules
    gate: GateView | None = None
    plan: PlanView = PLAN
    failure: CoreError | None = None
    members: set[str] = field(default_factory=set)
    looked: list[tuple[str, str | None]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    """With which files were fetched."""
    given_up: int = 0
    trained: list[Path] = field(default_factory=list)
    tell: Callable[[Tried], None] | Callable[[Fetched], None] | None = None
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def look_up(self, location: str, key: str | None) -> Offered:
        self.looked.append((location, key))
        await self._work()
        view = ProspectView(
            location=location,
            stage=ProspectStage.READY,
            digest=DIGEST,
            title="A run",
            coordinator=self.gate.coordinator if self.gate else None,
            fingerprint="the key that was seen",
            plan=self.plan,
            gate=self.gate,
        )
        return Offered(view=view, training=self.training)

    async def try_out(self, training: TrainingRules, seconds: float, tried: Callable[[Tried], None]) -> None:
        assert training == self.training
        self.tell = tried
        await self._work()

    async def bring(
        self, seen: ProspectView, training: TrainingRules, fetched: Callable[[Fetched], None]
    ) -> Path:
        assert training == self.training
        self.keys.append(seen.fingerprint)
        self.tell = fetched
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
    """What a front end asks for and sees."""

    def __init__(self, scouts: Scouts) -> None:
        self.scouts = scouts
        self.moves = 0
        self.prospecting = Prospecting(scouts, lambda: None, self._moved)

    def _moved(self) -> None:
        self.moves += 1

    @property
    def seen(self) -> ProspectView:
        assert self.prospecting.view is not None
        return self.prospecting.view

    async def reach(self, stage: ProspectStage) -> None:
        await eventually(lambda: self.seen.stage is stage, f"it is never {stage}")

    async def found(self, location: str = "embedded") -> None:
        self.scouts.goes_on.set()
        await self.prospecting.look(location, None)
        await self.reach(ProspectStage.READY)
        self.scouts.goes_on.clear()

    async def measuring(self, seconds: float = 60.0) -> Callable[[Tried], None]:
        """Who tells how it goes, once that has begun."""
        self.scouts.tell = None
        await self.prospecting.measure(seconds)
        await eventually(lambda: self.scouts.tell is not None, "nothing is tried out")
        return self.scouts.tell  # type: ignore[return-value]


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


def play(scouts: Scouts, script: Callable[[Front], Awaitable[None]]) -> None:
    async def whole() -> None:
        front = Front(scouts)
        await script(front)
        await front.prospecting.close()

    asyncio.run(asyncio.wait_for(whole(), 30))


def test_a_run_is_looked_at_tried_out_and_joined(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.prospecting.look(" embedded ", "a-key")
        assert front.seen.stage is ProspectStage.LOOKING
        front.scouts.goes_on.set()
        await front.reach(ProspectStage.READY)
        assert front.scouts.looked == [("embedded", "a-key")]
        front.scouts.goes_on.clear()
        tell = await front.measuring(60)
        assert front.prospecting.is_measuring
        tell(Tried(samples=10, seconds=15.0))
        assert (front.seen.progress, front.seen.samples_per_hour) == (0.25, 2400.0)
        assert front.seen.bytes_per_day == traffic(training, 2400.0).bytes_per_day
        front.scouts.goes_on.set()
        await front.reach(ProspectStage.READY)
        assert (front.seen.progress, front.seen.samples_per_hour) == (None, 2400.0)
        await front.prospecting.join(DIGEST)
        await front.reach(ProspectStage.JOINED)
        assert front.scouts.trained == [Path("/run")]
        assert front.scouts.keys == ["the key that was seen"], "consent was to that one"

    play(Scouts(training), script)


def test_what_was_measured_until_it_was_stopped_counts(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        tell = await front.measuring()
        tell(Tried(samples=1, seconds=2.0))
        await front.prospecting.stop_measuring()
        assert (front.seen.stage, front.seen.samples_per_hour) == (ProspectStage.READY, 1800.0)
        assert front.scouts.given_up == 1, "its process was ended"
        assert not front.prospecting.is_measuring

    play(Scouts(training), script)


def test_a_trial_that_has_just_ended_is_stopped_without_a_word(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        tell = await front.measuring()
        tell(Tried(samples=1, seconds=2.0))
        front.scouts.goes_on.set()
        await front.reach(ProspectStage.READY)
        await front.prospecting.stop_measuring()
        assert (front.seen.stage, front.seen.samples_per_hour) == (ProspectStage.READY, 1800.0)

    play(Scouts(training), script)


def test_training_that_makes_room_for_a_trial_is_told_when_it_begins_and_ends(
    training: TrainingRules,
) -> None:
    async def script(front: Front) -> None:
        await front.found()
        before = front.moves
        await front.measuring()
        assert front.moves > before
        before = front.moves
        front.scouts.goes_on.set()
        await front.reach(ProspectStage.READY)
        assert front.moves > before

    play(Scouts(training), script)


def test_a_run_that_could_not_be_tried_out_can_be_joined(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        front.scouts.failure = ClientError("It ran out of memory.", "Close something.")
        await front.prospecting.measure(1.0)
        front.scouts.goes_on.set()
        await eventually(lambda: front.seen.problem is not None, "nothing is said")
        assert front.seen.stage is ProspectStage.READY
        front.scouts.failure = None
        await front.prospecting.join(DIGEST)
        await front.reach(ProspectStage.JOINED)
        assert front.seen.problem is None

    play(Scouts(training), script)


def test_a_run_that_cannot_be_looked_up_says_why(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        front.scouts.failure = ManifestError("It was signed by another key.", "Do not join.")
        front.scouts.goes_on.set()
        await front.prospecting.look("https://run.example/run.toml", None)
        await front.reach(ProspectStage.FAILED)
        assert front.seen.problem is not None
        assert (front.seen.problem.code, front.seen.problem.what) == (
            "manifest",
            "It was signed by another key.",
        )
        with pytest.raises(JoinError, match="not the run"):
            await front.prospecting.join(DIGEST)

    play(Scouts(training), script)


def test_files_that_broke_off_are_gone_on_with(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        front.scouts.failure = DownloadError("The connection broke.", "Try again later.")
        await front.prospecting.join(DIGEST)
        front.scouts.goes_on.set()
        await front.reach(ProspectStage.FAILED)
        assert front.seen.digest == DIGEST
        front.scouts.failure = None
        await front.prospecting.join(DIGEST)
        await front.reach(ProspectStage.JOINED)

    play(Scouts(training), script)


def test_progress_of_the_files_is_shown(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        await front.prospecting.join(DIGEST)
        await eventually(lambda: front.scouts.tell is not None, "nothing is fetched")
        front.scouts.tell(Fetched(done=30, total=40))  # type: ignore[misc, arg-type]
        assert (front.seen.progress, front.seen.download_bytes) == (0.75, 10)

    play(Scouts(training), script)


@pytest.mark.parametrize("stage", [ProspectStage.LOOKING, ProspectStage.MEASURING, ProspectStage.BRINGING])
def test_what_is_under_way_is_given_up_with_its_process(
    stage: ProspectStage, training: TrainingRules
) -> None:
    async def script(front: Front) -> None:
        match stage:
            case ProspectStage.LOOKING:
                await front.prospecting.look("embedded", None)
            case ProspectStage.MEASURING:
                await front.found()
                await front.prospecting.measure(60.0)
            case _:
                await front.found()
                await front.prospecting.join(DIGEST)
        assert front.seen.stage is stage
        await asyncio.sleep(0)
        await front.prospecting.forget()
        assert front.prospecting.view is None
        assert front.scouts.given_up == 1
        await front.prospecting.forget()

    play(Scouts(training), script)


def test_another_run_takes_the_place_of_the_one_before(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.prospecting.look("one", None)
        await asyncio.sleep(0)
        await front.prospecting.look("another", None)
        assert front.scouts.given_up == 1
        assert front.seen.location == "another"

    play(Scouts(training), script)


def test_a_mistake_of_ours_leaves_nothing_under_way_for_ever(training: TrainingRules) -> None:
    class Broken(Scouts):
        async def look_up(self, location: str, key: str | None) -> Offered:
            raise KeyError("a bug")

    async def script(front: Front) -> None:
        await front.prospecting.look("embedded", None)
        await front.reach(ProspectStage.FAILED)
        assert front.seen.problem is not None
        assert "report it" in front.seen.problem.remedy

    play(Broken(training), script)


def test_what_makes_no_sense_is_refused(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        for asked in (
            front.prospecting.measure(1.0),
            front.prospecting.stop_measuring(),
            front.prospecting.join(DIGEST),
        ):
            with pytest.raises(JoinError, match="No run"):
                await asked
        with pytest.raises(ManifestError, match="join link"):
            await front.prospecting.look("idlebrush:nonsense", None)
        await front.prospecting.look("embedded", None)
        with pytest.raises(JoinError, match="still being looked at"):
            await front.prospecting.stop_measuring()
        await front.found()
        with pytest.raises(JoinError, match="not the run"):
            await front.prospecting.join(OTHER)

    play(Scouts(training), script)


def test_what_does_not_fit_is_not_tried_out(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(JoinError, match="memory") as refused:
            await front.prospecting.measure(1.0)
        assert refused.value.remedy == PLAN.says

    play(Scouts(training, plan=PLAN.model_copy(update={"fits": False})), script)


# --- gates --------------------------------------------------------------------------------------------------------


def request(**changes: object) -> EnterGate:
    asked = EnterGate(run=DIGEST, coordinator=GATE.coordinator, gate=GATE.key, flow="browser")
    return asked.model_copy(update=changes)


INVITING = GATE.model_copy(update={"admits": "invitation"})
INVITED = str(JoinLink("https://run.example/run.toml", "abcd", CODE))


def test_the_invitation_of_a_link_is_used_and_never_shown(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found(INVITED)
        assert front.seen.gate is not None
        assert front.seen.gate.is_invited
        assert CODE not in front.seen.model_dump_json()
        assert CODE not in front.scouts.looked[0][0]
        invitation = front.prospecting.admission(request()).invitation
        assert invitation is not None
        assert invitation.get_secret_value() == CODE

    play(Scouts(training, gate=INVITING), script)


def test_an_invitation_that_the_volunteer_gives_goes_before(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found(INVITED)
        given = SecretStr("another")
        assert front.prospecting.admission(request(invitation=given)).invitation == given

    play(Scouts(training, gate=INVITING), script)


def test_nobody_goes_to_a_browser_in_vain(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match="invited"):
            front.prospecting.admission(request())
        front.scouts.members.add(DIGEST)
        front.prospecting.admission(request())

    play(Scouts(training, gate=INVITING), script)


@pytest.mark.parametrize("change", [{"gate": "b" * 64}, {"coordinator": "https://other.example"}])
def test_only_the_gate_of_the_manifest_that_was_verified_is_entered(
    change: dict[str, object], training: TrainingRules
) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match="not that gate"):
            front.prospecting.admission(request(**change))

    play(Scouts(training, gate=GATE), script)


def test_other_runs_gates_are_none_of_its_business(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        other = request(run=OTHER, gate="b" * 64)
        assert front.prospecting.admission(other) == other
        await front.found(INVITED)
        assert front.prospecting.admission(other) == other

    play(Scouts(training, gate=GATE), script)


def test_who_is_no_member_does_not_join_and_who_has_become_one_does(training: TrainingRules) -> None:
    async def script(front: Front) -> None:
        await front.found()
        with pytest.raises(GateError, match=LEAVES_NO_MEMBER):
            await front.prospecting.join(DIGEST)
        assert front.seen.stage is ProspectStage.READY
        front.scouts.members.add(DIGEST)
        assert front.seen.gate is not None
        assert front.seen.gate.is_member
        front.scouts.goes_on.set()
        await front.prospecting.join(DIGEST)
        await front.reach(ProspectStage.JOINED)

    play(Scouts(training, gate=GATE), script)
