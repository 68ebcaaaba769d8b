import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.children.logs import OwnLog, appending, bound, earlier, redacted, rotate
from tests.client.full_disk import SmallDisk

TOKEN = "hf_" + "AbCdEfGh" * 4
OAUTH = "hf_oauth_eyJhbGciOi.eyJzdWIiOiIx.c2ln-_=="


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """One that nobody else hears."""
    logger = logging.Logger("test")
    yield logger
    for handler in logger.handlers:
        handler.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"token={TOKEN}, kept", "token=[secret], kept"),
        (f"'{OAUTH}'", "'[secret]'"),
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer [secret]"),
        ("authorization: bearer abc", "authorization: bearer [secret]"),
        ("peer eyJhbGciOi.eyJzdWIiOiIx.c2ln said", "peer [secret] said"),
        (f"https://x:{TOKEN}@hub/{TOKEN}", "https://[secret]@hub/[secret]"),
        ("https://anna:pass@run.example/run.toml", "https://[secret]@run.example/run.toml"),
        ("https://run.example/@anna and a@b", "https://run.example/@anna and a@b"),
        ("half of nothing", "half of nothing"),
    ],
)
def test_what_looks_like_a_token_is_not_written(text: str, expected: str) -> None:
    assert redacted(text) == expected


def test_no_part_of_a_record_lets_a_token_through(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "daemon.log"
    logger.addHandler(OwnLog(path))
    logger.warning("by argument %s", TOKEN)
    logger.warning(f"in the message {OAUTH}")
    try:
        raise ValueError(TOKEN)
    except ValueError:
        logger.exception("in a traceback")
    text = path.read_text()
    assert text.count("[secret]") == 3
    assert "Traceback" in text
    assert "hf_" not in text


def test_lines_carry_the_time_in_utc(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "daemon.log"
    logger.addHandler(OwnLog(path))
    record = logging.LogRecord("client", logging.INFO, "", 0, "Ünïcode \udcff", None, None)
    record.created, record.msecs = 1_772_366_400.0, 5
    logger.handle(record)
    assert path.read_text() == "2026-03-01T12:00:00.005Z INFO client: Ünïcode \\udcff\n"


def test_a_warning_is_named_alike_in_all_processes(tmp_path: Path, logger: logging.Logger) -> None:
    """Hivemind names it otherwise, in the processes that import it."""
    logger.addHandler(OwnLog(tmp_path / "daemon.log"))
    before = logging.getLevelName(logging.WARNING)
    logging.addLevelName(logging.WARNING, "WARN")
    try:
        logger.warning("the disk is full")
    finally:
        logging.addLevelName(logging.WARNING, before)
    assert "Z WARNING " in (tmp_path / "daemon.log").read_text()


def test_the_own_log_rotates_and_is_its_owners_alone(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "daemon.log"
    logger.addHandler(OwnLog(path, largest=1000, kept=2))
    for number in range(200):
        logger.warning("line %d", number)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["daemon.log", "daemon.log.1", "daemon.log.2"]
    assert all(file.stat().st_size <= 1000 for file in files)
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert "line 199" in path.read_text()


def test_the_own_log_goes_on_where_it_cannot_be_renamed(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "daemon.log"
    in_the_way = earlier(path)
    (in_the_way / "folder").mkdir(parents=True)
    logger.addHandler(OwnLog(path, largest=100, kept=1, rest=0.0))
    for number in range(4):
        logger.info("a line that is rather long, so that a few fill the log: %d", number)
    assert [line[-1] for line in path.read_text().splitlines()] == ["0", "1", "2", "3"]
    (in_the_way / "folder").rmdir()
    in_the_way.rmdir()
    logger.info("the last line")
    assert path.read_text().splitlines()[0].endswith("the last line")
    assert len(in_the_way.read_text().splitlines()) == 4


def test_the_own_log_is_not_renamed_again_at_each_line(tmp_path: Path, logger: logging.Logger) -> None:
    path = tmp_path / "daemon.log"
    in_the_way = earlier(path)
    (in_the_way / "folder").mkdir(parents=True)
    logger.addHandler(OwnLog(path, largest=100, kept=1, rest=600.0))
    for _ in range(2):
        logger.info("a line that is rather long, so that a few fill the log, and the next begins another one")
    (in_the_way / "folder").rmdir()
    in_the_way.rmdir()
    logger.info("a line after a short time")
    assert len(path.read_text().splitlines()) == 3
    assert not in_the_way.exists()


def test_a_log_that_a_child_gets_is_appended_to_or_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "child.log"
    for emptied, expected in ((False, "a"), (False, "aa"), (True, "a")):
        with appending(path, emptied=emptied) as log:
            os.write(log, b"a")
        assert path.read_text() == expected


def test_a_full_disk_costs_the_own_log_lines_and_nothing_else(
    small_disk: SmallDisk, logger: logging.Logger, capfd: pytest.CaptureFixture[str]
) -> None:
    path = small_disk.folder / "daemon.log"
    logger.addHandler(OwnLog(path))
    logger.warning("before")
    with small_disk.full():
        for _ in range(500):
            logger.warning("lost, as there is no space for so many of these lines" * 20)
    logger.warning("after")
    text = path.read_text()
    assert text.splitlines()[0].endswith("before")
    assert text.splitlines()[-1].endswith("after")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("shorten", [rotate, bound])
def test_a_log_that_is_short_or_missing_stays(tmp_path: Path, shorten: Callable[..., None]) -> None:
    path = tmp_path / "trainer.log"
    shorten(path)
    path.write_text("short")
    shorten(path, largest=5)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("trainer.log", "short")]


@pytest.mark.parametrize("shorten", [rotate, bound])
def test_a_log_that_has_grown_is_kept_under_a_number(tmp_path: Path, shorten: Callable[..., None]) -> None:
    path = tmp_path / "trainer.log"
    for number in range(5):
        path.write_text(f"life {number}")
        shorten(path, largest=5)
    kept = {file.name: file.read_text() for file in tmp_path.iterdir() if file.stat().st_size}
    assert kept == {"trainer.log.1": "life 4", "trainer.log.2": "life 3", "trainer.log.3": "life 2"}


WRITES = """
import sys
for line in sys.stdin:
    sys.stderr.write(line)
    sys.stderr.flush()
    print("written", flush=True)
"""


def test_a_process_that_appends_goes_on_in_the_emptied_log(tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", WRITES]
    with (
        appending(path) as log,
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        for line in ("a" * 99, "b" * 99, "c" * 9):
            print(line, file=process.stdin, flush=True)
            assert process.stdout.readline() == "written\n"
            bound(path, largest=50)
    assert path.read_text() == "c" * 9 + "\n"
    assert (tmp_path / "trainer.log.1").read_text() == "b" * 99 + "\n"
    assert (tmp_path / "trainer.log.2").read_text() == "a" * 99 + "\n"


def test_without_space_for_a_copy_the_log_is_emptied_all_the_same(small_disk: SmallDisk) -> None:
    path = small_disk.folder / "trainer.log"
    path.write_bytes(b"x" * 100_000)
    with small_disk.full():
        bound(path, largest=50_000)
        assert path.stat().st_size == 0
        assert not (small_disk.folder / "trainer.log.1").exists()


@pytest.mark.parametrize("shorten", [rotate, bound])
def test_a_log_that_cannot_be_moved_is_no_reason_to_end(
    tmp_path: Path, shorten: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "trainer.log"
    path.write_text("x" * 100)
    (tmp_path / "trainer.log.2").touch()
    (tmp_path / "trainer.log.3").mkdir()
    shorten(path, largest=50)
    assert "trainer.log cannot be kept short" in caplog.text
    assert path.read_text() == "x" * 100
