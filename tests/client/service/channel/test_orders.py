"""What front ends ask of a daemon is carried out, or refused with a remedy and without a change."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from client.account.account import Account
from client.account.credentials import Credentials, Keep, SignInFile
from client.account.safekeeping import KeepNote, Safekeeping
from client.account.tasks import HubSettings, KeyringEntry
from client.admission.membership import RunMembership
from client.admission.memberships import note_of
from client.api.answers import Done, Refused
from client.api.commands import (
    CancelReceipts,
    CancelSignIn,
    Finish,
    HideName,
    Join,
    JoinCandidate,
    KeepFrames,
    KeepReceipts,
    Leave,
    OpenPage,
    Pause,
    Quit,
    Resume,
)
from client.api.environment import (
    BeginSetup,
    CancelSetup,
    PauseSetup,
    PlanSetup,
    RestartIntoFirmware,
    RestartWindows,
    ResumeSetup,
    TurnOnWsl,
    UpdateWsl,
)
from client.api.errors import (
    ClientError,
    ControlError,
    CoordinatorAway,
    JoinError,
    KeyringLocked,
    NoRun,
    SetupError,
    SignInError,
)
from client.api.questions import ShowBoard, ShowContribution, ShowEpochs, ShowPreferences, ShowRanks
from client.api.requests import AnyRequest
from client.api.runs import SetShare
from client.api.snapshot import StandingView
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces
from client.joining.run_card import RunCard
from client.preferences.preferences import describe
from client.service.channel.orders import Orders, SessionCalls
from client.service.kept.choices import VolunteerChoices
from client.service.kept.joined_runs import MOST_RUNS
from client.service.session import Session
from client.service.updates.updates import UpdateCalls, Updates
from client.tasks import TaskRunner
from tests.client.contribution.reports import committed
from tests.client.service.contexts import context_in

CARD = RunCard(name="tiny", title="A tiny run", digest="d" * 64, fingerprint="f", total_epochs=10)
WITHOUT_GATE = CARD.model_copy(update={"coordinator": "https://run.example"})
LOCKED = KeyringLocked("The keyring is locked.", "Unlock it.")


class OrderDesk:
    """A daemon without a control channel, which trains nothing."""

    def __init__(self, home: Path, python: TrainerPython | None = None) -> None:
        self.home = home
        context = self.context = context_in(home, python=python)
        self.session = Session(context)
        calls = SessionCalls(self.session.consider, self.session.join, self.session.leave)
        self.orders = Orders(
            context, self.session.parts, calls, self._account(), self._updates().by_kind, asyncio.Event()
        )

    async def join(self, card: RunCard = CARD) -> None:
        """Join a run whose files are here."""
        (self.home / "run").mkdir()
        card.save(self.home / "run")
        await self.session.join(self.home / "run")
        await self.context.save()

    async def ask(self, request: AnyRequest) -> Done:
        answer = await self.orders.handle(request)
        assert not isinstance(answer, Refused)
        return answer

    def trains_nothing(self) -> bool:
        """Whether neither this daemon nor a later one has a run to train."""
        later = VolunteerChoices(self.context.paths.state, pytest.fail, self.context.now)
        return self.context.run is None and later.run_folder is None

    def _account(self) -> Account:
        paths, hub, tasks = self.context.paths, HubSettings(), self.context.tasks
        file = SignInFile(paths.credentials, Credentials, "Sign in again.")
        return Account(tasks, hub, Safekeeping(tasks, hub.endpoint, paths.account, file), lambda: None)

    def _updates(self) -> Updates:
        def refuse(*_: object) -> Any:
            pytest.fail("nothing is installed")

        return Updates(
            self.context, None, "0.1.0", UpdateCalls(lambda: False, refuse, refuse, refuse, refuse)
        )


class AwayCoordinator(TaskRunner):
    """Reaches no coordinator."""

    async def run(self, *_: Any, **__: Any) -> Any:
        raise CoordinatorAway("It does not answer.", "Try again later.")


class LockableKeyring(TaskRunner):
    """Answers for a keyring that holds nothing, once it is unlocked."""

    is_locked = True

    async def run(self, *_: Any, **__: Any) -> Any:
        if self.is_locked:
            raise LOCKED
        return KeyringEntry(secret=None)


def play(home: Path, script: Callable[[OrderDesk], Awaitable[None]], **settings: Any) -> None:
    async def whole() -> None:
        desk = OrderDesk(home, **settings)
        try:
            await script(desk)
        finally:
            await desk.session.close(5.0)

    asyncio.run(asyncio.wait_for(whole(), 60))


def trainers_of_their_own(home: Path) -> TrainerPython:
    """The Python of a computer where what training needs is to be installed."""
    return TrainerPython(EnvironmentPlaces(home / "environment"), is_own=False)


def test_a_run_that_is_left_is_not_trained_by_later_daemons(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        assert not desk.trains_nothing()
        assert (await desk.ask(Leave())).text == "This computer no longer trains A tiny run."
        assert desk.trains_nothing()
        assert (tmp_path / "run").is_dir(), "its files are kept"

    play(tmp_path, script)


def test_of_several_runs_the_one_that_is_named_is_left_and_any_may_have_another_share(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        (tmp_path / "other").mkdir()
        CARD.model_copy(update={"digest": "e" * 64, "title": "Another run"}).save(tmp_path / "other")
        told = (await desk.ask(Join(folder=str(tmp_path / "other")))).text
        assert told == "This computer trains Another run now, in turns with another run."
        told = (await desk.ask(SetShare(run=CARD.digest, share=0))).text
        assert told == "A tiny run is trained only while no other run can be."
        assert (await desk.ask(SetShare(run="e" * 64, share=7))).text == "The share of Another run is 7."
        assert [run.share for run in desk.context.joined.all] == [0, 7]
        with pytest.raises(JoinError):
            await desk.ask(SetShare(run="f" * 64, share=7))
        with pytest.raises(NoRun):
            await desk.ask(Leave(run="f" * 64))
        await desk.ask(Leave(run=CARD.digest))
        run = desk.context.run
        assert run is not None
        assert run.card.title == "Another run", "it was trained, and still is"
        await desk.ask(Leave())
        assert desk.trains_nothing()

    play(tmp_path, script)


def test_a_run_beyond_the_limit_is_refused_before_its_files_are_fetched(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        for number in range(MOST_RUNS):
            card = CARD.model_copy(update={"digest": f"{number:064x}"})
            desk.context.joined.add(tmp_path / str(number), card)
        with pytest.raises(JoinError, match="20 runs are joined"):
            await desk.ask(JoinCandidate(digest=CARD.digest))
        (tmp_path / "run").mkdir()
        CARD.save(tmp_path / "run")
        with pytest.raises(JoinError, match="20 runs are joined"):
            await desk.ask(Join(folder=str(tmp_path / "run")))
        await desk.ask(Join(folder=str(tmp_path / "run"), instead=True))
        assert [run.digest for run in desk.context.joined.all] == [CARD.digest]

    play(tmp_path, script)


def test_a_run_is_left_only_once_its_membership_could_be_ended(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        members = desk.context.members
        keyring = members.tasks = LockableKeyring(tmp_path / "log")
        members.places.kept.mkdir(parents=True)
        kept = KeepNote(keep=Keep.KEYRING, name="anna")
        note_of(members.places.kept, CARD.digest).write_text(kept.model_dump_json())
        with pytest.raises(KeyringLocked):
            await desk.ask(Leave(membership=True))
        assert desk.context.run is not None, "otherwise nobody could end the membership any more"
        keyring.is_locked = False
        done = await desk.ask(Leave(membership=True))
        assert done.text.startswith("This computer no longer trains A tiny run. ")
        assert desk.trains_nothing()

    play(tmp_path, script)


def test_a_membership_is_forgotten_here_though_its_coordinator_is_away(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join(WITHOUT_GATE)
        members, digest = desk.context.members, CARD.digest
        members.tasks, kept = AwayCoordinator(tmp_path / "log"), members.places.kept
        kept.mkdir(parents=True)
        note_of(kept, digest).write_text(KeepNote(keep=Keep.FILE, name="anna").model_dump_json())
        membership = RunMembership(
            name="anna", coordinator="https://run.example", run=digest, secret=SecretStr("s" * 43)
        )
        SignInFile(members.places.file(digest), RunMembership).save(membership)
        told = (await desk.ask(Leave(membership=True))).text
        assert told.endswith("Its coordinator could not be notified: It does not answer.")
        assert desk.trains_nothing()
        assert list(kept.iterdir()) == []
        assert not members.is_member(digest)

    play(tmp_path, script)


@pytest.mark.parametrize(
    "request_",
    [
        *(Pause(), Resume(), Finish(), Leave(), OpenPage(), KeepReceipts(), KeepFrames()),
        *(HideName(hidden=True), ShowBoard(), ShowContribution(), ShowEpochs(), ShowRanks()),
    ],
    ids=lambda request: request.type,
)
def test_without_a_run_there_is_nothing_to_do(tmp_path: Path, request_: AnyRequest) -> None:
    async def script(desk: OrderDesk) -> None:
        with pytest.raises(NoRun):
            await desk.ask(request_)

    play(tmp_path, script)


@pytest.mark.parametrize(
    ("card", "request_", "words"),
    [
        (CARD, ShowBoard(), "has no coordinator"),
        (CARD, OpenPage(), "has no coordinator"),
        (CARD, KeepReceipts(), "has no gate"),
        (WITHOUT_GATE, OpenPage(), "has no gate"),
        (WITHOUT_GATE, KeepReceipts(), "has no gate"),
        (WITHOUT_GATE, HideName(hidden=True), "has no gate"),
    ],
    ids=lambda value: getattr(value, "type", ""),
)
def test_what_only_a_run_with_a_coordinator_or_a_gate_has(
    tmp_path: Path, card: RunCard, request_: AnyRequest, words: str
) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join(card)
        with pytest.raises(JoinError, match=words):
            await desk.ask(request_)

    play(tmp_path, script)


def test_the_pictures_of_a_run_without_a_coordinator_are_those_drawn_here(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        done = await desk.ask(KeepFrames())
        assert done.text == "These are the pictures that this computer has drawn for the run."
        assert Path(done.about) == tmp_path / "run" / "peer" / "timelapse"

    play(tmp_path, script)


def test_what_was_contributed_and_chosen_is_told(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        context = desk.context
        record, now = context.accounting.contribution, context.now()
        record.heard(CARD.trained, "a trainer", committed(epoch=1, own_samples=12), now)
        record.ranked(CARD.trained, StandingView(rank=2, of=9, samples=12, looked=now))
        told = (await desk.ask(ShowContribution())).contribution
        assert told is not None
        assert (told.total.samples, told.total.epochs) == (12, 1)
        assert [(each.rank, each.of) for each in (await desk.ask(ShowRanks())).ranks or ()] == [(2, 9)]
        assert (await desk.ask(ShowPreferences())).preferences == describe(context.preferences)

    play(tmp_path, script)


def test_what_is_not_under_way_cannot_be_cancelled(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        assert (await desk.ask(CancelReceipts())).text == "No receipts are being fetched."
        with pytest.raises(SignInError, match="No sign-in is under way"):
            await desk.ask(CancelSignIn())

    play(tmp_path, script)


@pytest.mark.parametrize(
    "request_",
    [
        PlanSetup(),
        BeginSetup(),
        PauseSetup(),
        ResumeSetup(),
        CancelSetup(),
        TurnOnWsl(),
        RestartWindows(),
        RestartIntoFirmware(),
        UpdateWsl(),
    ],
    ids=lambda request: request.type,
)
def test_where_trainers_share_the_apps_python_nothing_has_to_be_installed(
    tmp_path: Path, request_: AnyRequest
) -> None:
    async def script(desk: OrderDesk) -> None:
        with pytest.raises(
            SetupError,
            match=r"Nothing has to be installed|nothing to turn on|not have to restart|not (needed|updated) now",
        ):
            await desk.ask(request_)

    play(tmp_path, script)


def test_a_set_up_is_begun_paused_resumed_and_cancelled_and_later_daemons_know(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        choices = desk.context.choices
        with pytest.raises(SetupError, match="No set-up is under way"):
            await desk.ask(PauseSetup())
        with pytest.raises(ClientError, match="This test has no list of packages"):
            await desk.ask(PlanSetup())
        for request, state in (
            (BeginSetup(), (True, False)),
            (PauseSetup(), (True, True)),
            (ResumeSetup(), (True, False)),
            (CancelSetup(), (False, False)),
        ):
            assert (await desk.ask(request)).text
            assert (choices.wants_environment, choices.setup_paused) == state
            saved = VolunteerChoices(desk.context.paths.state, pytest.fail, desk.context.now)
            assert (saved.wants_environment, saved.setup_paused) == state

    play(tmp_path, script, python=trainers_of_their_own(tmp_path))


def test_a_daemon_that_is_about_to_end_takes_no_orders(tmp_path: Path) -> None:
    async def script(desk: OrderDesk) -> None:
        await desk.join()
        await desk.ask(Quit())
        with pytest.raises(ControlError, match="about to end"):
            await desk.ask(Pause())
        assert (await desk.ask(Quit())).text == "The daemon ends."

    play(tmp_path, script)
