"""Several front ends of one daemon: each sees what another does, and one that quits ends all of it, at any time."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.api.commands import Finish, Join, Pause, Quit, Resume
from client.api.errors import RequestRefused
from client.api.snapshot import Activity
from tests.client.stand_ins.trainer import Deed
from tests.integration.front_end import idlebrush, in_terminal, said
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer_at(tmp_path / "home", settings=learner_settings()) as person:
        person.prefer(run_mode="always")
        yield person


def begin(person: VolunteerMachine, manifest: Path) -> None:
    person.start()
    person.join(manifest)


def test_one_front_end_watches_what_the_others_do(volunteer: VolunteerMachine, manifest: Path) -> None:
    begin(volunteer, manifest)
    volunteer.wait_for(Activity.TRAINING)
    with (
        in_terminal(volunteer, "status", "--watch") as one,
        in_terminal(volunteer, "status", "--watch") as other,
    ):
        one.read_until("Training.")
        other.read_until("Training.")
        assert said(volunteer, "pause").stdout == "Paused.\n"
        one.read_until("Paused: you paused it until you resume.")
        volunteer.ask(Resume())
        one.read_until("Training.")
        volunteer.ask(Pause(seconds=900))
        other.read_until("Paused: you paused it until")
        other.process.send_signal(signal.SIGINT)
        assert other.process.wait(PATIENCE) == 0, "who has seen enough goes, and nothing else ends"
        assert "ends" in idlebrush(volunteer, "quit").stdout
        one.read_until("Idlebrush is not running.")
        assert one.process.wait(PATIENCE) == 1


def test_a_daemon_without_a_run_has_nothing_to_pause(volunteer: VolunteerMachine) -> None:
    volunteer.start()
    for verb in ("pause", "resume", "finish"):
        done = said(volunteer, verb)
        assert done.returncode == 2
        assert "No run was joined." in done.stderr
    assert not {"paused", "snoozed"} & {reason.code for reason in volunteer.look().reasons}


def test_orders_that_contradict_each_other_leave_what_the_last_one_wanted(
    volunteer: VolunteerMachine, manifest: Path
) -> None:
    begin(volunteer, manifest)
    volunteer.wait_for(Activity.TRAINING)
    trainer = volunteer.trainer
    for _ in range(20):
        for order in (Pause(), Resume(), Pause(seconds=60), Finish(), Resume()):
            volunteer.ask(order)
    volunteer.wait_for(Activity.TRAINING)
    assert volunteer.look().reasons == ()
    assert volunteer.trainer == trainer, "it was there all the time"


def train(person: VolunteerMachine) -> None:
    person.wait_for(Activity.TRAINING)


def settle(person: VolunteerMachine) -> None:
    train(person)
    person.ask(Pause())


def freeze(person: VolunteerMachine) -> None:
    trainer = person.wait_for(Activity.TRAINING).trainer
    assert trainer is not None
    person.ask(Pause())
    wait_until(lambda: person.trainer.status() == "stopped", "it goes on")


def load(person: VolunteerMachine) -> None:
    person.wait_until(lambda seen: seen.trainer is not None, "it does not begin to load")


def back_off(person: VolunteerMachine) -> None:
    person.wait_for(Activity.WAITING)


def give_up(person: VolunteerMachine) -> None:
    person.wait_for(Activity.ATTENTION)


def begin_to_start(person: VolunteerMachine) -> None:
    person.wait_for(Activity.STARTING)


def finish(person: VolunteerMachine) -> None:
    train(person)
    person.ask(Finish())


@pytest.mark.parametrize(
    ("deed", "reach"),
    [
        (Deed.LEARN, train),
        pytest.param(Deed.LEARN, settle, marks=pytest.mark.exhaustive),
        (Deed.LEARN, freeze),
        pytest.param(Deed.LOAD, begin_to_start, marks=pytest.mark.exhaustive),
        (Deed.LOAD, load),
        (Deed.CRASH, back_off),
        pytest.param(Deed.REFUSE, give_up, marks=pytest.mark.exhaustive),
        pytest.param(Deed.UNTIL_STOPPED, finish, marks=pytest.mark.exhaustive),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_quitting_leaves_nothing_whatever_it_does(
    volunteer: VolunteerMachine, manifest: Path, deed: Deed, reach: Callable[[VolunteerMachine], None]
) -> None:
    volunteer.settings.update(learner_settings(deed))
    begin(volunteer, manifest)
    reach(volunteer)
    assert said(volunteer, "quit").returncode == 0
    assert volunteer.daemon is not None
    assert volunteer.daemon.wait(PATIENCE) == 0, volunteer.logs()
    assert not volunteer.family()
    assert not volunteer.paths.socket.exists()


def test_whoever_quits_has_the_last_word(volunteer: VolunteerMachine, manifest: Path) -> None:
    volunteer.settings.update(learner_settings(Deed.IGNORE_STOP, surroundings={"seconds_to_close": 5.0}))
    begin(volunteer, manifest)
    train(volunteer)
    run = volunteer.look().run
    assert run is not None
    volunteer.ask(Quit())
    volunteer.wait_for(Activity.LEAVING)
    for order in (Resume(), Join(folder=run.folder)):
        with pytest.raises(RequestRefused, match="about to end"):
            volunteer.ask(order)
    assert volunteer.daemon is not None
    assert volunteer.daemon.wait(PATIENCE) == 0, volunteer.logs()
    assert not volunteer.family()
    assert "Traceback" not in volunteer.logs()


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.exhaustive)]
)
def test_a_signal_ends_it_in_order_too(
    volunteer: VolunteerMachine, manifest: Path, number: signal.Signals
) -> None:
    begin(volunteer, manifest)
    freeze(volunteer)
    assert volunteer.daemon is not None
    volunteer.daemon.send_signal(number)
    assert volunteer.daemon.wait(PATIENCE) == 0, volunteer.logs()
    assert not volunteer.family()
