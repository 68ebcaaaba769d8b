"""A coordinator in this process, over stand-ins: what its peers are told while they run."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import jwt
import pytest

from coordinator.home import Home
from coordinator.messages import RelaysNow
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import ServedProcess, ServingView, Stage
from coordinator.settings import GateSettings, Settings
from core.admission.access_token import read
from core.admission.peer_key import PeerKey
from core.errors import ChildError
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.coordinator.homes import loopback_settings, make_home
from tests.coordinator.stand_in_relay import USED_UP
from tests.coordinator.stand_in_serve import STAND_INS
from tests.waiting import eventually

SHORT = GateSettings(client_id="ours").model_copy(update={"token_seconds": 1})
"""Shorter than settings may have it."""


USUAL = frozenset(ServedProcess) - {ServedProcess.AUDITOR, ServedProcess.REPORTER}
"""The processes of a run whose work is not recomputed, and which is not reported elsewhere."""


class CoordinatorSession:
    """A coordinator at work, and what it shows."""

    def __init__(self, home: Home, settings: Settings, modules: Modules = STAND_INS) -> None:
        self.views: list[ServingView] = []
        self.home = home
        programs = Programs(home, settings, Secrets(home.database_url({})), modules)
        self.coordinator = Coordinator(programs, self.views.append)

    def stage(self, part: ServedProcess) -> Stage:
        return self.views[-1].stage(part) if self.views else Stage.WAITING

    async def runs(self, *parts: ServedProcess) -> None:
        await eventually(lambda: all(self.stage(part) is Stage.RUNNING for part in parts), "it does not run")

    def tokens(self, of: str) -> list[str]:
        file = self.home.root / f"start_{of}.tokens"
        return file.read_text().split() if file.exists() else []

    def relays(self) -> RelaysNow | None:
        """What the recorder was told last of the relays."""
        file = self.home.root / "start_recorder.relays"
        lines = file.read_text().splitlines() if file.exists() else []
        return RelaysNow.model_validate_json(lines[-1]) if lines else None


@asynccontextmanager
async def at_work(
    home: Home, settings: Settings, modules: Modules = STAND_INS
) -> AsyncIterator[CoordinatorSession]:
    session = CoordinatorSession(home, settings, modules)
    running = asyncio.ensure_future(session.coordinator.run())
    try:
        yield session
    finally:
        session.coordinator.stop()
        await running


def test_own_peers_are_admitted_as_long_as_they_run(tmp_path: Path) -> None:
    settings = loopback_settings(SHORT)
    home = make_home(tmp_path, settings)

    async def scenario() -> None:
        async with at_work(home, settings) as session:
            session.coordinator.open_up()
            await eventually(lambda: len(session.tokens("recorder")) > 1, "no second token came")
            await eventually(lambda: len(session.tokens("publisher")) > 1, "no second token came")
            _assert_admits(home, session.tokens("recorder")[-1], home.recorder_identity)
            _assert_admits(home, session.tokens("publisher")[-1], home.publisher_identity)

    asyncio.run(scenario())


def _assert_admits(home: Home, token: str, identity: Path) -> None:
    manifest = RunManifest.load(home.manifest)
    gate = SigningKey.load(home.gate_key).public_key
    assert manifest.contact.gate
    assert manifest.contact.gate.key == gate
    issued = jwt.decode(token, options={"verify_signature": False})["iat"]
    assert 0 <= time.time() - issued < 60
    admitted = read(token, gate=gate, run=manifest.training_digest, now=issued)
    assert admitted.peer == PeerKey.load_or_create(identity).peer_id
    assert admitted.expires - admitted.issued == 1


def test_the_others_wait_until_they_may_and_a_new_generation_begins_again_with_those_in_the_swarm_alone(
    tmp_path: Path,
) -> None:
    """The auditor is one of them, as the rows of the run are assigned."""
    settings = _auditing()
    home = make_home(tmp_path, settings, recomputed_share=0.0)
    audits = home.root / "start_auditor.starts"

    async def scenario() -> None:
        async with at_work(home, settings) as session:
            await session.runs(ServedProcess.BOOTSTRAP)
            assert session.stage(ServedProcess.WEB) is Stage.WAITING
            session.coordinator.open_up()
            await session.runs(*USUAL, ServedProcess.AUDITOR)
            manifest = RunManifest.load(home.manifest)
            key = SigningKey.load(home.organiser_key)
            manifest.roll_back(key).save(home.manifest)
            await eventually(lambda: len(session.tokens("recorder")) == 2, "it was not begun again")
            await eventually(lambda: len(session.tokens("publisher")) == 2, "it was not begun again")
            await eventually(lambda: audits.read_text() == "60\n60\n", "it was not begun again")
            assert session.views[-1].generation == 1
            assert not any(view.stage(ServedProcess.WEB) is Stage.RESTARTING for view in session.views)
            assert any("generation 1" in notice for notice in session.views[-1].notices)

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("share", "changes"),
    [
        (None, {}),
        (0.02, {"recomputed_seconds_an_hour": 0}),
        (0.02, {"auxiliary": False}),
        (0.02, {"follow": False}),
    ],
)
def test_no_auditor_runs_without_the_means(
    tmp_path: Path, share: float | None, changes: dict[str, object]
) -> None:
    settings = _auditing(**changes)
    home = make_home(tmp_path, settings, recomputed_share=share)

    async def scenario() -> None:
        async with at_work(home, settings) as session:
            await session.runs(ServedProcess.BOOTSTRAP)
            assert {part for part, _ in session.views[-1].stages} == USUAL

    asyncio.run(scenario())


def _auditing(**changes: object) -> Settings:
    settings = loopback_settings()
    swarm = settings.swarm.model_copy(update={"auxiliary": True, **changes})
    return settings.model_copy(update={"swarm": swarm})


def test_a_relay_that_has_used_up_its_total_is_named_and_started_again_on_the_next_day(
    tmp_path: Path,
) -> None:
    settings = loopback_settings()
    home = make_home(tmp_path, settings)
    lives = home.manifest.with_name("lives")

    async def scenario() -> None:
        relay = replace(STAND_INS, bootstrap="tests.coordinator.stand_in_relay")
        async with at_work(home, settings, relay) as session:
            session.coordinator.open_up()
            await session.runs(*USUAL)
            told = RelaysNow(used_up={"bootstrap": USED_UP})
            await eventually(
                lambda: session.relays() == told, "the recorder, and so the dashboard, is not told"
            )
            home.manifest.with_name("next day").touch()
            await eventually(lambda: lives.read_text() == "11", "it was not started again")
            await session.runs(ServedProcess.BOOTSTRAP)
            await eventually(
                lambda: session.relays() == RelaysNow(used_up={}), "it is not told of the next day"
            )
            (notice,) = session.views[-1].notices
            assert "The bootstrap peer has relayed 10.04 GB today, and 10.00 are its total" in notice
            assert not any(view.stage(ServedProcess.BOOTSTRAP) is Stage.RESTARTING for view in session.views)

    asyncio.run(scenario())


def test_a_manifest_that_is_damaged_meanwhile_is_reported_and_all_go_on(tmp_path: Path) -> None:
    settings = loopback_settings()
    home = make_home(tmp_path, settings)

    async def scenario() -> None:
        async with at_work(home, settings) as session:
            session.coordinator.open_up()
            await session.runs(*USUAL)
            whole = home.manifest.read_bytes()
            home.manifest.write_bytes(whole[:-1] + b"?")
            await eventually(lambda: bool(session.views[-1].notices), "it is not reported")
            home.manifest.write_bytes(whole)
            RunManifest.load(home.manifest).roll_back(SigningKey.load(home.organiser_key)).save(home.manifest)
            await eventually(lambda: len(session.tokens("recorder")) == 2, "it looks at it no more")
            assert "run.toml" in session.views[-1].notices[0]
            assert not any(view.stage(ServedProcess.WEB) is Stage.RESTARTING for view in session.views)

    asyncio.run(scenario())


def test_a_swarm_that_cannot_be_entered_ends_it_with_the_reason(tmp_path: Path) -> None:
    settings = loopback_settings()
    home = make_home(tmp_path, settings)
    modules = replace(STAND_INS, bootstrap="tests.coordinator.stand_in_web")

    async def scenario() -> None:
        await CoordinatorSession(home, settings, modules).coordinator.run()

    with pytest.raises(ChildError):
        asyncio.run(scenario())
