"""Several front ends of one daemon: each sees what another does, and whoever quits ends all of it, at any time."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.api.commands import Finish, Join, Pause, Quit, Resume
from client.api.errors import RequestRefused
from client.api.snapshot import Activity
from tests.client.stand_ins.trainer import Deed
from tests.integration.front_end import idlebrush, in_terminal
from tests.integration.stand_in_learner import told
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_run(tmp_path_factory.mktemp("run"))


@pytest.fixture
def somebody(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer(tmp_path / "home", told=told()) as person:
        person.prefer(run_mode="always")
        yield person


def begin(person: VolunteerMachine, manifest: Path) -> None:
    person.start()
    person.join(manifest)


def test_one_front_end_watches_what_the_others_do(somebody: VolunteerMachine, manifest: Path) -> None:
    begin(somebody, manifest)
    somebody.wait_for(Activity.TRAINING)
    with (
        in_terminal(somebody, "status", "--watch") as one,
        in_terminal(somebody, "status", "--watch") as other,
    ):
        one.read_until("Training.")
        other.read_until("Training.")
        assert idlebrush(somebody, "pause").stdout == "Paused.\n"
        one.read_until("Paused: you paused it until you resume.")
        somebody.ask(Resume())
        one.read_until("Training.")
        somebody.ask(Pause(seconds=900))
        other.read_until("Paused: you paused it until")
        other.process.send_signal(signal.SIGINT)
        assert other.process.wait(PATIENCE) == 0, "who has seen enough goes, and nothing else ends"
        assert "ends" in idlebrush(somebody, "quit").stdout
        one.read_until("Idlebrush is not running.")
        assert one.process.wait(PATIENCE) == 1


def test_a_daemon_without_a_run_has_nothing_to_pause(somebody: VolunteerMachine) -> None:
    somebody.start()
    for verb in ("pause", "resume", "finish"):
        done = idlebrush(somebody, verb)
        assert done.returncode == 2
        assert "No run was joined." in done.stderr
    assert not {"paused", "snoozed"} & {reason.code for reason in somebody.look().reasons}


def test_orders_that_contradict_each_other_leave_what_the_last_one_wanted(
    somebody: VolunteerMachine, manifest: Path
) -> None:
    begin(somebody, manifest)
    somebody.wait_for(Activity.TRAINING)
    trainer = somebody.trainer
    for _ in range(20):
        for order in (Pause(), Resume(), Pause(seconds=60), Finish(), Resume()):
            somebody.ask(order)
    somebody.wait_for(Activity.TRAINING)
    assert somebody.look().reasons == ()
    assert somebody.trainer == trainer, "it was there all the time"


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
        (Deed.LEARN, settle),
        (Deed.LEARN, freeze),
        (Deed.LOAD, begin_to_start),
        (Deed.LOAD, load),
        (Deed.CRASH, back_off),
        (Deed.REFUSE, give_up),
        (Deed.UNTIL_STOPPED, finish),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_quitting_leaves_nothing_whatever_it_does(
    somebody: VolunteerMachine, manifest: Path, deed: Deed, reach: Callable[[VolunteerMachine], None]
) -> None:
    somebody.told.update(told(deed))
    begin(somebody, manifest)
    reach(somebody)
    assert idlebrush(somebody, "quit").returncode == 0
    assert somebody.daemon is not None
    assert somebody.daemon.wait(PATIENCE) == 0, somebody.logs()
    assert not somebody.family()
    assert not somebody.paths.socket.exists()


def test_whoever_quits_has_the_last_word(somebody: VolunteerMachine, manifest: Path) -> None:
    somebody.told.update(told(Deed.IGNORE_STOP, surroundings={"seconds_to_close": 5.0}))
    begin(somebody, manifest)
    train(somebody)
    run = somebody.look().run
    assert run is not None
    somebody.ask(Quit())
    somebody.wait_for(Activity.LEAVING)
    for order in (Resume(), Join(folder=run.folder)):
        with pytest.raises(RequestRefused, match="about to end"):
            somebody.ask(order)
    assert somebody.daemon is not None
    assert somebody.daemon.wait(PATIENCE) == 0, somebody.logs()
    assert not somebody.family()
    assert "Traceback" not in somebody.logs()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order_too(
    somebody: VolunteerMachine, manifest: Path, number: signal.Signals
) -> None:
    begin(somebody, manifest)
    freeze(somebody)
    assert somebody.daemon is not None
    somebody.daemon.send_signal(number)
    assert somebody.daemon.wait(PATIENCE) == 0, somebody.logs()
    assert not somebody.family()
