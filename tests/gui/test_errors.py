"""An error that no code of the app handles is in its log, and on standard error as before."""

import subprocess
import sys
from pathlib import Path

_APP = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QObject, QTimer, qWarning
from core.children.logs import kept_in
from gui.errors import log_unhandled

def fail():
    qWarning("A warning of Qt's.")
    raise RuntimeError("A fault with hf_abcdefghijk in it.")

with kept_in(Path(sys.argv[1]), "gui"):
    log_unhandled()
    qt = QCoreApplication([])
    QTimer.singleShot(0, fail)
    QTimer.singleShot(100, qt.quit)
    qt.exec()
"""


def test_errors_in_slots_and_qts_messages_are_logged_without_tokens(tmp_path: Path) -> None:
    log = tmp_path / "app.log"
    done = subprocess.run(
        [sys.executable, "-c", _APP, log], capture_output=True, text=True, check=True, timeout=60
    )
    log_text = log.read_text()
    assert "WARNING gui.errors: Qt, default: A warning of Qt's." in log_text
    assert "CRITICAL gui.errors: An error was not handled." in log_text
    assert "RuntimeError: A fault with [secret] in it." in log_text
    assert "hf_abcdefghijk" not in log_text
    assert "A warning of Qt's." in done.stderr
    assert "RuntimeError: A fault" in done.stderr
