"""Frames that are fetched from a coordinator: checked, resumed, within bounds, and beside those drawn here."""

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from client.admission.coordinator import CoordinatorClient, PublishedFrame
from client.admission.frames import coarse_first, keep
from client.admission.tasks import FramesKept, KeepFramesTask
from client.api.errors import CoordinatorAway, StateError
from client.api.gallery import TimelapseIndex
from core.generation.records import FRAMES, FrameIndex, TimelapseFrame, frame_file
from core.storage.files import sha256_of
from tests.gate.served_gate import Instead, ServedGate

PROMPTS = ("red heart", "blue cat")


def picture(shade: int) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (32, 16), (shade, 0, 0)).save(written, "WEBP")
    return written.getvalue()


@pytest.fixture
def painting(gate: ServedGate) -> Iterator[ServedGate]:
    """A coordinator that has frames of the epochs 10, 20 and 30."""
    gate.reissue(sample_prompts=PROMPTS)
    gate.commit(10)
    for epoch in (10, 20, 30):
        gate.hang(epoch, picture(epoch))
    yield gate
    gate.forget_pictures()


@pytest.fixture
def task(painting: ServedGate, tmp_path: Path) -> KeepFramesTask:
    return KeepFramesTask(
        coordinator=painting.address,
        folder=tmp_path / "frames",
        own=tmp_path / "timelapse",
        download=None,
        may_fetch=None,
    )


def draw_here(folder: Path, *epochs: int, prompts: tuple[str, ...] = PROMPTS) -> None:
    folder.mkdir()
    frames = []
    for epoch in epochs:
        (folder / frame_file(epoch)).write_bytes(picture(200 + epoch))
        frames.append(TimelapseFrame(epoch=epoch, sha256=sha256_of(folder / frame_file(epoch))))
    index = FrameIndex(prompts=prompts, columns=2, frames=tuple(frames))
    (folder / FRAMES).write_text(index.model_dump_json())


def fetch(task: KeepFramesTask) -> FramesKept:
    return keep(task, CoordinatorClient(task.coordinator))


def shown(task: KeepFramesTask) -> dict[int, int]:
    """The shade of red of each epoch's frame, as a front end finds it."""
    index = TimelapseIndex.read(task.folder)
    found = {}
    for frame in index.frames:
        file = TimelapseIndex.file(task.folder, frame)
        assert sha256_of(file) == frame.sha256
        with Image.open(file) as image:
            colour = image.convert("RGB").getpixel((0, 0))
        assert isinstance(colour, tuple)
        found[frame.epoch] = round(colour[0])
    return found


def near(found: dict[int, int], expected: dict[int, int]) -> bool:
    """WebP keeps colours nearly."""
    return found.keys() == expected.keys() and all(abs(found[key] - expected[key]) < 4 for key in found)


def test_all_that_is_missing_is_fetched_and_nothing_twice(painting: ServedGate, task: KeepFramesTask) -> None:
    assert fetch(task) == FramesKept(count=3, missing=0)
    assert near(shown(task), {10: 10, 20: 20, 30: 30})
    assert (TimelapseIndex.read(task.folder).prompts, TimelapseIndex.read(task.folder).columns) == (
        PROMPTS,
        2,
    )
    asked = painting.asked("/frames/0")
    painting.hang(40, picture(40))
    assert fetch(task) == FramesKept(count=4, missing=0)
    assert painting.asked("/frames/0") == asked + 1


def test_frames_that_were_drawn_here_lie_between_the_coordinators(task: KeepFramesTask) -> None:
    draw_here(task.own, 5, 20, 35)
    assert fetch(task) == FramesKept(count=5, missing=0)
    assert near(shown(task), {5: 205, 10: 10, 20: 20, 30: 30, 35: 235})


def test_frames_of_other_prompts_are_not_mixed_in(task: KeepFramesTask) -> None:
    draw_here(task.own, 5, prompts=("something else",))
    fetch(task)
    assert list(shown(task)) == [10, 20, 30]


def test_without_the_coordinator_there_is_what_is_here(painting: ServedGate, task: KeepFramesTask) -> None:
    draw_here(task.own, 5)
    painting.instead["/api/frames"] = Instead(503)
    with pytest.raises(CoordinatorAway):
        fetch(task)
    assert near(shown(task), {5: 205})
    painting.instead.clear()
    fetch(task)
    painting.instead["/api/frames"] = Instead(503)
    with pytest.raises(CoordinatorAway):
        fetch(task)
    assert list(shown(task)) == [5, 10, 20, 30], "what was fetched once stays"


def test_what_was_broken_off_goes_on(painting: ServedGate, task: KeepFramesTask) -> None:
    address = f"/frames/0/20/{sha256_of(painting.context.home.frames / 'g0-epoch-0000020.webp')}"
    painting.instead[address] = Instead(503)
    with pytest.raises(CoordinatorAway):
        fetch(task)
    painting.instead.clear()
    assert fetch(task) == FramesKept(count=3, missing=0)
    assert painting.asked("/frames/0/10") == 1


def test_a_coordinator_that_asks_to_be_left_alone_is(painting: ServedGate, task: KeepFramesTask) -> None:
    address = f"/frames/0/20/{sha256_of(painting.context.home.frames / 'g0-epoch-0000020.webp')}"
    painting.instead[address] = Instead(429, headers={"Retry-After": "600"})
    with pytest.raises(CoordinatorAway) as caught:
        fetch(task)
    assert caught.value.seconds == 600
    assert painting.asked(address) == 1
    painting.instead[address] = Instead(429, headers={"Retry-After": "1"})
    with pytest.raises(CoordinatorAway):
        fetch(task)
    assert painting.asked(address) == 3, "a second is waited"


@pytest.mark.parametrize(
    "given",
    [picture(99), picture(20)[:-4], b"", b"x" * 200_000],
    ids=["another", "cut off", "none", "too large"],
)
def test_a_picture_that_is_not_the_announced_one_is_not_kept(
    painting: ServedGate, task: KeepFramesTask, given: bytes
) -> None:
    address = f"/frames/0/20/{sha256_of(painting.context.home.frames / 'g0-epoch-0000020.webp')}"
    painting.instead[address] = Instead(200, given)
    assert fetch(task) == FramesKept(count=2, missing=1)
    assert list(shown(task)) == [10, 30]


def test_a_picture_that_would_take_too_much_memory_is_not_kept(
    painting: ServedGate, task: KeepFramesTask
) -> None:
    written = io.BytesIO()
    Image.new("RGB", (4096, 4096)).save(written, "WEBP")
    painting.hang(25, written.getvalue())
    assert fetch(task) == FramesKept(count=3, missing=1)


def test_no_more_is_fetched_than_may_be(painting: ServedGate, task: KeepFramesTask) -> None:
    passed = 0

    def count(size: int) -> None:
        nonlocal passed
        passed += size

    coordinator = CoordinatorClient(task.coordinator, passed=count)
    first, _, last = coordinator.frames(9).frames
    enough, passed = passed + first.size + last.size, 0
    allowed = task.model_copy(update={"may_fetch": enough})
    assert keep(allowed, coordinator, lambda: passed) == FramesKept(count=2, missing=1)
    assert passed == enough
    nothing = task.model_copy(update={"may_fetch": 0})
    painting.received.clear()
    fetch(nothing)
    assert painting.received == [], "on a metered line not even the list is"


def test_after_a_rollback_what_it_took_back_is_gone(painting: ServedGate, task: KeepFramesTask) -> None:
    fetch(task)
    painting.commit(20, generation=1)
    painting.hang(20, picture(120), generation=1)
    fetch(task)
    assert near(shown(task), {10: 10, 20: 120})
    assert sorted(file.name for file in task.folder.glob("*.webp")) == [frame_file(10), frame_file(20)]


def test_a_damaged_file_is_fetched_again(task: KeepFramesTask) -> None:
    fetch(task)
    (task.folder / frame_file(20)).write_bytes(b"scribble")
    fetch(task)
    assert list(shown(task)) == [10, 20, 30]


@pytest.mark.parametrize("document", [b"{}", b"[]", b'{"frames": 7}', b"x"])
def test_a_list_that_is_none_changes_nothing(
    painting: ServedGate, task: KeepFramesTask, document: bytes
) -> None:
    draw_here(task.own, 5)
    painting.instead["/api/frames"] = Instead(200, document)
    with contextlib.suppress(CoordinatorAway):
        fetch(task)
    assert list(shown(task)) == [5]


def test_a_name_in_the_list_leads_nowhere_else(painting: ServedGate, task: KeepFramesTask) -> None:
    frame = {"generation": 0, "epoch": "../../x", "sha256": "a" * 64, "size": 9}
    document = {"prompts": PROMPTS, "columns": 2, "frames": [frame]}
    painting.instead["/api/frames"] = Instead(200, json.dumps(document).encode())
    with pytest.raises(CoordinatorAway, match="does not understand"):
        fetch(task)


def test_a_folder_that_cannot_be_used_is_reported(task: KeepFramesTask) -> None:
    task.folder.write_text("not a folder")
    with pytest.raises(StateError, match="cannot be saved"):
        fetch(task)


@pytest.mark.parametrize(
    ("count", "order"),
    [(0, []), (1, [0]), (2, [0, 1]), (5, [0, 4, 2, 1, 3]), (9, [0, 8, 4, 2, 6, 1, 3, 5, 7])],
)
def test_the_whole_time_is_seen_coarsely_first(count: int, order: list[int]) -> None:
    frames = [PublishedFrame(generation=0, epoch=epoch, sha256="a" * 64, size=9) for epoch in range(count)]
    assert [frame.epoch for frame in coarse_first(frames)] == order
