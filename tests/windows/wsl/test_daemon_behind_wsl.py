"""The daemon of the measurement behind wsl.exe, ``make test-wsl``, has wsl.exe start a trainer: under Wine."""

import json
import sys

import pytest

from client.api.commands import Join
from client.api.launch import DaemonProgram, ensure_daemon
from client.api.questions import GetStatus
from client.hosts.wsl.refusals import MISSING
from client.joining.run_card import RunCard
from tests.waiting import COSTLY, wait_until
from tests.windows.windows_user import START_SECONDS, WindowsUser
from tests.windows.wsl.daemon import VARIABLE

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine")
CARD = RunCard(name="run", title="A run", digest="ab" * 32, fingerprint="fdws-6r64", total_epochs=1)


def test_a_joined_run_needs_nothing_but_wsl(user: WindowsUser) -> None:
    user.paths.prepare()
    user.paths.preferences.write_text('run-mode = "always"\nother-cpu-load = "off"\n')
    folder = user.paths.run(CARD.digest)
    folder.mkdir(parents=True)
    CARD.save(folder)
    settings = json.dumps({"program": "there-is-no-wsl.exe", "agent": ["agent"], "mount": "/mnt"})
    program = DaemonProgram("tests.windows.wsl.daemon", {**user.environment, VARIABLE: settings})
    with ensure_daemon(user.paths, START_SECONDS, program=program) as connection:

        def noticed() -> list[str]:
            answer = connection.ask(GetStatus())
            return [notice.text for notice in answer.snapshot.notices]  # type: ignore[union-attr]

        connection.ask(Join(folder=str(folder)))
        wait_until(
            lambda: any(MISSING.what in text for text in noticed()), "wsl.exe was not missed", every=COSTLY
        )
