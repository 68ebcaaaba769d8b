"""The process that draws one order: what it tells its daemon, and what it leaves when it is not wanted any more."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.api.messages import FROM_GENERATOR, DrawPictures, PicturesProgress, PicturesSaved, StartGenerator
from core.generation.album import read_albums
from core.generation.request import MOST_PICTURES, GenerationRequest
from core.lines import MAX_LINE, decode, encode
from core.messages import Failed, Hello
from tests.drawable_run import write_drawable_run
from tests.volunteer import ROOT

REQUEST = GenerationRequest(prompt="red heart", count=2)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_drawable_run(tmp_path_factory.mktemp("run"), saved=True)


def start(manifest: Path, folder: Path, **changes: object) -> StartGenerator:
    request = GenerationRequest.model_validate(REQUEST.model_dump() | changes)
    order = DrawPictures(id="one", request=request, folder=folder)
    checkpoint = manifest.parent / "peer" / "checkpoint"
    return StartGenerator(manifest=manifest, checkpoint=checkpoint, order=order, threads=1)


@contextmanager
def told(what: StartGenerator) -> Iterator[subprocess.Popen[bytes]]:
    """A generator that was told so."""
    command = [sys.executable, "-m", "client.generator"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
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


def test_it_draws_saves_and_ends(manifest: Path, tmp_path: Path) -> None:
    with told(start(manifest, tmp_path / "one")) as process:
        said = list(heard(process))
        assert process.wait() == 0
    assert isinstance(said[0], Hello)
    assert said[-1] == PicturesSaved(id="one")
    assert [item.progress for item in said if isinstance(item, PicturesProgress)][-1] == 1.0
    assert [path.name for path in tmp_path.iterdir()] == ["one"]
    (album,) = read_albums(tmp_path / "one").albums
    assert (album.request, album.epoch) == (REQUEST, 7)


@pytest.mark.parametrize(
    ("folder", "prompt", "says"),
    [("file/one", "red heart", "cannot be saved"), ("one", "violet", "no word that this run's model knows")],
)
def test_what_it_cannot_do_is_told_with_what_to_do(
    manifest: Path, tmp_path: Path, folder: str, prompt: str, says: str
) -> None:
    (tmp_path / "file").write_text("")
    with told(start(manifest, tmp_path / folder, prompt=prompt)) as process:
        *_, last = heard(process)
    assert isinstance(last, Failed)
    assert says in last.what
    assert last.remedy
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_it_ends_as_soon_as_nobody_waits_for_it(manifest: Path, tmp_path: Path) -> None:
    with told(start(manifest, tmp_path / "one", count=MOST_PICTURES)) as process:
        assert process.stdin is not None
        next(item for item in heard(process) if isinstance(item, PicturesProgress))
        process.stdin.close()
        assert not any(isinstance(item, PicturesSaved) for item in heard(process))
        assert process.wait() == 0
    assert not list(tmp_path.iterdir())
