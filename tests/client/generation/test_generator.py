"""The process that draws one order: what it tells its daemon, and what it leaves when it is not wanted any more."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import pytest

from client.api.messages import FROM_GENERATOR, AnyOrder, DropPictures, SetBudget, StartGenerator, Traffic
from client.generation.ranker_download import no_more_than
from client.generator import obey
from core.errors import RankingError
from core.generation.album import read_albums
from core.messages.children import Failed, Hello
from core.messages.events import PictureOrder, PicturesProgress, PicturesSaved, TrainingBudget
from core.messages.lines import MAX_LINE, decode, encode
from core.messages.pictures import MOST_PICTURES, GenerationRequest
from core.swarm.bandwidth import BURST_SECONDS, Line
from tests.core.ranking.model_hub import REPO, REVISION, ModelHub, model_hub, rank_by_it
from tests.core.ranking.tiny_clip import write_tiny_clip
from tests.swarms.drawable_run import save_checkpoint, write_drawable_run
from tests.volunteer import ROOT

REQUEST = GenerationRequest(prompt="red heart", count=2)
CAP = 40_000
"""Download limit in bytes a second."""
PADDING = 160_000
"""Bytes of a tokenizer beside what it says: with them it takes seconds under the cap."""


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"), saved=True)


def where(hub: ModelHub, folder: Path) -> Mapping[str, str]:
    """Tells a process which Hub to ask, and where to keep what comes."""
    return {"HF_ENDPOINT": hub.address, "HF_HOME": str(folder / "home")}


def start(manifest: Path, folder: Path, **changes: object) -> StartGenerator:
    request = GenerationRequest.model_validate(REQUEST.model_dump() | changes)
    order = PictureOrder(id="one", request=request, folder=folder)
    checkpoint = manifest.parent / "peer" / "checkpoint"
    return StartGenerator(manifest=manifest, checkpoint=checkpoint, order=order, threads=1)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[ModelHub]:
    """A run with a model that ranks pictures."""
    folder = tmp_path / "hub"
    folder.mkdir()
    write_tiny_clip(folder)
    with (folder / "tokenizer.json").open("a") as file:
        file.write(" " * PADDING)
    with model_hub(folder) as hub:
        yield hub


@pytest.fixture
def ranked(tmp_path: Path) -> Path:
    """The manifest of a run whose pictures are ranked by that model."""
    manifest = write_drawable_run(tmp_path / "run")
    rank_by_it(manifest)
    save_checkpoint(manifest, manifest.parent / "peer" / "checkpoint")
    return manifest


@contextmanager
def started(
    what: StartGenerator,
    log: Path = Path(os.devnull),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[subprocess.Popen[bytes]]:
    """A generator that was told so."""
    command = [sys.executable, "-m", "client.generator"]
    with (
        log.open("ab") as errors,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, **environment},
        ) as process,
    ):
        try:
            assert process.stdin is not None
            process.stdin.write(encode(what))
            process.stdin.flush()
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[bytes]) -> Iterator[object]:
    assert process.stdout is not None
    while line := process.stdout.readline(MAX_LINE):
        yield decode(line, FROM_GENERATOR)


def test_what_it_cannot_do_is_reported_with_what_to_do(manifest: Path, tmp_path: Path) -> None:
    with started(start(manifest, tmp_path / "one", prompt="violet")) as process:
        *_, last = heard(process)
    assert isinstance(last, Failed)
    assert "no word that this run's model knows" in last.what
    assert last.remedy
    assert not list(tmp_path.iterdir())


def test_it_ends_as_soon_as_nobody_waits_for_it(manifest: Path, tmp_path: Path) -> None:
    with started(start(manifest, tmp_path / "one", count=MOST_PICTURES)) as process:
        assert process.stdin is not None
        next(item for item in heard(process) if isinstance(item, PicturesProgress))
        process.stdin.close()
        assert not any(isinstance(item, PicturesSaved) for item in heard(process))
        assert process.wait() == 0
    assert not list(tmp_path.iterdir())


def test_it_draws_saves_and_ends_and_what_ranks_comes_under_the_cap_with_every_byte_reported(
    ranked: Path, hub: ModelHub, tmp_path: Path
) -> None:
    gallery = tmp_path / "gallery"
    what = start(ranked, gallery / "one").model_copy(update={"budget": TrainingBudget(download=CAP)})
    with started(what, tmp_path / "generator.log", where(hub, tmp_path)) as process:
        messages = list(heard(process))
        assert process.wait() == 0
    assert isinstance(messages[0], Hello)
    assert messages[-1] == PicturesSaved(id="one")
    assert [item.progress for item in messages if isinstance(item, PicturesProgress)][-1] == 1.0
    assert [path.name for path in gallery.iterdir()] == ["one"]
    received = [item.bytes_received for item in messages if isinstance(item, Traffic)]
    (album,) = read_albums(gallery / "one").albums
    assert (album.request, album.epoch) == (REQUEST, 7)
    assert all(picture.score is not None for picture in album.pictures), album.unranked
    first, then = (f"/{REPO}/resolve/{REVISION}/{name}" for name in ("tokenizer.json", "model.safetensors"))
    seconds = hub.first_asked[then] - hub.first_asked[first]
    assert CAP * (seconds + BURST_SECONDS) >= PADDING
    assert received == sorted(received)
    assert received[-1] == hub.sent
    log = (tmp_path / "generator.log").read_text()
    assert re.search(r"Memory plan: The model draws on cpu in float32\. Predicted: .* MiB for model", log)
    assert "The model is that of epoch 7 of run tiny." in log
    assert len(received) > 1, "whoever is ended meanwhile has told of nothing"


def test_more_than_may_be_downloaded_is_not_begun_and_the_pictures_are_kept_unranked(
    ranked: Path, hub: ModelHub, tmp_path: Path
) -> None:
    what = start(ranked, tmp_path / "one").model_copy(update={"may_fetch": PADDING})
    with started(what, environment=where(hub, tmp_path)) as process:
        *_, traffic = (item.bytes_received for item in heard(process) if isinstance(item, Traffic))
    (album,) = read_albums(tmp_path / "one").albums
    assert len(album.pictures) == REQUEST.count
    assert "only 156 KiB may be downloaded now" in album.unranked
    assert 0 < traffic <= hub.sent < 10_000, "sizes are asked for, and no more than the smallest file comes"


@pytest.mark.parametrize(
    ("allowed", "done", "total", "is_refused"),
    [
        (None, 0, 1 << 40, False),
        (100, 0, 100, False),
        (99, 0, 100, True),
        (0, 0, 100, True),
        (50, 60, 100, False),  # the rest of what was broken off
        (0, 100, 100, False),
    ],
)
def test_only_what_is_missing_has_to_be_allowed(
    allowed: int | None, done: int, total: int, is_refused: bool
) -> None:
    arrived = no_more_than(allowed)
    if is_refused:
        with pytest.raises(RankingError, match="may be downloaded now"):
            arrived(done, total)
    else:
        arrived(done, total)


@pytest.mark.parametrize(
    ("order", "cap"), [(SetBudget(budget=TrainingBudget(download=1000)), 1000), (DropPictures(), 2000)]
)
def test_caps_can_be_changed_while_it_works(order: AnyOrder, cap: int) -> None:
    line = Line(download=2000)
    obey(order, line)
    assert line.announced == cap
