"""The real daemon of a run with a gate answers requests for history, pictures and preferences."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from sqlalchemy import select

from client.api.answers import Done
from client.api.board import BoardQuery
from client.api.commands import KeepFrames, SetPreference
from client.api.errors import RequestRefused
from client.api.gallery import TimelapseIndex
from client.api.history import EpochPoint, Period
from client.api.questions import ShowBoard, ShowContribution, ShowEpochs, ShowPreferences, ShowRanks
from client.api.requests import AnyRequest
from client.api.snapshot import Activity
from coordinator.database.tables import Total, User
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import Instead, ServedGate, served_gate
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.front_end import join
from tests.integration.joining.stand_in_member import member_settings
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

EPOCHS, OWN_SAMPLES = 12, 10


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture
def gate(tmp_path: Path, hub: HubServer) -> Iterator[ServedGate]:
    """A gate that has seen ten epochs, and has frames of two of them."""
    with served_gate(tmp_path / "coordinator", hub) as gate:
        gate.reissue(sample_prompts=("red heart",))
        for epoch in range(1, 11):
            gate.commit(epoch, loss=6.0)
        written = io.BytesIO()
        Image.new("RGB", (16, 16)).save(written, "WEBP")
        for epoch in (5, 10):
            gate.hang(epoch, written.getvalue())
        yield gate


@pytest.fixture
def anna(tmp_path: Path, hub: HubServer) -> Iterator[VolunteerMachine]:
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(
        tmp_path / "anna", environment=environment, settings=member_settings(commits=EPOCHS)
    ) as person:
        person.prefer(run_mode="always")
        person.start()
        yield person


def ask(person: VolunteerMachine, request: AnyRequest) -> Done:
    answer = person.ask(request)
    assert isinstance(answer, Done)
    return answer


def give(gate: ServedGate, name: str, samples: int) -> None:
    """Record samples of a member in the coordinator's database."""
    about = {"first": gate.clock(), "samples": samples, "compute_seconds": 5.0, "epochs": 3}
    with gate.context.database.session() as session:
        user = session.scalars(select(User.id).where(User.name == name)).one()
        session.add(Total(user_id=user, **about))


def test_history_ranks_frames_and_preferences_are_reported(anna: VolunteerMachine, gate: ServedGate) -> None:
    join(anna, gate)
    anna.wait_for(Activity.TRAINING)
    anna.wait_until(
        lambda seen: bool(seen.contribution and seen.contribution.epochs == EPOCHS), "none counts"
    )

    given = ask(anna, ShowContribution(by=Period.HOUR)).contribution
    assert given is not None
    assert (given.total.samples, given.streak_days) == (EPOCHS * OWN_SAMPLES, 1)
    assert {badge.code for badge in given.badges if badge.reached} >= {"epochs_1", "samples_100"}
    assert ask(anna, ShowContribution(all_runs=True)).contribution is not None

    def epochs_shown() -> list[EpochPoint]:
        return list(ask(anna, ShowEpochs()).epochs or ())

    wait_until(
        lambda: any(point.loss == 6.0 for point in epochs_shown()),
        "the coordinator's epochs are not shown",
        every=COSTLY,
    )
    epochs = epochs_shown()
    assert [point.epoch for point in epochs] == list(range(1, EPOCHS + 1))
    assert {point.own_samples for point in epochs} == {OWN_SAMPLES}
    assert [point.loss for point in epochs[8:]] == [6.0, 6.0, pytest.approx(3.9), pytest.approx(3.8)]
    assert len(ask(anna, ShowEpochs(points=4)).epochs or ()) == 4

    give(gate, "anna", 64)
    board = ask(anna, ShowBoard(query=BoardQuery(by="samples", since="all"))).board
    assert board is not None
    assert board.own is not None
    (rank,) = ask(anna, ShowRanks()).ranks or ()
    assert (rank.rank, rank.of) == (1, 1)
    standing = anna.look().standing
    assert standing is not None
    assert standing.rank == 1

    kept = kept_frames(anna)
    assert kept.text == "Epochs with pictures here: 2."
    index = TimelapseIndex.read(Path(kept.about))
    assert [frame.epoch for frame in index.frames] == [5, 10]
    assert all(TimelapseIndex.file(Path(kept.about), frame).is_file() for frame in index.frames)
    contribution = anna.look().contribution
    assert contribution is not None
    assert contribution.bytes_received > 0, "what was downloaded counts"


def test_without_the_coordinator_there_is_what_this_computer_saw(
    anna: VolunteerMachine, gate: ServedGate
) -> None:
    join(anna, gate)
    anna.wait_until(
        lambda seen: bool(seen.contribution and seen.contribution.epochs == EPOCHS), "none counts"
    )
    for path in ("/api/history", "/api/frames"):
        gate.instead[path] = Instead(503)
    epochs = ask(anna, ShowEpochs()).epochs or ()
    assert [point.loss for point in epochs[:2]] == [pytest.approx(4.9), pytest.approx(4.8)]
    kept = kept_frames(anna)
    assert kept.text.startswith("Only what is here can be shown.")
    assert TimelapseIndex.read(Path(kept.about)).frames == ()
    assert ask(anna, ShowRanks()).ranks == ()


def kept_frames(person: VolunteerMachine) -> Done:
    """Ask for the frames until they are no longer on their way, which they are for long on a busy machine."""
    answers = [ask(person, KeepFrames())]

    def is_over() -> bool:
        if "on their way" in answers[-1].text:
            answers.append(ask(person, KeepFrames()))
        return "on their way" not in answers[-1].text

    wait_until(is_over, "the frames never come", every=COSTLY)
    return answers[-1]


def test_preferences_are_reported_as_they_are(anna: VolunteerMachine) -> None:
    ask(anna, SetPreference(name="upload", value="5 Mbit/s"))
    views = {view.name: view for view in ask(anna, ShowPreferences()).preferences or ()}
    assert (views["upload"].value, views["upload"].number) == ("625 KB/s", 625_000)
    assert views["run-mode"].value == "always"
    for view in views.values():
        ask(anna, SetPreference(name=view.name, value=view.value))
    assert {view.name: view for view in ask(anna, ShowPreferences()).preferences or ()} == views


@pytest.mark.parametrize("request_", [ShowContribution(), ShowEpochs(), ShowRanks(), KeepFrames()])
def test_without_a_run_there_is_none_to_tell_of(anna: VolunteerMachine, request_: AnyRequest) -> None:
    with pytest.raises(RequestRefused, match="No run was joined"):
        anna.ask(request_)
