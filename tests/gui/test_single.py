"""One app per user: a second start hands over to the first, whatever became of earlier ones."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.errors import GuiError
from gui.single import SingleApp, end_first, server_name

OTHER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.single import SingleApp, server_name
app = QCoreApplication([])
single = SingleApp(Path(sys.argv[1]))
print(single.claim("gallery", "run.toml"), flush=True)
if len(sys.argv) > 2:
    input()
"""
ENDING = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from gui.single import SingleApp
app = QCoreApplication([])
single = SingleApp(Path(sys.argv[1]))
single.end_wanted.connect(app.quit)
print(single.claim("now"), flush=True)
sys.exit(app.exec())
"""
WITH_A_CALLER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from gui.single import SingleApp, server_name
app = QCoreApplication([])
for number in range(50):
    path = Path(sys.argv[1]) / str(number)
    single = SingleApp(path)
    assert single.claim("now")
    caller = QLocalSocket()
    caller.connectToServer(server_name(path))
    caller.write(b"the beginning of a line")
    caller.flush()
    while not (server := single.findChild(QLocalServer)).findChildren(QLocalSocket):
        app.processEvents()
    del single, server
    caller.abort()
    for _ in range(10):
        app.processEvents()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
"""
Starter = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Starts the app in another process."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", OTHER, str(tmp_path / "app"), *arguments]
        pipe = subprocess.PIPE
        started.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def first(qapp: QApplication, tmp_path: Path) -> Iterator[SingleApp]:
    single = SingleApp(tmp_path / "app")
    assert single.claim("now")
    yield single
    single.close()


def test_another_start_asks_the_first_for_its_page_and_goes(
    first: SingleApp, start: Starter, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(first.wanted, timeout=20_000) as heard:
        other = start()
    assert heard.args == ["gallery", "run.toml"]
    assert other.communicate(timeout=20)[0] == "False\n"
    assert other.returncode == 0


@pytest.mark.posix
def test_nobody_else_may_talk_to_it(first: SingleApp, tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / "app").stat().st_mode) & 0o077 == 0


@pytest.mark.posix
def test_what_one_that_was_killed_has_left_is_in_nobodys_way(
    qapp: QApplication, start: Starter, tmp_path: Path
) -> None:
    killed = start("stay")
    assert killed.stdout is not None
    assert killed.stdout.readline() == "True\n"
    killed.kill()
    killed.wait()
    assert (tmp_path / "app").exists()
    single = SingleApp(tmp_path / "app")
    assert single.claim("now")
    single.close()
    assert not (tmp_path / "app").exists()


def test_one_that_does_not_answer_is_reported_with_a_remedy(
    qapp: QApplication, start: Starter, tmp_path: Path
) -> None:
    hanging = start("stay")
    assert hanging.stdout is not None
    hanging.stdout.readline()
    with pytest.raises(GuiError) as refusal:
        SingleApp(tmp_path / "app").claim("now", patience=0.3)
    assert "does not answer" in refusal.value.what
    assert str(hanging.pid) in refusal.value.remedy


def test_a_folder_that_cannot_be_written_is_reported(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(GuiError, match="cannot be written"):
        SingleApp(tmp_path / "missing" / "app").claim("now")


@pytest.mark.parametrize(
    "line", [b"no json\n", b"[" * 4_000 + b"\n", b"[1, 2]\n", b'["now"]\n', b"{}\n", b"x" * 40_000]
)
def test_what_is_no_message_is_ignored(first: SingleApp, line: bytes, tmp_path: Path, qtbot: QtBot) -> None:
    heard: list[str] = []
    first.wanted.connect(heard.append)
    caller = QLocalSocket()
    caller.connectToServer(server_name(tmp_path / "app"))
    assert caller.waitForConnected(1000)
    caller.write(line)
    caller.flush()
    qtbot.waitUntil(lambda: caller.state() is QLocalSocket.LocalSocketState.UnconnectedState)
    assert heard == []


def test_the_first_ends_when_another_process_asks_for_it(qapp: QApplication, tmp_path: Path) -> None:
    command = [sys.executable, "-c", ENDING, str(tmp_path / "app")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "True\n"
        assert end_first(tmp_path / "app", patience=60)
        assert running.wait(60) == 0


def test_ending_the_first_where_none_runs_is_done_at_once(qapp: QApplication, tmp_path: Path) -> None:
    assert end_first(tmp_path / "app")


def test_a_first_that_does_not_end_is_reported(first: SingleApp, tmp_path: Path) -> None:
    assert not end_first(tmp_path / "app", patience=0.1)


def test_it_may_go_while_another_start_calls(tmp_path: Path) -> None:
    """The socket of the caller was deleted twice, which ended in a segmentation fault now and then."""
    environment = {**os.environ, "MALLOC_PERTURB_": "165"}  # what was freed is unlike anything that is in use
    command = [sys.executable, "-X", "faulthandler", "-c", WITH_A_CALLER, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
