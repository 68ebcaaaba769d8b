"""The page about trouble has a row for each reason to pause or to wait, in the app's words."""

from client.api.snapshot import WaitReason
from client.policy.reasons import PauseReason
from gui.now.reasons import PREFERENCES
from gui.wording.activity import clause_of
from tests.docs.documented_commands import ROOT

PAGE = (ROOT / "docs" / "volunteers" / "trouble.md").read_text()
SECTION = PAGE.partition("## It is paused")[2].partition("\n## ")[0]
WAITING = PAGE.partition("## It waits")[2].partition("\n## ")[0]
ROWS = [line.split("|")[1:3] for line in SECTION.splitlines() if line.startswith("|")]


def test_each_reason_to_pause_has_a_row_with_its_preference() -> None:
    missing = []
    for reason in PauseReason:
        words, preference = clause_of(reason), PREFERENCES.get(reason, "")
        row = next((row for row in ROWS if words in row[0]), None)
        if row is None or (preference and f"`{preference}`" not in row[1]):
            missing.append((reason.value, words, preference))
    assert missing == []


def test_each_reason_to_wait_has_a_row() -> None:
    rows = [line.split("|")[1].strip() for line in WAITING.splitlines() if line.startswith("|")]
    assert [reason.value for reason in WaitReason if reason.value not in rows] == []
