"""Pictures of a request: the same whatever fits into a batch, the best first, and cancelled after any code."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from core.errors import MemoryPlanError, RankingError, TextError
from core.generation.cache_layout import bytes_of_text, bytes_per_image
from core.generation.drawing import Drawing
from core.generation.service import Cancelled, Picture, PictureGeneration, generate
from core.messages.pictures import GenerationRequest
from tests.swarms.drawable_run import parts_of, write_drawable_run
from tests.swarms.tiny_run import MODEL

REQUEST = GenerationRequest(prompt="red heart", count=5, top_k=32, temperature=1.0, seed=3)


class Brightest:
    """Ranks by brightness, and remembers what it was asked."""

    def __init__(self, fails_at: int = 10**9, error: Exception | None = None) -> None:
        self.asked: list[int] = []
        self._fails_at, self._error = fails_at, error or RankingError("The ranker broke.", "Mend it.")

    def scores(self, prompt: str, images: Tensor) -> Tensor:
        self.asked.append(len(images))
        if sum(self.asked) > self._fails_at:
            raise self._error
        return images.mean(dim=(1, 2, 3))


class Crowded(Drawing):
    """Runs out of memory in its third step if it draws more images at once than fit."""

    fit = 1

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.left = 2 if arguments[-1] > self.fit else 10**9

    def step(self) -> None:
        super().step()
        self.left -= 1
        if not self.left:
            raise torch.OutOfMemoryError("CUDA out of memory.")


class Narrow(Drawing):
    """Runs out of memory as soon as it is begun, where it makes its caches, if that is for more images than fit."""

    fit = 1

    def __init__(self, *arguments: Any) -> None:
        if arguments[-1] > self.fit:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        super().__init__(*arguments)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"))


def pixels(pictures: tuple[Picture, ...]) -> list[Tensor]:
    return [picture.pixels for picture in pictures]


def equal(one: list[Tensor], other: list[Tensor]) -> bool:
    return len(one) == len(other) and all(map(torch.equal, one, other))


def test_the_same_request_gives_the_same_pictures_however_many_fit_at_once(manifest: Path) -> None:
    first = generate(REQUEST, parts_of(manifest)).kept
    assert [picture.number for picture in first] == list(range(5))
    assert {picture.pixels.shape for picture in first} == {(3, 8, 8)}
    assert {picture.pixels.dtype for picture in first} == {torch.uint8}
    all_pixels = 5 * 3 * 8 * 8
    two = bytes_of_text(MODEL, 1) + 2 * bytes_per_image(MODEL) + all_pixels
    for room in (0, two):
        assert equal(pixels(generate(REQUEST, parts_of(manifest, room=room)).kept), pixels(first))
    other = generate(REQUEST.model_copy(update={"seed": 4}), parts_of(manifest)).kept
    assert not any(map(torch.equal, pixels(first), pixels(other)))


def test_pictures_that_are_done_take_room_as_well(manifest: Path) -> None:
    sizes: list[int] = []

    class SizedDrawing(Drawing):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            sizes.append(arguments[-1])

    pictures = 5 * 3 * 8 * 8
    room = bytes_of_text(MODEL, 1) + 5 * bytes_per_image(MODEL) + pictures
    for spared in (0, 1):
        generation = PictureGeneration(REQUEST, parts_of(manifest, room=room - spared), SizedDrawing)
        while not generation.done:
            generation.step()
    assert sizes == [5, 4, 1]


def test_a_picture_does_not_depend_on_how_many_are_drawn(manifest: Path) -> None:
    many = generate(REQUEST, parts_of(manifest)).kept
    few = generate(REQUEST.model_copy(update={"count": 2}), parts_of(manifest)).kept
    assert equal(pixels(few), pixels(many[:2]))


def test_the_best_come_first_and_ranks_do_not_change_pictures(manifest: Path) -> None:
    ranker = Brightest()
    request = REQUEST.model_copy(update={"count": 18, "best": 3})
    best = generate(request, parts_of(manifest, ranker=ranker)).kept
    every = generate(request, parts_of(manifest)).kept
    brightness = [float(picture.pixels.float().mean() / 255) for picture in every]
    brightest = sorted(range(18), key=lambda number: -brightness[number])[:3]
    assert [picture.number for picture in best] == brightest
    assert [picture.score for picture in best] == pytest.approx([brightness[number] for number in brightest])
    assert equal(pixels(best), [every[number].pixels for number in brightest])
    assert ranker.asked == [16, 2], "what is ranked together does not depend on batches"


@pytest.mark.parametrize(
    ("ranker", "why"),
    [
        (None, "Nobody ranks."),
        (Brightest(fails_at=16), "The ranker broke. Mend it."),
        (
            Brightest(16, torch.OutOfMemoryError("CUDA out of memory.")),
            "There was too little memory to rank them.",
        ),
    ],
    ids=["none", "one that fails midway", "one that takes too much memory"],
)
def test_without_a_ranker_all_are_kept_in_their_order_and_it_says_why(
    manifest: Path, ranker: Brightest | None, why: str
) -> None:
    request = REQUEST.model_copy(update={"count": 18, "best": 3})
    drawn = generate(request, parts_of(manifest, ranker=ranker))
    assert drawn.unranked == why
    assert [picture.number for picture in drawn.kept] == list(range(18))
    assert {picture.score for picture in drawn.kept} == {None}


@pytest.mark.parametrize("fit", [1, 2, 3])
@pytest.mark.parametrize("kind", [Crowded, Narrow])
def test_out_of_memory_it_goes_on_with_fewer_at_a_time_and_the_same_pictures(
    manifest: Path, kind: type[Crowded | Narrow], fit: int
) -> None:
    machine = type("Machine", (kind,), {"fit": fit})
    generation = PictureGeneration(REQUEST, parts_of(manifest), machine)
    while not generation.done:
        generation.step()
    expected = generate(REQUEST, parts_of(manifest)).kept
    assert equal(pixels(generation.pictures().kept), pixels(expected))


def test_without_memory_for_one_picture_it_says_so(manifest: Path) -> None:
    class Full(Crowded):
        fit = 0

    generation = PictureGeneration(REQUEST.model_copy(update={"count": 1}), parts_of(manifest), Full)
    generation.step()
    generation.step()
    with pytest.raises(MemoryPlanError, match="too little memory to draw even one"):
        generation.step()


def test_other_errors_are_not_taken_for_a_lack_of_memory(manifest: Path) -> None:
    class FailingDrawing(Drawing):
        def step(self) -> None:
            raise RuntimeError("shapes do not match")

    generation = PictureGeneration(REQUEST, parts_of(manifest), FailingDrawing)
    generation.step()
    with pytest.raises(RuntimeError, match="shapes"):
        generation.step()


def test_progress_rises_from_0_to_1(manifest: Path) -> None:
    shares: list[float] = []
    generate(REQUEST, parts_of(manifest, ranker=Brightest(), room=0), shares.append)
    assert shares == sorted(shares)
    assert shares[0] < 0.05
    assert shares[-1] == 1.0


@pytest.mark.parametrize("after", [1, 10, 20])
def test_it_is_cancelled_after_any_step(manifest: Path, after: int) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked == after

    with pytest.raises(Cancelled):
        generate(REQUEST, parts_of(manifest), cancelled=cancelled)
    assert asked == after


def test_a_prompt_that_the_model_cannot_read_is_refused_before_anything_is_drawn(manifest: Path) -> None:
    parts = parts_of(manifest)
    for prompt, says in (("red green blue heart", "4 tokens"), ("violet", "no word that")):
        with pytest.raises(TextError, match=says):
            generate(GenerationRequest(prompt=prompt), parts)
