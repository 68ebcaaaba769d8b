"""Pictures that the daemon is asked for, by real trainers and generators of a tiny run: while it trains, and not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from client.api.answers import Done
from client.api.commands import CancelGeneration, Generate, Pause, Resume
from client.api.errors import RequestRefused
from client.api.gallery import GalleryAlbum, GalleryIndex
from client.api.snapshot import Activity, DrawingStage, Snapshot
from core.generation.records import FRAMES, FrameIndex
from core.messages.pictures import MOST_PICTURES, GenerationRequest
from tests.desktops.desktop import virtual_display
from tests.swarms.drawable_run import PROMPTS, write_drawable_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

FEW = GenerationRequest(prompt="red heart", count=3, seed=5)
MANY = GenerationRequest(prompt="blue cat", count=MOST_PICTURES)
GENERATOR = "client.generator"


@pytest.fixture(scope="module")
def volunteer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VolunteerMachine]:
    """A volunteer whose computer trains a run of short epochs, and has completed one."""
    folder = tmp_path_factory.mktemp("volunteer")
    manifest = write_drawable_run(folder / "run", target_batch_size=64)
    with (
        virtual_display() as display,
        volunteer_at(folder / "home", environment={"DISPLAY": display}) as person,
    ):
        person.prefer(run_mode="always", other_cpu_load="off")
        person.start()
        with pytest.raises(RequestRefused, match="No run was joined"):
            person.ask(Generate(wanted=FEW))
        person.join(manifest)
        person.wait_until(lambda seen: epoch(seen) > 0, "it does not learn")
        yield person
        person.quit()
        assert not person.family()


def epoch(seen: Snapshot) -> int:
    return seen.progress.epoch if seen.progress else 0


def asked(person: VolunteerMachine, request: GenerationRequest) -> str:
    answer = person.ask(Generate(wanted=request))
    assert isinstance(answer, Done)
    return answer.about


def gallery(person: VolunteerMachine) -> Path:
    return Path(person.look().gallery)


def album(person: VolunteerMachine, name: str) -> GalleryAlbum:
    """The album of that id, once it is there."""

    def found() -> list[GalleryAlbum]:
        return [item for item in GalleryIndex.read(gallery(person)).albums if item.id == name]

    person.wait_until(lambda _: bool(found()), "there are no pictures")
    return found()[0]


def begun(person: VolunteerMachine) -> str:
    """The id of pictures that a process of their own is drawing."""
    name = asked(person, MANY)
    person.wait_until(lambda seen: any(item.progress > 0 for item in seen.generations), "it does not draw")
    assert len(person.children(GENERATOR)) == 1
    return name


def test_a_trainer_draws_while_it_trains(volunteer: VolunteerMachine) -> None:
    volunteer.ask(Resume())
    before = epoch(volunteer.wait_for(Activity.TRAINING))
    name = asked(volunteer, FEW)
    found = album(volunteer, name)
    assert found.album.request == FEW
    assert found.album.epoch >= before
    for picture in found.album.pictures:
        with Image.open(gallery(volunteer) / name / picture.file) as image:
            assert image.size == (8, 8)
    assert not volunteer.children(GENERATOR)
    volunteer.wait_until(lambda seen: epoch(seen) > found.album.epoch, "it does not go on learning")
    assert not volunteer.look().generations


def test_the_time_lapse_grows_with_the_run(volunteer: VolunteerMachine) -> None:
    volunteer.ask(Resume())
    run = volunteer.look().run
    assert run is not None
    index = Path(run.folder, "peer", "timelapse", FRAMES)
    volunteer.wait_until(lambda _: index.exists(), "there is no frame")
    frames = FrameIndex.model_validate_json(index.read_bytes())
    assert frames.prompts == PROMPTS
    assert frames.frames[0].epoch >= 10


def test_a_process_of_its_own_draws_while_training_is_paused_and_the_same_again(
    volunteer: VolunteerMachine,
) -> None:
    volunteer.ask(Pause(seconds=600))
    volunteer.wait_for(Activity.PAUSED)
    one, two = (album(volunteer, asked(volunteer, FEW)) for _ in range(2))
    assert one.album.epoch == two.album.epoch > 0
    for first, second in zip(one.album.pictures, two.album.pictures, strict=True):
        files = [gallery(volunteer) / item.id / name.file for item, name in ((one, first), (two, second))]
        assert files[0].read_bytes() == files[1].read_bytes()
    assert volunteer.look().activity is Activity.PAUSED


def test_a_process_of_its_own_draws_on_what_the_trainer_drew_once_training_is_paused_and_is_cancelled(
    volunteer: VolunteerMachine,
) -> None:
    volunteer.ask(Resume())
    volunteer.wait_for(Activity.TRAINING)
    name = asked(volunteer, MANY)
    volunteer.wait_until(lambda seen: stages(seen) == [DrawingStage.BETWEEN_STEPS], "it is not drawn")
    volunteer.ask(Pause(seconds=600))
    volunteer.wait_until(
        lambda seen: bool(volunteer.children(GENERATOR)) and stages(seen) == [DrawingStage.DRAWING],
        "it waits for the trainer",
    )
    volunteer.wait_until(lambda seen: any(item.progress > 0 for item in seen.generations), "it does not draw")
    assert volunteer.look().activity is Activity.PAUSED
    volunteer.ask(CancelGeneration(generation=name))
    wait_until(lambda: not volunteer.children(GENERATOR), "it draws on")
    volunteer.wait_until(lambda seen: not seen.generations, "it is still shown")
    assert not list(gallery(volunteer).glob(f"*{name}*"))


def stages(seen: Snapshot) -> list[DrawingStage]:
    return [item.stage for item in seen.generations]


def test_a_generator_that_is_killed_leaves_nothing_and_is_reported(volunteer: VolunteerMachine) -> None:
    volunteer.ask(Pause(seconds=600))
    volunteer.wait_for(Activity.PAUSED)
    name = begun(volunteer)
    volunteer.children(GENERATOR)[0].kill()
    volunteer.wait_until(lambda seen: not seen.generations, "it is still shown")
    assert any("“blue cat”" in notice.text for notice in volunteer.look().notices)
    assert not list(gallery(volunteer).glob(f"*{name}*"))
    assert not volunteer.children(GENERATOR)
