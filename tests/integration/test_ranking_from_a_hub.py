"""Downloads for ranking pictures are counted, whichever process draws the pictures."""

import shutil
from pathlib import Path

from client.api.answers import Done
from client.api.commands import Generate, Pause, Resume
from client.api.gallery import GalleryAlbum, GalleryIndex
from client.api.snapshot import Activity, ContributionView, Snapshot
from core.messages.pictures import GenerationRequest
from tests.core.ranking.model_hub import ModelHub, model_hub, rank_by_it
from tests.core.ranking.tiny_clip import write_tiny_clip
from tests.desktops.desktop import virtual_display
from tests.swarms.drawable_run import write_drawable_run
from tests.volunteer import VolunteerMachine, volunteer_at

FEW = GenerationRequest(prompt="red heart", count=2)


def drawn(person: VolunteerMachine) -> GalleryAlbum:
    """Pictures that were asked for now."""
    answer, gallery = person.ask(Generate(wanted=FEW)), Path(person.look().gallery)
    assert isinstance(answer, Done)

    def found() -> list[GalleryAlbum]:
        return [item for item in GalleryIndex.read(gallery).albums if item.id == answer.about]

    person.wait_until(lambda _: bool(found()), "there are no pictures")
    return found()[0]


def contribution(seen: Snapshot) -> ContributionView:
    assert seen.contribution is not None
    return seen.contribution


def draw_ranked(person: VolunteerMachine, hub: ModelHub, home: Path) -> None:
    """Draw pictures with a ranking model that is not downloaded yet, and check that its bytes are counted."""
    shutil.rmtree(home, ignore_errors=True)
    sent, before = hub.sent, contribution(person.look())
    album = drawn(person).album
    assert all(picture.score is not None for picture in album.pictures), album.unranked
    downloaded = hub.sent - sent
    assert downloaded > (hub.folder / "model.safetensors").stat().st_size
    person.wait_until(
        lambda seen: contribution(seen).bytes_received >= before.bytes_received + downloaded,
        "it is not counted",
    )
    assert contribution(person.look()).month_bytes >= before.month_bytes + downloaded


def test_what_is_downloaded_to_rank_pictures_is_counted(tmp_path: Path) -> None:
    manifest = write_drawable_run(tmp_path / "run", target_batch_size=256)
    rank_by_it(manifest)
    (tmp_path / "hub").mkdir()
    with model_hub(write_tiny_clip(tmp_path / "hub")) as hub, virtual_display() as display:
        kept = tmp_path / "kept"
        surroundings = {"DISPLAY": display, "HF_ENDPOINT": hub.address, "HF_HOME": str(kept)}
        with volunteer_at(tmp_path / "home", environment=surroundings) as person:
            person.prefer(run_mode="always", other_cpu_load="off")
            person.start()
            person.join(manifest)
            person.wait_until(lambda seen: bool(seen.progress and seen.progress.epoch), "it does not learn")
            draw_ranked(person, hub, kept)
            person.ask(Pause(seconds=600))
            person.wait_for(Activity.PAUSED)
            draw_ranked(person, hub, kept)
            person.ask(Resume())
            person.quit()
