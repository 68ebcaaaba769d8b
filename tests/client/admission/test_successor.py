"""The newest manifest of a run that was joined: fetched, held to what was joined, and waited for where it is late."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from client.admission.fetching import fetch_successor
from client.admission.succession import Succession
from client.admission.tasks import FetchSuccessor, SuccessorFound
from client.api.errors import CoordinatorAway, DownloadError
from client.api.snapshot import NewsView
from client.joining.run_card import RunCard
from client.tasks import TaskRunner
from core.errors import ManifestError
from core.run.contact import NewsItem
from core.run.join_link import MANIFEST_PATH
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.gate.served_gate import Instead, ServedGate, served_gate
from tests.hub.hub_server import running_hub
from tests.waiting import eventually

MOVED = "/ip4/127.0.0.1/tcp/4711/p2p/QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u"


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[ServedGate]:
    """One of its own for each test, as its run is changed."""
    with running_hub() as hub, served_gate(tmp_path / "coordinator", hub) as gate:
        yield gate


@pytest.fixture
def task(gate: ServedGate, tmp_path: Path) -> FetchSuccessor:
    """A task that fetches the successor of a run, which was joined from files in a folder."""
    folder = Path(shutil.copytree(gate.context.home.manifest.parent, tmp_path / "joined"))
    RunCard.of(gate.manifest).save(folder)
    return FetchSuccessor(coordinator=gate.address, folder=folder, fingerprint=gate.manifest.fingerprint)


def test_a_manifest_that_was_issued_again_takes_the_place_of_the_one_that_was_joined(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    assert not fetch_successor(task).changed
    gate.reissue(initial_peers=(MOVED,), title="Another title")
    assert not fetch_successor(for_version(task)).changed, "a trainer would restart for no need"
    assert fetch_successor(task).changed
    gate.take_back()
    assert fetch_successor(task).changed
    assert not fetch_successor(task).changed
    found = RunManifest.load(task.folder / "run.toml")
    assert (found.contact.initial_peers, found.state.generation) == ((MOVED,), 1)
    assert RunCard.load(task.folder).generation == 1


def test_addresses_are_taken_up_at_a_regular_look_without_a_restart(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    gate.reissue(initial_peers=(MOVED,))
    assert not fetch_successor(for_version(task)).changed
    assert RunManifest.load(task.folder / "run.toml").contact.initial_peers == (MOVED,)
    gate.reissue(initial_peers=())
    gate.take_back()
    assert not fetch_successor(for_version(task)).changed
    assert RunManifest.load(task.folder / "run.toml").contact.initial_peers == (MOVED,), (
        "it has to start again"
    )


def test_news_are_taken_up_at_a_regular_look_without_a_restart(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    written = datetime(2026, 11, 30, 12, tzinfo=UTC)
    gate.reissue(news=(NewsItem(at=written, text="Thank you all."),))
    assert fetch_successor(for_version(task)) == SuccessorFound(changed=False, refreshed=True)
    assert RunCard.load(task.folder).news == (NewsView(at=written, text="Thank you all."),)
    assert fetch_successor(for_version(task)) == SuccessorFound(changed=False)
    gate.reissue(news=(), title="Another title")
    assert fetch_successor(for_version(task)) == SuccessorFound(changed=False)
    assert RunCard.load(task.folder).news, "the trainer would have to start again for the other change"


def test_news_are_told_and_nothing_is_started_again(task: FetchSuccessor) -> None:
    told: list[str] = []
    answers = Answers([SuccessorFound(changed=False, refreshed=True), SuccessorFound(changed=False)])

    async def script() -> None:
        clock = count_minutes()
        succession = Succession(
            answers,  # type: ignore[arg-type]
            task,
            lambda: told.append("started again"),
            lambda: next(clock),
            refreshed=lambda: told.append("refreshed"),
        )
        background = asyncio.create_task(succession.run())
        for left in (1, 0):
            succession.lost()
            await eventually(lambda left=left: len(answers.answers) == left, "it is not looked for")  # type: ignore[misc]
            await asyncio.sleep(0)
        background.cancel()

    asyncio.run(script())
    assert told == ["refreshed"]


def for_version(task: FetchSuccessor) -> FetchSuccessor:
    return task.model_copy(update={"for_version": True})


def test_a_run_that_needs_a_newer_version_is_kept_as_one_and_goes_on_once_it_needs_none(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    gate.reissue(least_version="9999")
    assert fetch_successor(for_version(task)) == SuccessorFound(changed=True, least_version="9999")
    assert RunCard.load(task.folder).least_version == "9999"
    assert fetch_successor(task) == SuccessorFound(changed=False, least_version="9999")
    gate.reissue(least_version=None)
    assert fetch_successor(task) == SuccessorFound(changed=True)
    assert RunCard.load(task.folder).least_version is None


def test_a_manifest_that_only_a_newer_version_can_read_stays_where_it_is(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    before = (task.folder / "run.toml").read_bytes()
    lines = b'[contact]\nleast_version = "9999"\nsomething_of_a_later_version = 1'
    gate.instead[MANIFEST_PATH] = Instead(200, before.replace(b"[contact]", lines))
    assert fetch_successor(task) == SuccessorFound(changed=False, least_version="9999")
    assert (task.folder / "run.toml").read_bytes() == before


@dataclass
class Answers:
    """A task runner that gives these answers, one a look, and then none."""

    answers: list[SuccessorFound]
    asked: list[bool] = field(default_factory=list)

    async def run(self, task: FetchSuccessor, *_: object, **__: object) -> SuccessorFound:
        self.asked.append(task.for_version)
        if not self.answers:
            await asyncio.Event().wait()
        return self.answers.pop(0)


def test_an_update_that_is_needed_is_reported_once_and_so_is_that_it_is_not(task: FetchSuccessor) -> None:
    needs, come = SuccessorFound(changed=False, least_version="9999"), []
    answers = Answers([needs, needs, SuccessorFound(changed=True)])

    async def script() -> None:
        clock = count_minutes()
        succession = Succession(
            answers,  # type: ignore[arg-type]
            task,
            lambda: come.append(succession.needed and succession.needed.least),
            lambda: next(clock),
        )
        background = asyncio.create_task(succession.run())
        for left in (2, 1, 0):
            succession.lost()
            await eventually(lambda left=left: len(answers.answers) == left, "it is not looked for")  # type: ignore[misc]
            await asyncio.sleep(0)
        background.cancel()
        await asyncio.wait({background})

    asyncio.run(asyncio.wait_for(script(), 60))
    assert come == ["9999", None]


def count_minutes() -> Iterator[datetime]:
    """Moments that are so far apart that each look may follow the last one."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    while True:
        moment += timedelta(minutes=11)
        yield moment


def test_nothing_takes_its_place_that_is_older_or_not_the_organisers(
    gate: ServedGate, task: FetchSuccessor
) -> None:
    file = gate.context.home.manifest
    older = file.read_bytes()
    gate.take_back()
    fetch_successor(task)
    newest = (task.folder / "run.toml").read_bytes()
    forged = RunManifest.create(gate.manifest.training, gate.manifest.contact, SigningKey.generate())
    forged.save(file)
    for text in (older, file.read_bytes(), b"nonsense"):
        gate.instead[MANIFEST_PATH] = Instead(200, text)
        with pytest.raises(ManifestError):
            fetch_successor(task)
        assert (task.folder / "run.toml").read_bytes() == newest


def test_a_server_that_gives_no_manifest_changes_nothing(gate: ServedGate, task: FetchSuccessor) -> None:
    gate.instead[MANIFEST_PATH] = Instead(503, b"")
    with pytest.raises(DownloadError):
        fetch_successor(task)


def test_what_is_late_is_waited_for_and_peers_that_moved_are_looked_for_now_and_then(
    gate: ServedGate, task: FetchSuccessor, tmp_path: Path
) -> None:
    come: list[bool] = []
    ahead = timedelta()

    async def script() -> None:
        nonlocal ahead
        tasks = TaskRunner(tmp_path / "logs" / "tasks.log")
        succession = Succession(
            tasks, task, lambda: come.append(True), lambda: datetime.now(UTC) + ahead, lambda: 0.0
        )
        background = asyncio.create_task(succession.run())
        succession.lost()
        await eventually(lambda: gate.asked("/run.toml") == 1, "it is not looked for")
        succession.lost()
        gate.take_back()
        ahead += timedelta(minutes=11)
        succession.lost()
        await eventually(lambda: come == [True], "it does not come")
        succession.superseded()
        assert succession.is_superseded
        await eventually(lambda: succession.trouble is not None, "no trouble is reported")
        gate.take_back()
        await eventually(lambda: not succession.is_superseded, "it does not come", 60)
        background.cancel()
        await asyncio.wait({background})

    asyncio.run(asyncio.wait_for(script(), 120))


def test_without_a_coordinator_the_remedy_is_shown(tmp_path: Path) -> None:
    succession = Succession(TaskRunner(tmp_path / "log"), None, lambda: None, lambda: datetime.now(UTC))
    succession.superseded()
    assert succession.trouble is not None
    assert "newest join link" in succession.trouble.remedy
    assert not isinstance(succession.trouble, CoordinatorAway)
