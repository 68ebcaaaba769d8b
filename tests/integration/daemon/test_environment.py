"""Real trainers in environments: a first epoch keeps one, and one that lacks packages is taken back."""

import sys
import venv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from client.api.answers import Done
from client.api.commands import Generate, Pause
from client.api.environment import SetupStage
from client.api.gallery import GalleryIndex
from client.api.snapshot import Activity, Snapshot
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, python_of, write_record
from client.service.trainer.run import CHECKPOINT, PEER
from core.messages.pictures import GenerationRequest
from tests.swarms.drawable_run import write_drawable_run
from tests.volunteer import VolunteerMachine, volunteer_at

SOURCE = {"address": "http://127.0.0.1:1/packages.json", "key": "ab" * 32}
"""Source that no test may need: what is in place is used."""
pytestmark = pytest.mark.exhaustive


LIGHT = ("pydantic", "pydantic_core", "annotated_types", "typing_extensions.py", "typing_inspection")
"""Packages without which a trainer cannot even report what it lacks."""


def make_environment(folder: Path, *, made_epoch: bool, is_whole: bool = True) -> None:
    """Make a virtual environment with the record of one that is in place.

    It has the packages of this Python, or, unless it ``is_whole``, only the lightest of them.
    """
    venv.create(folder, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (ours,) = (path for path in sys.path if path.endswith("site-packages"))
    if is_whole:
        (site / "packages.pth").write_text(ours)
    for name in LIGHT:
        (site / name).symlink_to(Path(ours) / name)
    record = EnvironmentRecord(variant="cpu", digest="d", serial=1, why="A test.", has_made_epoch=made_epoch)
    write_record(folder, record)


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer_at(tmp_path / "home", settings={"packages": SOURCE}) as volunteer:
        yield volunteer


def test_a_first_epoch_keeps_the_environment_and_pictures_are_drawn_in_it(
    volunteer: VolunteerMachine, tmp_path: Path
) -> None:
    places = EnvironmentPlaces(volunteer.paths.environment)
    make_environment(places.current, made_epoch=False)
    make_environment(places.previous, made_epoch=True)
    volunteer.prefer(run_mode="always", other_cpu_load="off")
    volunteer.start()
    volunteer.join(write_drawable_run(tmp_path / "run", target_batch_size=64))
    volunteer.wait_until(lambda seen: seen.trainer is not None, "no trainer starts")
    assert volunteer.trainer.cmdline()[0] == str(python_of(places.current))
    volunteer.wait_until(lambda seen: stage_of(seen) is SetupStage.READY, "it stays on trial", 240)
    assert not places.previous.exists(), "the one before is kept"
    volunteer.wait_until(has_model, "the trained model is not saved", 240)
    volunteer.ask(Pause())
    drawn = volunteer.ask(Generate(wanted=GenerationRequest(prompt="red heart", count=2, seed=5)))
    assert isinstance(drawn, Done)
    programs: set[str] = set()

    def is_drawn() -> bool:
        programs.update(generators(volunteer))
        found = GalleryIndex.read(Path(volunteer.look().gallery)).albums
        return any(album.id == drawn.about for album in found)

    volunteer.wait_until(lambda _: is_drawn(), "there are no pictures", 240)
    assert programs == {str(python_of(places.current))}
    volunteer.quit()
    assert not volunteer.family()


def test_an_environment_that_lacks_packages_is_taken_back_and_training_goes_on_in_the_one_before(
    volunteer: VolunteerMachine, tmp_path: Path
) -> None:
    places = EnvironmentPlaces(volunteer.paths.environment)
    make_environment(places.current, made_epoch=False, is_whole=False)
    make_environment(places.previous, made_epoch=True)
    volunteer.prefer(run_mode="always", other_cpu_load="off")
    volunteer.start()
    volunteer.join(write_drawable_run(tmp_path / "run", target_batch_size=64))
    volunteer.wait_for(Activity.TRAINING, seconds=240)
    seen = volunteer.look()
    assert stage_of(seen) is SetupStage.READY
    assert any("A package is missing in it." in notice.text for notice in seen.notices)
    volunteer.quit()
    assert not volunteer.family()


def has_model(seen: Snapshot) -> bool:
    return seen.run is not None and (Path(seen.run.folder) / PEER / CHECKPOINT).exists()


def stage_of(seen: Snapshot) -> SetupStage | None:
    return seen.environment.stage if seen.environment is not None else None


def generators(volunteer: VolunteerMachine) -> Iterator[str]:
    """Programs of the processes that draw."""
    for process in volunteer.family():
        with suppress(psutil.Error):
            command = process.cmdline()
            if command[1:4] == ["-P", "-m", "client.generator"]:
                yield command[0]
