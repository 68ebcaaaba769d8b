"""The file of preferences: forgiving what is in it, losing nothing, and explaining itself."""

import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.api.errors import PreferenceError
from client.preferences.preferences import Preferences, RunMode, describe, with_value
from client.preferences.preferences_file import LARGEST, PreferencesFile, as_text, change, load
from tests.client.full_disk import mounted_at

DEFAULTS = Preferences()
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SLOW_CHANGE = """
import sys
from pathlib import Path
from client.preferences.preferences import with_value
from client.preferences.preferences_file import change

def alter(now):
    print("has read", flush=True)
    sys.stdin.read()
    return with_value(now, "run-mode", "never")

change(Path(sys.argv[1]), alter)
"""
"""A program that changes a preference, and takes until its input ends."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "preferences.toml"


def written(file: Path, text: str) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def save(file: Path, preferences: Preferences, now: datetime = NOW) -> Path | None:
    return change(file, lambda _: preferences, lambda: now)


def chosen() -> Preferences:
    preferences = DEFAULTS
    for name, text in (
        ("hours", "mon-fri 18:00-08:00"),
        ("while-in-use-cpu", "25%"),
        ("exclusive-applications", 'steam, "quoted" \\ back, Käse'),
        ("gpus", "none"),
        ("monthly-quota", "100 GB"),
        ("full-screen-pause", "off"),
    ):
        preferences = with_value(preferences, name, text)
    return preferences


def test_without_a_file_there_are_the_defaults(file: Path) -> None:
    assert load(file) == (DEFAULTS, None)


def test_what_is_saved_is_loaded(file: Path) -> None:
    assert save(file, chosen()) is None
    assert load(file) == (chosen(), None)


def test_the_file_shows_every_default_as_a_comment(file: Path) -> None:
    save(file, chosen())
    text = file.read_text(encoding="utf-8")
    assert len(tomllib.loads(text)) == 6
    for row in describe(chosen()):
        assert (f"\n# {row.name} = " in text) is row.is_default
        assert " ".join(row.help.split()) in " ".join(text.replace("\n#", "").split())
    assert max(map(len, text.splitlines())) <= 110
    uncommented = "".join(line.removeprefix("# ") + "\n" for line in text.splitlines() if " = " in line)
    assert load(written(file, uncommented)) == (chosen(), None)


def test_toml_types_of_ones_own_are_understood(file: Path) -> None:
    preferences, problem = load(
        written(
            file,
            "idle_minutes = 5\nshare-of-time = 50\nvideo-pause = false\ngpus = [1, 0]\n"
            'exclusive-applications = ["steam", "blender"]\ncpu-temperature = 80.5\n"upload" = "1 MB/s"\n',
        )
    )
    assert problem is None
    assert preferences == Preferences(
        idle_minutes=5.0,
        share_of_time=0.5,
        video_pause=False,
        gpus=(0, 1),
        exclusive_applications=("steam", "blender"),
        cpu_temperature=80.5,
        upload=1_000_000,
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("idle-minutes = 5 min", "Line 2 (idle-minutes = 5 min) is not a name, = and a value in quotes."),
        ("just words", "Line 2 (just words) is not a name, = and a value in quotes."),
        ('idle-minutes = "5', 'Line 2 (idle-minutes = "5) is not a name, = and a value in quotes.'),
        ("threads = 0", "Line 2: threads cannot be '0'. It may be auto, or a number from 1 to 1024."),
        ("idle-minuts = 5", "Line 2: There is no preference 'idle-minuts'. Did you mean idle-minutes?"),
        ("hours = [[1]]", "Line 2: hours cannot be a list. Write a text in quotes."),
        ("hours = 2026-03-02", "Line 2: hours cannot be a date. Write a text in quotes."),
        ("[upload]", "Line 2: upload cannot be a dict. Write a text in quotes."),
        ("hours.start = 5", "Line 2: hours cannot be a dict. Write a text in quotes."),
        (f"threads = 0x{'f' * 5000}", "Line 2: threads cannot be a number of thousands of digits."),
        (f"gpus = [0x{'f' * 5000}]", "Line 2: gpus cannot be a number of thousands of digits."),
    ],
)
def test_a_line_that_is_wrong_is_named_and_the_others_hold(file: Path, line: str, words: str) -> None:
    preferences, problem = load(written(file, f'download = "1 MB/s"\n{line}\n'))
    assert preferences == Preferences(download=1_000_000)
    assert problem
    assert words in problem.what
    assert str(file) in problem.what
    assert "idlebrush prefs set" in problem.remedy


def test_all_that_is_wrong_is_reported(file: Path) -> None:
    text = 'threads = 0\nnonsense\ngpus = "none"\nfoo = 1\nupload = "fast\n'
    preferences, problem = load(written(file, text))
    assert preferences == Preferences(gpus=())
    assert problem
    for number in (1, 2, 4, 5):
        assert f"ine {number}" in problem.what


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff\xfe\x00", "it is not text in UTF-8"),
        (b"#" * (LARGEST + 1), "it has more than 65536 bytes"),
        (b"words and more words\n" * 40, "it is not a file of preferences"),
        (b"".join(b"word%d = 1\n" % number for number in range(4000)), "it is not a file of preferences"),
        (b"a = " + b"[" * 30_000, "it is not a file of preferences"),
    ],
)
def test_a_file_of_something_else_gives_the_defaults(file: Path, data: bytes, why: str) -> None:
    written(file, "").write_bytes(data)
    preferences, problem = load(file)
    assert preferences == DEFAULTS
    assert problem
    assert problem.what == f"The preferences in {file} cannot be used, so all are at their defaults: {why}."


@pytest.mark.posix
def test_a_file_that_cannot_be_read_gives_the_defaults(file: Path) -> None:
    file.mkdir(parents=True)
    preferences, problem = load(file)
    assert preferences == DEFAULTS
    assert problem
    assert "Is a directory" in problem.what


@given(
    st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode(errors="replace")))
)
def test_nothing_in_the_file_is_fatal(file: Path, data: bytes) -> None:
    written(file, "").write_bytes(data)
    preferences, problem = load(file)
    assert preferences == DEFAULTS or problem is None


def test_a_file_with_faults_is_kept_aside_before_it_is_written_again(file: Path) -> None:
    text = "# my own words\nthreads = 0\n"
    aside = save(written(file, text), chosen())
    assert aside
    assert aside.read_text(encoding="utf-8") == text
    assert load(file) == (chosen(), None)
    assert save(file, DEFAULTS, NOW + timedelta(hours=1)) is None


@pytest.mark.posix
def test_a_file_that_cannot_be_written_says_so_and_stays(tmp_path: Path) -> None:
    blocked = written(tmp_path / "config" / "file", "") / "preferences.toml"
    with pytest.raises(PreferenceError, match=r"could not be saved to .*: File exists"):
        save(blocked, chosen())
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["config", "file"]


def test_a_change_waits_for_another_program_s_and_keeps_what_that_set(file: Path) -> None:
    other = [sys.executable, "-c", SLOW_CHANGE, str(file)]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin
        assert program.stdout
        assert program.stdout.readline().strip() == b"has read"
        with ThreadPoolExecutor(1) as thread:
            waiting = thread.submit(change, file, lambda now: with_value(now, "upload", "1 MB/s"))
            with pytest.raises(TimeoutError):  # however long it is given, it has to wait
                waiting.result(0.05)
            program.stdin.close()
            waiting.result(30)
    assert load(file) == (Preferences(upload=1_000_000, run_mode=RunMode.NEVER), None)


@pytest.mark.posix
def test_on_a_full_disk_a_file_with_faults_stays_and_holds(tmp_path: Path) -> None:
    text = 'run-mode = "never"\nthreads = 0\n'
    with mounted_at(tmp_path) as disk:
        file = written(tmp_path / "config" / "preferences.toml", text)
        with disk.full(), pytest.raises(PreferenceError, match="could not be saved"):
            save(file, chosen())
        assert file.read_text(encoding="utf-8") == text
        assert load(file)[0].run_mode is RunMode.NEVER


def test_a_fault_is_quoted_in_part_however_long_it_is(file: Path) -> None:
    _, problem = load(written(file, f'threads = "{"9" * 40_000}"\n{"x" * 20_000} = [[1.5]]\n'))
    assert problem
    assert len(problem.what) < 1500


def test_a_long_runner_reads_the_file_again_after_a_change(file: Path) -> None:
    watched = PreferencesFile(file)
    assert watched.read_if_changed() == (DEFAULTS, None)
    assert watched.read_if_changed() is None
    save(file, chosen())
    assert watched.read_if_changed() == (chosen(), None)
    assert watched.read_if_changed() is None
    file.unlink()
    assert watched.read_if_changed() == (DEFAULTS, None)


def test_the_text_depends_on_the_preferences_alone() -> None:
    assert as_text(chosen()) == as_text(chosen())
    assert as_text(chosen()) != as_text(DEFAULTS)
