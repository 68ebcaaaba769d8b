"""The website's process as the coordinator starts it, for tests that need a real one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coordinator.messages import COUNTS_VARIABLE, FROM_WEB, StartWeb, WebMessage
from core.messages.children import Failed
from core.messages.lines import decode, encode


@contextmanager
def started(
    home: Path, port: int = 0, database: str | None = None, processes: int = 1
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that was told to serve a home, as one of so many."""
    command = [sys.executable, "-m", "coordinator.web.process"]
    environment = dict(os.environ)
    if processes > 1:
        (home / ".counts").mkdir(exist_ok=True)
        environment[COUNTS_VARIABLE] = str(home / ".counts")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        url = database or f"sqlite:///{home / 'coordinator.sqlite'}"
        start = StartWeb(home=home, port=port, database=url, processes=processes)
        process.stdin.write(encode(start))
        process.stdin.flush()
        try:
            yield process
        finally:
            process.kill()


def first_message(process: subprocess.Popen[bytes], kind: type[WebMessage]) -> WebMessage:
    """The first message of that kind; nothing but signs of life may come before it."""
    assert process.stdout is not None
    for line in process.stdout:
        message = decode(line, FROM_WEB)
        if isinstance(message, kind):
            return message
        assert not isinstance(message, Failed), message
    raise AssertionError(f"it ended without {kind.__name__}")
